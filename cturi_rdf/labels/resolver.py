"""A label read as a whole: identifier, header, name or phrase; labels of the user's own first."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError, CturiError, MappingError, expect_kind
from cturi_rdf.labels.candidates import all_candidates, candidates
from cturi_rdf.labels.grammar import composed
from cturi_rdf.labels.media_types import (
    after_word,
    is_top_level,
    media_type,
    misspelt,
    subtype,
    typed,
)
from cturi_rdf.labels.names import eu_meaning, name_key, names
from cturi_rdf.labels.resolution import (
    Resolution,
    no_type,
    nothing,
    one_or_more,
    one_type,
    packed,
    service,
)
from cturi_rdf.registry import registry
from cturi_rdf.registry.charsets import charset_of, has_charset
from cturi_rdf.registry.schemes import code_record, type_of_iri
from cturi_rdf.registry.tables import load
from cturi_rdf.uri.mapping import from_uri, is_content_type_uri

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


# A label is a name or a phrase; a longer text is not read for one.
_LONGEST = 400
_AROUND = " \t\r\n\v\f\u00a0\ufeff\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb*;,:"
# Traces of octets that could not be decoded: the replacement character, and the half of a surrogate
# pair that Python puts in the place of an octet.
_BROKEN = "[\ufffd\ud800-\udfff]"
_CONTROL = "[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f]"
# A character reference of HTML, as in "Excel&nbsp;(xlsx)".
_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[a-zA-Z][a-zA-Z0-9]*);")
# What each name of a character set in a label has.
_SIGNS_OF_CHARSET = re.compile(r"[0-9_-]", re.ASCII)
# Other characters that Unicode ends a line at may stand in a label.
_LINE_END = re.compile(r"\r\n?|\n")
# "GIF, version 89a" and "GIF v89a" are the name "GIF 89a".
_VERSION = re.compile(r",?\s+v(?:er(?:sion|\.)?|\.)?\s?(?=[0-9])", re.ASCII | re.IGNORECASE)
# The end of a label, not of an IRI, that is in doubt or cut off.
_DOUBT = re.compile(r"(?s)(?!\S+:\S+$).*(?:\?|\.\.|\u2026)[\s)\]]*")
# What Project Open Data has in the place of a text that is withheld.
_REDACTED = re.compile(r"\[\[REDACTED\b.*\]\]")
_OWN_REASON = "It is one of your own labels."
_OWN_NOTHING = "Your own labels say that it names no format."
_WITHOUT_TYPES = {"no_type": no_type, "nothing": nothing}


class Resolver:
    """A resolver of labels that looks first at labels of the user's own.

    >>> mine = Resolver({"Bericht": Resolution("Bericht", "media_type", ["application/pdf"],
    ...                                        rule="own", reason="We mean PDF.")})
    >>> mine.resolve("BERICHT").types
    (ContentType.parse('application/pdf'),)
    """

    def __init__(self, own: Mapping[str, Resolution] | None = None) -> None:
        """Make a resolver with the user's own labels, as `read_labels` returns them."""
        self._own = {
            name_key(label) or label.strip(): resolution
            for label, resolution in (own or {}).items()
        }

    def resolve(self, label: str) -> Resolution:
        """Return the meaning of a label; see `cturi_rdf.labels.resolve`."""
        expect_kind(label, str, "a label is text")
        if self._own:
            own = self._own.get(name_key(label) or label.strip())
            if own is not None:
                return own._replace(label=label)
        meaning = _with_charset(_meaning(label), label)
        broken = None if label.isascii() else re.search(_BROKEN, label)
        if broken:
            # A letter is missing, so the label may be another word than it seems.
            meaning = meaning.inferred(f"It has a broken character, U+{ord(broken[0]):04X}.")
        if not label.isprintable() and (control := re.search(_CONTROL, label)):
            meaning = meaning.inferred(f"It has a control character, U+{ord(control[0]):04X}.")
        if meaning.types and not label[-1].isalnum() and _DOUBT.fullmatch(label):
            meaning = meaning.inferred("It ends in a question mark, or is cut off.")
        # A percent sign may hide a character that is not printable.
        if "%" in label or not label.isprintable():
            meaning = meaning.on_one_line()
        # A literal of rdflib is text, but equals no text.
        return meaning._replace(label=str(label))

    def resolve_all(self, labels: Iterable[str]) -> list[Resolution]:
        """Return the meanings of many labels, in their order; each distinct label is read once."""
        if isinstance(labels, str):
            raise TypeError("labels are a list of texts, not one text")
        in_order = list(labels)
        meanings = {label: self.resolve(label) for label in dict.fromkeys(in_order)}
        return [meanings[label] for label in in_order]


def read_labels(text: str) -> dict[str, Resolution]:
    r"""Return the user's own labels from a table: label, meaning and perhaps a reason.

    A line is a label, a tab and what it means: a media type; several with ``|`` between; for a
    packed one ``inner > outer``, with every wrapper up to the outermost; or one of the words
    ``service``, ``no_type`` and ``nothing``.  A third field is the reason.  Empty lines and those
    that begin with ``#`` are skipped.  Raises `CturiError`, with the line and its number, for any
    other line.

    >>> read_labels("Bericht\tapplication/pdf\n")["Bericht"].rule
    'own'
    """
    meanings = {}
    # A spreadsheet saves UTF-8 with a byte order mark.
    for number, line in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), 1):
        if not line.strip() or line.startswith("#"):
            continue
        # The tabs stand in for fields that are left out at the end.
        label, meaning, reason = map(str.strip, f"{line}\t\t".split("\t", 2))
        if not label or not meaning:
            raise CturiError(
                f"line {number}: not a label and its meaning",
                line,
                expected="a label, a tab and its media type",
                rule="the table of labels",
            )
        reason = reason or (_OWN_NOTHING if meaning == "nothing" else _OWN_REASON)
        try:
            meanings[label] = _own_meaning(label, meaning, reason)._replace(label=label)
        except ContentTypeError as error:
            raise CturiError(
                f"line {number}: {error.problem}",
                line,
                expected=f"{error.expected}, or service, no_type or nothing",
                rule=error.rule,
            ) from error
    return meanings


def _own_meaning(label: str, meaning: str, reason: str) -> Resolution:
    if meaning == "service":
        return service(label, reason, "own")
    if meaning in _WITHOUT_TYPES:
        return _WITHOUT_TYPES[meaning]("own", reason)
    inner, *wrappers = map(str.strip, meaning.split(">"))
    types = [header.strip() for header in inner.split("|")]
    if wrappers:
        return packed(types, reversed(wrappers), "own", reason)
    return one_or_more(types, "own", reason)


def _meaning(label: str) -> Resolution:
    """Return the meaning of a label, from the first reading that has one."""
    # A header is read as it stands, before anything is stripped from its ends.
    header = _header(label)
    if header is not None:
        return header
    text = plain(label)
    if len(text) > _LONGEST:
        return nothing("none", "It is too long for a label.")
    if not name_key(text):
        return nothing("none", "It has no letters or digits.")
    if _REDACTED.fullmatch(label.strip()):
        return nothing("none", "It is a redaction mark, not a format.")
    if " " in text:
        text = _VERSION.sub(" ", text).replace("*. ", "*.")
    named = names().described(text)
    meaning = of_node(label.strip()) or _whole(text, named)
    if meaning is not None:
        return meaning
    phrase = composed(text)
    if named is not None:
        return beside_words(named, phrase)
    bare = " ".join(one.text for one in candidates(text)) if phrase is None else ""
    meaning = phrase or names().described(bare) or subtype(bare)
    if meaning is None and text.isalnum():
        meaning = misspelt(text)
    return meaning or nothing("none", "Nothing in it names a format.", likely=True)


def plain(label: str) -> str:
    """Return a label without references of HTML, a made-up base and the marks around it.

    Any white space is a blank: a line feed is where a file wraps its lines, as often as it is
    between the members of a list.

    >>> plain("Excel&nbsp;(xlsx),")
    'Excel (xlsx)'
    """
    text = _ENTITY.sub(lambda entity: unescape(entity[0]), label) if "&" in label else label
    return " ".join(relative(text.strip(_AROUND)).split())


def _with_charset(meaning: Resolution, label: str) -> Resolution:
    """Return the meaning of a label with the character set that stands beside its one format."""
    if len(meaning.types) != 1 or meaning.alternatives or not _SIGNS_OF_CHARSET.search(label):
        return meaning
    [content_type] = meaning.types
    if content_type.parameters or "://" in label or not has_charset(content_type):
        return meaning
    words = [one.text for one in all_candidates(plain(label)) if one.kind == "noise"]
    charset, *others = {name for word in words if (name := charset_of(word))} or {""}
    if others or not charset:
        return meaning
    types = (content_type.replace(parameters={"charset": charset}),)
    return meaning._replace(types=types, reason=f"{meaning.reason} It is said to be in {charset}.")


def _header(label: str) -> Resolution | None:
    """Return the meaning of a label that is a Content-Type header, or None.

    Two names with a slash between, such as "csv/json", are a header by their syntax alone.  They
    count as one if the first is a top-level type, or if parameters follow.  A comment (RFC 2045
    section 5.1) may say how the file is packed, as in "text/csv (gzip)".
    """
    if "/" not in label:
        return None
    try:
        content_type = ContentType.parse(label.strip())
    except ContentTypeError:
        return None
    is_commented = not content_type.parameters and label.rstrip().endswith(")")
    if is_commented and (phrase := composed(label)) and phrase.wrappers:
        return phrase
    is_header = content_type.parameters or is_top_level(content_type.type)
    return media_type(content_type) if is_header else None


def _whole(text: str, named: Resolution | None) -> Resolution | None:
    """Return the meaning of a label that is one identifier, one type or one name as a whole."""
    if (meaning := identified(text)) is not None:
        return meaning
    name, exact = names().find(text), names().exact(text)
    if exact and exact.verdict == "service":
        return exact._replace(services=(text,))
    if " " in text and named:
        return exact
    meaning = typed(text)
    if exact and meaning and meaning.types == exact.types:
        meaning = exact
    if meaning is None and text[0] in ".*" and text.count(".") == 1:
        meaning = names().extension(text.rpartition(".")[2])
    meaning = meaning or exact
    if meaning is None and name and name.unnamed:
        return nothing("none", f"It is {name.unnamed}.")
    return meaning or subtype(text)


_IRI = re.compile(r"[a-z][a-z0-9+.-]*://.*|(?:urn|info):.*", re.ASCII | re.IGNORECASE | re.DOTALL)
# A relative IRI that a parser resolved against a made-up base (RFC 6761 section 6.4: no name under
# "invalid" exists) or against the folder that it ran in.
_NO_BASE = re.compile(
    r"https?://(?:[^/?#]*\.)?invalid/(?:doc/)?|file:/+(?:[^?#]*/)?", re.ASCII | re.IGNORECASE
)
# Prefixes with the same meaning everywhere, and codes that are used without a prefix.
_PREFIXES = {
    "edam": "http://edamontology.org/",
    "wd": "http://www.wikidata.org/entity/",
    "pronom": "info:pronom/",
    "puid": "info:pronom/",
    "edam.format": "http://edamontology.org/format_",
    "wikidata": "http://www.wikidata.org/entity/",
    "iana.mediatype": "https://www.iana.org/assignments/media-types/",
    "mime": "https://www.iana.org/assignments/media-types/",
}
_FDD = "https://www.loc.gov/preservation/digital/formats/fdd/{}.shtml"
_PUID = re.compile(r"(?:x-)?fmt/[0-9]+|fdd[0-9]{6}", re.ASCII | re.IGNORECASE)
# Resolvers of compact identifiers: the prefix and the code follow.
_RESOLVERS = re.compile(
    r"https?://(?:www\.)?(?:bioregistry\.io|identifiers\.org|n2t\.net)/([a-z0-9.]+)[:/](.+)",
    re.ASCII | re.IGNORECASE,
)
# A format of OGC's registry of names: urn:ogc:def:dataFormat:OGC:2.1:GML and shorter forms.
_OGC = re.compile(r"urn:ogc:(?:def:)?dataFormat:(?:OGC:)?(.+)", re.ASCII | re.IGNORECASE)
# Schemes whose codes are in a table, with or without a media type.
_CODES = frozenset({"w3c-formats", "pronom", "loc-fdd", "wikidata"})
_VERSION_OF_TABLE = r"\bversion ([0-9]+)$"
_PAGE_ENDINGS = frozenset({"xhtml", "html", "xml", "csv"})
# ISO 8879: owner, description and language of a document type.
_PUBLIC = r"(?s)(?:[-+]|ISO [^/]*)//.+//.+"
_SERVICE_TYPES = r"(?ai)service-?types?[/:#]"
# Pages on the web are about formats.
_PAGES = frozenset({"html", "htm", "shtml", "xhtml", "php", "asp", "aspx", "jsp"})


class EdamRecord(NamedTuple):
    """A format of EDAM with the type that a table of ours gives it."""

    code: str
    types: tuple[str, ...]


def relative(label: str) -> str:
    """Return the relative IRI that was resolved against no real base, or the label as it is."""
    match = _NO_BASE.match(label)
    return unquote(label[match.end() :]) if match else label


def identified(label: str) -> Resolution | None:
    """Return the meaning of an identifier, or None for any other label.

    >>> identified("http://publications.europa.eu/resource/authority/file-type/CSV").rule
    'scheme'
    >>> identified("http://www.opengis.net/def/serviceType/ogc/wms").verdict
    'service'
    """
    named = registry().formats("dataone").get(label)
    if named is not None:
        reason = f"It is an identifier of DataONE's formats, of the type {named.types[0]}."
        return one_type(named.types[0], "scheme", reason, likely=True)
    if ":" not in label and "/" not in label and label[:3].lower() != "fdd":
        return None
    resolved = _RESOLVERS.fullmatch(label)
    if resolved and resolved[1].lower() in _PREFIXES:
        code = resolved[2].removeprefix("format_") if "." in resolved[1] else resolved[2]
        return identified(f"{resolved[1]}:{code}")
    prefix, colon, rest = label.partition(":")
    if colon and prefix.lower() in _PREFIXES and not rest.startswith("//"):
        iri = _PREFIXES[prefix.lower()] + rest
    elif _PUID.fullmatch(label):
        template = "info:pronom/{}" if "/" in label else _FDD
        iri = template.format(label.lower())
    elif _IRI.fullmatch(label):
        iri = label
    elif re.fullmatch(_PUBLIC, label):
        reason = "It is the formal public identifier of a document type."
        return nothing("scheme", reason, likely=True)
    else:
        return None
    of_scheme = type_of_iri(iri)
    return _of_scheme(iri, *of_scheme) if of_scheme else _other(iri)


def of_node(label: str) -> Resolution | None:
    """Return the meaning of a ContentType: URI, in either spelling, or None for any other label.

    >>> str(of_node('ContentType:text/csv?header="absent"').types[0])
    'text/csv; header=absent'
    """
    if not is_content_type_uri(label):
        return None
    try:
        return media_type(from_uri(label))
    except (ContentTypeError, MappingError):
        return None


def _of_scheme(iri: str, scheme: str, types: tuple[str, ...]) -> Resolution:
    code = unquote(iri.rstrip("/").rpartition("/")[2])
    if scheme == "eu-file-type":
        record = registry().eu_file_type(code)
        if record is not None:
            return eu_meaning(record, "scheme")
        named = names().exact(code)
        if named is not None:
            return named.inferred(f"The EU has no file type {code}.")
        date = registry().formats(scheme).facts["date"]
        return nothing("scheme", f"The EU had no file type {code} on {date}.", likely=True)
    if scheme == "edam":
        table = load("labels/edam.tsv", EdamRecord)
        of_edam = table.get(code)
        return _of_code(scheme, code, of_edam.types if of_edam else (), table.facts)
    if scheme in _CODES:
        # Codes of PRONOM have a slash, those of the Library of Congress an ending.
        whole = "/".join(iri.rstrip("/").split("/")[-2:]) if scheme == "pronom" else code
        facts = registry().formats(scheme).facts
        return _of_code(scheme, whole.removesuffix(".shtml"), types, facts)
    if types:
        _, semicolon, parameters = unquote(iri).partition(";")
        header = _without_page(types[0].partition("#")[0]) + semicolon + parameters
        meant = ContentType.recover(header, rules="any").content_type
        meaning = media_type(meant) if meant else None
        if meaning is not None:
            reason = f"It is an IRI of the scheme {scheme}. {meaning.reason}"
            rule = "scheme" if meaning.rule == "syntax" else meaning.rule
            return meaning._replace(rule=rule, reason=reason)
    written = "/".join(unquote(iri).rstrip("/").split("/")[-2:])
    meaning = typed(written) or names().exact(code)
    if meaning is not None:
        return meaning.inferred(f"The scheme {scheme} has no such IRI, but its end names a type.")
    reason = f"The scheme {scheme} is known, but not its code {code}."
    return nothing("scheme", reason, likely=True)


def _of_code(
    scheme: str, code: str, types: tuple[str, ...], facts: Mapping[str, str]
) -> Resolution:
    """Return the meaning of a code in a table of formats."""
    if types:
        meaning = one_type(types[0], "scheme", f"It is {types[0]} in the scheme {scheme}.")
        return meaning.or_else(types)
    record = code_record(scheme, code) if scheme in _CODES else None
    if record is not None:
        # A table without a type for the format may still have its name.
        reason = f"{scheme} has {code} without a media type."
        phrase, named = composed(record.label), names().described(record.label)
        weighed = beside_words(named, phrase) if named else phrase
        called = names().exact(record.label) or weighed
        if called and called.types:
            return called.inferred(f"{reason} It calls it {record.label}.", "scheme")
        return no_type("scheme", reason)
    version = re.search(_VERSION_OF_TABLE, facts["source"])
    where = f"{scheme.upper()} V{version[1]}" if version else f"the snapshot of {scheme}"
    reason = f"{code} is not in {where} of {facts['date']}."
    return nothing("scheme", reason, likely=True)


def beside_words(named: Resolution, phrase: Resolution | None) -> Resolution:
    """Return the meaning of a name in a table of formats, weighed against that of its words.

    The name of a format without a type counts unless its words leave nothing over: "AutoCAD Slide"
    is no drawing.  Where name and words are of two types, both are readings, those of the words
    first if they are certain; words that mean nothing make the name less certain.  Where both say
    the same, the surer one counts.
    """
    if phrase is None:
        return named
    if not set(phrase.types).isdisjoint(named.types):
        is_surer = phrase.confidence == "certain" != named.confidence
        return phrase if is_surer and phrase[1:4] == named[1:4] else named
    if not named.types:
        is_whole = phrase.confidence == "certain" or (phrase.types and phrase.rule != "prose")
        return phrase if is_whole else named
    if phrase.verdict == "nothing" and not phrase.alternatives:
        return named.inferred()
    if phrase.confidence == "certain":
        return phrase.or_else(named.types)
    return named.or_else(phrase.types)


def _without_page(essence: str) -> str:
    """Return a type without the ending of IANA's page about it."""
    bare, _, ending = essence.rpartition(".")
    is_page = ending in _PAGE_ENDINGS and not registry().is_current(essence)
    return bare if is_page and registry().is_current(bare) else essence


def _other(iri: str) -> Resolution:
    """Return the meaning of the end of an IRI whose scheme is unknown."""
    of_ogc = _OGC.fullmatch(iri)
    if of_ogc and (meaning := composed(of_ogc[1].replace(":", " "))):
        return meaning.inferred("It is OGC's name of a format.", "scheme")
    path, _, query = iri.partition("?")
    if re.search(_SERVICE_TYPES, path):
        name = path.rpartition("/")[2]
        return service(name, "It is a code of a list of service types.", "scheme")
    asked = re.search(r"\bservice=(\w+)", query, re.ASCII | re.IGNORECASE)
    of_query = names().exact(asked[1]) if asked else None
    parts = [
        unquote(segment) for segment in re.split(r"[/#]", path.partition("://")[2]) if segment
    ][1:]
    tail = parts[-1] if parts else ""
    stem, _, file_extension = tail.rpartition(".")
    if file_extension.lower() in _PAGES and stem:
        # The subject of the page, not its own format.
        tail = stem
    named = of_query if of_query and of_query.verdict == "service" else None
    if named is None and len(parts) > 1 and parts[-2].replace("-", "").isalpha():
        word = parts[-2].lower()
        named = typed(f"{word}/{tail}") if is_top_level(word) else after_word(word, tail)
    named = named or _of_tail(tail)
    if named is None or named.verdict == "nothing" or tail.isdigit():
        reason = "The IRI is of no known scheme, and its end names no format."
        return nothing("scheme", reason, likely=True)
    return named.inferred(f"The IRI is of no known scheme, but ends in {tail}.")


def _of_tail(tail: str) -> Resolution | None:
    """Return the meaning of the last part of an IRI: a name, or the name of a file."""
    if "ordinary" not in names().kinds(tail) and (meaning := names().exact(tail)):
        return meaning
    _, dot, extensions = tail.partition(".")
    return composed(dot + extensions)
