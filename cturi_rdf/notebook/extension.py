"""The changes of ``%load_ext cturi_rdf.notebook`` to IPython, and how they are undone."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from rdflib import Graph
from rdflib.query import Result

from cturi_rdf._util.display import Displayed
from cturi_rdf.errors import CturiError
from cturi_rdf.notebook.magic import run_cell, split_line
from cturi_rdf.notebook.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable


_HTML, _TEXT = "text/html", "text/plain"
# Foreign values without a good display: a graph may be large, and a list may hold anything.
_FOREIGN: tuple[type, ...] = (list, Graph, Result)
_TRIPLES = 10_000


def load_ipython_extension(shell: Any) -> None:
    """Give a shell tables of foreign values and the magic; a terminal tables of all."""
    formatters = shell.display_formatter.formatters
    for kind in _FOREIGN:
        formatters[_HTML].for_type(kind, _html)
    # A notebook has HTML; only a terminal shows the text.
    if hasattr(shell, "pt_app"):
        for kind in (Displayed, *_FOREIGN):
            formatters[_TEXT].for_type(kind, _printer(formatters[_TEXT], kind))

    def sparql(line: str, cell: str | None = None) -> Any:
        """Run a SPARQL query over the graph in a variable, and show the answer as a table.

        %%sparql catalogue --into answer     the query is the cell; --into keeps the answer
        %sparql catalogue ASK { ?s ?p ?o }   the query is the rest of the line

        The usual prefixes, the functions `ctf:` and the registry are there.  With --allow-network
        after the name of the variable, SERVICE may ask other servers, and FROM may load graphs.
        """
        from IPython.core.error import UsageError

        if cell is None:
            line, cell = split_line(line)
        try:
            name, answer = run_cell(line, cell, shell.user_ns)
        except CturiError as error:
            # One message instead of a traceback.
            raise UsageError(str(error)) from error
        if name is not None:
            shell.user_ns[name] = answer
        return answer

    shell.register_magic_function(sparql, "line_cell", "sparql")


def unload_ipython_extension(shell: Any) -> None:
    """Take all of it away again."""
    formatters = shell.display_formatter.formatters
    for kind in (*_FOREIGN, Displayed):
        for mime_type in (_HTML, _TEXT):
            formatters[mime_type].pop(kind, None)
    for magics in shell.magics_manager.magics.values():
        magics.pop("sparql", None)


def _shown(value: Any) -> Displayed | None:
    """Return the display of a value: itself, a table, or None to leave it to IPython."""
    if isinstance(value, Graph) and len(value) > _TRIPLES:
        return None
    with suppress(TypeError):
        return value if isinstance(value, Displayed) else table(value)
    return None


def _html(value: Any) -> str | None:
    shown = _shown(value)
    return None if shown is None else shown.overview().to_html()


def _printer(formatter: Any, kind: type) -> Callable[[Any, Any, bool], None]:
    """Return the function that prints values of one kind on a terminal, by rich."""
    before = formatter.type_printers.get(kind)

    def printed(value: Any, printer: Any, cycle: bool) -> None:  # noqa: FBT001 - IPython's signature
        from rich.console import Console

        console, shown = Console(), _shown(value)
        if shown is not None:
            with console.capture() as captured:
                console.print(shown)
            printer.text(captured.get().rstrip())
        elif before is None:
            printer.text(repr(value))
        else:
            before(value, printer, cycle)

    return printed
