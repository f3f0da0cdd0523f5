"""A function: one definition, from which registrations, documentation and tests are made."""

from __future__ import annotations

import inspect
import logging
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cturi_rdf._util.display import counted
from cturi_rdf._util.prefixes import PREFIXES
from cturi_rdf.errors import CturiError
from cturi_rdf.sparql.functions.terms import KINDS, CallError, Term

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cturi_rdf.sparql.functions.terms import Kind, Value

__all__ = ["CTF", "Example", "Function", "Parameter", "defining", "forget_warnings"]

CTF = PREFIXES["ctf"]
_LOG = logging.getLogger("cturi_rdf.functions")
# SPARQL 1.1 section 17.1: the integers, and the types that XML Schema derives from them.
_INTEGERS = {
    f"http://www.w3.org/2001/XMLSchema#{name}"
    for name in (
        "integer", "nonPositiveInteger", "negativeInteger", "long", "int", "short", "byte",
        "nonNegativeInteger", "unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte",
        "positiveInteger",
    )
}  # fmt: skip
# XML Schema Part 2 section 3.3.13.1, of a number that counts values: nothing has a billion.
_COUNT = re.compile(r"\+?0*([0-9]{1,9})")
# A result whose annotation begins like this has several values.
_SEVERAL = "Iterable["
_RESULTS = {"Iri": "IRI", "str": "string", "bool": "boolean", "int": "integer", "float": "decimal"}


class Example(NamedTuple):
    """An expression of SPARQL and its value as SPARQL writes it, or None where it has none."""

    expression: str
    value: str | None


class Parameter(NamedTuple):
    """A parameter of a function: `default` says that it may be left out."""

    name: str
    kind: Kind
    optional: bool


class Function:
    """A function of SPARQL, made of a function of Python by its annotations.

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
                KINDS[parameter.annotation],
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
        """The call as the table writes it, with what may be left out in brackets."""
        names = [
            f"[{parameter.name}]" if parameter.optional else parameter.name
            for parameter in self.parameters
        ]
        more = ["…"] if self.variadic else ["[n]"] if self.several else []
        return f"ctf:{self.name}({', '.join(names + more)})"

    def values(self, terms: Sequence[Term]) -> tuple[Value, ...]:
        """Return every value for these arguments, none where there is an error.

        A wrong call is logged as a warning, each kind of it once.

        >>> from cturi_rdf.sparql.functions import FUNCTIONS
        >>> FUNCTIONS["resolve"].values([Term("literal", "CSV, JSON")])
        ('ContentType:text/csv', 'ContentType:application/json')
        """
        try:
            values = self._body(*self._read(terms))
        except CallError as error:
            _warn(self.signature, f"{error.problem}; it takes {error.expected}")
            return ()
        except CturiError:
            return ()
        if self.several:
            return tuple(dict.fromkeys(values))
        return () if values is None else (values,)

    def value(self, terms: Sequence[Term]) -> Value | None:
        """Return the value for these arguments, or None where there is an error or none.

        Of several it is the first, or the n-th where a number n is the last argument.
        """
        at = 1
        if self.several and len(terms) == len(self.parameters) + 1:
            *terms, number = terms
            if number.datatype not in _INTEGERS:
                problem = "a last argument that is no number; it takes an xsd:integer"
                _warn(self.signature, problem)
                return None
            count = _COUNT.fullmatch(number.value)
            at = int(count[1]) if count else 0
        values = self.values(terms)
        return values[at - 1] if 0 < at <= len(values) else None

    def _read(self, terms: Sequence[Term]) -> list[object]:
        """Return the arguments of the body; raises `CturiError`."""
        least = sum(not parameter.optional for parameter in self.parameters)
        most = len(self.parameters)
        if len(terms) < least or (len(terms) > most and not self.variadic):
            wanted = f"{least} to {most}" if least < most else f"{least}"
            raise CallError(
                f"a call with {counted(len(terms), 'argument')}",
                self.name,
                f"{wanted} and more" if self.variadic else wanted,
            )
        last = self.parameters[-1]
        kinds = [*self.parameters, *[last] * (len(terms) - most)]
        return [parameter.kind.read(term) for parameter, term in zip(kinds, terms, strict=False)]

    def __repr__(self) -> str:
        return f"<Function {self.signature}>"


def defining(
    functions: dict[str, Function],
) -> Callable[..., Callable[[Callable[..., Any]], Callable[..., Any]]]:
    """Return a decorator that defines a function in `functions`, by its name and examples."""

    def named(name: str, *examples: tuple[str, str | None]) -> Any:
        def define(body: Callable[..., Any]) -> Callable[..., Any]:
            functions[name] = Function(name, body, [Example(*example) for example in examples])
            return body

        return define

    return named


@cache
def _warn(signature: str, problem: str) -> None:
    """Log a wrong call, each kind of it once."""
    _LOG.warning("%s: %s", signature, problem)


# Lets every wrong call be logged again.
forget_warnings = _warn.cache_clear
