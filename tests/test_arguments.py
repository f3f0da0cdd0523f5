"""An argument of a wrong type is a `TypeError` with a sentence, in every public function."""

from __future__ import annotations

import importlib
import inspect
from typing import TYPE_CHECKING, Any

import pytest

from cturi_rdf import ContentType, from_uri, to_uri
from cturi_rdf._util.arguments import checked
from cturi_rdf.labels import Resolver, resolve
from cturi_rdf.negotiation import Negotiator, Representations, read_accept
from cturi_rdf.rdf import mint, read
from cturi_rdf.registry.hierarchy import ancestry
from cturi_rdf.xml import encoding_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MODULES = [
    "cturi_rdf", "cturi_rdf.labels", "cturi_rdf.uri", "cturi_rdf.mime", "cturi_rdf.xml",
    "cturi_rdf.rdf", "cturi_rdf.negotiation", "cturi_rdf.registry", "cturi_rdf.check",
    "cturi_rdf.io", "cturi_rdf.sparql", "cturi_rdf.rdf.files", "cturi_rdf.columns",
    "cturi_rdf.notebook",
]  # fmt: skip
# Functions that take such a value, or anything: a record, a row of a table, a message in octets.
TAKES = {
    ("Resolution.of", None),
    ("Resolution.of", b""),
    ("Resolution.of", 3),
    ("Message.read", b""),
    ("best_format", None),
    ("rdf_format", None),
}

# What takes a value of a library that it does not load.
OTHERS = {"load_ipython_extension", "unload_ipython_extension"}


def _needed(function: Callable[..., Any]) -> int:
    """Return how many arguments a function cannot do without."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        return 1
    return sum(
        each.default is each.empty and each.kind <= each.POSITIONAL_OR_KEYWORD
        for each in parameters
    )


def _public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Yield the public functions, and those of public classes that need no instance."""
    for module in map(importlib.import_module, MODULES):
        for name in module.__all__:
            found = getattr(module, name)
            if inspect.isclass(found):
                for method in vars(found):
                    static = isinstance(vars(found)[method], (staticmethod, classmethod))
                    if static and not method.startswith("_"):
                        yield f"{name}.{method}", getattr(found, method)
            elif callable(found) and not name.isupper():
                yield name, found


CALLS = sorted(
    {
        (name, repr(value)): (function, value)
        for name, function in _public()
        for value in (None, b"", 3)
        if _needed(function) and name not in OTHERS and (name, value) not in TAKES
    }.items()
)


@pytest.mark.parametrize(
    ("function", "value"),
    [call for _, call in CALLS],
    ids=[f"{name} {value}" for (name, value), _ in CALLS],
)
def test_what_is_no_text_and_no_content_type_is_a_type_error(
    function: Callable[..., Any], value: object
) -> None:
    with pytest.raises(TypeError, match=r"\w+ \w+ \w+"):
        function(*[value] * _needed(function))


@pytest.mark.parametrize("function", [ancestry, mint, read, read_accept, resolve])
def test_what_cannot_be_hashed_is_of_a_wrong_type_too(function: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"\w+\(\) takes (ContentType or )?str as '\w+', not list"):
        function([])


def test_the_public_functions_were_found() -> None:
    names = {name for (name, _), _ in CALLS}
    assert names >= {
        "ContentType.parse",
        "ContentType.recover",
        "to_uri",
        "resolve",
        "is_xml",
        "mint",
    }
    assert len(names) > 40


def test_the_sentence_names_function_argument_and_types() -> None:
    with pytest.raises(TypeError) as caught:
        to_uri(None)  # type: ignore[arg-type]
    assert str(caught.value) == "to_uri() takes ContentType or str as 'content_type', not NoneType"
    with pytest.raises(
        TypeError, match=r"__init__\(\) takes Mapping as 'parameters', not NoneType"
    ):
        ContentType("a", "b", None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"from_uri\(\) takes str as 'uri', not bytes"):
        from_uri(uri=b"a:b")  # type: ignore[arg-type]


CHOICES = [
    pytest.param(function, option, id=f"{name} {option}")
    for name, function in {**dict(_public()), "to_header": ContentType("a", "b").to_header}.items()
    if _needed(function) or name == "to_header"
    for option, annotation in getattr(function, "__annotations__", {}).items()
    if annotation.startswith("Literal[")
]


@pytest.mark.parametrize(("function", "option"), CHOICES)
@pytest.mark.parametrize("value", ["honor", None])
def test_an_option_has_one_of_its_values(
    function: Callable[..., Any], option: str, value: str | None
) -> None:
    with pytest.raises(TypeError, match=rf"takes '\w+' or '\w+' as '{option}', not {value!r}"):
        function(**{option: value})


def test_the_options_were_found() -> None:
    assert len(CHOICES) >= 7


@pytest.mark.parametrize(
    "function", [Negotiator, Representations, Resolver, Resolver().resolve_all]
)
@pytest.mark.parametrize("value", [3, "text/csv", b"text/csv"])
def test_a_text_is_no_collection(function: Callable[..., Any], value: object) -> None:
    with pytest.raises(TypeError, match=r"\(\) takes (Mapping|Iterable)"):
        function(value)


def test_where_octets_are_wanted_any_octets_do() -> None:
    assert encoding_of("text/xml", bytearray(b"<a/>")) == encoding_of("text/xml", b"<a/>")  # type: ignore[arg-type]


def test_what_is_not_known_when_a_module_is_loaded_is_not_looked_at() -> None:
    @checked
    def function(one: Unknown, other: Iterator[Unknown]) -> str:  # type: ignore[name-defined]  # noqa: F821
        return f"{one}{next(other)}"

    assert function(1, iter("a")) == "1a"
