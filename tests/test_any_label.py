"""Labels that are headers mean just that, and no label stops a file, whatever its text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox
import pytest
from conftest import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rdflib import DCAT, DCTERMS, RDF, Graph, Literal, URIRef
from strategies import content_types, hostile_text

from cturi_rdf import ContentType, ContentTypeError
from cturi_rdf.labels import resolve
from cturi_rdf.registry import registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# Headers whose ends look like the quotes and commas around a label, yet belong to them.
HEADERS = [
    r'text/csv; null="\""',
    'text/plain; delimiter=","',
    """text/csv; quote="'" """,
    "text/plain; p=a'",
    "text/html;charset=gbk'",
    "text/html;charset='gbk'",
    'text/html;charset="gbk "',
    'text/html;charset=""',
    "text/x-a*",
    "application/x-y'",
    'x/x;x="application/json"',
    'application/ld+json; profile="http://www.w3.org/ns/json-ld#compacted"',
    "application/uri.http%3A%2F%2Fa%2F",
]


@pytest.mark.parametrize("header", HEADERS)
def test_a_label_that_is_a_header_is_taken_at_its_word(header: str) -> None:
    resolution = resolve(header)
    assert resolution.types == (ContentType.parse(header),)
    assert (resolution.verdict, resolution.rule) == ("media_type", "syntax")
    assert resolution.confidence == "certain"


@pytest.mark.parametrize("label", ["application/{}+", "application/+{}", "application/{}+ csv"])
def test_a_suffix_with_nothing_on_the_other_side_of_its_plus_holds_nothing(label: str) -> None:
    for suffix in registry().suffixes():
        assert all(named.subtype for named in resolve(label.format(suffix.name)).types)


@given(content_types.filter(lambda content_type: content_type.parameters))
def test_the_parameters_of_a_header_survive(content_type: ContentType) -> None:
    made = ContentType("application", content_type.subtype, content_type.parameters)
    (found,) = resolve(str(made)).types or (made,)
    assert found.parameters == made.parameters
    essence = registry().canonical(made.essence)
    assert found.essence == essence


def test_the_headers_of_other_parsers_suites_are_never_touched(shared: Path) -> None:
    paths = [
        path for name in ("headers", "wpt") for path in (shared / "suites" / name).glob("*.json")
    ]
    headers = {
        case["input"]
        for path in paths
        for case in json.loads(path.read_text("utf-8"))["cases"]
        if isinstance(case.get("input"), str)
    }
    seen = 0
    for header in headers:
        try:
            content_type = ContentType.parse(header)
        except ContentTypeError:
            continue
        if not content_type.parameters:
            continue
        seen += 1
        (found,) = resolve(header).types
        assert found.parameters == content_type.parameters, header
        if found.essence != content_type.essence:
            assert registry().canonical(content_type.essence) == found.essence
    assert seen > 200


# Texts that cannot be mapped, and the parts of the reason.
NO_URI = [
    ("application/uri.foo", "not an absolute URI"),
    ("application/xml; URI-body=foo", "not an absolute URI"),
    ("application/uri.http%3A%2F%2Fa%23b", "a fragment in the subtype"),
    ("application/uri.%FF%3Ax", "not UTF-8"),
    ("text/plain; MIME-type=x; URI-body=http%3A%2F%2Fa", "a MIME-type parameter beside"),
    ("ContentType:application/uri.foo", "not an absolute URI"),
    ("https://www.iana.org/assignments/media-types/application/uri.foo", "not an absolute URI"),
]
# Valid headers with names that look like those of RFC 2231.
STARRY = ["text/plain; a*0*0=x", "text/plain; name**=utf-8''f"]
_SENTINEL = URIRef("http://a.example/csv")


def _catalogue(labels: list[str]) -> Graph:
    graph = Graph()
    graph.add((_SENTINEL, DCTERMS.format, Literal("CSV")))
    for number, label in enumerate(labels):
        resource = URIRef(f"http://a.example/{number}")
        graph.add((resource, RDF.type, DCAT.Distribution))
        graph.add((resource, DCTERMS.format, Literal(label, lang="en" if number % 2 else None)))
    return graph


def _written(labels: list[str], form: str, folder: Path) -> Path:
    path = folder / f"catalogue.{form}"
    if form == "json":
        dataset = [{"@type": "dcat:Dataset", "title": "t", "identifier": "i", "distribution": [
            {"@type": "dcat:Distribution", "mediaType": label, "downloadURL": f"http://a.example/{n}"}
            for n, label in enumerate([*labels, "CSV"])
        ]}]  # fmt: skip
        path.write_text(json.dumps({"dataset": dataset}), "utf-8")
    elif form == "ttl":
        # rdflib leaves a quote after an escaped backslash as it is.
        lines = _catalogue(labels).serialize(format="nt", encoding="utf-8")
        triples = ox.parse(lines, format=ox.RdfFormat.N_TRIPLES)
        ox.serialize((quad.triple for quad in triples), path, ox.RdfFormat.TURTLE)
    else:
        names = {"nt": "nt", "rdf": "xml", "jsonld": "json-ld"}
        _catalogue(labels).serialize(path, names[form], encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["ttl", "nt", "rdf", "jsonld", "json"])
def test_a_label_that_maps_to_no_uri_is_not_understood_and_the_rest_is(
    form: str, tmp_path: Path, cturi: Callable[..., Any]
) -> None:
    labels = [label for label, _ in NO_URI]
    source = _written([*labels, *STARRY], form, tmp_path)
    target = tmp_path / f"annotated.{'ttl' if form == 'json' else form}"
    run = cturi("annotate", source, "-o", target, "--json")
    assert run.code == 0, run.err
    report = json.loads(run.out)
    reasons = {each["label"]: each["reason"] for each in report["not_understood_labels"]}
    assert reasons.keys() == set(labels)
    for label, part in NO_URI:
        assert part in reasons[label]
    assert report["resolved"] == 1 + len(STARRY)
    run = cturi("headers", source)
    assert run.code == 0
    assert "\ttext/csv\n" in run.out
    for header in STARRY:
        assert f"\t{header}\n" in run.out
    # DCAT-US only recommends media types, and JSON without a context is under it.
    assert cturi("check", source).code == (0 if form == "json" else 1)


@pytest.mark.parametrize("form", ["ttl", "nt", "rdf", "jsonld", "json"])
def test_a_header_comes_back_as_it_was_from_every_syntax(
    form: str, tmp_path: Path, cturi: Callable[..., Any]
) -> None:
    headers = [header.strip() for header in HEADERS]
    source = _written(headers, form, tmp_path)
    target = tmp_path / "annotated.ttl"
    assert cturi("annotate", source, "-o", target).code == 0
    for catalogue in (source, target):
        lines = cturi("headers", catalogue).out.splitlines()
        found = dict(line.split("\t") for line in lines)
        for number, header in enumerate(headers):
            assert found[f"http://a.example/{number}"] == str(ContentType.parse(header))


# What XML cannot write stays out; surrogates are no text of any file.
_labels = st.lists(
    (hostile_text | st.sampled_from(HEADERS)).map(
        lambda text: "".join(c for c in text if c.isprintable() or c in "\t\n")
    ),
    max_size=8,
)


@settings(
    max_examples=examples(5),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(_labels)
def test_any_text_as_a_label_leaves_the_rest_of_its_file_alone(
    tmp_path: Path, cturi: Callable[..., Any], labels: list[str]
) -> None:
    for form in ("ttl", "nt", "rdf", "jsonld"):
        source = _written(labels, form, tmp_path)
        target = tmp_path / f"annotated.{form}"
        assert cturi("annotate", source, "-o", target).code == 0
        assert cturi("check", source).code in {0, 1}
        for each in (source, target):
            run = cturi("headers", each)
            assert run.code in {0, 1}
            assert f"{_SENTINEL}\ttext/csv\n" in run.out
