"""The tokens of a query, and the facts that they tell before an engine reads it.

Oxigraph does not give access to its parser, and rdflib's is slow and not made for threads; the
tokens are enough (SPARQL 1.1 section 19.8).
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf._util.display import PREFIXES
from cturi_rdf._util.references import resolve_reference, split

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

_TOKEN = re.compile(
    r"""
    (?P<comment> \#[^\n\r]*+ )
  | (?P<literal>
      "{3} (?: [^"\\] | \\. | "{1,2}(?!") )*+ "{3} | '{3} (?: [^'\\] | \\. | '{1,2}(?!') )*+ '{3}
    | " (?: [^"\\\n\r] | \\. )*+ " | ' (?: [^'\\\n\r] | \\. )*+ ' )
  | < (?P<iri> [^<>"{}|^`\\\x00-\x20]*+ ) >
  | (?P<blank> _:[\w.-]*+ )
  | (?P<name> (?P<prefix> [^\W\d_][\w.-]*+ )? :
              (?P<local> (?: [\w:%-] | \\. | \.(?=[\w:%\\-]) )*+ ) )
  | (?P<variable> [?$]\w+ )
  | (?P<word> [^\W\d_][\w.-]*+ )
  | (?P<sign> [^\s\w] )
  | (?P<number> \w+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_CTF = PREFIXES["ctf"]
_TYPE = PREFIXES["rdf"] + "type"
# The clauses in which variables follow each other without a pattern.
_HEADS = {"SELECT", "GROUP", "ORDER", "HAVING"}
_TERMS = {"iri", "name", "literal", "blank", "variable", "number"}
# Words that are terms: the keyword for rdf:type, and the Boolean values.
_WORDS = {"a", "true", "false"}
# The declarations before a query (SPARQL 1.2 section 4.1): the position of the value after the
# keyword, and its kind.
_PROLOGUE = {"BASE": (1, "iri"), "PREFIX": (2, "iri"), "VERSION": (1, "literal")}
CLOSED_BY = {"{": "}", "(": ")", "[": "]"}


class Token(NamedTuple):
    """A token: its kind, its text, where it begins, and the IRI that it stands for, if any.

    The kinds are iri, name (with a prefix), variable, literal, number, blank, word and sign.
    """

    kind: str
    text: str
    start: int
    iri: str | None = None

    @property
    def span(self) -> tuple[int, int]:
        """Where it begins and ends."""
        return self.start, self.start + len(self.text)

    @property
    def is_term(self) -> bool:
        """Whether it is a term of a triple, or the keyword for rdf:type."""
        return self.kind in _TERMS or self.text in _WORDS


_NO_TOKEN = Token("sign", "", 0)


class Use(NamedTuple):
    """A use of a function: its name, whether that is a property, and the arguments of a call.

    `arguments` is None for a property, and where the brackets of the query do not match.
    """

    name: Token
    is_property: bool
    arguments: tuple[tuple[Token, ...], ...] | None


class Patterns(NamedTuple):
    """The IRIs that may be properties in a query, and the classes that follow rdf:type.

    `classes` is None where any class may follow.
    """

    iris: frozenset[str]
    classes: frozenset[str] | None


class QueryEdit(NamedTuple):
    """A change of a text: what stands between two places is replaced."""

    start: int
    end: int
    text: str


def apply(text: str, edits: Sequence[QueryEdit]) -> str:
    """Return a text with changes, which do not overlap.

    >>> apply("abc", [QueryEdit(1, 2, "x"), QueryEdit(3, 3, "!")])
    'axc!'
    """
    pieces, end = [], 0
    for edit in sorted(edits):
        pieces += [text[end : edit.start], edit.text]
        end = edit.end
    return "".join((*pieces, text[end:]))


class QueryText:
    """A query or an update, read into tokens.

    `tokens` are those after the prologue, without comments.  `prefixes` are those given, and
    those that the text declares; `used_prefixes` are those of them that it uses.  `undeclared`
    is the first name whose prefix is not known.  `base` resolves relative IRIs until the text
    declares another one; without it they stay relative.

    >>> query = QueryText("PREFIX e: <http://e/> ASK FROM e:g { ?s a e:C }", {})
    >>> query.form, query.graphs, [token.text for token in query.tokens][-4:]
    ('ASK', ['http://e/g'], ['?s', 'a', 'e:C', '}'])
    """

    def __init__(self, text: str, prefixes: Mapping[str, str], base: str | None = None) -> None:
        self.text = text
        self.prefixes = dict(prefixes)
        self.undeclared: Token | None = None
        self.used_prefixes: dict[str, str] = {}
        self.base = base or ""
        self.tokens = list(self._read())

    @cached_property
    def brackets(self) -> tuple[dict[int, int], list[int]]:
        """The partner of each bracket, and the brackets that are left open.

        All are numbers of tokens.  There are none where the brackets do not match.

        >>> QueryText("ASK { FILTER(1 = 1)", {}).brackets
        ({7: 3, 3: 7}, [1])
        """
        partners, still_open = dict[int, int](), list[int]()
        for at, token in enumerate(self.tokens):
            if token.text in CLOSED_BY:
                still_open.append(at)
            elif token.text in CLOSED_BY.values():
                if not still_open or token.text != CLOSED_BY[self.tokens[still_open[-1]].text]:
                    return {}, []
                partners[at] = still_open.pop()
                partners[partners[at]] = at
        return partners, still_open

    def _read(self) -> Iterator[Token]:
        matches = [match for match in _TOKEN.finditer(self.text) if match["comment"] is None]
        at = 0
        while at < len(matches):
            match = matches[at]
            word = (match["word"] or "").upper()
            ahead, kind = _PROLOGUE.get(word, (0, ""))
            value = matches[at + ahead][kind] if ahead and at + ahead < len(matches) else None
            if value is None:
                yield self._token(match)
                at += 1
                continue
            if word == "BASE":
                self.base = self._joined(value)
            elif word == "PREFIX":
                self.prefixes[matches[at + 1]["prefix"] or ""] = self._joined(value)
            at += ahead + 1

    def _token(self, match: re.Match[str]) -> Token:
        kind, text, start = match.lastgroup or "", match[0], match.start()
        if match["iri"] is not None:
            return Token("iri", text, start, self._joined(match["iri"]))
        if match["name"] is not None:
            namespace = self.prefixes.get(match["prefix"] or "")
            if namespace is None:
                token = Token("name", text, start)
                self.undeclared = self.undeclared or token
                return token
            self.used_prefixes[match["prefix"] or ""] = namespace
            return Token("name", text, start, namespace + match["local"].replace("\\", ""))
        return Token(kind, text, start)

    def _joined(self, iri: str) -> str:
        return iri if split(iri).scheme else resolve_reference(iri, self.base)

    @cached_property
    def form(self) -> str:
        """The first keyword, in capitals: SELECT, ASK and so on."""
        words = (token.text.upper() for token in self.tokens if token.kind == "word")
        return next(words, "")

    def in_order(self, names: Sequence[str]) -> list[str]:
        """Return the variables of an answer; those of ``SELECT *`` in the order of the text.

        >>> QueryText("SELECT * { ?s ?p ?o }", {}).in_order(["o", "p", "s"])
        ['s', 'p', 'o']
        """
        signs = (token.text for token in self.tokens if token.kind == "sign")
        if next(signs, "") != "*":
            return list(names)
        order = [token.text[1:] for token in self.tokens if token.kind == "variable"]
        return sorted(names, key=order.index)

    def takes(self, names: Collection[str]) -> bool:
        """Return whether Oxigraph takes values of these variables: a SELECT has to return them.

        >>> query = QueryText("SELECT ?s (STR(?o) AS ?text) { ?s ?p ?o }", {})
        >>> query.takes({"s"}), query.takes({"s", "o"})
        (True, False)
        """
        if self.form != "SELECT":
            return True
        returned, depth = set[str](), 0
        for token in self.tokens:
            if token.text == "{":
                break
            depth += (token.text == "(") - (token.text == ")")
            if token.kind == "variable" and not depth:
                returned.add(token.text[1:])
        return returned.issuperset(names)

    @cached_property
    def iris(self) -> set[str]:
        """The IRIs that the text names, by prefixes or in full."""
        return {token.iri for token in self.tokens if token.iri is not None}

    @cached_property
    def graphs(self) -> list[str]:
        """The IRIs of the graphs of FROM, which make up the default graph."""
        return [iri for iri, named in self._from() if not named]

    @cached_property
    def named_graphs(self) -> list[str]:
        """The IRIs of the graphs of FROM NAMED."""
        return [iri for iri, named in self._from() if named]

    def _from(self) -> Iterator[tuple[str, bool]]:
        tokens = [*self.tokens, _NO_TOKEN, _NO_TOKEN]
        for token, first, second in zip(tokens, tokens[1:], tokens[2:], strict=False):
            if token.kind == "word" and token.text.upper() == "FROM":
                named = first.text.upper() == "NAMED"
                if iri := (second if named else first).iri:
                    yield iri, named

    def has_word(self, word: str) -> bool:
        """Return whether it has a keyword, given in capitals."""
        return any(token.kind == "word" and token.text.upper() == word for token in self.tokens)

    @cached_property
    def patterns(self) -> Patterns | None:
        """The properties and classes that its patterns name, or None where they may be any.

        Any property fits a variable, a negated set, a path of no steps (``*`` and ``?``), and
        DESCRIBE.  In doubt it is None.

        >>> QueryText("SELECT ?t { ?t a <e:C> ; <e:p>/<e:q> ?v FILTER(!<e:f>(?v)) }", {}).patterns
        Patterns(iris=frozenset({...}), classes=frozenset({'e:C'}))
        >>> [QueryText(f"ASK {{ ?s {path} ?o }}", {}).patterns
        ...  for path in ("?p", "!<e:p>", "<e:p>*", "<e:p>?", "^!(a|<e:p>)")]
        [None, None, None, None, None]
        """
        if self.form == "DESCRIBE" or "\\u" in self.text.lower():
            return None
        classes, any_class, in_head = set[str](), False, False
        tokens = [_NO_TOKEN, *self.tokens, _NO_TOKEN, _NO_TOKEN, _NO_TOKEN]
        for at, token in enumerate(self.tokens, 1):
            before, after = tokens[at - 1], tokens[at + 1]
            if token.kind == "word":
                in_head = in_head or token.text.upper() in _HEADS
            elif token.text in {"{", "}"}:
                in_head = False
            if token.kind == "iri" and ")" in token.text:
                # An engine may read ``1<2) ?s ?p ?o FILTER(4>3`` where this module has an IRI.
                return None
            if token.kind == "variable" and not in_head and _is_property(before, after):
                return None
            if token.text == "?" or (token.text == "*" and _ends_path(before)):
                return None
            if token.text == "!" and _starts_path(*tokens[at + 1 : at + 4]):
                return None
            if token.text == "a" or token.iri == _TYPE:
                # Not in a path, nor in a list of classes of which one may be a variable.
                is_plain = before.text != "^" and tokens[at + 2].text != ","
                any_class = any_class or not is_plain or after.iri is None
                classes.add(after.iri or "")
        return Patterns(frozenset(self.iris), None if any_class else frozenset(classes))

    def functions(self) -> Iterator[Use]:
        """Yield each use of a name in the functions' namespace.

        >>> query = QueryText("SELECT (ctf:as(?x, 'eu') AS ?y) {}", PREFIXES)
        >>> [[[token.text for token in argument] for argument in use.arguments or ()]
        ...  for use in query.functions()]
        [[['?x'], ["'eu'"]]]
        """
        clause = ""
        for at, token in enumerate(self.tokens):
            if token.kind == "word":
                clause = token.text.upper()
            if token.iri is not None and token.iri.startswith(_CTF) and token.iri != _CTF:
                is_property = self._is_predicate(at, clause)
                yield Use(token, is_property, None if is_property else self._arguments(at + 1))

    def _arguments(self, opening: int) -> tuple[tuple[Token, ...], ...] | None:
        """Return the arguments in the brackets of a call; None where no bracket closes them."""
        partners, _ = self.brackets
        closing = partners.get(opening)
        if closing is None:
            return None
        arguments, start, at = [], opening + 1, opening + 1
        while at < closing:
            if self.tokens[at].text == ",":
                arguments.append(tuple(self.tokens[start:at]))
                start = at + 1
            at = partners.get(at, at) + 1
        arguments.append(tuple(self.tokens[start:closing]))
        return tuple(arguments) if arguments != [()] else ()

    def _is_predicate(self, at: int, clause: str) -> bool:
        """Return whether a name stands as a predicate, and not as a call."""
        if at + 1 == len(self.tokens) or self.tokens[at + 1].text != "(":
            return True
        before = self.tokens[at - 1] if at else None
        # A list of arguments looks like a call, but for the subject in front of it.
        follows_term = before is not None and (before.text in {";", "]"} or before.is_term)
        return follows_term and clause != "BY"


def _is_property(before: Token, after: Token) -> bool:
    """Return whether a variable may stand as a property: between a subject and an object."""
    follows = before.is_term or before.text in {";", "[", "]", ")", "|", ">"}
    return follows and (after.is_term or after.text in {"[", "(", "<", "+", "-"})


def _ends_path(before: Token) -> bool:
    return before.iri is not None or before.text in {")", "a"}


def _starts_path(first: Token, second: Token, third: Token) -> bool:
    """Return whether a negated set of properties begins, and not a negated expression."""
    if first.text == "(":
        first, second = second, third
    is_property = first.iri is not None or first.text in {"a", "^", ")"}
    return is_property and second.text != "("


def shield(text: str) -> list[QueryEdit]:
    """Return changes that keep every engine from reading an IRI as anything else.

    An engine may take ``1<2)SERVICE?s#>`` for a comparison, where the specification and
    this module see an IRI.  With its first character escaped, which is possible in an IRI
    and nowhere else, nothing hides in it.
    """
    starts = [match.start("iri") for match in _TOKEN.finditer(text) if match["iri"]]
    return [QueryEdit(at, at + 1, f"\\u{ord(text[at]):04X}") for at in starts]
