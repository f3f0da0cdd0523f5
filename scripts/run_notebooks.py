"""Run the notebooks and write their outputs into them: ``make notebooks``.

The outputs are committed, so that the notebooks can be read on the web; a test checks that they are
up to date.
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
    """Return a notebook with its present outputs, without times."""
    notebook = nbformat.read(path, as_version=4)
    resources = {"metadata": {"path": str(path.parent)}}
    # Jupyter splits the printed text of a cell into messages by a timer.
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
