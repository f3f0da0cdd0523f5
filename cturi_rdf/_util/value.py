"""Frozen values with named fields: `typing.NamedTuple`, whose classes are made four times as fast.

A command makes a hundred of these classes before it does anything.  `typing` takes longer to load
than the core of this package, and `collections.namedtuple` evaluates text for each class, which is
then the base of a second one.  Type checkers see no difference.
"""

from __future__ import annotations

from collections import _tuplegetter  # type: ignore[attr-defined]
from functools import cache

__all__ = ["NamedTuple"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

else:

    class _Value(tuple):
        """The methods that all values share, which are those of `collections.namedtuple`."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):  # noqa: ANN001, ANN206 - hidden from type checkers
            return cls(*values)

        def _replace(self, /, **changes):  # noqa: ANN003, ANN202
            value = tuple.__new__(type(self), map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"{type(self).__name__} has no field {', '.join(changes)}")
            return value

        def _asdict(self):  # noqa: ANN202
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self):  # noqa: ANN204
            return tuple(self)

        def __repr__(self) -> str:
            fields = (f"{name}={value!r}" for name, value in self._asdict().items())
            return f"{type(self).__name__}({', '.join(fields)})"

        __replace__ = _replace

    class _Fields(type):
        """Makes a class of a body whose annotations are the fields, and whose values defaults."""

        def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, object]) -> type:
            if not bases:
                return super().__new__(cls, name, bases, body)
            fields = tuple(body["__annotations__"])
            defaults = {field: body[field] for field in fields if field in body}
            members = {
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                "__new__": _constructor(name, fields, tuple(defaults.values())),
            }
            getters = {field: _tuplegetter(index, "") for index, field in enumerate(fields)}
            return type(name, (_Value, *bases[1:]), members | body | getters)

    class NamedTuple(metaclass=_Fields):
        """The base of a frozen value: a tuple whose fields are the annotations of the class.

        >>> class Point(NamedTuple):
        ...     x: int
        ...     y: int = 0
        >>> Point(1)
        Point(x=1, y=0)
        """

    def _constructor(name: str, fields: tuple[str, ...], defaults: tuple[object, ...]) -> object:
        """Return `__new__` with a parameter for each field."""
        template = _template(len(fields))
        code = template.__code__.replace(
            co_name="__new__", co_qualname=f"{name}.__new__", co_varnames=("cls", *fields)
        )
        return type(template)(code, template.__globals__, "__new__", defaults)

    @cache
    def _template(count: int):  # noqa: ANN202
        """Return a constructor with a number of parameters, which have no names of their own."""
        names = "".join(f"_{index}, " for index in range(count))
        return eval(f"lambda cls, {names}: new(cls, ({names}))", {"new": tuple.__new__})  # noqa: S307
