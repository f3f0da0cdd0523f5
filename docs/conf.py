"""How Sphinx builds the site of the documentation: `make docs`."""

from typing import Any

from cturi_rdf import __version__

project = "cturi-rdf"
copyright = "The cturi-rdf authors, BSD-3-Clause"  # noqa: A001 - Sphinx's name
version = release = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "**.ipynb_checkpoints"]
# The outputs are committed, and a test runs the notebooks.
nb_execution_mode = "off"
myst_heading_anchors = 3
# A docstring says `name` for code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
# What a module needs that a page is about, and that is large.
autodoc_mock_imports = ["py4j", "pyspark"]

html_theme = "furo"
html_title = "cturi-rdf"
html_static_path = ["_static"]
html_css_files = ["site.css"]
# A cell of SPARQL is no Python, and shown all the same.
suppress_warnings = ["misc.highlighting_failure"]


def setup(app: Any) -> None:
    """Leave out what Python says of each field of a named tuple: its number."""
    app.connect(
        "autodoc-skip-member",
        lambda *event: True if type(event[3]).__name__ == "_tuplegetter" else None,
    )
