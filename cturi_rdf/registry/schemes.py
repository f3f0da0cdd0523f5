"""Identifiers of media types in other people's schemes, both ways.

Each scheme is a row of the table ``schemes.tsv``: a template of its IRIs and how such an
IRI is related to the type.  The place in the template is ``{type}`` for ``type/subtype``
as IANA writes it, ``{type%}`` for the same with its plus as ``%2B``, ``{camel}`` for
``TypeSubtype``, ``{code}`` for a code of a table of formats, ``{other}`` for a code whose
media type is not known.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.registry.snapshot import registry
from cturi_rdf.registry.tables import letters_and_digits, load, unambiguous

if TYPE_CHECKING:
    from cturi_rdf.registry.tables import EuFileTypeRecord, FormatRecord


# RFC 6838 section 4.2: type-name "/" subtype-name.
_ESSENCE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}")
# Many write http for https, or leave out "www."
_WEB = re.compile(r"\Ahttps?://(?:www\.)?", re.ASCII | re.IGNORECASE)
_HEX = re.compile(r"%([0-9A-Fa-f]{2})")


class SchemeRecord(NamedTuple):
    """One form of the IRIs of a scheme.

    `relation` says how an IRI is related to its type: ``exact``, ``class`` for the class of all
    documents with it, or ``close`` for the codes of formats, each of which is judged by itself;
    None for a form that is read but not written.
    """

    template: str
    scheme: str
    relation: str | None


class Identifier(NamedTuple):
    """An IRI for a media type, its scheme, and how the two are related."""

    scheme: str
    iri: str
    relation: str


class _Form:
    """A row of the table, cut at its placeholder."""

    def __init__(self, row: SchemeRecord) -> None:
        self.row = row
        self.before, _, rest = row.template.partition("{")
        self.kind, _, self.behind = rest.partition("}")
        self.start = _WEB.sub("http://", self.before).lower()


def schemes() -> tuple[str, ...]:
    """Return the names of the schemes whose IRIs are known.

    >>> "eu-file-type" in schemes()
    True
    """
    return tuple(dict.fromkeys(form.row.scheme for form in _forms()))


def identifiers(essence: str) -> tuple[Identifier, ...]:
    """Return all IRIs of a media type in other schemes.

    Each is ``exact`` where it means the same as the type, and ``class`` where it means the class
    of all documents of the type.  Only types in IANA's registry have these: the schemes mirror it.
    Where an IRI means a format of the type, its relation is that of `Registry.related_codes`.

    >>> next(one.iri for one in identifiers("image/svg+xml") if one.scheme == "spar-w3id")
    'https://w3id.org/spar/mediatype/image/svg%2Bxml'
    """
    record, related = registry().media_type(essence), registry().related_codes(essence)
    identified: list[Identifier] = []
    for form in _forms():
        row = form.row
        if row.relation is None:
            continue
        if form.kind == "code":
            for code, relation in related.get(row.scheme, {}).items():
                iri = f"{form.before}{code}{form.behind}"
                identified.append(Identifier(row.scheme, iri, relation))
        elif record:
            name = record.name.replace("+", "%2B") if form.kind == "type%" else record.name
            iri = f"{form.before}{name}{form.behind}"
            identified.append(Identifier(row.scheme, iri, row.relation))
    return tuple(identified)


def own_identifiers(essence: str) -> tuple[Identifier, ...]:
    """Return the IRIs that stand for a media type: not those of its versions, or of a container.

    >>> [own.iri.rpartition("/")[2] for own in own_identifiers("image/tiff")
    ...     if own.scheme == "eu-file-type"]
    ['TIFF']
    """
    return tuple(one for one in identifiers(essence) if one.relation in {"exact", "close", "class"})


def type_of_iri(iri: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the scheme of an IRI and the media types that it means, or None.

    There are no types where the scheme is known but the code is not.  The case of the part before
    the type or code does not count, nor ``http`` against ``https``, a slash at the end, or ``%2B``
    against ``+``.

    >>> type_of_iri("http://www.iana.org/assignments/media-types/image/svg%2Bxml/")
    ('iana-http', ('image/svg+xml',))
    >>> type_of_iri("http://publications.europa.eu/resource/authority/file-type/NONE_SUCH")
    ('eu-file-type', ())
    >>> type_of_iri("http://example.org/text/csv")
    """
    plain = _WEB.sub("http://", iri)
    folded, as_written = plain.lower(), iri.lower()
    matching = [form for form in _forms() if folded.startswith(form.start)]
    if not matching:
        return None
    # Of http and https the one that is written, then the longest.
    form = max(
        matching, key=lambda form: (as_written.startswith(form.before.lower()), len(form.before))
    )
    rest = plain[len(form.start) :].removesuffix("/").removesuffix(form.behind)
    return form.row.scheme, _types(form, _HEX.sub(lambda octet: chr(int(octet[1], 16)), rest))


def only_type_of_iri(iri: str) -> ContentType | None:
    """Return the media type that an IRI means, or None if it means none or several.

    >>> only_type_of_iri("https://www.iana.org/assignments/media-types/text/csv")
    ContentType.parse('text/csv')
    >>> only_type_of_iri("http://publications.europa.eu/resource/authority/file-type/NONE_SUCH")
    """
    _, essences = type_of_iri(iri) or ("", ())
    return ContentType.parse(essences[0]) if len(essences) == 1 else None


def _types(form: _Form, rest: str) -> tuple[str, ...]:
    if form.kind == "code":
        record = code_record(form.row.scheme, rest)
        return record.types if record else ()
    if form.kind == "camel":
        essence = _camel().get(rest.lower()) or ""
    elif form.kind == "ids":
        # The Information Model writes TEXT_CSV for text/csv.
        essence = rest.lower().replace("_", "/", 1).replace("_", "-")
    else:
        essence = rest.partition(";")[0].strip().lower()
    return (essence,) if _ESSENCE.fullmatch(essence) and form.kind != "other" else ()


def code_record(scheme: str, code: str) -> FormatRecord | EuFileTypeRecord | None:
    """Return the record of a code, in any case, in a table of formats, or None.

    >>> code_record("pronom", "FMT/18").types
    ('application/pdf',)
    """
    table = registry().formats(scheme)
    return table.get(code) or table.get(code.upper()) or table.get(code.lower())


@cache
def _forms() -> tuple[_Form, ...]:
    return tuple(map(_Form, load("schemes.tsv", SchemeRecord)))


@cache
def _camel() -> dict[str, str | None]:
    """Return the types by their letters and digits alone; None where two have the same."""
    essences = registry().media_types().keys()
    return unambiguous((letters_and_digits(essence), essence) for essence in essences)
