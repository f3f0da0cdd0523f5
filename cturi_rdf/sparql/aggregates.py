"""COUNT and MAX by SPARQL's rules for rows without a value, from which Oxigraph's differ.

COUNT leaves out the rows whose expression has an error (SPARQL 1.1 section 18.5.1.2).  Oxigraph
does so for a variable, but leaves the count of an expression unbound.  So the expression becomes
a variable first: ``COUNT(f(?x))`` over ``{ … }`` becomes ``COUNT(?v)`` over
``{ { … } BIND(f(?x) AS ?v) }``.  The expression may use a variable of ``GROUP BY (g(?y) AS ?x)``,
which becomes ``BIND(g(?y) AS ?x)`` before it, and ``GROUP BY ?x``.

MAX is the last value in the order of ORDER BY (section 18.5.1.6), in which no value comes before
all others (section 15.1).  Oxigraph leaves it unbound if one row has no value.  So a blank node,
which is the next in that order, takes the place of no value: ``MAX(f(?x))`` becomes
``MAX(COALESCE(f(?x), BNODE()))``.  If that is a blank node, the group has nothing but blank nodes,
which are in no order, and SAMPLE gives one of its own, or nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.sparql.syntax import QueryEdit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cturi_rdf.sparql.syntax import QueryText, Token

_AFTER_KEYS = {"HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES", "}"}
_MAX = "IF(ISBLANK({max}), SAMPLE({value}), {max})"


def aggregate_edits(query: QueryText) -> list[QueryEdit]:
    """Return the changes of a query that make Oxigraph answer COUNT and MAX as SPARQL asks.

    >>> from cturi_rdf.sparql.syntax import QueryText, apply
    >>> text = "SELECT (COUNT(STRLEN(?x)) AS ?n) { ?s ?p ?x }"
    >>> apply(text, aggregate_edits(QueryText(text, {})))
    'SELECT (COUNT(?cturi_count_1) AS ?n) {{ ?s ?p ?x } BIND(STRLEN(?x) AS ?cturi_count_1)}'
    """
    tokens, edits = query.tokens, list[QueryEdit]()
    partners, _ = query.brackets
    bound: dict[int, list[str]] = {}
    for number, (at, first, last) in enumerate(_aggregates(tokens, partners), 1):
        start, end = tokens[first].start, tokens[last].span[1]
        value = query.text[start:end]
        if tokens[at].text.upper() == "MAX":
            maximum = _MAX.format(value=value, max=f"MAX(COALESCE({value}, BNODE()))")
            edits.append(QueryEdit(tokens[at].start, tokens[partners[at + 1]].span[1], maximum))
        elif (first < last or tokens[first].iri is not None) and (
            opening := _group(tokens, partners, at)
        ) is not None:
            variable = f"?cturi_count_{number}"
            edits.append(QueryEdit(start, end, variable))
            bound.setdefault(opening, []).append(f"BIND({value} AS {variable})")
    for opening, binds in bound.items():
        inside, behind = tokens[opening].span[1], tokens[partners[opening]].start
        keys: list[str] = []
        for first, last in _keys(tokens, partners, partners[opening] + 1):
            start, end = tokens[first].start, tokens[last].span[1]
            keys.append(f"BIND{query.text[start:end]}")
            edits.append(QueryEdit(start, end, tokens[last - 1].text))
        edits += [
            QueryEdit(inside, inside, "{"),
            QueryEdit(behind, behind, f"}} {' '.join(keys + binds)}"),
        ]
    return edits


def _keys(tokens: Sequence[Token], partners: dict[int, int], at: int) -> Iterator[tuple[int, int]]:
    """Yield the brackets of each expression with a name in a GROUP BY clause, if there is one."""
    words = [token.text.upper() for token in tokens]
    if words[at : at + 2] != ["GROUP", "BY"]:
        return
    while at < len(tokens) and words[at] not in _AFTER_KEYS:
        last = partners.get(at, at)
        if words[last - 2] == "AS":
            yield at, last
        at = last + 1


def _aggregates(
    tokens: Sequence[Token], partners: dict[int, int]
) -> Iterator[tuple[int, int, int]]:
    """Yield where COUNT and MAX stand, and the first and the last token of their expressions."""
    end = 0
    for at, token in enumerate(tokens[:-1]):
        if token.kind != "word" or token.text.upper() not in {"COUNT", "MAX"} or at < end:
            # One within the expression of another, by EXISTS, is left to Oxigraph.
            continue
        if tokens[at + 1].text == "(" and at + 1 in partners:
            first, end = at + 2, partners[at + 1]
            if tokens[first].text.upper() == "DISTINCT":
                first += 1
            if first < end:
                yield at, first, end - 1


def _group(tokens: Sequence[Token], partners: dict[int, int], at: int) -> int | None:
    """Return the opening of the group over which an aggregate is computed.

    It follows the SELECT clause, and stands before HAVING and ORDER BY.
    """
    behind = at
    while behind > 0:
        behind -= 1
        text = tokens[behind].text
        if text == "}":
            # Of the query that the aggregate is in, behind its group.
            return partners.get(behind)
        if tokens[behind].kind == "word" and text.upper() == "SELECT":
            break
    ahead = behind
    while ahead < len(tokens):
        if tokens[ahead].text == "{":
            return ahead if ahead in partners else None
        # Text in brackets, such as the pattern of EXISTS, is skipped.
        ahead = partners.get(ahead, ahead) + 1 if tokens[ahead].text == "(" else ahead + 1
    return None
