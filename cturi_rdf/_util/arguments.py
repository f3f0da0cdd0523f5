"""Arguments of public functions: one of a wrong type is a `TypeError` with a sentence."""

from __future__ import annotations

import builtins
import re
import sys
from collections import abc
from functools import lru_cache, wraps
from itertools import chain
from os import PathLike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, ParamSpec, TypeVar

    _Types = tuple[type, ...]
    # The name, the types that are taken, those of them that are not, and the texts of a `Literal`.
    _Parameter = tuple[str, _Types, _Types, tuple[str, ...]]
    P = ParamSpec("P")
    R = TypeVar("R")

__all__ = ["cached", "checked"]

# PEP 484: where one type is asked for, the others are accepted.
_ALSO: dict[object, tuple[type, ...]] = {bytes: (bytearray, memoryview), float: (int,)}
_WHOLE = (str, bytes, bytearray)
# The names of annotations are looked up here after their module, which may not load them.
_SCOPES: tuple[dict[str, object], ...] = (vars(builtins), vars(abc), {"PathLike": PathLike})
# The contents of a container, which are left out; `Literal[...]` is left out as a whole.
_SUBSCRIPT = re.compile(r"(?:Literal)?\[[^\[\]]*\]")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return a function that raises `TypeError` where an argument does not match its annotation.

    Classes, unions of them and literals are checked, not the contents of containers.

    >>> @checked
    ... def shout(text: str, times: int = 1) -> str:
    ...     return text.upper() * times
    >>> shout("a")
    'A'
    >>> shout(None)
    Traceback (most recent call last):
    TypeError: shout() takes str as 'text', not NoneType
    """
    parameters: tuple[_Parameter, ...] = ()

    @wraps(function)
    def checking(*arguments: P.args, **named: P.kwargs) -> R:
        nonlocal parameters
        if not parameters:
            parameters = tuple(_parameters(function))
        given: Iterable[tuple[_Parameter, object]] = zip(parameters, arguments, strict=False)
        if named:
            by_name = ((one, named[one[0]]) for one in parameters if one[0] in named)
            given = chain(given, by_name)
        for (name, types, refused, texts), value in given:
            is_wrong = not isinstance(value, types) or isinstance(value, refused)
            if is_wrong or (texts and value not in texts):
                expected = " or ".join(
                    map(repr, texts) if texts else (kind.__name__ for kind in types)
                )
                shown = repr(value) if texts else type(value).__name__
                raise TypeError(
                    f"{function.__qualname__}() takes {expected} as {name!r}, not {shown}"
                )
        return function(*arguments, **named)

    return checking


def cached(size: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that checks arguments as `checked` does, and keeps the last results.

    >>> @cached(16)
    ... def shout(text: str) -> str:
    ...     return text.upper()
    >>> shout([])
    Traceback (most recent call last):
    TypeError: shout() takes str as 'text', not list
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        checking = checked(function)
        keeping: Callable[..., R] = lru_cache(size)(checking)

        @wraps(function)
        def looking_up(*arguments: P.args, **named: P.kwargs) -> R:
            try:
                return keeping(*arguments, **named)
            except TypeError:
                # The cache takes only what can be hashed.
                pass
            return checking(*arguments, **named)

        return looking_up

    return decorate


def _parameters(function: Callable[..., Any]) -> Iterator[_Parameter]:
    """Yield the parameters in their order; a parameter of unknown type takes anything."""
    code = function.__code__
    for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
        annotation = function.__annotations__.get(name, "")
        is_literal = annotation.startswith("Literal[") and annotation.endswith("]")
        texts = tuple(re.findall("'([^']*)'", annotation)) if is_literal else ()
        types = _types(function, annotation)
        yield name, types or (object,), _refused(types) if types else (), texts


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
    # Some modules name a class of rdflib without loading it; a caller with an instance has loaded
    # it.
    rdflib = sys.modules.get("rdflib")
    scopes = (function.__globals__, *_SCOPES, vars(rdflib) if rdflib else {})
    return next((scope[name] for scope in scopes if name in scope), None)
