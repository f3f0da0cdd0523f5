"""A function: one definition, from which its registrations, documentation and tests are made.

Its arguments and values are terms of Oxigraph, whichever engine calls it.
"""

from __future__ import annotations

import base64
import binascii
import inspect
import logging
import re
from difflib import get_close_matches
from functools import cache, lru_cache, partial
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES, counted
from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import in_uri_tree
from cturi_rdf.errors import ContentTypeError, CturiError
from cturi_rdf.labels import Resolver, resolve
from cturi_rdf.rdf.label_statements import understand
from cturi_rdf.rdf.terms import XSD
from cturi_rdf.registry.hierarchy import TOP_LEVEL_TYPES
from cturi_rdf.registry.schemes import only_type_of_iri, schemes, type_of_iri
from cturi_rdf.uri.mapping import from_uri, is_content_type_uri

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from cturi_rdf.labels import Resolution

    Argument = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
    Value = ox.NamedNode | ox.Literal

_Result = TypeVar("_Result")
_Term = TypeVar("_Term")
CTF = PREFIXES["ctf"]
_LOG = logging.getLogger("cturi_rdf.functions")
# A result whose annotation begins like this has several values.
_SEVERAL = "Iterable["
_RESULTS = {
    "NamedNode": "IRI",
    "str": "string",
    "bool": "boolean",
    "int": "integer",
    "float": "decimal",
}
# SPARQL 1.1 section 17.1: the integers, and the types that XML Schema derives from them.
_INTEGERS = {
    getattr(XSD, name)
    for name in (
        "integer", "nonPositiveInteger", "negativeInteger", "long", "int", "short", "byte",
        "nonNegativeInteger", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte",
        "positiveInteger",
    )
}  # fmt: skip
# XML Schema Part 2 section 3.3.13.1, for the number of a value: nothing has a billion values.
_COUNT = re.compile(r"\+?0*([0-9]{1,9})")
# How many values of each function are kept: of the longest arguments, some 10 MB.
_KEPT = 4_000


class Example(NamedTuple):
    """An expression of SPARQL and its value as SPARQL writes it, or None if it has none."""

    expression: str
    value: str | None


class Parameter(NamedTuple):
    """A parameter of a function: its name, the reader of its argument, whether it is optional."""

    name: str
    read: Callable[[Argument], object]
    optional: bool


class Function:
    """A function of SPARQL, made from a function of Python by its annotations.

    `parameters` say which kinds of terms it takes, `variadic` that the last may be repeated,
    `several` that it may have more than one value, best first.
    """

    def __init__(self, name: str, body: Callable[..., object], examples: Sequence[Example]) -> None:
        signature = inspect.signature(body)
        self.name = name
        self.iri = CTF + name
        summary = " ".join((inspect.getdoc(body) or "").removeprefix("Return ").split())
        self.summary = summary[:1].upper() + summary[1:]
        self.examples = tuple(examples)
        self.parameters = tuple(
            Parameter(
                parameter.name,
                READERS[parameter.annotation],
                parameter.default is not parameter.empty,
            )
            for parameter in signature.parameters.values()
        )
        self.variadic = any(
            parameter.kind is parameter.VAR_POSITIONAL
            for parameter in signature.parameters.values()
        )
        result = str(signature.return_annotation).removesuffix(" | None")
        self.several = result.startswith(_SEVERAL)
        self.result = _RESULTS[result.removeprefix(_SEVERAL).removesuffix("]")]
        self._body: Callable[..., Any] = body

    @property
    def signature(self) -> str:
        """The call as the table writes it, with optional arguments in brackets."""
        names = [
            f"[{parameter.name}]" if parameter.optional else parameter.name
            for parameter in self.parameters
        ]
        more = ["…"] if self.variadic else ["[n]"] if self.several else []
        return f"ctf:{self.name}({', '.join(names + more)})"

    def values(self, *terms: Argument) -> tuple[Value, ...]:
        """Return every value for these arguments, none where there is an error.

        A wrong call is logged as a warning, once for each kind.

        >>> from pyoxigraph import Literal
        >>> from cturi_rdf.sparql.functions import FUNCTIONS
        >>> [node.value for node in FUNCTIONS["resolve"].values(Literal("CSV, JSON"))]
        ['ContentType:text/csv', 'ContentType:application/json']
        """
        try:
            pairs = self._paired(terms, len(self.parameters))
            result = self._body(*(parameter.read(term) for parameter, term in pairs))
            values = result if self.several else () if result is None else (result,)
            return tuple(dict.fromkeys(map(to_term, values)))
        except CallError as error:
            _warn(self.signature, f"{error.problem}; it takes {error.expected}")
        except CturiError:
            pass
        return ()

    def value(self, *terms: Argument) -> Value | None:
        """Return the value for these arguments, or None where there is an error or no value.

        Of several values it is the first, or the n-th where the last argument is a number n.
        """
        at = 1
        if self.several and len(terms) == len(self.parameters) + 1:
            number, terms = terms[-1], terms[:-1]
            if not isinstance(number, ox.Literal) or number.datatype not in _INTEGERS:
                problem = "a last argument that is not a number; it takes an xsd:integer"
                _warn(self.signature, problem)
                return None
            count = _COUNT.fullmatch(number.value)
            at = int(count[1]) if count else 0
        values = self.values(*terms)
        return values[at - 1] if 0 < at <= len(values) else None

    def check(self, terms: Sequence[Argument | None]) -> None:
        """Raise `CallError` for a number of arguments, or a term, that no call can have.

        A term that is not known before the query runs is None.
        """
        for parameter, term in self._paired(terms, len(self.parameters) + self.several):
            if term is not None:
                try:
                    parameter.read(term)
                except CallError:
                    raise
                except CturiError:
                    # Of the right kind, and without a meaning.
                    continue

    def _paired(self, terms: Sequence[_Term], most: int) -> Iterator[tuple[Parameter, _Term]]:
        """Return arguments with their parameters; raises `CallError` for too many or too few."""
        least, usual = sum(not one.optional for one in self.parameters), len(self.parameters)
        if len(terms) < least or (len(terms) > most and not self.variadic):
            wanted = f"{least} to {usual}" if least < usual else f"{least}"
            if self.several:
                wanted += ", and perhaps the number of a value"
            raise CallError(
                f"a call with {counted(len(terms), 'argument')}",
                self.name,
                expected=f"{wanted} and more" if self.variadic else wanted,
            )
        repeated = repeat(self.parameters[-1]) if self.variadic else ()
        return zip(chain(self.parameters, repeated), terms, strict=False)

    def __repr__(self) -> str:
        return f"<Function {self.signature}>"


def function(
    name: str, *examples: tuple[str, str | None]
) -> Callable[[Callable[..., Any]], Function]:
    """Return a decorator that makes a function of SPARQL of one of Python."""
    return lambda body: Function(name, body, [Example(*example) for example in examples])


def keeping(function: Callable[..., _Result]) -> Callable[..., _Result]:
    """Return a function that keeps its results, because catalogues repeat their labels.

    Of long arguments none are kept.

    >>> lengths = keeping(len)
    >>> lengths("a/b"), lengths("a/b")
    (3, 3)
    """
    kept = lru_cache(_KEPT)(function)

    def call(*arguments: Any) -> _Result:
        is_long = sum(len(str(argument)) for argument in arguments) > LONGEST
        return function(*arguments) if is_long else kept(*arguments)

    return call


@cache
def _warn(signature: str, problem: str) -> None:
    """Log a wrong call, once for each kind."""
    _LOG.warning("%s: %s", signature, problem)


# Lets every wrong call be logged again.
forget_warnings = _warn.cache_clear


Label: TypeAlias = ox.NamedNode | ox.Literal
# The text of a parameter that may be given as an IRI too.
Iri: TypeAlias = str
# The name of a scheme of identifiers.
Scheme: TypeAlias = str

# XML Schema Part 2 sections 3.3.15 and 3.3.16.
_OCTETS: dict[Any, Callable[[str], bytes]] = {
    XSD.hexBinary: binascii.unhexlify,
    XSD.base64Binary: partial(base64.b64decode, validate=True),
}
# The longest arguments that are remembered, in characters.
LONGEST = 200


class CallError(CturiError):
    """A function is called with too many arguments, too few, or those of a wrong kind."""


def to_term(value: ox.NamedNode | str | float) -> ox.NamedNode | ox.Literal:
    """Return the value of a function, which may be one of Python, as a term.

    >>> to_term(0.50).datatype.value
    'http://www.w3.org/2001/XMLSchema#decimal'
    """
    if isinstance(value, ox.NamedNode):
        return value
    if isinstance(value, float):
        # The canonical form of an xsd:decimal with no more digits than a weight has.
        return ox.Literal(f"{value:.9f}".rstrip("0").rstrip("."), datatype=XSD.decimal)
    return ox.Literal(value)


def resolution_of(label: Label) -> Resolution:
    """Return the meaning of a label, which is a string or an IRI.

    >>> resolution_of(ox.NamedNode("http://www.w3.org/ns/formats/Turtle")).types
    (ContentType.parse('text/turtle'),)
    """
    if isinstance(label, ox.NamedNode):
        return understand(label).resolution
    if len(label.value) > LONGEST:
        # A long text is a description rather than a label, and is not remembered.
        return Resolver().resolve(label.value)
    return resolve(label.value)


# --- Arguments --------------------------------------------------------------------------------


def _is_string(term: object) -> bool:
    """Return whether a term is a string (SPARQL 1.1 section 17.1), with a language or without."""
    return isinstance(term, ox.Literal) and bool(term.language or term.datatype == XSD.string)


def _string(term: Any) -> str:
    if not _is_string(term):
        raise CallError("an argument that is not a string", str(term), expected="a string")
    text: str = term.value
    return text


def _label(term: Any, name: str = "a label") -> Label:
    if not isinstance(term, ox.NamedNode) and not _is_string(term):
        raise CallError(f"an argument that is not {name}", str(term), expected="an IRI or a string")
    label: Label = term
    return label


def _iri(term: Any) -> str:
    return _label(term, "an IRI").value


def _scheme(term: Any) -> str:
    """Return the name of a scheme that is given by its name or by the start of its IRIs."""
    scheme = _iri(term)
    if scheme in schemes():
        return scheme
    for end in ("", "/", "#"):
        content_type = type_of_iri(scheme + end)
        if content_type:
            return content_type[0]
    close = get_close_matches(scheme, schemes(), n=1)
    expected = close[0] if close else f"one of {', '.join(schemes())}"
    raise CallError("a scheme that is unknown", scheme, expected=expected)


def _octets(term: Any) -> bytes:
    datatype = getattr(term, "datatype", None)
    if datatype not in _OCTETS:
        expected = "an xsd:base64Binary or xsd:hexBinary"
        raise CallError("an argument that does not contain octets", str(term), expected=expected)
    try:
        return _OCTETS[datatype](term.value)
    except ValueError as error:
        raise CturiError(
            "not octets", term.value, expected=str(datatype), rule="XML Schema Part 2"
        ) from error


def _content_type(term: Any) -> ContentType:
    """Return the content type that a term stands for, without corrections.

    A node or a header is used exactly as given, though there may be a better name for it;
    anything else is read as a label.
    """
    label = _label(term)
    text, is_iri = label.value, isinstance(label, ox.NamedNode)
    if is_content_type_uri(text):
        return from_uri(text)
    if is_iri and (listed := only_type_of_iri(text)):
        return listed
    header = None if is_iri else _header(text)
    if header is not None and header.type in TOP_LEVEL_TYPES:
        return header
    resolution = resolution_of(label)
    if len(resolution.named) == 1:
        return resolution.named[0]
    if header is not None and not resolution.named:
        return header
    if is_iri:
        mapped = from_uri(text)
        if not in_uri_tree(mapped.subtype):
            return mapped
    raise CturiError("not a content type", text, expected="the name of one", rule=resolution.reason)


def _header(text: str) -> ContentType | None:
    try:
        return ContentType.parse(text)
    except ContentTypeError:
        return None


# The readers of arguments, by the annotation of the parameter.  Each raises `CallError` for a term
# of the wrong kind, and any other `CturiError` for a term of the right kind without a meaning.
READERS: dict[str, Callable[[Any], object]] = {
    "ContentType": _content_type,
    "Label": _label,
    "str": _string,
    "Iri": _iri,
    "Scheme": _scheme,
    "bytes": _octets,
}
