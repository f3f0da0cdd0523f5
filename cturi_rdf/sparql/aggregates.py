"""COUNT and MAX by SPARQL's rules for rows without a value, from which Oxigraph's differ.

COUNT leaves out the rows whose expression has an error (SPARQL 1.1 section 18.5.1.2).  Oxigraph
does so for a variable, but leaves the count of an expression unbound.  So each row adds 1 or 0:
``COUNT(f(?x))`` becomes ``SUM(COALESCE(IF(ISIRI(f(?x)), 1, 1), 0))``.  ``COUNT(DISTINCT f(?x))``
counts an IRI of ours in place of the errors, and takes 1 off where there are any.

MAX is the last value in the order of ORDER BY (section 18.5.1.6), in which no value comes before
all others (section 15.1).  Oxigraph leaves it unbound if one row has no value.  So a blank node,
which is the next in that order, takes the place of no value: ``MAX(f(?x))`` becomes
``MAX(COALESCE(f(?x), BNODE()))``.  If that is a blank node, the group has nothing but blank nodes,
which are in no order, and SAMPLE gives one of its own, or nothing.

An aggregate may use the name that GROUP BY gives to an expression.  Oxigraph knows it there unless
the expression is a variable alone.  So ``(?x AS ?y)`` becomes ``(COALESCE(?x) AS ?y)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.sparql.dataset import INTERNAL
from cturi_rdf.sparql.syntax import QueryEdit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cturi_rdf.sparql.syntax import QueryText, Token

_COUNT = "SUM(COALESCE(IF(ISIRI({value}), 1, 1), 0))"
_DISTINCT = (
    f"(COUNT(DISTINCT COALESCE({{value}}, <{INTERNAL}error>))"
    " - COALESCE(MAX(COALESCE(IF(ISIRI({value}), 0, 0), 1)), 0))"
)
# MAX of an expression in which a blank node stands for an error.
_LAST = "MAX(COALESCE({value}, BNODE()))"
_MAX = f"IF(ISBLANK({_LAST}), SAMPLE({{value}}), {_LAST})"


def aggregate_edits(query: QueryText) -> list[QueryEdit]:
    """Return the changes of a query that make Oxigraph answer COUNT and MAX as SPARQL asks.

    >>> from cturi_rdf.sparql.syntax import QueryText, apply
    >>> text = "SELECT (COUNT(STRLEN(?x)) AS ?n) { ?s ?p ?x }"
    >>> apply(text, aggregate_edits(QueryText(text, {})))
    'SELECT (SUM(COALESCE(IF(ISIRI(STRLEN(?x)), 1, 1), 0)) AS ?n) { ?s ?p ?x }'
    """
    tokens = query.tokens
    partners, _ = query.brackets
    edits = list(_names(tokens))
    for at, first, last in _aggregates(tokens, partners):
        value = query.text[tokens[first].start : tokens[last].span[1]]
        if tokens[at].text.upper() == "MAX":
            form = _MAX
        elif first < last:
            form = _COUNT if first == at + 2 else _DISTINCT
        else:
            # Of a variable, a constant or all rows.
            continue
        text = form.format(value=value)
        edits.append(QueryEdit(tokens[at].start, tokens[partners[at + 1]].span[1], text))
    return edits


def _names(tokens: Sequence[Token]) -> Iterator[QueryEdit]:
    """Yield the changes of ``(?x AS ?y)``, by which an aggregate finds the ``?y`` of GROUP BY."""
    for at, token in enumerate(tokens[:-3]):
        kinds = [following.kind for following in tokens[at : at + 4]]
        if token.text == "(" and kinds[1:] == ["variable", "word", "variable"]:
            name = tokens[at + 1]
            yield QueryEdit(*name.span, f"COALESCE({name.text})")


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
