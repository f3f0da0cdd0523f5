"""Shell completion of files, folders, formats, and the names of queries and profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import click
    from click.shell_completion import CompletionItem


def files(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file."""
    return _items([(incomplete, None)], "file")


def folders(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete the name of a folder."""
    return _items([(incomplete, None)], "dir")


def formats(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the names of RDF formats that begin with the typed text."""
    from cturi_rdf.reading.formats import FORMATS

    return _beginning((form.name for form in FORMATS), incomplete)


def results(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the names of formats for rows, and of RDF, that begin with the typed text."""
    rows = _beginning(["table", "csv", "json"], incomplete)
    return rows + formats(context, parameter, incomplete)


def profiles(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return the names of metadata profiles that begin with the typed text."""
    from cturi_rdf.catalogue.profiles import profile_names

    return _beginning(profile_names(), incomplete)


def queries(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the names of ready-made queries that begin with the typed text, and files."""
    from cturi_rdf.sparql.query import ready_made

    names = _beginning(((query.name, query.title) for query in ready_made().values()), incomplete)
    return names + files(context, parameter, incomplete)


def _beginning(names: Iterable[str | tuple[str, str]], typed: str) -> list[CompletionItem]:
    pairs = ((name, None) if isinstance(name, str) else name for name in names)
    return _items((pair for pair in pairs if pair[0].startswith(typed)), "plain")


def _items(names: Iterable[tuple[str, str | None]], kind: str) -> list[CompletionItem]:
    from click.shell_completion import CompletionItem

    return [CompletionItem(name, kind, help=title) for name, title in names]
