"""Frozen values with named fields: `typing.NamedTuple`, without loading `typing`.

`typing` takes longer to load than the core of this package, and makes a class in twice the time.
Type checkers see no difference.
"""

from __future__ import annotations

from collections import namedtuple

__all__ = ["NamedTuple"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

else:

    class _Fields(type):
        """Makes a class of a body whose annotations are the fields, and whose values defaults."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = body["__annotations__"]
            defaults = [body.pop(field) for field in fields if field in body]
            base = namedtuple(name, fields, defaults=defaults)  # noqa: PYI024 - this makes the typed one
            return type(name, (base, *bases[1:]), {"__slots__": (), **body})

    class NamedTuple(metaclass=_Fields):
        """The base of a frozen value: a tuple whose fields are the annotations of the class.

        >>> class Point(NamedTuple):
        ...     x: int
        ...     y: int = 0
        >>> Point(1)
        Point(x=1, y=0)
        """
