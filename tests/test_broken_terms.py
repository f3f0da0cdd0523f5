"""An invalid term is an error of ours, with its place, from every command and syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cturi_rdf.catalogue import annotate_file, headers_of_file
from cturi_rdf.check import check_file
from cturi_rdf.reading import CatalogError
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Write

ESCAPED = "<http://a.example/b\\u0020c>"
TASKS: dict[str, Callable[[str], object]] = {
    "annotate": lambda name: annotate_file(name, f"{name}.out.trig"),
    "headers": lambda name: list(headers_of_file(name)),
    "check": check_file,
    "repair": lambda name: plan_file(name, profile="dcat-ap"),
}


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize(
    ("name", "term"),
    [
        ("in.ttl", ESCAPED), ("in.trig", ESCAPED), ("in.nt", ESCAPED), ("in.nq", ESCAPED),
        ("in.ttl", "x:y"), ("in.trig", "x:y"), ("in.ttl", '"CSV"^^x:y'), ("in.ttl", "( x:y )"),
        ("in.ttl", "[ x:y 1 ]"), ("in.ttl", "<http://[>"),
    ],
)  # fmt: skip
def test_a_label_that_is_no_term_is_an_error_with_its_line(
    task: str, name: str, term: str, tmp_path: Path, write: Write
) -> None:
    source = write(
        name,
        '<http://a.example/1> <http://purl.org/dc/terms/format> "CSV" .\n'
        f"<http://a.example/2> <http://purl.org/dc/terms/format> {term} .\n",
    )
    with pytest.raises(CatalogError) as refused:
        TASKS[task](str(source))
    assert refused.value.line == 2
    assert refused.value.problem.startswith("not ")
    assert [path.name for path in tmp_path.iterdir()] == [name]
