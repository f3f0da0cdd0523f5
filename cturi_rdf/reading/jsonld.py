"""JSON-LD as Oxigraph can read it: whole, and without what would cost a triple.

Oxigraph reads JSON-LD strictly by the standard, and loads no contexts.  So three things of a text
are rewritten before it is read:

* the contexts that it names stand in their places (`jsonld_contexts`);
* JSON without a context that is plainly schema.org's, DCAT-US's or Project Open Data's gets one;
* what the standard drops with its whole triple, without a word, and catalogues contain all the
  same, is spelled so that it passes, and is spelled back in the triples: characters that no IRI
  has (RFC 3987 section 2.2), such as a space, labels that no blank node has, and languages that
  are no language tags.

Nothing else is tolerated.  What no context defines has no triples, as the standard says (JSON-LD
1.1 API section 5.1.2, step 13.4).
"""

from __future__ import annotations

import io
import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.json_scan import has_halves, in_utf8, require_unicode, scan, without_halves
from cturi_rdf.reading.jsonld_contexts import Inlining, Uses, context_of_file
from cturi_rdf.reading.terms import is_tag, legal_iri, lenient_node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from cturi_rdf.reading.formats import ReadOptions
    from cturi_rdf.reading.json_scan import Scanned


# The beginning of a context: only an object surely names no other.
_CONTEXT = re.compile(rb"\"@context\"\s*:\s*(.)")
# A member that needs no context, because its name is an IRI.
_WITH_COLON = re.compile(rb'"[A-Za-z_][^"\\:]*:[^"\\]*"\s*:')
# Names that mark JSON without a context as schema.org's.
_SCHEMA_ORG = frozenset({
    "contentUrl", "encodingFormat", "DataDownload", "MediaObject", "DataCatalog", "fileFormat",
})  # fmt: skip
# Names that mark it as DCAT-US or Project Open Data, whose fields have the same names.
_DCAT_US = frozenset({"downloadURL", "accessURL", "mediaType", "accessLevel", "describedByType"})

# A member that shows RDF where there is no context.
_OF_RDF = re.compile(
    rb'"(?:https?:[^"]*|dataset|%b)"\s*:' % "|".join(sorted(_SCHEMA_ORG | _DCAT_US)).encode()
)

_OBJECT, _STRING = ord("{"), ord('"')
_MAPS = frozenset({"@language", "@index", "@id", "@type"})
# Names of members whose values may be IRIs, defined in a context; values of them.
_NODE_NAMES = re.compile(
    rb'"([^"\\]+)"\s*:\s*(?:"@(?:id|type)"|\{[^{}]*"@type"\s*:\s*"@(?:id|vocab)")'
)
_LANGUAGES = re.compile(rb'"@language"\s*:\s*"([^"\\]*)"')
_LANGUAGE_ALIAS = re.compile(rb':\s*"@language"')
_LANGUAGE_MAP = re.compile(rb'"@container"\s*:\s*(?:\[[^\]]*)?"@language"')
# A string in which surely all is a character of an IRI, and one that is no label either.
_LEGAL_BYTES = (
    rb'(?:[^"\x00-\x20<>{}|^`\\\[\]\x7f\xc2\xee\xef%#]++|%[0-9A-Fa-f]{2}|\xc2[\xa0-\xbf])*+'
)
_LEGAL = rb'"%b(?:#%b)?+"' % (_LEGAL_BYTES, _LEGAL_BYTES)
_LEGAL_NAME = re.compile(rb'(?!"_:)%b' % _LEGAL)
# A member whose value, or one of the texts that begin its array, may have an illegal character.
_MEMBER = rb'"(?:%b)"\s*+:\s*+(?!%b|[^"\[]|\[\s*+(?:%b\s*+,?\s*+)*+[\]{])'
# A text in an array behind an object or another array.
_BEHIND = re.compile(rb'[}\]]\s*+,\s*+"[^"\\]*+(?:\\.[^"\\]*+)*+"\s*+[,\]]', re.DOTALL)
# A name that may be one, with an illegal character.
_NAME = re.compile(
    rb'"[^"\x00-\x20<>{}|^`\\\x7f\xee\xef]*+[\x00-\x20<>{}|^`\\\x7f\xee\xef]'
    rb'[^"\\]*+(?:\\.[^"\\]*+)*+"\s*+:',
    re.DOTALL,
)
# A label that RDF may not allow.
_LABEL = re.compile(rb'"_:(?:"|[A-Za-z0-9_.\-]*+[^A-Za-z0-9_.\-"])')
# A character that no IRI has is spelled as one that an IRI may have (RFC 3987, ucschar).
_SHIFTS = {range(0xA0): 0xE2000, range(0xE000, 0x10000): 0xE4000 - 0xE000}
_SHIFTED = re.compile("[\U000e2000-\U000e209f\U000e4000-\U000e5fff]")
# A language that is no tag is spelled as one of private use (RFC 5646 section 2.2.7).
_PRIVATE = "x-cturi"


class Definitions:
    """What the contexts of a document say of its names, in whatever part of the document.

    `terms` are the names, `aliases` has the keyword that a name stands for; `nodes` are names whose
    values may be IRIs, `maps` those whose objects are maps, `type_maps` those whose objects are
    maps of types, `graphs` those whose objects are graphs, `lists` those whose arrays are lists,
    `languages` those whose objects are language maps, `literals` those whose values are literals of
    JSON, `scoped` has the contexts of those that have one of their own, `plain` are those whose
    values say one statement each, about the node.
    """

    def __init__(self) -> None:
        self.aliases: dict[str, str] = {}
        self.nodes: set[str] = {"@id", "@type"}
        self.maps: set[str] = set()
        self.type_maps: set[str] = set()
        self.graphs: set[str] = set()
        self.lists: set[str] = set()
        self.languages: set[str] = set()
        self.literals: set[str] = set()
        self.terms: set[str] = set()
        self.scoped: dict[str, Any] = {}
        self.plain: set[str] = set()

    def read(self, context: Any) -> None:
        """Read the value of an `@context`, and the contexts in it."""
        pending = [context]
        while pending:
            value = pending.pop()
            if isinstance(value, list):
                pending += value
            elif isinstance(value, dict):
                for name, definition in value.items():
                    if not name.startswith("@"):
                        self._define(name, definition)
                        if isinstance(definition, dict) and "@context" in definition:
                            pending.append(definition["@context"])

    def _define(self, name: str, definition: Any) -> None:
        self.terms.add(name)
        fields = definition if isinstance(definition, dict) else {"@id": definition}
        stands_for = fields.get("@id")
        if isinstance(stands_for, str):
            word = self.aliases.get(stands_for, stands_for)
            if word.startswith("@"):
                self.aliases[name] = word
        if fields.get("@type") in ("@id", "@vocab") or self.aliases.get(name) in {"@id", "@type"}:
            self.nodes.add(name)
        if fields.get("@type") == "@json":
            self.literals.add(name)
        container = fields.get("@container")
        named = container if isinstance(container, list) else [container]
        containers = {name for name in named if isinstance(name, str)}
        if containers & _MAPS:
            self.maps.add(name)
        if "@type" in containers:
            self.type_maps.add(name)
        if "@graph" in containers:
            self.graphs.add(name)
        if "@list" in containers:
            self.lists.add(name)
        if "@language" in containers:
            self.languages.add(name)
        if "@context" in fields:
            self.scoped[name] = fields["@context"]
        is_plain = containers <= {"@set"} and "@reverse" not in fields
        if is_plain and name not in self.aliases and name not in self.literals:
            self.plain.add(name)

    def keyword(self, name: str) -> str:
        """Return the keyword that a name stands for, or the name."""
        return self.aliases.get(name, name)


class Rewriting:
    """The parts of a text that are spelled differently for Oxigraph, and the way back.

    `parts` has a new text by the entry of a value, or by minus the entry of a member whose name
    changes.  `head` and `tail` go around the whole text, of which the first bytes are dropped.
    `definitions` are those of all contexts, `context` is the one of a file without any.
    `languages` has the languages that were left out because they are no language tags.
    """

    def __init__(self, scanned: Scanned) -> None:
        self.scanned = scanned
        self.parts: dict[int, bytes] = {}
        self.head = self.tail = b""
        self.dropped = 0
        self.context: Any = None
        self.definitions = Definitions()
        self.is_changed = False
        self.languages: set[str] = set()

    def spell(self, entry: int, text: str) -> None:
        """Write another text for Oxigraph, which `quads` turns back."""
        self.parts[entry] = json.dumps(text, ensure_ascii=False).encode()
        self.is_changed = True

    def text(
        self,
        more: Mapping[int, bytes] | None = None,
        members: Mapping[int, bytes] | None = None,
    ) -> bytes:
        """Return the text for Oxigraph.

        `more` has other texts of values by their entries, `members` a new member for objects, or a
        new element for arrays.
        """
        data = memoryview(self.scanned.data)
        parts = self.parts if more is None else {**self.parts, **more}
        places = [(*self._span(entry), text) for entry, text in parts.items()]
        places += (self._first(entry, member) for entry, member in (members or {}).items())
        position = self.dropped
        written = io.BytesIO()
        written.write(self.head)
        for start, end, text in sorted(places):
            if start >= position:
                written.write(data[position:start])
                written.write(text)
                position = end
        written.write(data[position:])
        written.write(self.tail)
        return written.getvalue()

    def _first(self, entry: int, member: bytes) -> tuple[int, int, bytes]:
        """Return the place and the text of a new child: the first one, or behind the context."""
        scanned = self.scanned
        start, first = scanned.starts[entry] + 1, entry + 1
        if first == scanned.nexts[entry]:
            return start, start, member
        if scanned.contexts.get(entry) == first:
            return scanned.ends[first], scanned.ends[first], b"," + member
        return start, start, member + b","

    def _span(self, entry: int) -> tuple[int, int]:
        scanned = self.scanned
        if entry >= 0:
            return scanned.starts[entry], scanned.ends[entry]
        return scanned.key_span(-entry)

    def members(self, entry: int) -> dict[str, int]:
        """Return the members of an object by their names, or the keywords that these stand for."""
        name, keyword = self.scanned.name, self.definitions.keyword
        return {keyword(name(child)): child for child in self.scanned.children(entry)}

    def quads(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        """Return quads that were read from the text, as the document says them."""
        return map(self._back, quads) if self.is_changed else iter(quads)

    def _back(self, quad: ox.Quad) -> ox.Quad:
        value: Any = quad.object
        value = self._literal(value) if isinstance(value, ox.Literal) else _back(value)
        subject, predicate = _back(quad.subject), _back(quad.predicate)
        return ox.Quad(subject, predicate, value, _back(quad.graph_name))

    def _literal(self, literal: ox.Literal) -> ox.Literal:
        language, text = literal.language, literal.value
        if language and language.startswith(_PRIVATE):
            left_out = bytes.fromhex(language.removeprefix(_PRIVATE).replace("-", "")).decode()
            if left_out:
                self.languages.add(left_out)
            return ox.Literal(_unshifted(text))
        if language:
            return ox.Literal(_unshifted(text), language=language, direction=literal.direction)
        return ox.Literal(_unshifted(text), datatype=_back(literal.datatype))


def _unshifted(text: str) -> str:
    return text.translate(_UNSHIFTED)


_UNSHIFTED = {code + shift: code for codes, shift in _SHIFTS.items() for code in codes}


@lru_cache(maxsize=4096)
def _back(term: Any) -> Any:
    if isinstance(term, ox.NamedNode) and _SHIFTED.search(term.value):
        return lenient_node(_unshifted(term.value))
    return term


def _private(language: str) -> str:
    digits = language.encode().hex()
    return "-".join([_PRIVATE, *(digits[at : at + 8] for at in range(0, len(digits), 8))])


def legal(text: str) -> str:
    r"""Return a text in which characters that no IRI has are spelled as others.

    >>> ascii(legal("http://a.example/b c#d#e")), legal("http://[::1]/b")
    ("'http://a.example/b\\U000e2020c#d\\U000e2023e'", 'http://[::1]/b')
    """
    return legal_iri(text, _shifted)


def _shifted(character: str) -> str:
    code = ord(character)
    return chr(code + next(shift for codes, shift in _SHIFTS.items() if code in codes))


def rewriting(scanned: Scanned, source: str, inlined: Callable[[Any, Uses], Any]) -> Rewriting:
    """Return what of a document is spelled differently for Oxigraph.

    `inlined` returns the value of a context with those that it names in their places.  Raises
    `CatalogError` where a context cannot be had, or where nothing in the file would have a meaning.
    """
    rewritten = Rewriting(scanned)
    definitions, uses = rewritten.definitions, Uses(scanned)
    seen: dict[bytes, Any] = {}
    behind = 0
    for holder, entry in sorted(scanned.contexts.items(), key=lambda pair: pair[1]):
        # A context inside another one is part of that one.
        if entry < behind or _in_literal(scanned, holder, definitions):
            continue
        behind = scanned.nexts[entry]
        value = scanned.value(entry)
        context = inlined(value, uses.inside(holder))
        raw = scanned.raw(entry)
        if raw not in seen:
            seen[raw] = context
            definitions.read(context)
        context = _with_tags(context)
        if context != value:
            rewritten.parts[entry] = json.dumps(context).encode()
    rewritten.context = context_for(scanned, source)
    if rewritten.context is not None:
        definitions.read(rewritten.context)
        rewritten.head = b'{"@context":' + json.dumps(rewritten.context).encode()
        rewritten.dropped = scanned.starts[0]
        if scanned.kind(0) != ord("{"):
            rewritten.head, rewritten.tail = rewritten.head + b',"@graph":', b"}"
        else:
            rewritten.head += b"," if scanned.nexts[0] > 1 else b""
            rewritten.dropped += 1
    _tolerate(rewritten)
    return rewritten


def _in_literal(scanned: Scanned, entry: int, definitions: Definitions) -> bool:
    """Return whether an object is part of a literal of JSON (JSON-LD 1.1 section 4.2.2)."""
    while entry != -1:
        key = scanned.keys[entry]
        if key != -1:
            name = scanned.names[key]
            if name in definitions.literals:
                return True
            if definitions.keyword(name) == "@value":
                return any(
                    scanned.raw(child) == b'"@json"'
                    for child in scanned.children(scanned.parents[entry])
                )
        entry = scanned.parents[entry]
    return False


def _with_tags(context: Any) -> Any:
    """Return a context whose default language is a tag."""
    if isinstance(context, list):
        return [_with_tags(item) for item in context]
    if isinstance(context, dict):
        language = context.get("@language")
        if isinstance(language, str) and not is_tag(language):
            return {**context, "@language": _private(language)}
    return context


def _tolerate(rewritten: Rewriting) -> None:
    """Spell what would cost a triple so that it passes."""
    scanned, definitions = rewritten.scanned, rewritten.definitions
    # The first byte of all characters that stand for others.
    if b"\xf3" in scanned.data and _SHIFTED.search(scanned.data.decode("utf-8", "replace")):
        return
    rewritten.is_changed = any(_PRIVATE.encode() in part for part in rewritten.parts.values())
    # What to look at, by the numbers of names.
    words = list(map(definitions.keyword, scanned.names))
    names = list(enumerate(scanned.names))
    spelled = {
        number: legal(name)
        for number, name in names
        if name not in definitions.terms and legal(name) != name
    }
    languages = {number for number, _ in names if words[number] == "@language"}
    nodes = {number for number, _ in names if words[number] in definitions.nodes}
    maps = {number for number, name in names if name in definitions.languages}
    # An object that is the value of a literal is JSON of its own.
    contexts = {number for number, name in names if name == "@context"}
    literals = {n for n, name in names if name in definitions.literals or words[n] == "@value"}
    in_doubt = languages | nodes | maps | spelled.keys()
    behind = 0
    for entry in scanned.members(in_doubt | contexts | literals):
        key, start = scanned.keys[entry], scanned.starts[entry]
        is_object = scanned.data[start] == _OBJECT
        if entry < behind:
            continue
        if key in contexts or (key in literals and is_object):
            behind = scanned.nexts[entry]
            continue
        if key in spelled and -entry not in rewritten.parts:
            rewritten.spell(-entry, spelled[key])
        if key in languages:
            language = scanned.value(entry)
            if isinstance(language, str) and not is_tag(language):
                rewritten.spell(entry, _private(language))
        elif key in maps and is_object:
            _tolerate_languages(rewritten, entry)
        elif key in nodes and not _LEGAL_NAME.match(scanned.data, start):
            _tolerate_iris(rewritten, entry)


def _tolerate_languages(rewritten: Rewriting, entry: int) -> None:
    """Spell the languages of a map that are no tags."""
    for child in rewritten.scanned.children(entry):
        name = rewritten.scanned.name(child)
        if not is_tag(name) and rewritten.definitions.keyword(name) != "@none":
            rewritten.spell(-child, _private(name))


def _tolerate_iris(rewritten: Rewriting, entry: int) -> None:
    """Spell the IRIs of a value, or of an array; the objects in it have names of their own."""
    scanned, terms = rewritten.scanned, rewritten.definitions.terms
    inside = entry
    while inside < scanned.nexts[entry]:
        opens = scanned.kind(inside)
        if opens == _STRING and not _LEGAL_NAME.match(scanned.data, scanned.starts[inside]):
            text = scanned.value(inside)
            spelled = _label(text) if text.startswith("_:") else legal(text)
            if spelled != text and text not in terms:
                rewritten.spell(inside, spelled)
        inside = scanned.nexts[inside] if opens == _OBJECT else inside + 1


def _label(text: str) -> str:
    """Return the name of a blank node, with another label if RDF does not allow it."""
    try:
        return str(ox.BlankNode(text[2:]))
    except ValueError:
        return f"_:b{text[2:].encode('utf-8', 'surrogatepass').hex()}"


class Whole(NamedTuple):
    """A document that names no other file: its text for Oxigraph, and the way back.

    `halves` has the line and the column of each lone surrogate, which reads as U+FFFD.
    """

    text: bytes
    rewriting: Rewriting | None
    halves: list[tuple[int, int]]

    def quads(self, quads: Iterable[ox.Quad]) -> Iterator[ox.Quad]:
        """Return quads that were read from the text, as the document says them."""
        return self.rewriting.quads(quads) if self.rewriting else iter(quads)


def whole(
    content: bytes, source: str, reading: ReadOptions, inlined: Inlining | None = None
) -> Whole:
    r"""Return a JSON-LD document that holds every context that it needs.

    A lone surrogate, such as the escape \udc92 alone, is replaced by U+FFFD (RDF 1.1
    section 3.3 allows Unicode only).  `inlined` has the contexts that were loaded before.  Raises
    `CatalogError` where the document is not JSON, where
    a context cannot be had, or where nothing in it would have a meaning.
    """
    if _is_plain(content):
        return Whole(content, None, [])
    content, halves = without_halves(in_utf8(content, source))
    if reading.strict:
        require_unicode(halves, source)
    inlined = inlined or Inlining(source, reading)
    rewritten = rewriting(scan(content, source), source, inlined)
    return Whole(rewritten.text(), rewritten if rewritten.is_changed else None, halves)


def _is_plain(content: bytes) -> bool:
    """Return whether Oxigraph plainly can read a document as it is."""
    if (
        b'"@import"' in content
        or has_halves(content)
        or any(match[1] != b"{" for match in _CONTEXT.finditer(content))
        or (_CONTEXT.search(content) or _WITH_COLON.search(content)) is None
        or _LANGUAGE_MAP.search(content)
    ):
        return False
    names = {b"@id", b"@type"}
    if b'"@context"' in content:
        if _LANGUAGE_ALIAS.search(content):
            return False
        names.update(_NODE_NAMES.findall(content))
    if _NAME.search(content) or _LABEL.search(content) or _BEHIND.search(content):
        return False
    languages = (match[1].decode("utf-8", "replace") for match in _LANGUAGES.finditer(content))
    if not all(map(is_tag, languages)):
        return False
    value = _MEMBER % (b"|".join(map(re.escape, names)), _LEGAL, _LEGAL)
    return re.search(value, content) is None


def has_context(content: bytes) -> bool:
    """Return whether JSON has a context, or needs none because its names are IRIs.

    >>> has_context(b'{"@context": {}}'), has_context(b'{"a:b": 1}'), has_context(b'{"b": 1}')
    (True, True, False)
    """
    return b'"@context"' in content or _WITH_COLON.search(content) is not None


def shows_rdf(content: bytes) -> bool:
    """Return whether JSON shows that it is RDF: by a context, an IRI, or the fields of catalogues.

    >>> shows_rdf(b'{"@context": {}}'), shows_rdf(b'{"name": "a", "scripts": {"build:all": ""}}')
    (True, False)
    """
    return b'"@context"' in content or _OF_RDF.search(content) is not None


def context_for(scanned: Scanned, name: str) -> Any:
    """Return the context for JSON that has none but plainly needs one, else None.

    The names of its fields and its types show it, or an array `dataset`.  Raises `CatalogError`
    where the fields are nobody's.
    """
    names = set(scanned.names)
    if (
        "@context" in names
        or any(":" in key for key in names)
        or all(key.startswith("@") for key in names)
    ):
        return None
    types: set[str] = set()
    for entry in scanned.members({scanned.names.index(key) for key in names & {"@type", "type"}}):
        if scanned.kind(entry) in b'"[':
            value = scanned.value(entry)
            values = value if isinstance(value, list) else [value]
            types.update(text for text in values if isinstance(text, str))
    catalogue = any(
        scanned.name(child) == "dataset" and scanned.kind(child) == ord("[")
        for child in scanned.children(0)
    )
    if catalogue or (names & _DCAT_US and not names & _SCHEMA_ORG):
        return context_of_file("project-open-data")
    if (names | types) & _SCHEMA_ORG and not names & _DCAT_US:
        return context_of_file("schema-org")
    expected = 'a member "@context", or the fields of schema.org, DCAT-US or Project Open Data'
    raise CatalogError("JSON without a context: nothing says what its fields mean", name, expected)
