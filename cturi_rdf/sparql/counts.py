"""COUNT of an expression by the rules of SPARQL: errors are not counted.

Oxigraph counts the rows in which a variable is bound, as it should, but leaves the count of an
expression unbound where the expression has an error in one row.  So the expression becomes a
variable first: ``COUNT(f(?x))`` over ``{ … }`` becomes ``COUNT(?v)`` over
``{ { … } BIND(f(?x) AS ?v) }``.  SPARQL 1.1 sections 11.2 and 18.5.1.2.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.sparql.syntax import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cturi_rdf.sparql.syntax import QueryText, Token

__all__ = ["count_edits"]


def count_edits(query: QueryText) -> list[Edit]:
    """Return the changes that make each COUNT of an expression one of a variable.

    >>> from cturi_rdf.sparql.syntax import QueryText, apply
    >>> text = "SELECT (COUNT(STRLEN(?x)) AS ?n) { ?s ?p ?x }"
    >>> apply(text, count_edits(QueryText(text, {})))
    'SELECT (COUNT(?cturi_count_1) AS ?n) {{ ?s ?p ?x } BIND(STRLEN(?x) AS ?cturi_count_1)}'
    """
    tokens, edits = query.tokens, list[Edit]()
    partners = _partners(tokens)
    bound: dict[int, list[str]] = {}
    for number, (at, first, last) in enumerate(_counts(tokens, partners), 1):
        opening = _group(tokens, partners, at)
        if opening is None:
            continue
        start, end = tokens[first].start, tokens[last].span[1]
        variable = f"?cturi_count_{number}"
        edits.append(Edit(start, end, variable))
        bound.setdefault(opening, []).append(f"BIND({query.text[start:end]} AS {variable})")
    for opening, binds in bound.items():
        inside, behind = tokens[opening].span[1], tokens[partners[opening]].start
        edits += [Edit(inside, inside, "{"), Edit(behind, behind, f"}} {' '.join(binds)}")]
    return edits


def _partners(tokens: Sequence[Token]) -> dict[int, int]:
    """Return the bracket that closes each opening one, and the other way round."""
    partners, open_ones = {}, list[int]()
    for at, token in enumerate(tokens):
        if token.text in {"(", "{"}:
            open_ones.append(at)
        elif token.text in {")", "}"} and open_ones:
            partners[at] = open_ones.pop()
            partners[partners[at]] = at
    return partners


def _counts(tokens: Sequence[Token], partners: dict[int, int]) -> Iterator[tuple[int, int, int]]:
    """Yield where COUNT stands, and the first and the last token of its expression."""
    for at, token in enumerate(tokens[:-1]):
        if token.kind == "word" and token.text.upper() == "COUNT" and at + 1 in partners:
            first, last = at + 2, partners[at + 1] - 1
            if tokens[first].text.upper() == "DISTINCT":
                first += 1
            if first < last or (first == last and tokens[first].iri is not None):
                yield at, first, last


def _group(tokens: Sequence[Token], partners: dict[int, int], at: int) -> int | None:
    """Return where the group opens over which an aggregate is computed.

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
        # What is in brackets, such as the pattern of EXISTS, is passed over.
        ahead = partners.get(ahead, ahead) + 1 if tokens[ahead].text == "(" else ahead + 1
    return None
