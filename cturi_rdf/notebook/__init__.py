"""Exploring in a notebook: tables of results, SPARQL in a cell, plots and pictures.

Values of this package are shown as tables without any of this.
``%load_ext cturi_rdf.notebook`` adds tables of lists and of the results and graphs of rdflib,
the magics ``%sparql`` and ``%%sparql``, and all of it in a terminal's IPython too.
"""

from cturi_rdf._util.display import Table
from cturi_rdf.notebook.extension import load_ipython_extension, unload_ipython_extension
from cturi_rdf.notebook.graph_drawing import Picture, picture
from cturi_rdf.notebook.magic import query
from cturi_rdf.notebook.plots import plot
from cturi_rdf.notebook.statistics import coverage, kinds, over_time, problems
from cturi_rdf.notebook.tables import table

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
