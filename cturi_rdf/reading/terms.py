"""Terms of rdflib as Oxigraph's and back; IRIs, relative ones too, tags and typed literals."""

from __future__ import annotations

import re
from calendar import monthrange
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf._util.display import whole_characters

if TYPE_CHECKING:
    from collections.abc import Callable

    from rdflib.term import Node


RDF_NS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
# Oxigraph and the locators label an anonymous blank node by a random number of 128 bits, without
# its leading zeros.  One label in a million has 27 digits; a label of fewer than 20 is as rare as
# two equal ones.
_RANDOM = re.compile("[A-Za-z]?[0-9a-f]{20,32}")


def to_ox(term: Node) -> Any:
    """Return a term of rdflib as one of Oxigraph.

    Raises `ValueError` for an IRI or a language that Oxigraph refuses.
    """
    from rdflib import BNode, Literal

    if isinstance(term, Literal):
        if term.language:
            return ox.Literal(str(term), language=term.language)
        datatype = ox.NamedNode(str(term.datatype)) if term.datatype else None
        return ox.Literal(str(term), datatype=datatype)
    return ox.BlankNode(str(term)) if isinstance(term, BNode) else ox.NamedNode(str(term))


def lenient_ox(term: Node) -> Any:
    """Return any term of rdflib as one of Oxigraph: IRIs and labels need not be valid.

    A literal whose language Oxigraph refuses has none, and a lone surrogate is U+FFFD.
    """
    from rdflib import BNode, Literal

    try:
        return to_ox(term)
    except ValueError:
        if isinstance(term, Literal):
            text = whole_characters(str(term))
            if text == str(term):
                return ox.Literal(text)
            return lenient_ox(Literal(text, term.language, term.datatype, normalize=False))
        if isinstance(term, BNode):
            return ox.BlankNode(f"b_{str(term).encode('utf-8', 'surrogatepass').hex()}")
        return lenient_node(str(term))


def lenient_node(iri: str) -> ox.NamedNode:
    """Return a node with any IRI, a relative or an invalid one too.

    >>> lenient_node("a b").value
    'a b'
    """
    iri = whole_characters(iri)
    escaped = NOT_IN_IRI.sub(lambda match: f"\\u{ord(match[0]):04X}", iri)
    [quad] = ox.parse(f"<{escaped}> <a:b> <a:b> .", ox.RdfFormat.N_TRIPLES, lenient=True)
    node: ox.NamedNode = quad.subject
    return node


# An import for each term takes as long as making it.
@lru_cache(maxsize=1)
def _made_of_rdflib() -> tuple[Any, ...]:
    from rdflib import BNode, Literal, URIRef
    from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

    return BNode, Literal, URIRef, DATASET_DEFAULT_GRAPH_ID


def from_ox(term: Any) -> Any:
    """Return a term of Oxigraph as one of rdflib, a literal as it is written."""
    BNode, Literal, URIRef, default_graph = _made_of_rdflib()  # noqa: N806 - names of classes
    if isinstance(term, ox.NamedNode):
        return URIRef(term.value)
    if isinstance(term, ox.BlankNode):
        return BNode(term.value)
    if isinstance(term, ox.DefaultGraph):
        return default_graph
    if term.language:
        return Literal(term.value, lang=term.language)
    datatype = None if term.datatype == _STRING else URIRef(term.datatype.value)
    return Literal(term.value, datatype=datatype, normalize=False)


_STRING = ox.NamedNode("http://www.w3.org/2001/XMLSchema#string")
# N-Triples section 7 and Turtle section 6.5, IRIREF: the characters that an IRI cannot have.
NOT_IN_IRI = re.compile(r'[\x00-\x20<>"{}|^`\\]')


# What no IRI contains (RFC 3987 section 2.2): characters, a percent sign that begins no escape,
# brackets in a path; another number sign than the first is one of them too.
NOT_LEGAL = (
    r'[\x00-\x20<>"{}|^`\\\[\]\x7f-\x9f\ue000-\uf8ff\ufdd0-\ufdef\ufff0-\uffff]|%(?![0-9A-Fa-f]{2})'
)
_NOT_LEGAL = re.compile(NOT_LEGAL)
# The scheme and the authority of an IRI, where brackets may be about an address.
_AUTHORITY = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?//[^/?#]*|[A-Za-z][A-Za-z0-9+.-]*:")


def legal_iri(text: str, spelled: Callable[[str], str]) -> str:
    """Return an IRI in which each character that no IRI has is spelled in another way.

    >>> legal_iri("http://[::1]/a b[1]#c#d", lambda character: f"%{ord(character):02X}")
    'http://[::1]/a%20b%5B1%5D#c%23d'
    """
    authority = _AUTHORITY.match(text)
    start = authority.end() if authority and "[" in authority[0] else 0
    rest = _NOT_LEGAL.sub(lambda match: spelled(match[0]), text[start:])
    path, hash_, fragment = rest.partition("#")
    return text[:start] + path + hash_ + fragment.replace("#", spelled("#"))


# Relative IRIs: a base that marks them, and the way back to what their author wrote.

# A scheme that nothing has, so that a reference with an authority, //a.example/, can be told too.
SENTINEL = "x-document:"
# RFC 2606 section 2: no name under "invalid" is anybody's.
_ROOT = f"{SENTINEL}//base.invalid/"
# The base that a file is read against: deep enough for every "../".
DOCUMENT = f"{_ROOT}1/2/3/4/5/6/7/8/doc/this-document"
# RFC 3986 section 4.2: what begins like this is no path in a folder, unless "./" stands before it.
_MEANS_ANOTHER = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*)?:|[/?#]|\Z")


def relative(iri: str) -> str:
    """Return the reference that gives this IRI against `DOCUMENT` (RFC 3986 section 5.2).

    Any other IRI is returned as it is.

    >>> relative(DOCUMENT.replace("this-document", "CSV")), relative(f"{DOCUMENT}#a")
    ('CSV', '#a')
    >>> relative(DOCUMENT.replace("doc/this-document", "a")), relative("http://a.example/")
    ('../a', 'http://a.example/')
    >>> relative(DOCUMENT.replace("this-document", "a:b")), relative("x-document://a.example/b")
    ('./a:b', '//a.example/b')
    """
    if not iri.startswith(SENTINEL):
        return iri
    if not iri.startswith(_ROOT):
        return iri.removeprefix(SENTINEL)
    if (rest := iri.removeprefix(DOCUMENT))[:1] in {"", "#", "?"}:
        return rest
    folder, climb = DOCUMENT.rpartition("/")[0] + "/", ""
    while len(folder) > len(_ROOT):
        if iri.startswith(folder):
            reference = climb + iri.removeprefix(folder)
            return f"./{reference}" if _MEANS_ANOTHER.match(reference) else reference
        folder, climb = folder.rstrip("/").rpartition("/")[0] + "/", climb + "../"
    path = iri.removeprefix(_ROOT)
    return f"/.//{path[1:]}" if path.startswith("/") else f"/{path}"


def is_random(label: str) -> bool:
    """Return whether a label may be one that a reader gave to an anonymous blank node."""
    return _RANDOM.fullmatch(label) is not None


@lru_cache(maxsize=1_024)
def is_tag(language: str) -> bool:
    """Return whether a language is a tag of RFC 5646, as to its syntax."""
    try:
        ox.Literal("", language=language)
    except ValueError:
        return False
    return True


# The lexical spaces of XML Schema's datatypes: the texts that each allows.

XSD = "http://www.w3.org/2001/XMLSchema#"
# XML Schema 1.1 Part 2: the productions of appendix D and section 3.3.
_YEAR = r"-?(?:[1-9]\d{3,}|0\d{3})"
_MONTH, _DAY = r"(?:0[1-9]|1[0-2])", r"(?:0[1-9]|[12]\d|3[01])"
_ZONE = r"(?:Z|[+-](?:(?:0\d|1[0-3]):[0-5]\d|14:00))"
_TIME = r"(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?|24:00:00(?:\.0+)?)"
_DATE = rf"{_YEAR}-{_MONTH}-{_DAY}"
_YEARS_MONTHS, _DAYS = r"(?:\d+Y)?(?:\d+M)?", r"(?:\d+D)?"
_CLOCK = r"(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?"
_SOME = r"P(?=\d|T\d)"
_DECIMAL = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)"
_DOUBLE = rf"{_DECIMAL}(?:[eE][+-]?\d+)?|[+-]?INF|NaN"
_INTEGER = r"[+-]?\d+"
_NATURAL, _NEGATIVE = r"\+?\d+|-0+", r"-\d+|\+?0+"
# No bound has more digits, apart from leading zeros.
_BOUNDED = r"([+-]?)0*(\d{1,20})"
_FORMS = {
    "boolean": "true|false|1|0",
    "decimal": _DECIMAL,
    "double": _DOUBLE,
    "float": _DOUBLE,
    "date": rf"{_DATE}{_ZONE}?",
    "dateTime": rf"{_DATE}T{_TIME}{_ZONE}?",
    "dateTimeStamp": rf"{_DATE}T{_TIME}{_ZONE}",
    "time": rf"{_TIME}{_ZONE}?",
    "gYear": rf"{_YEAR}{_ZONE}?",
    "gYearMonth": rf"{_YEAR}-{_MONTH}{_ZONE}?",
    "gMonth": rf"--{_MONTH}{_ZONE}?",
    "gMonthDay": rf"--(?!02-3|(?:0[469]|11)-31){_MONTH}-{_DAY}{_ZONE}?",
    "gDay": rf"---{_DAY}{_ZONE}?",
    "duration": rf"-?{_SOME}{_YEARS_MONTHS}{_DAYS}{_CLOCK}",
    "yearMonthDuration": rf"-?{_SOME}{_YEARS_MONTHS}",
    "dayTimeDuration": rf"-?{_SOME}{_DAYS}{_CLOCK}",
    "integer": _INTEGER,
    "nonNegativeInteger": _NATURAL,
    "nonPositiveInteger": _NEGATIVE,
    "positiveInteger": r"\+?0*[1-9]\d*",
    "negativeInteger": r"-0*[1-9]\d*",
    "hexBinary": "(?:[0-9a-fA-F]{2})*",
}
# Section 3.4: the bits of the integers that have bounds.
_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
_BOUNDS = {name: (-(1 << bits - 1), 1 << bits - 1) for name, bits in _BITS.items()} | {
    f"unsigned{name.title()}": (0, 1 << bits) for name, bits in _BITS.items()
}
_FORMS |= dict.fromkeys(_BOUNDS, _BOUNDED)
_DAY_OF_MONTH = re.compile(r"-?(\d+)-(\d\d)-(\d\d)")


@lru_cache(8_192)
def is_well_typed(text: str, datatype: str) -> bool:
    """Return whether a text is in the lexical space of a datatype, given by its IRI.

    Every text is accepted for a datatype other than XML Schema's numbers, truth values, dates,
    times and durations.

    >>> is_well_typed("2016-02-29", XSD + "date"), is_well_typed("R/P1W", XSD + "date")
    (True, False)
    """
    name = datatype.removeprefix(XSD)
    if name is datatype or name not in _FORMS:
        return True
    match = _pattern(name).fullmatch(text)
    if match is None:
        return False
    if name in _BOUNDS:
        low, end = _BOUNDS[name]
        return low <= int(match[1] + match[2]) < end
    date = _DAY_OF_MONTH.match(text)
    if date is None:
        return True

    # The calendar repeats itself every 400 years.
    return int(date[3]) <= monthrange(int(date[1][-4:]) % 400 + 400, int(date[2]))[1]


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(_FORMS[name], re.ASCII)
