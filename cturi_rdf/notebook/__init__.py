"""Exploring in a notebook: tables of results, SPARQL in a cell, plots and pictures.

Values of this package are shown as tables without any of this.
``%load_ext cturi_rdf.notebook`` adds tables of lists and of the results and graphs of rdflib,
the magics ``%sparql`` and ``%%sparql``, and all of it in a terminal's IPython too.
"""

from cturi_rdf._util.display import Table
from cturi_rdf.notebook.drawing import Picture, coverage, kinds, over_time, picture, plot, problems
from cturi_rdf.notebook.tables import load_ipython_extension, query, table, unload_ipython_extension

__all__ = [
    "Picture",
    "Table",
    "coverage",
    "kinds",
    "load_ipython_extension",
    "over_time",
    "picture",
    "plot",
    "problems",
    "query",
    "table",
    "unload_ipython_extension",
]
