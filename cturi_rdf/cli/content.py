"""`cturi message`, `encoding` and `links`: mail as RDF, the encoding of XML, links of the web."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cturi_rdf.cli.options import (
    control_option,
    files_argument,
    json_option,
    output_option,
    to_option,
    written_format,
)
from cturi_rdf.cli.output import json_line, progress, quiet_option
from cturi_rdf.errors import ContentTypeError, visible
from cturi_rdf.reading.errors import called
from cturi_rdf.xml import encoding_of, lint, lint_fragment, resolve_fragment
from cturi_rdf.xml.kinds import TRANSPORTS, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.mime.scan import Source
    from cturi_rdf.rdf.web_links import Link
    from cturi_rdf.reading.formats import Format
    from cturi_rdf.uri.mapping import Control
    from cturi_rdf.xml import Resolution

_CHUNK = 1 << 20


@click.command(short_help="Read mail messages and mailboxes as RDF.")
@files_argument("paths", nargs=-1, required=True, metavar="FILE|DIR...")
@output_option()
@to_option
@click.option("--bodies", is_flag=True, help="Include the contents of the parts.")
@click.option("--personal", is_flag=True, help="Include all header fields: From, To, Subject…")
@click.option(
    "--references/--no-references",
    default=True,
    help="Whether to look for cid: and mid: URLs in HTML, CSS and XML parts.",
)
@control_option
@quiet_option
def message(
    paths: tuple[str, ...],
    output: str,
    to: str | None,
    *,
    bodies: bool,
    personal: bool,
    references: bool,
    control: Control,
) -> None:
    """Write MIME messages as RDF: their parts, types and sizes, and the links between parts.

    FILE is a message or an mbox, and may be compressed; DIR is a folder of them; - is standard
    input. Bodies and personal header fields are left out unless you ask for them.
    """
    from cturi_rdf.mime.mailbox import Mailbox
    from cturi_rdf.rdf.message import describe_mailbox
    from cturi_rdf.reading.rdflib_graphs import new_dataset, write_catalog

    form = written_format(output, to)
    messages = iter(Mailbox(*[_opened(path) for path in paths]))
    with progress(f"reading {', '.join(paths)}"):
        first = next(messages, None)
        if first is None:
            raise click.ClickException(f"no message in {', '.join(paths)}")
        graph = new_dataset()
        try:
            describe_mailbox(
                chain([first], messages),
                bodies=bodies,
                personal=personal,
                references=references,
                control=control,
                graph=graph,
            )
        except ImportError as error:
            raise ImportError(f"{error}, or leave out the references: --no-references") from error
        write_catalog(graph, output, form)


def _opened(path: str) -> str | Source:
    """Return the source of messages at a path, with standard input and compressed files copied."""
    from cturi_rdf.mime.scan import Source
    from cturi_rdf.reading.formats import compression_named
    from cturi_rdf.reading.source import open_unpacked

    if path == "-" or (compression_named(path) and Path(path).is_file()):
        with open_unpacked(path) as file:
            return Source.of_chunks(iter(lambda: file.read(_CHUNK), b""))
    return path


# Enough for any declaration; only --lint reads the rest of a file.
_FIRST = 65_536


@click.command(short_help="Find the encoding of an XML file, by RFC 7303.")
@click.argument("file", type=click.Path(allow_dash=True))
@click.option("--content-type", metavar="HEADER", help="The Content-Type that FILE is served with.")
@click.option(
    "--transport", type=click.Choice(list(TRANSPORTS)), help="How FILE is sent, if that is known."
)
@click.option(
    "--fragment",
    metavar="FRAGMENT",
    help="Also print what this fragment identifier points to in FILE.",
)
@json_option()
@click.option(
    "--lint",
    "linting",
    is_flag=True,
    help="Print everything in FILE and its header that breaks RFC 7303, one line each; the exit"
    " code is 1 if anything does.",
)
def encoding(
    file: str,
    content_type: str | None,
    transport: str | None,
    fragment: str | None,
    *,
    as_json: bool,
    linting: bool,
) -> None:
    """Print the character encoding of an XML file, by RFC 7303.

    The line has the encoding and its source: bom (a byte order mark), charset (the parameter
    of --content-type), declaration (the XML or text declaration in FILE) or default. Findings
    follow. With --fragment, a second line names the specification that defines the fragment
    identifier, and the element, or says why there is none. FILE may be - for standard input, and
    may be compressed with gzip or Zstandard.
    """
    try:
        whole = linting or fragment is not None
        data = _read(file, whole=whole)
        decision = encoding_of(content_type, data, transport=transport)
        findings = lint(content_type, data, transport=transport) if linting else decision.findings
        target = None
        if fragment is not None:
            target = resolve_fragment(content_type, fragment, data)
            findings += lint_fragment(content_type, fragment)
    except ContentTypeError as error:
        raise click.BadParameter(error.summary, param_hint="--content-type") from error
    if as_json:
        answer: dict[str, object] = {
            "file": file,
            "encoding": decision.encoding,
            "source": decision.source,
            "findings": [finding._asdict() for finding in findings],
        }
        if target:
            answer["fragment"] = _points_at(target)
        click.echo(json_line(answer))
    else:
        if not linting:
            wide = decision.signature.encoding
            if decision.source == "default" and not wide and not data.lstrip().startswith(b"<"):
                why = "it does not begin with <" if data else "it is empty"
                click.echo(
                    f"cturi: {visible(called(file))}: {why}, so nothing shows an encoding;"
                    " utf-8 is the default (XML 1.0 section 4.3.3)",
                    err=True,
                )
            click.echo(f"{decision.encoding or 'unknown'}\t{decision.source or 'none'}")
            if target:
                click.echo("\t".join(str(value) for value in _points_at(target).values() if value))
        for finding in findings:
            click.echo(str(finding))
    if linting and findings:
        raise SystemExit(1)


def _read(file: str, *, whole: bool) -> bytes:
    """Return the first octets of a file, or all of it."""
    from cturi_rdf.reading.source import open_unpacked, read_whole

    with open_unpacked(file) as stream:
        return read_whole(stream, file) if whole else stream.read(_FIRST)


def _points_at(target: Resolution) -> dict[str, str | int | None]:
    """Return the source of a fragment's meaning, and the element or why there is none."""
    element = target.element
    if element is None:
        return {"by": target.by, "reason": target.reason}
    return {"by": target.by, "element": element.name, "path": element.path, "line": element.line}


@click.command(short_help="Read and write links with their media types, by RFC 8288.")
@files_argument("file", metavar="FILE")
@click.option(
    "--context", metavar="URL", help="The URL of FILE, against which its links are resolved."
)
@click.option(
    "--check",
    "checking",
    is_flag=True,
    help="Print what is wrong with the links and their types; the exit code is 1 if anything is.",
)
@click.option(
    "--of",
    "resource",
    metavar="IRI",
    help="Print the Link header of this resource instead; FILE is then a catalogue.",
)
@json_option("Print one JSON object per line: links or, with --check, what is wrong.")
@output_option()
@to_option
def links(
    file: str,
    context: str | None,
    resource: str | None,
    output: str,
    to: str | None,
    *,
    as_json: bool,
    checking: bool,
) -> None:
    """Print the links of a page or of HTTP headers: relation, target and media type.

    FILE is HTML, or headers as curl -I prints them; - is standard input. With --to the links are
    RDF: each relation is a property, and the type of a target is its content type. --check also
    checks the rules of the Signposting profile.
    """
    from cturi_rdf.rdf.web_links import check, field_of, read_text

    if as_json and (to is not None or output != "-"):
        raise click.UsageError("--json prints on standard output, and takes no -o and no --to")
    if resource is not None:
        of_resource = _links_of(file, resource)
        if as_json:
            _print_all(of_resource, as_json=True)
        else:
            click.echo(f"Link: {field_of(of_resource)}")
        return
    # Octets of a page in another charset take nothing from its links.
    text = _read(file, whole=True).decode("utf-8", "replace")
    read = list(read_text(text, context or ""))
    defects = [(line, defect) for line, (_, of_field) in read for defect in of_field]
    read_links = [link for _, (of_field, _) in read for link in of_field]
    # Where no line is a link, it is most likely a file of another kind: one defect says so.
    is_other = bool(defects) and not (read_links or checking)
    for line, defect in defects[:1] if is_other else defects:
        click.echo(f"cturi: {visible(called(file))}:{line}: {defect.summary}", err=True)
    if is_other:
        raise SystemExit(2)
    if checking:
        findings = list(check(read_links))
        _print_all(findings, as_json=as_json)
        if findings or defects:
            raise SystemExit(1)
    elif to is not None or output != "-":
        _write_links(read_links, output, written_format(output, to))
    else:
        _print_all(read_links, as_json=as_json)


def _print_all(items: Iterable[Link | Finding], *, as_json: bool) -> None:
    """Print links or findings, one per line."""
    for item in items:
        shown = item._asdict()
        if isinstance(item, Finding):
            line = visible(str(item))
        else:
            shown["content_type"] = item.content_type and str(item.content_type)
            row = (" ".join(item.relations), item.target, shown["content_type"] or "")
            line = "\t".join(map(visible, row))
        click.echo(json_line(shown) if as_json else line)


def _write_links(links: Iterable[Link], output: str, form: Format) -> None:
    """Write links as RDF."""
    from cturi_rdf.rdf.vocab import CTV
    from cturi_rdf.rdf.web_links import RELATIONS, statements
    from cturi_rdf.reading.rdflib_graphs import new_dataset, write_catalog

    graph = new_dataset()
    graph.bind("relation", RELATIONS)
    graph.bind("ctv", CTV)
    for triple in statements(links):
        graph.add(triple)
    write_catalog(graph, output, form)


def _links_of(file: str, resource: str) -> list[Link]:
    from cturi_rdf.catalogue.graphs import links_of
    from cturi_rdf.reading import read_catalog

    of_resource = list(links_of(read_catalog(file), resource))
    if not of_resource:
        raise click.ClickException(f"{visible(called(file))} has no links of {visible(resource)}")
    return of_resource
