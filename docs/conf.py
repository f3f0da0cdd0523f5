"""How Sphinx builds the site of the documentation: `make docs`."""

from typing import Any, ClassVar

from docutils import nodes
from pygments.lexer import RegexLexer, bygroups, using
from pygments.lexers.rdf import SparqlLexer
from pygments.token import Keyword, Name
from sphinx.transforms import SphinxTransform

from cturi_rdf import __version__

project = "cturi-rdf"
copyright = "The cturi-rdf authors, BSD-3-Clause"  # noqa: A001 - Sphinx's name
version = release = __version__

extensions = ["myst_nb", "sphinx.ext.autodoc"]
exclude_patterns = ["_build", "**.ipynb_checkpoints"]
# The outputs are committed, and a test runs the notebooks.
nb_execution_mode = "off"
myst_heading_anchors = 3
# A docstring has `name` for code.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True}
# Large packages that a documented module needs.
autodoc_mock_imports = ["py4j", "pyspark"]

html_theme = "furo"
html_title = "cturi-rdf"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["search.js"]
# Pygments does not know the operators of property paths, and highlights the rest.
# A `type` in a signature is that of Python; attributes of ours have the same name.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]


class SparqlCell(RegexLexer):
    """A cell of a notebook: the magic on the first line, then SPARQL."""

    tokens: ClassVar = {
        "root": [(r"(%%sparql)(.*\n)", bygroups(Keyword, Name)), (r"(?s).+", using(SparqlLexer))]
    }


class CodeBlocks(SphinxTransform):
    """Highlight cells of SPARQL as such, and end examples without the blank line of doctest."""

    default_priority = 400

    def apply(self, **_: Any) -> None:
        """Name the language of each such cell, and strip the end of each block."""
        for block in self.document.findall(nodes.literal_block):
            block.rawsource = block.astext().rstrip("\n")
            block[:] = [nodes.Text(block.rawsource)]
            if block.rawsource.startswith("%%sparql"):
                block["language"] = "sparql-cell"


def setup(app: Any) -> None:
    """Highlight SPARQL; leave out Python's docstrings of the fields of named tuples."""
    app.add_lexer("sparql-cell", SparqlCell)
    app.add_transform(CodeBlocks)
    app.connect(
        "autodoc-skip-member",
        lambda *event: True if type(event[3]).__name__ == "_tuplegetter" else None,
    )
