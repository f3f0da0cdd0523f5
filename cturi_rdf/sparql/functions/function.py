"""A function: one definition, from which its registrations, documentation and tests are made."""

from __future__ import annotations

import inspect
import logging
import re
from functools import cache, lru_cache
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES, counted
from cturi_rdf.errors import CturiError
from cturi_rdf.rdf.terms import XSD
from cturi_rdf.sparql.functions.terms import LONGEST, READERS, CallError, to_term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Argument = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple
    Value = ox.NamedNode | ox.Literal

_Result = TypeVar("_Result")
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
            result = self._body(*self._read(terms))
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
        parameters = self._parameters_for(len(terms))
        for parameter, term in zip(parameters, terms, strict=False):
            if term is not None:
                try:
                    parameter.read(term)
                except CallError:
                    raise
                except CturiError:
                    # Of the right kind, and without a meaning.
                    continue

    def _read(self, terms: Sequence[Argument]) -> list[object]:
        """Return the arguments of the body; raises `CturiError`."""
        if self.several and len(terms) > len(self.parameters):
            raise self._wrong_number(len(terms))
        parameters = self._parameters_for(len(terms))
        return [parameter.read(term) for parameter, term in zip(parameters, terms, strict=False)]

    def _parameters_for(self, count: int) -> Iterable[Parameter]:
        """Return the parameters of a call; raises `CallError` for a wrong number of arguments."""
        least = sum(not parameter.optional for parameter in self.parameters)
        most = len(self.parameters) + self.several
        if count < least or (count > most and not self.variadic):
            raise self._wrong_number(count)
        return (
            chain(self.parameters, repeat(self.parameters[-1]))
            if self.variadic
            else self.parameters
        )

    def _wrong_number(self, count: int) -> CallError:
        least = sum(not parameter.optional for parameter in self.parameters)
        most = len(self.parameters)
        wanted = f"{least} to {most}" if least < most else f"{least}"
        if self.several:
            wanted += ", and perhaps the number of a value"
        return CallError(
            f"a call with {counted(count, 'argument')}",
            self.name,
            expected=f"{wanted} and more" if self.variadic else wanted,
        )

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
