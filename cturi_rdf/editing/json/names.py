"""The names and values that a context reads as given terms, by asking Oxigraph.

A question is the file without all that has no influence on the place in question: the objects and
arrays around it, with their contexts and types.  What Oxigraph reads there for a name with a
sample value tells what the name stands for.  Each place of a kind is asked about once.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf.reading.terms import RDF_NS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cturi_rdf.reading.jsonld import Rewriting


_TYPE, _FIRST = f"{RDF_NS}type", f"{RDF_NS}first"
_STRING = "http://www.w3.org/2001/XMLSchema#string"
_OBJECT, _ARRAY = ord("{"), ord("[")
# Values that stand for others of their kind; a number does for the rest.
_SAMPLES = {_ARRAY: b"[]", ord("t"): b"true", ord("f"): b"true"}
_SAMPLE = "urn:x-cturi:"
_WORD = "x-cturi"
# A name that is an IRI, which no context defines.
_WHOLE = f"{_SAMPLE}{_WORD}"


class Scope:
    """A place in a file as far as names depend on it: inside an object, or where a value stands."""

    def __init__(self, outer: Scope | None = None, opens: bytes = b"", closes: bytes = b"") -> None:
        self.outer = outer
        self.opens, self.closes = opens, closes
        self._inner: dict[tuple[bytes, bytes], Scope] = {}
        # What each name stands for here: the predicate, and the term that a sample is read as.
        self.table: dict[str, tuple[str, Any]] | None = None
        self.values: dict[bytes, Any] = {}
        self.keys: dict[Any, str | None] = {}
        self.predicates: dict[bytes, frozenset[str]] = {}

    def inner(self, opens: bytes, closes: bytes = b"") -> Scope:
        """Return the place inside of this one, behind some text; equal places are one."""
        key = opens, closes
        if key not in self._inner:
            self._inner[key] = Scope(self, opens, closes)
        return self._inner[key]

    def text(self, content: bytes) -> bytes:
        """Return a document with some text at this place."""
        before, behind = [], []
        scope: Scope | None = self
        while scope is not None:
            before.append(scope.opens)
            behind.append(scope.closes)
            scope = scope.outer
        return b"".join([*reversed(before), content, *behind])


def _is_about_sample(quad: ox.Quad) -> bool:
    return quad.subject == ox.NamedNode(_SAMPLE)


class Names:
    """Chooses names and values for the places of a document."""

    def __init__(self, rewriting: Rewriting, base: str | None) -> None:
        self._rewritten = rewriting
        self._scanned = rewriting.scanned
        self.definitions = rewriting.definitions
        self._base = base
        self._top = Scope(None, *self._around_all())
        scanned, contexts = self._scanned, rewriting.scanned.contexts
        on_top = scanned.children(0) if scanned.kind(0) == _OBJECT else ()
        # Whether the context of the first object is the only one.
        self._is_one_context = not contexts or (
            len(contexts) == 1 and any(scanned.name(child) == "@context" for child in on_top)
        )

    def _around_all(self) -> tuple[bytes, bytes]:
        is_object = self._scanned.kind(0) == _OBJECT
        return (b"", b"") if is_object else (self._rewritten.head, self._rewritten.tail)

    def at(self, entry: int) -> Scope:
        """Return the place of a value."""
        scanned = self._scanned
        path = [entry]
        while path[-1] != -1:
            path.append(scanned.parents[path[-1]])
        scope = self._top
        for outer, child in zip(path[-2:0:-1], path[-3::-1], strict=True):
            if scanned.kind(outer) == _ARRAY:
                scope = scope.inner(b"[", b"]")
            else:
                name = scanned.raw_names[scanned.keys[child]]
                scope = self._object(scope, outer).inner(name + b":")
        return scope

    def inside(self, entry: int) -> Scope:
        """Return the place inside an object."""
        return self._object(self.at(entry), entry)

    def _object(self, scope: Scope, entry: int) -> Scope:
        """Return the place inside an object, with its own context and types."""
        scanned, parts = self._scanned, self._rewritten.parts
        kept = [b"{"]
        if entry == 0 and self._rewritten.context is not None:
            kept.append(b'"@context":%b,' % json.dumps(self._rewritten.context).encode())
        for child in scanned.children(entry):
            name = scanned.name(child)
            if name == "@context" or self.definitions.keyword(name) == "@type":
                value = parts.get(child) or scanned.raw(child)
                kept.append(scanned.raw_names[scanned.keys[child]] + b":" + value + b",")
        return scope.inner(b"".join(kept), b"}")

    # Questions.

    def _read(self, text: bytes) -> list[ox.Quad]:
        return list(ox.parse(text, ox.RdfFormat.JSON_LD, base_iri=self._base))

    def _table(self, scope: Scope) -> dict[str, tuple[str, Any]]:
        """Return what the names of the document, and prefixes, stand for inside an object."""
        if scope.table is None:
            terms = sorted(self.definitions.plain)
            names = [
                *terms,
                *(f"{term}:{_WORD}" for term in terms if ":" not in term),
                _WORD,
                _WHOLE,
            ]
            scope.table = {}
            self._ask(scope, names, scope.table)
        return scope.table

    def _ask(self, scope: Scope, names: list[str], table: dict[str, tuple[str, Any]]) -> None:
        members = (f"{json.dumps(name)}:{json.dumps(_SAMPLE + str(number))}"
                   for number, name in enumerate(names))  # fmt: skip
        try:
            quads = self._read(scope.text(",".join(members).encode()))
        except SyntaxError:
            # One of the names is no name of a property here.
            if len(names) > 1:
                half = len(names) // 2
                self._ask(scope, names[:half], table)
                self._ask(scope, names[half:], table)
            return
        for quad in quads:
            value = getattr(quad.object, "value", "")
            number = value.removeprefix(_SAMPLE)
            if number != value and number.isdecimal() and quad.predicate.value != _FIRST:
                table[names[int(number)]] = quad.predicate.value, quad.object

    def _sample(self, scope: Scope, content: bytes) -> tuple[str, Any] | None:
        """Return the predicate and the term that a sample is read as where a value stands."""
        if content not in scope.values:
            try:
                quads = self._read(scope.text(content))
            except SyntaxError:
                quads = []
            samples = [
                (quad.predicate.value, quad.object)
                for quad in quads
                if getattr(quad.object, "value", "").startswith(_SAMPLE)
            ]
            is_one = len(samples) == 1 and not any(map(_is_about_sample, quads))
            scope.values[content] = samples[0] if is_one else None
        sample: tuple[str, Any] | None = scope.values[content]
        return sample

    # Answers.

    def predicates(self, entry: int) -> frozenset[str]:
        """Return the predicates of what is read where a value stands, of any value of its kind."""
        scope, kind = self.at(entry), self._scanned.kind(entry)
        text = _SAMPLES.get(kind, b"1")
        if kind == ord('"'):
            text = self._rewritten.parts.get(entry) or self._scanned.raw(entry)
        if text not in scope.predicates:
            try:
                quads = self._read(scope.text(text))
            except SyntaxError:
                quads = []
            scope.predicates[text] = frozenset(quad.predicate.value for quad in quads)
        return scope.predicates[text]

    def key(self, scope: Scope, predicate: str, value: Any) -> str | None:
        """Return the shortest name that stands for a predicate inside an object and suits a value.

        A term, a compact IRI, a name of the vocabulary, or else the whole IRI; None where the
        context reads even that as something else.
        """
        kind = (
            predicate,
            type(value),
            getattr(value, "language", None),
            str(getattr(value, "datatype", "")),
        )
        if kind not in scope.keys:
            terms = [
                (not self._is_text(sample, value), len(name), name)
                for name, (iri, sample) in self._table(scope).items()
                if iri == predicate and name in self.definitions.plain
            ]
            scope.keys[kind] = min(terms)[2] if terms else self.compact(scope, predicate)
        return scope.keys[kind]

    def compact(self, scope: Scope, iri: str, *, terms: bool = False) -> str | None:
        """Return the shortest text that is read as an IRI where names of the vocabulary stand."""
        texts = [] if self._is_prefixed(iri) else [iri]
        for name, (predicate, _) in self._table(scope).items():
            if name == _WORD or name.endswith(f":{_WORD}"):
                namespace = predicate.removesuffix(_WORD)
                local = iri.removeprefix(namespace)
                text = name.removesuffix(_WORD) + local
                is_defined = text in self.definitions.terms or text.startswith("@")
                is_other = local.startswith("//") or (name == _WORD and ":" in local)
                if local not in {"", iri} and not is_defined and not is_other:
                    texts.append(text)
            elif terms and predicate == iri:
                texts.append(name)
        return min(texts, key=lambda text: (text == iri, len(text)), default=None)

    def keyword(self, name: str) -> str:
        """Return the alias of a keyword that the context defines, or the keyword.

        A keyword is understood everywhere, an alias only in the reach of its context: of a
        document with a context further inside no alias is taken.
        """
        if not self._is_one_context:
            return name
        aliases = [alias for alias, word in self.definitions.aliases.items() if word == name]
        return min(aliases, key=len, default=name)

    def _is_prefixed(self, iri: str) -> bool:
        """Return whether a context reads the scheme of an IRI as a prefix."""
        return iri.partition(":")[0] in self.definitions.terms

    def _is_text(self, sample: Any, value: Any) -> bool:
        """Return whether a value can be a string where a sample was read as a term."""
        if isinstance(value, ox.Literal):
            return isinstance(sample, ox.Literal) and (
                (sample.datatype, sample.language, sample.direction)
                == (value.datatype, value.language, value.direction)
            )
        return isinstance(value, ox.NamedNode) and isinstance(sample, ox.NamedNode)

    def value(self, scope: Scope, key: str, value: Any) -> Any:
        """Return the JSON of a value of a member inside an object; None if there is none."""
        table = self._table(scope)
        entry = table.get(key) or table.get(_WHOLE)
        return self._json(scope, entry and entry[1], value, scoped=key in self.definitions.scoped)

    def value_at(self, entry: int, predicate: str, value: Any) -> Any:
        """Return the JSON of a value in the place of another one; None if there is none."""
        scope, inside = self.at(entry), self.inside(0) if self._scanned.kind(0) == _OBJECT else None
        text = json.dumps(_SAMPLE).encode()
        sample = self._sample(scope, text)
        if sample is not None and sample[0] == predicate and self._is_text(sample[1], value):
            return self._json(inside, sample[1], value)
        key, kind = (
            (b'{"@value":%b}', ox.Literal)
            if isinstance(value, ox.Literal)
            else (b'{"@id":%b}', ox.NamedNode)
        )
        for form, around in ((key, False), (b"[%b]" % key, True)):
            sample = self._sample(scope, form % text)
            if sample is not None and sample[0] == predicate and isinstance(sample[1], kind):
                written = self._json(inside, None, value)
                return [written] if around else written
        return None

    def _json(self, scope: Scope | None, sample: Any, value: Any, *, scoped: bool = False) -> Any:
        def name(word: str) -> str:
            return word if scoped else self.keyword(word)

        if isinstance(value, ox.BlankNode):
            return {name("@id"): str(value)}
        if isinstance(value, ox.NamedNode):
            if self._is_prefixed(value.value):
                return None
            return value.value if self._is_text(sample, value) else {name("@id"): value.value}
        if not isinstance(value, ox.Literal):
            return None
        if self._is_text(sample, value):
            return value.value
        written = {name("@value"): value.value}
        if value.language:
            written[name("@language")] = value.language
            if value.direction:
                written[name("@direction")] = value.direction.value
        elif value.datatype.value != _STRING:
            datatype = value.datatype.value
            if scope is not None:
                datatype = self.compact(scope, datatype) or datatype
            written[name("@type")] = datatype
        return written

    def node(self, scope: Scope, subject: Any, quads: Iterable[ox.Quad]) -> dict[str, Any] | None:
        """Return a node object with the statements about one subject; None if there is none."""
        named = self._json(scope, None, subject)
        if not isinstance(named, dict):
            return None
        node: dict[str, Any] = dict(named)
        for quad in quads:
            if quad.predicate.value == _TYPE and isinstance(quad.object, ox.NamedNode):
                key = self.keyword("@type")
                written: Any = self.compact(scope, quad.object.value, terms=True)
            else:
                key = self.key(scope, quad.predicate.value, quad.object) or ""
                written = self.value(scope, key, quad.object)
            if not key or written is None:
                return None
            if key not in node:
                node[key] = written
            else:
                before = node[key]
                node[key] = [*(before if isinstance(before, list) else [before]), written]
        return node
