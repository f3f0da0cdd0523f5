"""Shared by the tests of the command query."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from cturi_rdf.cli.query import query

EXAMPLE = Path(__file__).parents[1] / "examples" / "catalogue.ttl"
EX = "https://catalogue.example/"
ONE = 'SELECT ?x { BIND(ctf:header("CSV") AS ?x) }'


def cturi_query(*arguments: object, stdin: str = "") -> Result:
    return CliRunner().invoke(query, [str(each) for each in arguments], input=stdin)
