"""Run the notebooks and write their outputs into them: ``make notebooks``.

The outputs are committed, so that the notebooks read on the web; a test says that they are
what the notebooks give now.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
# A story takes less than a minute.
TIMEOUT = 60


def run(path: Path) -> Any:
    """Return a notebook with the outputs that it gives now, and nothing that tells when."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(path.parent)}}
    # Jupyter sends what a cell prints in as many messages as its timer likes.
    client = NotebookClient(notebook, timeout=TIMEOUT, resources=resources, coalesce_streams=True)
    client.execute()
    for cell in notebook.cells:
        cell.metadata = {}
    notebook.metadata.pop("language_info", None)
    return notebook


if __name__ == "__main__":
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        nbformat.write(run(path), path)
        print(f"ran {path.name}")
