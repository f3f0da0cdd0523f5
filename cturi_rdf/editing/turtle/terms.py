r"""The tokens of Turtle and TriG (Turtle 1.2 section 6.5), and the term that each is at its place.

The tokens are told apart for valid files only; invalid text is not refused here.  A pattern gives
back nothing that it has repeated, except the dots after a name, so it takes time in proportion to
its match.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf._util.display import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cturi_rdf.editing.document import Term


# Between tokens: spaces, line ends and comments.
_SPACE = rb"[ \t\r\n]*+(?:#[^\r\n]*+[ \t\r\n]*+)*+"
_IRI = rb"<[^<>]*+>"
# PNAME_NS: a dot, a digit or a hyphen is never first.  A class without \w is quicker to match.
_PREFIX = rb"(?:[A-Za-z\x80-\xff][0-9A-Z_a-z\-.\x80-\xff]*+)?+:"
_LOCAL = rb"[0-9A-Z_a-z\-.:%\x80-\xff]*"
# PNAME_LN, PNAME_NS and BLANK_NODE_LABEL: a dot is never the last character.
_LABEL = rb"_:[0-9A-Z_a-z\-.\x80-\xff]*(?<!\.)"
_NAME = rb"(?>%b%b(?:\\.%b)*(?<![^\\]\.)|%b)" % (_PREFIX, _LOCAL, _LOCAL, _LABEL)
_LANGUAGE = rb"@[A-Za-z0-9\-]++"
_STRING = (
    rb'(?:"(?!"")[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+"'
    rb"|'(?!'')[^'\\\r\n]*+(?:\\.[^'\\\r\n]*+)*+')"
)
# A dot belongs to a number where digits or an exponent follow.
_NUMBER = (
    rb"[+\-]?(?:[0-9]+(?:\.(?=[0-9]|[eE][+\-]?[0-9])[0-9]*)?|\.[0-9]+)"
    rb"(?:[eE][+\-]?[0-9]+)?(?!\.?(?:[0-9]|[eE][+\-]?[0-9]))"
)
_OTHER = rb"%b|%b|%b|true|false" % (_NAME, _IRI, _NUMBER)
_SIMPLE = rb"(?:%b(?:%b|\^\^(?:%b|%b))?|%b)" % (_STRING, _LANGUAGE, _IRI, _NAME, _OTHER)
_TYPE = rb"a(?![\w\-:.%\\\x80-\xff])"
_VERB = rb"(?:%b|%b|%b)" % (_NAME, _IRI, _TYPE)

SPACE = re.compile(_SPACE)
IRI = re.compile(_IRI)
STRING = re.compile(_STRING)
PREFIX = re.compile(rb"([\w\-.\x80-\xff]*):")
# A directive or a keyword; what has a colon is a name.
WORD = re.compile(rb"(@[A-Za-z]+|[A-Za-z]+(?![\w\-.:\x80-\xff]))")
# A node or a predicate, then, outside the group, the space up to the next token.  Patterns with
# names in them take long to compile, so this one is used wherever it fits.
NODE = re.compile(rb"(%b|%b)%b" % (_NAME, _IRI, _SPACE))
BLANK_TOKEN = re.compile(rb"\[%b\]" % _SPACE)
# A verb, an object of one token, and what follows: a group for each of ; , . ]
PAIR = re.compile(
    rb"(%b)%b(%b)%b(?:(;)|(,)|(\.)|(\]))%b" % (_VERB, _SPACE, _SIMPLE, _SPACE, _SPACE)
)
SEMICOLON, COMMA, DOT, BRACKET = 3, 4, 5, 6
LOCAL_ESCAPE = re.compile(rb"\\(.)")

# A term that `string_end` does not read.
_NO_STRING = re.compile(_OTHER)
_A = re.compile(rb"(%b)%b" % (_TYPE, _SPACE))
# Behind a string: its language, or what a datatype follows.
_SUFFIX = re.compile(rb"%b(?:%b|(\^\^)%b)" % (_SPACE, _LANGUAGE, _SPACE))
_LONG = {
    b'"""': re.compile(rb'\\.|"""', re.DOTALL),
    b"'''": re.compile(rb"\\.|'''", re.DOTALL),
}
# Brackets with statements or items in them.
OPENING, CLOSING = frozenset({b"[", b"(", b"{|"}), frozenset({b"]", b")", b"|}"})
# The tokens on which the end of a quoted triple depends.
_QUOTED = rb"""<<\(?|\)?>>|%b|#[^\r\n]*|\\.|["'~]""" % _IRI


def space_end(data: bytes, start: int) -> int:
    """Return the end of the space and the comments at an offset, which may be none.

    >>> space_end(b"<a> # the first", 3)
    15
    """
    return SPACE.match(data, start).end()  # type: ignore[union-attr] # it may be empty


def verb_match(data: bytes, start: int) -> re.Match[bytes] | None:
    """Return the match of a verb at an offset, as its group, and of what follows it up to a token.

    >>> verb_match(b"a <b>", 0).span(1), verb_match(b"ex:a <b>", 0).end(), verb_match(b"true", 0)
    ((0, 1), 5, None)
    """
    return NODE.match(data, start) or _A.match(data, start)


def term_end(data: bytes, start: int) -> int:
    """Return the end of a term without terms in brackets in it, or -1 if there is none.

    >>> term_end(b"[ ] .", 0), term_end(b"[ a <b> ] .", 0)
    (3, -1)
    """
    first = data[start : start + 1]
    if first in {b'"', b"'"}:
        return string_end(data, start)
    if data.startswith(b"<<", start):
        return quoted_end(data, start)[0]
    match = (BLANK_TOKEN if first == b"[" else _NO_STRING).match(data, start)
    return match.end() if match else -1


def tokens(data: bytes, start: int) -> Iterator[tuple[int, int, int]]:
    """Yield the place of each token from an offset on, and how many brackets are open behind it.

    >>> [(*one, depth) for *one, depth in tokens(b"[ a .5 ] .", 0)]
    [(0, 1, 1), (2, 3, 1), (4, 6, 1), (7, 8, 0), (9, 10, 0)]
    """
    depth, position = 0, space_end(data, start)
    while position < len(data):
        if data.startswith((b"{|", b"|}"), position):
            end = position + 2
        elif data.startswith((b"[", b"]"), position):
            end = position + 1
        else:
            # A verb "a" and punctuation are one byte.
            end = max(term_end(data, position), position + 1)
        token = data[position:end]
        depth += (token in OPENING) - (token in CLOSING)
        yield position, end, depth
        position = space_end(data, end)


def string_end(data: bytes, start: int) -> int:
    r'''Return the end of a literal, with its language or datatype; -1 where it has none.

    >>> string_end(b'"""a"b\\""""^^ <c> .', 0)
    17
    '''
    quotes = _LONG.get(data[start : start + 3])
    if quotes is None:
        short = STRING.match(data, start)
        if short is None:
            return -1
        end = short.end()
    else:
        end = start + 3
        while True:
            match = quotes.search(data, end)
            if match is None:
                return -1
            end = match.end()
            if not match[0].startswith(b"\\"):
                break
    suffix = _SUFFIX.match(data, end)
    if suffix and suffix[1]:
        datatype = NODE.match(data, suffix.end())
        return datatype.end(1) if datatype else end
    return suffix.end() if suffix else end


def quoted_end(data: bytes, start: int) -> tuple[int, int]:
    r"""Return the end of a reified triple or a triple term, and the place of its tilde.

    Each is -1 where there is none.

    >>> quoted_end(b'<< <a> <b> <<( <c> <d> "\\">>" )>> ~ <e> >> <f>', 0)
    (42, 34)
    """
    depth, end, tilde = 0, start, -1
    search = re.compile(_QUOTED).search
    while True:
        match = search(data, end)
        if match is None:
            return -1, -1
        token, end = match[0], match.end()
        if token.startswith(b"<<"):
            depth += 1
        elif token.endswith(b">>"):
            depth -= 1
            if not depth:
                return end, tilde
        elif token == b"~" and depth == 1:
            tilde = match.start()
        elif token in {b'"', b"'"}:
            end = string_end(data, match.start())
            if end == -1:
                return -1, -1


TYPE, _NIL = (ox.NamedNode(PREFIXES["rdf"] + name) for name in ("type", "nil"))
_REMEMBERED = 4096
_ABSOLUTE = re.compile(rb"<[A-Za-z][A-Za-z0-9+.\-]*:[^\\]*>")
# What may be a prefix in a token; a string may look as if it had some.
_PREFIXES = re.compile(rb"(?<![\w\-.\x80-\xff])([\w\-.\x80-\xff]*):")
_PLAIN = re.compile(rb"""(["'])(?!\1)[^"'\\]*\1""")


class Verbs(dict[bytes, "ox.NamedNode | None"]):
    """The predicates of verbs while a text is read; None for one that nobody asked for."""

    def __init__(self, terms: Terms, wanted: Collection[str] | None) -> None:
        self._terms = terms
        self._wanted = wanted

    def __missing__(self, token: bytes) -> ox.NamedNode | None:
        predicate = self._terms.verb(token)
        is_wanted = self._wanted is None or predicate.value in self._wanted
        self[token] = predicate if is_wanted else None
        return self[token]


class Terms:
    """Reads the tokens of a text, each with the prefixes and the base in force at its place.

    `base` is the IRI that the text is read against.
    """

    def __init__(self, data: bytes, base: str | None) -> None:
        self._data = data
        # Where each prefix was declared, and for which namespace; the base has the name None.
        self._declared: dict[bytes | None, tuple[list[int], list[str]]] = {}
        if base is not None:
            self._declared[None] = ([-1], [base])
        self._versions: list[int] = []
        self._remembered: dict[tuple[bytes, int], Term] = {}
        # Anonymous nodes get labels as long as those of Oxigraph: a number with which no label in
        # the text begins, and the offset.
        number = 0xA0000000
        while b"_:%x" % number in data:
            number += 1
        self._anonymous = f"{number:x}"

    def declare(self, prefix: bytes | None, iri: bytes, offset: int) -> None:
        """Declare a prefix, or the base for None, from an offset on."""
        value = self._iri(iri, offset)
        places, values = self._declared.setdefault(prefix, ([], []))
        places.append(offset)
        values.append(value)
        self._versions.append(offset)

    def namespace(self, prefix: bytes | None, offset: int) -> str | None:
        """Return the namespace of a prefix, or the base for None, at an offset."""
        places, values = self._declared.get(prefix, ((), ()))
        index = bisect_right(places, offset) - 1
        return values[index] if index != -1 else None

    def prefixes(self, offset: int) -> dict[bytes, str]:
        """Return the prefixes in force at an offset."""
        namespaces = {p: self.namespace(p, offset) for p in self._declared if p is not None}
        return {prefix: iri for prefix, iri in namespaces.items() if iri is not None}

    def is_anonymous(self, node: ox.BlankNode) -> bool:
        """Return whether a blank node has no label in the text."""
        return node.value.startswith(self._anonymous)

    def offset(self, node: ox.BlankNode) -> int:
        """Return where the brackets of an anonymous node begin."""
        return int(node.value.removeprefix(self._anonymous), 16)

    def version(self, offset: int) -> int:
        """Return how many declarations stand before an offset."""
        return bisect_right(self._versions, offset)

    def verb(self, token: bytes) -> ox.NamedNode:
        """Return the predicate of a token, with the prefixes declared so far."""
        if token == b"a":
            return TYPE
        term = self.term(token, len(self._data))
        if isinstance(term, ox.NamedNode):
            return term
        raise ValueError(f"{token.decode()} is not a predicate")

    def node(self, offset: int) -> Any:
        """Return the subject or the graph whose token begins at an offset."""
        data = self._data
        match = NODE.match(data, offset)
        if match:
            return self._short(match[1], offset)
        first = data[offset : offset + 1]
        if first == b"(":
            return self._collection(offset)
        if data.startswith(b"<<", offset):
            return self._quoted(offset)
        if first in {b"[", b"{", b"~"}:
            return self._blank(offset)
        raise ValueError("no subject")

    def value(self, start: int, end: int) -> Term:
        """Return the object between two offsets."""
        token = self._data[start:end]
        if token.startswith((b"[", b"(", b"<<")):
            node: Term = self.node(start)
            return node
        return self.term(token, start)

    def term(self, token: bytes, offset: int) -> Term:
        """Return the term that a token is at an offset.  Raises `SyntaxError` or `ValueError`."""
        key = token, bisect_right(self._versions, offset)
        term = self._remembered.get(key)
        if term is None:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            term = self._remembered[key] = self._short(token, offset)
        return term

    def _short(self, token: bytes, offset: int) -> Term:
        """Read a simple token here, and let Oxigraph read any other."""
        if token.startswith(b"<"):
            return ox.NamedNode(self._iri(token, offset))
        if _PLAIN.fullmatch(token):
            return ox.Literal(token[1:-1].decode())
        if token.startswith(b"_:"):
            return ox.BlankNode(token[2:].decode())
        name = NODE.match(token)
        if name and name.end(1) == len(token):
            prefix, _, local = token.partition(b":")
            namespace = self.namespace(prefix, offset)
            if namespace is None:
                raise ValueError(f"the prefix {prefix.decode()}: is not declared")
            return ox.NamedNode(namespace + LOCAL_ESCAPE.sub(rb"\1", local).decode())
        parsed: Term = self._parsed(token, offset)
        return parsed

    def _iri(self, token: bytes, offset: int) -> str:
        if _ABSOLUTE.fullmatch(token):
            return token[1:-1].decode()
        return str(self._parsed(token, offset).value)

    def _parsed(self, token: bytes, offset: int) -> Any:
        declared = b""
        for prefix in set(_PREFIXES.findall(token)):
            namespace = self.namespace(prefix, offset)
            if namespace is not None:
                declared += b"@prefix %b: <%b> . " % (prefix, namespace.encode())
        text = b"%b<a:a> <a:b> %b ." % (declared, token)
        base = self.namespace(None, offset)
        return next(iter(ox.parse(text, ox.RdfFormat.TURTLE, base_iri=base))).object

    def _blank(self, offset: int) -> ox.BlankNode:
        return ox.BlankNode(f"{self._anonymous}{offset:024x}")

    def cell(self, offset: int) -> ox.BlankNode:
        """Return the cell of a collection whose item begins at an offset, behind the first."""
        # The item may be an anonymous node itself; no text is as long as the number with an f.
        return ox.BlankNode(f"{self._anonymous}f{offset:023x}")

    def _collection(self, offset: int) -> ox.NamedNode | ox.BlankNode:
        inside = space_end(self._data, offset + 1)
        if self._data[inside : inside + 1] == b")":
            return _NIL
        return self._blank(offset)

    def _quoted(self, start: int) -> Any:
        """Return a triple term, or the reifier of a reified triple (Turtle 1.2 section 2.10)."""
        end, tilde = quoted_end(self._data, start)
        if self._data.startswith(b"<<(", start):
            return self._parsed(self._data[start:end], start)
        if tilde != -1:
            name = space_end(self._data, tilde + 1)
            if term_end(self._data, name) != -1:
                return self.node(name)
        return self._blank(start)
