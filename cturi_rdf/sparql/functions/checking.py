"""Looking at a query before it runs: every function of ours that it names has to exist."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from cturi_rdf.errors import CturiError
from cturi_rdf.sparql.functions.definitions import FUNCTIONS
from cturi_rdf.sparql.functions.function import CTF

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["check_query", "prefixes_in", "refuse_unknown", "unusable"]

_RULE = "the table of functions"
# SPARQL 1.1 section 19.8: what a text is made of, as far as it matters here.
_TOKEN = re.compile(
    r"""
    (?P<comment> \#[^\n\r]*+ )
  | "{3} (?: [^"\\] | \\. | "{1,2}(?!") )*+ "{3} | '{3} (?: [^'\\] | \\. | '{1,2}(?!') )*+ '{3}
  | " (?: [^"\\\n\r] | \\. )*+ " | ' (?: [^'\\\n\r] | \\. )*+ '
  | < (?P<iri> [^<>"{}|^`\\\x00-\x20]*+ ) >
  | _:[\w.-]*+
  | (?P<prefix> [^\W\d_][\w.-]*+ )? : (?P<local> (?: [\w:%-] | \\. | \.(?=[\w:%\\-]) )*+ )
  | [?$]\w+
  | (?P<word> [^\W\d_][\w.-]*+ )
  | (?P<sign> [^\s\w] )
  | \w+
    """,
    re.VERBOSE | re.DOTALL,
)
# What stands between the terms of a pattern, or after one.
_BETWEEN = {";", "]"}


def check_query(
    text: str, prefixes: Mapping[str, str] | None = None, *, properties: bool = True
) -> None:
    """Refuse a query or an update that names a function of ours that does not exist.

    `prefixes` are those that the engine knows beside the ones in the text.  `properties` says
    whether the engine can take a function as a property, which only rdflib does.  Raises
    `CturiError`.  It reads tokens only, so that any dialect of SPARQL will do.

    >>> check_query("ASK { FILTER(ctf:isXLM('text/xml')) }", {"ctf": CTF})
    Traceback (most recent call last):
    cturi_rdf.errors.CturiError: no function of this name
        ctf:isXLM
        ^^^^^^^^^ expected ctf:isXML (the table of functions)
    """
    known, base = dict(prefixes or {}), ""
    tokens = [each for each in _TOKEN.finditer(text) if each["comment"] is None]
    clause = ""
    for at, token in enumerate(tokens):
        clause = (token["word"] or clause).upper()
        if token["word"] and clause in {"PREFIX", "BASE"}:
            base = _declared(tokens[at + 1 : at + 3], known, base)
            continue
        iri = _iri(token, known, base)
        if iri is None or not iri.startswith(CTF) or iri == CTF:
            continue
        refuse_unknown([iri])
        if not properties and _is_property(tokens, at, clause):
            raise unusable(
                "a function as a property", token[0],
                "a call, such as ctf:resolve(?label, 2): only rdflib's engine has the other form",
            )  # fmt: skip


def prefixes_in(text: str) -> set[str]:
    """Return the prefixes that a query uses or declares.

    >>> sorted(prefixes_in("PREFIX a: <http://a.example/> ASK { ?s a:b 'c:d' ; :e <f:g> }"))
    ['', 'a']
    """
    tokens = _TOKEN.finditer(text)
    return {each["prefix"] or "" for each in tokens if each["local"] is not None}


def refuse_unknown(iris: Iterable[str]) -> None:
    """Raise `CturiError` for the first IRI in the functions' namespace that names none."""
    for iri in iris:
        name = iri.removeprefix(CTF)
        if iri.startswith(CTF) and name not in FUNCTIONS:
            names = {each.lower(): each for each in FUNCTIONS}
            close = get_close_matches(name.lower(), names, n=1)
            every = ", ".join(f"ctf:{each}" for each in FUNCTIONS)
            expected = f"ctf:{names[close[0]]}" if close else f"one of {every}"
            raise unusable("no function of this name", f"ctf:{name}", expected)


def unusable(problem: str, text: str, expected: str) -> CturiError:
    """Return the error over what a query has in it."""
    return CturiError(problem, text, (0, len(text)), expected, _RULE)


def _is_property(tokens: list[re.Match[str]], at: int, clause: str) -> bool:
    """Return whether a name is a predicate, and not called: by what stands around it."""
    if at + 1 == len(tokens) or tokens[at + 1]["sign"] != "(":
        return True
    before = tokens[at - 1] if at else None
    # A list of arguments looks like a call, but for the subject in front of it.
    follows_term = before is not None and not before["word"] and (before["sign"] or ";") in _BETWEEN
    return follows_term and clause != "BY"


def _declared(tokens: list[re.Match[str]], known: dict[str, str], base: str) -> str:
    """Note the prefix, or return the base, that the tokens after the keyword declare."""
    if tokens and tokens[0]["iri"] is not None:
        return _joined(base, tokens[0]["iri"])
    if len(tokens) == 2 and tokens[1]["iri"] is not None:  # noqa: PLR2004 - a name and an IRI
        known[tokens[0]["prefix"] or ""] = _joined(base, tokens[1]["iri"])
    return base


def _iri(token: re.Match[str], known: Mapping[str, str], base: str) -> str | None:
    if token["iri"] is not None:
        return _joined(base, token["iri"])
    if token["local"] is not None:
        namespace = known.get(token["prefix"] or "")
        return None if namespace is None else namespace + token["local"].replace("\\", "")
    return None


def _joined(base: str, iri: str) -> str:
    try:
        return urljoin(base, iri) if base else iri
    except ValueError:
        # No IRI at all, which is for the engine to say.
        return iri
