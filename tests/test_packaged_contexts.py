"""The contexts in the package: what they say of a name is what the official ones say."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pyoxigraph as ox
import pytest
from conftest import partly_slow
from edited_files import canonical

from cturi_rdf.reading import CatalogError
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.reading.jsonld import whole
from cturi_rdf.reading.jsonld_contexts import packaged_context
from cturi_rdf.reading.read import QuadDocument
from cturi_rdf.reading.source import open_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conftest import Cturi

SCRIPT = runpy.run_path(str(Path(__file__).parents[1] / "scripts" / "build_contexts.py"))
CONTEXTS, TARGET, built = SCRIPT["CONTEXTS"], SCRIPT["DATA"] / "contexts", SCRIPT["built"]
REFUSED = ox.NamedNode("http://n.example/refused")
NAMES = {
    "activitystreams": "https://www.w3.org/ns/activitystreams",
    "csvw": "http://www.w3.org/ns/csvw",
    "dataspace": "https://w3id.org/dspace/2025/1/context.jsonld",
    "dcat-us-3": "https://raw.githubusercontent.com/DOI-DO/dcat-us/main/context/dcat-us-3.0.jsonld",
    "iiif-presentation-3": "http://iiif.io/api/presentation/3/context.json",
    "iiif-image-2": "http://iiif.io/api/image/2/context.json",
}


@pytest.mark.parametrize("name", CONTEXTS)
def test_a_context_is_built_from_the_official_one(shared: Path, name: str) -> None:
    assert shared.exists()
    assert (TARGET / f"{name}.jsonld").read_text("utf-8") == built(name)


def _used(context: Any, types: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield each name that a context defines, with the types in whose nodes it is defined."""
    for item in context if isinstance(context, list) else [context]:
        for name, value in item.items() if isinstance(item, dict) else ():
            if not name.startswith("@"):
                yield types, name
                if isinstance(value, dict) and len(types) < 2:
                    yield from _used(value.get("@context"), (*types, name))


# Values of a name alone, and in maps and lists.
VALUES = ("a", "http://a.example/", {"@id": "b"}, {"en": "c"}, ["d", 1], {"name": "e"})


def _says(context: Any, types: tuple[str, ...], names: list[str]) -> set[str]:
    """Return what a context makes of each value of each name in nodes of some types."""
    own = {"@type": list(types)} if types else {}
    nodes = [
        own | {"@id": f"http://n.example/{number}/{quote(name)}", name: value}
        for number, value in enumerate(VALUES)
        for name in names
    ]
    return canonical(_read(context, nodes))


def _read(context: Any, nodes: list[dict[str, Any]]) -> list[ox.Quad]:
    """Return the statements about nodes, and those that are refused."""
    content = json.dumps({"@context": context, "@graph": nodes}).encode()
    try:
        text = whole(content, "a.jsonld", ReadOptions()).text
        return list(ox.parse(text, ox.RdfFormat.JSON_LD, base_iri="http://b.example/"))
    except (SyntaxError, CatalogError):
        if len(nodes) == 1:
            return [ox.Quad(ox.NamedNode(nodes[0]["@id"]), REFUSED, ox.Literal("true"))]
        half = len(nodes) // 2
        return [*_read(context, nodes[:half]), *_read(context, nodes[half:])]


@pytest.mark.parametrize("name", partly_slow(NAMES, daily=["iiif-image-2"]))
def test_a_context_says_what_the_official_one_says(shared: Path, name: str) -> None:
    official = json.loads((shared / CONTEXTS[name][0]).read_text("utf-8"))["@context"]
    # A context that others are named in is one of the package, and tested on its own.
    ours = packaged_context(NAMES[name].partition("://")[2])
    assert ours is not None
    others = {"@version": 1.1}
    terms: dict[tuple[str, ...], list[str]] = {}
    for types, term in _used(official):
        if "Offer" not in (*types, term):
            terms.setdefault(types, []).append(term)
    assert sum(map(len, terms.values())) > 20
    for types, names in terms.items():
        if not json.dumps(official).count("odrl-profile") or not types:
            said, wanted = (_says([others, one], types, names) for one in (ours, official))
            assert said == wanted != set()


def test_an_annotation_says_what_the_recommendation_says() -> None:
    # Web Annotation Vocabulary, 2017-02-23, appendix A.
    context = packaged_context("www.w3.org/ns/anno.jsonld")
    assert context is not None
    terms = {"bodyValue": "oa:bodyValue", "email": "foaf:mbox", "reviewing": "oa:reviewing",
             "assessing": "oa:assessing", "format": "dc:format"}  # fmt: skip
    for name, iri in terms.items():
        prefix, _, local = iri.partition(":")
        assert context[name] == context[prefix] + local


def _named(context: Any) -> Iterator[str]:
    """Yield the names of the contexts that a context needs."""
    if isinstance(context, str):
        yield context
    elif isinstance(context, list):
        for item in context:
            yield from _named(item)
    elif isinstance(context, dict):
        yield from _named(context.get("@import", []))
        for definition in context.values():
            if isinstance(definition, dict):
                yield from _named(definition.get("@context", []))


@pytest.mark.parametrize("path", sorted(TARGET.glob("*.jsonld")), ids=lambda path: path.stem)
def test_a_context_names_no_other_than_those_of_the_package(path: Path) -> None:
    for name in _named(json.loads(path.read_text("utf-8"))["@context"]):
        assert packaged_context(name.partition("://")[2]) is not None, name


def test_an_offer_of_a_dataspace_says_what_odrl_says(tmp_path: Path) -> None:
    # ODRL Vocabulary & Expression 2.2, sections 3 and 4.
    offer = {"@type": "Offer", "permission": [{"action": "use", "target": "http://d.example/"}]}
    catalogue = {
        "@context": ["https://w3id.org/dspace/2025/1/context.jsonld"],
        "@type": "Catalog",
        "dataset": [{"@id": "http://d.example/", "@type": "Dataset", "hasPolicy": [offer]}],
    }
    path = tmp_path / "catalogue.jsonld"
    path.write_text(json.dumps(catalogue), "utf-8")
    with open_source(path) as source:
        said = {
            (quad.predicate.value, getattr(quad.object, "value", ""))
            for quad in QuadDocument(source)
        }
    odrl = "http://www.w3.org/ns/odrl/2/"
    assert (f"{odrl}action", f"{odrl}use") in said
    assert (f"{odrl}target", "http://d.example/") in said


@pytest.mark.parametrize(("version", "path_to_selector"), [("3", "selector"), ("4", "hasSelector")])
def test_a_manifest_of_iiif_has_its_selectors_and_its_images(
    cturi: Cturi, tmp_path: Path, version: str, path_to_selector: str
) -> None:
    image = {"id": "http://i.example/a", "type": "Image", "format": "image/jpeg"}
    point = {"type": "PointSelector", "x": 1, "y": 2}
    target = {"type": "SpecificResource", "source": "http://i.example/c", "selector": point}
    annotation = {"type": "Annotation", "motivation": "painting", "body": image, "target": target}
    manifest = {
        "@context": f"http://iiif.io/api/presentation/{version}/context.json",
        "id": "http://i.example/manifest",
        "type": "Manifest",
        "items": [{"type": "Canvas", "items": [{"type": "AnnotationPage", "items": [annotation]}]}],
    }
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(manifest), "utf-8")
    assert f"http://www.w3.org/ns/oa#{path_to_selector}" in _predicates(str(path))
    assert cturi("headers", path).out == "http://i.example/a\timage/jpeg\n"


def test_the_examples_of_dcat_us_say_what_those_in_turtle_say(shared: Path) -> None:
    folder = shared / "suites/profiles/dcat-us-3/docs/examples"
    pairs = [(path, twin) for path in sorted(folder.glob("*.jsonld"))
             if (twin := path.with_suffix(".ttl")).exists()]  # fmt: skip
    graphs = [tuple(_predicates(str(path)) for path in pair) for pair in pairs]
    assert len(pairs) > 20
    # The authors' own differences: a few examples were changed in one syntax only.
    assert sum(ours == theirs for ours, theirs in graphs) > 0.5 * len(pairs)


def _predicates(name: str) -> set[str]:
    with open_source(name) as source:
        return {quad.predicate.value for quad in QuadDocument(source)}


@pytest.mark.slow
def test_the_examples_of_dcat_us_go_through_every_command(
    shared: Path, cturi: Cturi, tmp_path: Path
) -> None:
    folder = shared / "suites/profiles/dcat-us-3/docs/examples"
    for path in sorted(folder.glob("*.jsonld")):
        for command in (
            ("headers", path),
            ("check", path),
            ("check", path, "--profile", "dcat-us"),
            ("annotate", path, "-o", tmp_path / "a.jsonld"),
            ("repair", path, "--profile", "dcat-us", "-o", tmp_path / "b.jsonld"),
        ):
            run = cturi(*command)
            assert run.code in {0, 1}, run.err


MANIFEST = {
    "@context": "http://iiif.io/api/presentation/3/context.json",
    "id": "https://a.example/manifest",
    "type": "Manifest",
    "label": {"en": ["A book"]},
    "rendering": [
        {"id": "https://a.example/book.pdf", "type": "Text", "format": "application/pdf"}
    ],
    "items": [
        {
            "id": "https://a.example/page/1",
            "type": "Canvas",
            "items": [
                {
                    "id": "https://a.example/annotations/1",
                    "type": "AnnotationPage",
                    "items": [
                        {
                            "id": "https://a.example/annotation/1",
                            "type": "Annotation",
                            "motivation": "painting",
                            "body": {
                                "id": "https://a.example/1.jpg",
                                "type": "Image",
                                "format": "image/jpeg",
                                "service": [
                                    {"id": "https://a.example/image/1", "type": "ImageService3"}
                                ],
                            },
                            "target": "https://a.example/page/1",
                        }
                    ],
                }
            ],
        }
    ],
}


def test_a_manifest_of_iiif_is_read_and_annotated(cturi: Cturi, tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(MANIFEST, indent=2))
    out = cturi("headers", path).out
    assert "https://a.example/book.pdf\tapplication/pdf\n" in out
    assert "https://a.example/1.jpg\timage/jpeg\n" in out
    assert cturi("annotate", path, "--in-place").code == 0
    assert json.loads(path.read_text())["items"] != MANIFEST["items"]


def test_contexts_that_name_one_another_are_read_as_far_as_they_are_used(
    cturi: Cturi, tmp_path: Path
) -> None:
    terms = {"f": "http://purl.org/dc/terms/format", "p": {"@id": "http://p.example/"}}
    for name, other in (("a", "b"), ("b", "a")):
        terms["p"]["@context"] = f"{other}.jsonld"  # type: ignore[index]
        (tmp_path / f"{name}.jsonld").write_text(json.dumps({"@context": terms}))
    nested: Any = {"@id": "a:last", "f": "CSV"}
    for _ in range(20):
        nested = {"p": nested}
    path = tmp_path / "c.jsonld"
    path.write_text(json.dumps({"@context": "a.jsonld", **nested}))
    assert cturi("headers", path).out == "a:last\ttext/csv\n"
