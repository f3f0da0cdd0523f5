"""Frozen values: `cturi_rdf._util.value.NamedTuple` is `typing.NamedTuple` that loads faster."""

from __future__ import annotations

import inspect
import pickle
import re
import typing
from pathlib import Path

import pytest

from cturi_rdf._util import value
from cturi_rdf.labels import resolve
from cturi_rdf.negotiation import MediaRange

if typing.TYPE_CHECKING:
    from collections.abc import Callable

_T = typing.TypeVar("_T")
PACKAGE = Path(value.__file__).parents[1]


class Light(value.NamedTuple):
    """A point."""

    x: int
    y: int = 0

    def norm(self) -> int:
        """Return the sum."""
        return self.x + self.y


class Pair(value.NamedTuple, typing.Generic[_T]):
    """Two of a kind."""

    one: _T
    other: _T


class Typed(typing.NamedTuple):
    """A point."""

    x: int
    y: int = 0


@pytest.mark.parametrize("name", ["_fields", "_field_defaults", "__match_args__", "__doc__"])
def test_a_value_has_what_a_named_tuple_has(name: str) -> None:
    assert getattr(Light, name) == getattr(Typed, name)


def test_a_value_is_a_tuple_with_names_methods_and_defaults() -> None:
    point = Light(1)
    assert point == (1, 0)
    assert point.norm() == 1
    assert repr(point._replace(y=2)) == "Light(x=1, y=2)"
    assert type(pickle.loads(pickle.dumps(point))) is Light  # noqa: S301 - our own bytes
    assert Light(y=2, x=1) == Light._make([1, 2])
    assert Light(1, 2)._asdict() == {"x": 1, "y": 2}


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (Light, r"Light\.__new__\(\) missing 1 required positional argument: 'x'"),
        (lambda: Light(1, z=2), "unexpected keyword argument 'z'"),  # type: ignore[call-arg]
        (lambda: Light(1, 2, 3), "takes from 2 to 3 positional arguments but 4 were given"),  # type: ignore[call-arg]
        (lambda: Light(1)._replace(z=2), "Light has no field z"),  # type: ignore[call-arg]
    ],
)
def test_a_value_takes_its_fields_alone(call: Callable[[], Light], reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        call()


def test_a_value_shows_its_fields_in_its_signature() -> None:
    assert inspect.signature(Light.__new__).parameters.keys() == {"cls", "x", "y"}
    assert inspect.signature(Light.__new__).parameters["y"].default == 0


def test_a_value_may_be_generic() -> None:
    assert typing.get_origin(Pair[int]) is Pair
    assert Pair[int](1, 2) == (1, 2)


@pytest.mark.parametrize(
    ("frozen", "name"),
    [
        (Light(1), "x"),
        (Light(1), "z"),
        (MediaRange.parse("text/*;q=0.5"), "weight"),
        (resolve("CSV"), "label"),
        (resolve("CSV"), "verdict"),
    ],
)
def test_a_frozen_value_cannot_be_changed(frozen: object, name: str) -> None:
    with pytest.raises(AttributeError):
        setattr(frozen, name, "other")
    with pytest.raises(AttributeError):
        delattr(frozen, name)


def test_no_value_writes_around_its_own_setattr() -> None:
    """One idiom: a named tuple, or private slots behind properties."""
    pattern = re.compile(r"object\.__setattr__|\(namedtuple\(|from typing import .*NamedTuple")
    files = {path.name for path in PACKAGE.rglob("*.py") if pattern.search(path.read_text("utf-8"))}
    assert files == {"value.py"}
