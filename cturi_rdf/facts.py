"""Facts about media types for validators of metadata: text in, text out.

It needs only the standard library.  Each function takes a Content-Type as text; the facts
are those of the snapshot in `cturi_rdf.registry`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_same
from cturi_rdf.registry.qualities import qualities
from cturi_rdf.registry.schemes import identifiers as identifiers_of_type
from cturi_rdf.registry.schemes import own_identifiers
from cturi_rdf.registry.tables import inverted
from cturi_rdf.uri.mapping import canonical as canonical_type

if TYPE_CHECKING:
    from cturi_rdf.content_type.grammar import Rules

__all__ = [
    "about",
    "canonical",
    "extensions",
    "identifiers",
    "is_archive",
    "is_machine_readable",
    "is_open",
    "is_registered",
    "problem",
    "same",
]


def problem(text: str, *, rules: Rules = "http") -> str | None:
    """Return the fault in the syntax of a Content-Type, in one line, or None.

    By default the grammar is that of HTTP (RFC 9110 section 8.3.1), because metadata says which
    header a file is sent with; the `rules` ``"mail"`` and ``"any"`` are those of
    `ContentType.parse`.

    >>> problem("text/csv; charset=utf-8")
    >>> problem("/a")
    "the type is missing at character 1 of '/a': expected a type before '/' (RFC 2045 section 5.1)"
    """
    try:
        ContentType.parse(text, rules=rules)
    except ContentTypeError as error:
        return error.summary
    return None


def canonical(text: str) -> str:
    """Return a Content-Type under its registered name, with its parameters in one spelling.

    An alias becomes the type that it stands for.  Raises `ContentTypeError` where `text` is not
    a Content-Type (RFC 2045 section 5.1).

    >>> canonical("application/x-gzip"), canonical("Text/XML; Charset=UTF-8")
    ('application/gzip', 'application/xml; charset=utf-8')
    """
    return str(_canonical(text))


def same(one: str, other: str, *, parameters: bool = True) -> bool:
    """Return whether two Content-Types mean the same; without `parameters`, only the types count.

    Raises `ContentTypeError` where one of them is not a Content-Type.

    >>> same("application/x-parquet", "application/vnd.apache.parquet")
    True
    >>> same("application/jsonl", "application/x-ndjson"), same("text/rtf", "application/rtf")
    (True, True)
    >>> same("text/csv", "text/csv; charset=utf-8")
    False
    >>> same("text/csv", "text/csv; charset=utf-8", parameters=False)
    True
    """
    left, right = _canonical(one), _canonical(other)
    if not parameters:
        left, right = left.replace(parameters={}), right.replace(parameters={})
    return left == right or is_same(left, right)


def is_registered(text: str) -> bool:
    """Return whether IANA lists the type under this name, and has not withdrawn or replaced it.

    It is False where `text` is not a Content-Type.

    >>> is_registered("text/csv; charset=utf-8"), is_registered("text/tsv"), is_registered("/csv")
    (True, False, False)
    """
    try:
        return registry().is_current(ContentType.parse(text).essence)
    except ContentTypeError:
        return False


def extensions(text: str) -> tuple[str, ...]:
    """Return the file extensions of a type without dots, the usual one first.

    Raises `ContentTypeError` where `text` is not a Content-Type.

    >>> extensions("application/geo+json")
    ('geojson', 'gjson')
    """
    return registry().extensions_of(_canonical(text).essence)


def identifiers(text: str) -> dict[str, tuple[str, ...]]:
    """Return the IRIs of a type in other schemes, such as ``pronom``, under the schemes' names.

    Those of its versions and profiles are left out.

    Raises `ContentTypeError` where `text` is not a Content-Type.

    >>> identifiers("text/csv")["eu-file-type"]
    ('http://publications.europa.eu/resource/authority/file-type/CSV',)
    """
    identified = own_identifiers(_canonical(text).essence)
    by_scheme = inverted((identifier.iri, [identifier.scheme]) for identifier in identified)
    return {scheme: tuple(iris) for scheme, iris in by_scheme.items()}


def is_open(text: str) -> bool | None:
    """Return whether the EU states that the format is not proprietary; None if it states nothing.

    Raises `ContentTypeError` where `text` is not a Content-Type.

    >>> is_open("text/csv"), is_open("image/svg+xml")
    (True, None)
    """
    return qualities(_canonical(text)).open


def is_machine_readable(text: str) -> bool | None:
    """Return whether the EU states that the format is machine-readable; None if it does not.

    Raises `ContentTypeError` where `text` is not a Content-Type.

    >>> is_machine_readable("text/csv"), is_machine_readable("application/pdf")
    (True, None)
    """
    return qualities(_canonical(text)).machine_readable


def is_archive(text: str) -> bool:
    """Return whether a file of the type is a package or a compression of other files.

    Raises `ContentTypeError` where `text` is not a Content-Type.

    >>> is_archive("application/zip"), is_archive("text/csv")
    (True, False)
    >>> is_archive("application/vnd.oci.image.layer.v1.tar+gzip")
    True
    """
    return qualities(_canonical(text)).archive


def about(text: str) -> dict[str, Any]:
    """Return what the registry says about a type, as a dictionary of JSON values.

    A type that IANA does not list is ``unregistered``.  Raises `ContentTypeError` where `text` is
    not a Content-Type.

    >>> facts = about("image/svg+xml; charset=utf-8")
    >>> facts["type"], facts["status"], facts["suffix"], facts["extensions"]
    ('image/svg+xml', 'registered', 'Extensible Markup Language (XML)', ['svg', 'svgz'])
    """
    content_type = ContentType.parse(text)
    essence, snapshot = content_type.essence, registry()
    record, canonical_name = snapshot.media_type(essence), snapshot.canonical(essence)
    suffix = snapshot.suffix(content_type.suffix) if content_type.suffix else None
    broader = [*snapshot.broader(essence), *([suffix.base] if suffix and suffix.base else [])]
    return {
        "type": record.name if record else essence,
        "status": record.status if record else "unregistered",
        "registered": record.registered if record else None,
        "replaced_by": list(record.replaced_by) if record else [],
        "alias_of": canonical_name if canonical_name != essence else None,
        "aliases": list(snapshot.aliases(essence)),
        "suffix": suffix.title if suffix else None,
        "special_case_of": list(dict.fromkeys(broader)),
        "extensions": list(snapshot.extensions_of(essence)),
        "references": list(record.references) if record else [],
        "identifiers": [
            f"{identifier.iri} ({identifier.relation})"
            for identifier in identifiers_of_type(essence)
        ],
        "snapshot": snapshot.date,
    }


def _canonical(text: str) -> ContentType:
    content_type = canonical_type(ContentType.parse(text))
    named = ContentType.parse(registry().canonical(content_type.essence))
    return named.replace(parameters=content_type.parameters)
