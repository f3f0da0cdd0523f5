"""Arguments of public functions: one of a wrong type is a `TypeError` with a sentence."""

from __future__ import annotations

import builtins
import re
import sys
from collections import abc
from functools import wraps
from itertools import chain
from os import PathLike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ParamSpec, TypeVar

    _Types = tuple[type, ...]
    P = ParamSpec("P")
    R = TypeVar("R")

__all__ = ["checked"]

# PEP 484: where one is asked for, the others do.
_ALSO: dict[object, tuple[type, ...]] = {bytes: (bytearray, memoryview), float: (int,)}
_WHOLE = (str, bytes, bytearray)
# Of a parameter whose types are not known.
_ANYTHING: tuple[_Types, _Types] = ((object,), ())
# Where the names of annotations are looked up after their module, which may not load them.
_SCOPES: tuple[dict[str, object], ...] = (vars(builtins), vars(abc), {"PathLike": PathLike})
# What a container holds; of `Literal[...]` nothing is left that is a class.
_SUBSCRIPT = re.compile(r"(?:Literal)?\[[^\[\]]*\]")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that raises `TypeError` where an argument is not what it is annotated as.

    Classes and unions of them are looked at, not what containers hold.

    >>> @checked
    ... def shout(text: str, times: int = 1) -> str:
    ...     return text.upper() * times
    >>> shout("a")
    'A'
    >>> shout(None)
    Traceback (most recent call last):
    TypeError: shout() takes str as 'text', not NoneType
    """
    wanted: dict[str, tuple[_Types, _Types]] | None = None

    @wraps(function)
    def checking(*arguments: P.args, **named: P.kwargs) -> R:
        nonlocal wanted
        if wanted is None:
            wanted = _wanted(function)
        for name, value in chain(zip(wanted, arguments, strict=False), named.items()):
            types, refused = wanted.get(name, _ANYTHING)
            if not isinstance(value, types) or isinstance(value, refused):
                expected = " or ".join(kind.__name__ for kind in types)
                raise TypeError(
                    f"{function.__qualname__}() takes {expected} as {name!r},"
                    f" not {type(value).__name__}"
                )
        return function(*arguments, **named)

    return checking


def _wanted(function: Callable[..., Any]) -> dict[str, tuple[_Types, _Types]]:
    """Return the types that the parameters take, in their order, and those that they refuse."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    annotations = {name: function.__annotations__.get(name, "") for name in names}
    types = {name: _types(function, annotation) for name, annotation in annotations.items()}
    return {name: (kinds, _refused(kinds)) if kinds else _ANYTHING for name, kinds in types.items()}


def _refused(types: _Types) -> _Types:
    """Return the types of texts and octets that are no collections of things."""
    own = tuple(kind for kind in types if kind.__module__ != "collections.abc")
    return tuple(kind for kind in _WHOLE if not issubclass(kind, own))


def _types(function: Callable[..., Any], annotation: str) -> _Types:
    """Return the classes of an annotation, or none if one of them is not to be had."""
    types: list[type] = []
    while annotation != (bare := _SUBSCRIPT.sub("", annotation)):
        annotation = bare
    for name in annotation.replace(" ", "").split("|"):
        type_ = type(None) if name == "None" else _named(function, name)
        if not isinstance(type_, type):
            return ()
        types += [type_, *_ALSO.get(type_, ())]
    return tuple(types)


def _named(function: Callable[..., Any], name: str) -> object:
    # Some modules name a class of rdflib's without loading it; who has one has loaded it.
    rdflib = sys.modules.get("rdflib")
    scopes = (function.__globals__, *_SCOPES, vars(rdflib) if rdflib else {})
    return next((scope[name] for scope in scopes if name in scope), None)
