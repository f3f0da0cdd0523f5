"""The formats of rdflib by media type: to parse a document by its header, and to answer requests.

rdflib finds its parsers and serialisers by exact strings: it knows neither ``TEXT/TURTLE`` nor
``text/turtle; charset=utf-8``, and a plug-in cannot add the latter, because the name of an entry
point cannot contain ``=``.  A plug-in can add whole names: this package adds further media types
under which RDF is sent.  Types whose content is mostly not RDF, such as ``application/json``, are
added only by `register_formats`.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, Literal

from rdflib import Dataset, Graph, plugin
from rdflib.parser import Parser
from rdflib.serializer import Serializer
from rdflib.util import SUFFIX_FORMAT_MAP

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError
from cturi_rdf.negotiation import Representations, best
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_a

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cturi_rdf.negotiation.choice import Body


_KINDS: dict[str, Any] = {"parse": Parser, "serialize": Serializer}
# Offered to clients that accept anything, best first; others come after these.
_PREFERRED = ("turtle", "json-ld", "xml", "nt", "trig", "nquads")
# What rdflib writes of datasets alone.
_OF_DATASETS = {"application/n-quads", "application/trix"}
# The parsers for types whose content is mostly not RDF.
_RDF_XML = ("rdflib.plugins.parsers.rdfxml", "RDFXMLParser")
_GENERIC = {
    "application/json": ("rdflib.plugins.parsers.jsonld", "JsonLDParser"),
    "application/xml": _RDF_XML,
    "text/xml": _RDF_XML,
}


def rdflib_format(
    content_type: ContentType | str, *, task: Literal["parse", "serialize"] = "parse"
) -> str:
    """Return rdflib's name of the format of a content type, given as such or as a header.

    A header is read leniently.  Parameters and case do not count.  The next best is a format of the
    same type under another name, then one that the type is a special case of, then the one that is
    a special case of the type: ``application/json`` is read as JSON-LD.  Raises `ContentTypeError`
    where there is none.

    >>> rdflib_format("Text/Turtle; charset=utf-8"), rdflib_format("application/json")
    ('turtle', 'json-ld')
    """
    if isinstance(content_type, str):
        recovered = ContentType.recover(content_type, rules="any")
        if recovered.content_type is None:
            raise recovered.defects[-1]
        content_type = recovered.content_type
    formats = {essence: names[0] for essence, names in _formats(task).items()}
    wanted = ContentType(content_type.type, content_type.subtype)
    if wanted.essence in formats:
        return formats[wanted.essence]
    canonical = registry().canonical(wanted.essence)
    types = {essence: ContentType.parse(essence) for essence in formats}
    for close in (
        {formats[essence] for essence in formats if registry().canonical(essence) == canonical},
        {formats[essence] for essence in formats if is_a(wanted, types[essence])},
        {formats[essence] for essence in formats if is_a(types[essence], wanted)},
    ):
        if len(close) == 1:
            return close.pop()
    text = str(content_type)
    raise ContentTypeError(
        f"no format that rdflib can {task}",
        text,
        expected=f"such as {', '.join(sorted(formats))}",
        rule="rdflib's plug-ins",
    )


def best_format(accept: str | None, formats: Iterable[str] | None = None) -> str | None:
    """Return rdflib's name of the format that an ``Accept`` header wants most, or None.

    `formats` are rdflib's names of those to choose from, best first; by default they are all that
    rdflib can serialise.  rdflib writes UTF-8, so each format counts as having that charset.  The
    choice follows RFC 9110 section 12.5.1, then the rules of `cturi_rdf.negotiation.choose`.

    >>> best_format("text/html, application/ld+json;q=0.9, */*;q=0.1")
    'json-ld'
    >>> best_format("application/json"), best_format("text/turtle;version=1.2")
    ('json-ld', 'turtle')
    >>> best_format("image/png") is None
    True
    """
    offers = _offers_of(formats)
    index = best(accept, offers)
    return None if index is None else offers[index]


def _offers_of(formats: Iterable[str] | None = None) -> dict[ContentType, str]:
    """Return the types that a server offers for formats of rdflib, best first, with their names.

    >>> [str(offer) for offer in _offers_of(["turtle", "no such format"])]
    ['text/turtle; charset=utf-8']
    """
    types = {
        name: ContentType.parse(f"{essence}; charset=utf-8")
        for essence, names in reversed(_formats("serialize").items())
        for name in names
    }
    offers: dict[ContentType, str] = {}
    for name in (*_PREFERRED, *types) if formats is None else formats:
        if name in types:
            offers.setdefault(types[name], name)
    return offers


def representations(
    graph: Graph,
    formats: Iterable[str] | None = None,
    *,
    others: Mapping[str, Body] | None = None,
) -> Representations:
    """Return a graph as a resource that serves each of its formats by negotiation.

    `formats` are rdflib's names of them, best first; by default they are all that rdflib can
    serialise.  `others` are further representations, such as an HTML page; they come before the
    graph where a client accepts anything.  The graph is serialised for each request that wants it.
    Raises `ContentTypeError` for a key of `others` that is not a Content-Type.

    >>> from rdflib import Graph
    >>> graph = Graph().parse(data="<http://a.example/> a <http://a.example/T> .")
    >>> response = representations(graph).respond("application/n-triples")
    >>> response.headers[0]
    ('Content-Type', 'application/n-triples')
    >>> response.body.count(b"example")
    2
    """
    bodies: dict[str, Body] = dict(others or {})
    for offer, name in _offers_of(formats).items():
        # Only types under "text" have the charset in their registration, as a rule.
        header = str(offer) if offer.type == "text" else offer.essence
        needs_dataset = offer.essence in _OF_DATASETS and not graph.context_aware
        serialise = partial(_of_dataset, graph) if needs_dataset else graph.serialize
        bodies.setdefault(header, partial(serialise, format=name, encoding="utf-8"))
    return Representations(bodies)


def _of_dataset(graph: Graph, **options: Any) -> bytes:
    """Return the serialisation of a dataset that has the graph as its default graph."""
    dataset = Dataset()
    dataset.namespace_manager = graph.namespace_manager
    for triple in graph:
        dataset.add(triple)
    content: bytes = dataset.serialize(**options)
    return content


def register_formats() -> None:
    """Let rdflib parse ``application/json``, ``application/xml`` and ``text/xml`` as RDF.

    Servers that send JSON-LD and RDF/XML under these types become readable by their URL; so does
    all other JSON and XML, in which rdflib finds few triples, or nonsense.  A parser that is
    already registered stays.

    >>> from rdflib import Graph
    >>> register_formats()
    >>> text = '{"@id": "http://a.example/", "http://a.example/p": "x"}'
    >>> len(Graph().parse(data=text, format="application/json"))
    1
    """
    taken = {entry.name for entry in plugin.plugins(kind=Parser)}
    for name, (module, class_name) in _GENERIC.items():
        if name not in taken:
            plugin.register(name, Parser, module, class_name)


@cache
def _formats(task: str) -> dict[str, list[str]]:
    """Return rdflib's names of its formats by media type, its usual one first.

    These are the plug-ins that have a media type.
    """
    plugins = list(plugin.plugins(kind=_KINDS[task]))
    names: dict[object, list[str]] = {}
    for entry in plugins:
        names.setdefault(_target(entry), []).append(entry.name)
    # A foreign plug-in that gives a class of rdflib another media type says what is sent under
    # that type, not what the class is for.
    own = {_target(entry) for entry in plugins if not isinstance(entry, plugin.PKGPlugin)}
    return {
        entry.name.lower(): sorted(names[_target(entry)], key=partial(_rank, entry.name))
        for entry in plugins
        if "/" in entry.name
        and entry.name not in _GENERIC
        and not (isinstance(entry, plugin.PKGPlugin) and _target(entry) in own)
    }


def _target(entry: plugin.Plugin[Any]) -> tuple[str, str]:
    if isinstance(entry, plugin.PKGPlugin):
        module, _, name = entry.ep.value.partition(":")
        return module, name
    return entry.module_path, entry.class_name


def _rank(media_type: str, name: str) -> tuple[bool, bool, bool]:
    """Return the place of a name of a plug-in: first that which rdflib itself uses."""
    return "/" in name, name not in SUFFIX_FORMAT_MAP.values(), name != media_type
