"""The one table of RDF formats, how to tell the format of a file, and how to read one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf.reading.compression import without_ending
from cturi_rdf.reading.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    import pyoxigraph as ox


class Format(NamedTuple):
    """One format: rdflib's name for it, and its other names.

    `datasets` says whether it holds named graphs, `relative` whether it has relative IRIs, and
    `any_iri` whether it can hold characters that RFC 3987 does not allow in an IRI, such as a
    space.  The first media type is the registered one.
    """

    name: str
    oxigraph_name: str
    endings: tuple[str, ...]
    media_types: tuple[str, ...]
    datasets: bool = False
    relative: bool = True
    any_iri: bool = False

    @property
    def oxigraph(self) -> ox.RdfFormat:
        """Oxigraph's name of the format."""
        import pyoxigraph as ox

        return getattr(ox.RdfFormat, self.oxigraph_name)  # type: ignore[no-any-return]

    @property
    def by_lines(self) -> bool:
        """Whether each statement is on a line of its own."""
        return self.name in {"nt", "nquads"}


FORMATS = (
    Format(
        "turtle", "TURTLE", ("ttl", "turtle"),
        ("text/turtle", "application/turtle", "application/x-turtle"),
    ),
    Format(
        "trig", "TRIG", ("trig",), ("application/trig", "application/x-trig"), datasets=True
    ),
    Format(
        "nt", "N_TRIPLES", ("nt", "ntriples"), ("application/n-triples", "text/ntriples"),
        relative=False,
    ),
    Format(
        "nquads", "N_QUADS", ("nq", "nquads"),
        ("application/n-quads", "text/nquads", "text/x-nquads"), datasets=True, relative=False,
    ),
    Format(
        "xml", "RDF_XML", ("rdf", "xml", "owl", "rdfxml"),
        ("application/rdf+xml", "application/xml", "text/xml"), any_iri=True,
    ),
    Format(
        "json-ld", "JSON_LD", ("jsonld", "json"), ("application/ld+json", "application/json"),
        datasets=True, any_iri=True,
    ),
    Format("n3", "N3", ("n3",), ("text/n3", "text/rdf+n3")),
)  # fmt: skip


def format_named(name: str) -> Format:
    """Return the format of that name, file ending or media type, in any case.

    Raises `CatalogError`.

    >>> format_named("Text/Turtle; charset=utf-8").name
    'turtle'
    """
    # Parameters of a media type do not matter.
    wanted = name.partition(";")[0].strip().lower().removeprefix(".")
    for form in FORMATS:
        if wanted in (form.name, *form.endings, *form.media_types):
            return form
    names = ", ".join(form.name for form in FORMATS)
    raise CatalogError("an unknown format", name, f"one of {names}")


def format_of_file(name: str) -> Format:
    """Return the format that a file's name tells, without the ending of a compression.

    Raises `CatalogError` where the name does not tell a format.

    >>> format_of_file("catalog.TTL.gz").name
    'turtle'
    """
    ending = without_ending(name).lower().rpartition(".")[2]
    for form in FORMATS:
        if ending in form.endings:
            return form
    endings = ", ".join(f".{ending}" for form in FORMATS for ending in form.endings)
    raise CatalogError("cannot tell the format from the file name", name, f"one of {endings}")


def format_of_content(first: bytes) -> Format | None:
    """Return the format that the first bytes of a document show, or None.

    XML and JSON show themselves.  Turtle is what begins with a directive, a comment or a
    prefixed name, N-Triples and N-Quads what begins with a whole statement of theirs.

    >>> format_of_content(b'{"@context": {}}').name, format_of_content(b"@prefix a: <b> .").name
    ('json-ld', 'turtle')
    """
    import pyoxigraph as ox

    text = first.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith((b"{", b"[")):
        # The graphs of TriG may begin with a brace, and the nodes of Turtle with a bracket.
        inside = text[1:].lstrip()
        if inside.startswith((b'"', b"{", b"[", b"}")) or text.startswith(b"[]"):
            return format_named("json-ld")
    if text.startswith((b"<?xml", b"<!", b"<rdf:RDF")):
        return format_named("xml")
    for name in ("nt", "nquads", "turtle", "trig"):
        form = format_named(name)
        quads = ox.parse(text, form.oxigraph, base_iri=None if form.by_lines else "http://a/")
        try:
            # The text may end in the middle of a statement: one whole statement is enough.
            if next(quads, None) is not None or not form.by_lines:
                return form
        except SyntaxError:
            continue
    return None


class ReadOptions(NamedTuple):
    """How to read a file.

    * `form`: the name or media type of its format, where the name of the file does not tell it;
    * `contexts`: the file of each JSON-LD context by its IRI; None instead leaves that context out;
    * `allow_network`, `allow_files`: whether a context that is neither given, nor in the package,
      nor beside the file, may come from the network, or from elsewhere on the disk;
    * `strict`: whether half of a surrogate pair in JSON is refused; otherwise it reads as U+FFFD;
    * `resolver`: a function that says what a label means; reading itself does not use it, and those
      who read labels have their own if it is None.

    >>> ReadOptions(form="turtle").strict
    False
    """

    form: str | None = None
    contexts: Mapping[str, Path | None] = {}
    allow_network: bool = False
    allow_files: bool = False
    strict: bool = False
    resolver: Callable[[str], Any] | None = None
