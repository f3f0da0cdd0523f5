"""The reconciliation service: version 0.2 of its API, and the draft of version 1.0."""

from __future__ import annotations

import json
import re
from itertools import product
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from reconciliation_schemas import SCHEMAS
from starlette.exceptions import HTTPException
from starlette.testclient import TestClient

from cturi_rdf.labels import resolve
from cturi_rdf.serve import Settings, application
from cturi_rdf.serve.answers import LONGEST_TEXT
from cturi_rdf.serve.reconciliation import (
    PROPERTIES,
    Condition,
    _answers,
    _draft_answers,
    _extension,
    _texts,
    candidates,
    matching,
    property_values,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

VERSIONS = ("0.2", "1.0-draft")
ROOTS = {"0.2": "/reconcile", "1.0-draft": "/reconcile/1.0"}
TYPES = ["text/csv", "image/svg+xml", "text/none-such", "no type"]


@pytest.fixture(scope="module")
def client() -> TestClient:
    return TestClient(application(), "http://localhost", raise_server_exceptions=False)


def _match(
    client: TestClient, version: str, labels: Sequence[str], **properties: str
) -> list[list[dict[str, Any]]]:
    """Return the candidates of each label; `properties` are values of properties."""
    if version == "0.2":
        own = [{"pid": name, "v": value} for name, value in properties.items()]
        queries = {
            f"q{number}": {"query": label, "properties": own} for number, label in enumerate(labels)
        }
        answer = client.post("/reconcile", data={"queries": json.dumps(queries)}).json()
        jsonschema.validate(answer, SCHEMAS[version]["results"])
        return [answer[name]["result"] for name in queries]
    conditions = [
        {"matchType": "property", "propertyId": name, "propertyValue": value}
        for name, value in properties.items()
    ]
    names = ({"matchType": "name", "propertyValue": label} for label in labels)
    batch = {"queries": [{"conditions": [name, *conditions]} for name in names]}
    answer = client.post("/reconcile/1.0/match", json=batch).json()
    jsonschema.validate(answer, SCHEMAS[version]["results"])
    return [result["candidates"] for result in answer["results"]]


def _extended(client: TestClient, version: str, ids: list[str]) -> dict[str, dict[str, Any]]:
    """Return the values of all properties of types."""
    wanted = {"ids": ids, "properties": [{"id": name} for name in PROPERTIES]}
    if version == "0.2":
        answer = client.post("/reconcile", data={"extend": json.dumps(wanted)}).json()
        jsonschema.validate(answer, SCHEMAS[version]["extension"])
        rows: dict[str, dict[str, Any]] = answer["rows"]
        return rows
    answer = client.post("/reconcile/1.0/extend", json=wanted).json()
    jsonschema.validate(answer, SCHEMAS[version]["extension"])
    return {
        row["id"]: {entry["id"]: entry["values"] for entry in row["properties"]}
        for row in answer["rows"]
    }


@pytest.mark.parametrize("version", VERSIONS)
def test_the_manifest_is_as_its_version_says(client: TestClient, version: str) -> None:
    manifest = client.get(ROOTS[version]).json()
    jsonschema.validate(manifest, SCHEMAS[version]["manifest"])
    assert manifest["versions"] == [version]
    view = manifest["view"]["url"]
    page = re.sub(r"\{+id\}+", "image%2Fsvg%2Bxml", view).removeprefix("http://localhost")
    assert client.get(page).status_code == 200


@pytest.mark.parametrize("version", VERSIONS)
def test_behind_a_proxy_the_manifest_has_the_address_that_clients_use(version: str) -> None:
    settings = Settings(hosts=("*",), url="https://formats.example/types/")
    behind = TestClient(application(settings=settings), "http://127.0.0.1:8000")
    text = behind.get(ROOTS[version]).text
    assert "https://formats.example/types/type/{" in text
    assert "127.0.0.1" not in text


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    "label",
    ["CSV", "Zipped Shapefile", "WMS", "flurbel", "CSV, XML", "cvs", "", "text/csv; charset=UTF-8"],
)
def test_a_match_is_one_certain_type(client: TestClient, version: str, label: str) -> None:
    (entries,) = _match(client, version, [label])
    meant = resolve(label)
    assert [entry["id"] for entry in entries] == [named.essence for named in meant.named]
    certain = meant.verdict == "media_type" and meant.confidence == "certain"
    assert any(entry["match"] for entry in entries) == certain


def test_the_gold_labels_reconciled_give_the_score_of_the_resolver(
    client: TestClient, gold_labels: tuple[Any, list[Any]]
) -> None:
    score, gold = gold_labels
    for version in VERSIONS:
        results = _match(client, version, [row["label"] for row in gold])
        for row, found in zip(gold, results, strict=True):
            answer = resolve(row["label"]).as_dict()
            types = [entry["id"] for entry in found] if answer["types"] else []
            reconciled = score.judge(row, answer | {"types": types})
            assert reconciled == score.judge(row, answer), row["label"]
            if any(entry["match"] for entry in found):
                assert reconciled != "wrong", row["label"]


@pytest.mark.slow
def test_ten_thousand_cells_are_reconciled_at_once(client: TestClient) -> None:
    labels = [f"CSV {number}" for number in range(10_000)]
    queries = json.dumps({label: {"query": label} for label in labels})
    answer = client.post("/reconcile", data={"queries": queries}).json()
    assert list(answer) == labels
    assert all(entry["result"][0]["id"] == "text/csv" for entry in answer.values())


@pytest.mark.parametrize("version", VERSIONS)
def test_a_property_that_contradicts_costs_the_match(client: TestClient, version: str) -> None:
    (agreeing,) = _match(client, version, ["SVG"], extensions="svg")
    (contradicting,) = _match(client, version, ["SVG"], extensions="csv")
    assert [entry["match"] for entry in agreeing] == [True]
    assert [entry["match"] for entry in contradicting] == [False]
    assert contradicting[0]["score"] < agreeing[0]["score"]


@pytest.mark.parametrize(
    ("conditions", "ids"),
    [
        ([("id", None, "text/csv", {})], ["text/csv"]),
        ([("name", None, ["CSV", "SVG"], {})], ["text/csv", "image/svg+xml"]),
        ([("name", None, ["CSV", "SVG"], {"matchQuantifier": "all"})],
         ["text/csv", "image/svg+xml"]),
        ([("name", None, ["CSV", "SVG"], {"matchQuantifier": "all", "required": True})], []),
        ([("name", None, ["CSV", "text/csv"], {"matchQuantifier": "all"})], ["text/csv"]),
        ([("property", "extensions", "svg", {})], ["image/svg+xml"]),
        ([("property", "iana", {"id": "https://www.iana.org/assignments/media-types/text/csv"},
           {})], ["text/csv"]),
        ([("name", None, ["CSV", "SVG"], {}),
          ("property", "extensions", "svg", {"required": True})], ["image/svg+xml"]),
        ([("name", None, ["CSV", "SVG"], {}),
          ("property", "extensions", "svg", {"required": True, "matchQuantifier": "none"})],
         ["text/csv"]),
        ([("name", None, ["CSV", "SVG"], {}),
          ("name", None, "SVG", {"matchQuantifier": "none", "required": True})], ["text/csv"]),
        ([("name", None, ["CSV", "SVG"], {}), ("name", None, "SVG", {})],
         ["image/svg+xml", "text/csv"]),
        ([("name", None, "CSV", {}), ("name", None, "SVG", {"required": True})],
         ["image/svg+xml"]),
        ([("name", None, "CSV", {}), ("property", "obsolete", True, {"required": True})], []),
    ],
)  # fmt: skip
def test_conditions_say_which_types_are_candidates(
    client: TestClient,
    conditions: list[tuple[str, str | None, Any, dict[str, Any]]],
    ids: list[str],
) -> None:
    asked = [
        {"matchType": kind, "propertyId": name, "propertyValue": value, **options}
        for kind, name, value, options in conditions
    ]
    batch = {"queries": [{"conditions": asked}]}
    answer = client.post("/reconcile/1.0/match", json=batch).json()
    jsonschema.validate(answer, SCHEMAS["1.0-draft"]["results"])
    assert [entry["id"] for entry in answer["results"][0]["candidates"]] == ids


@pytest.mark.parametrize("version", VERSIONS)
def test_types_are_extended_with_what_is_known_of_them(client: TestClient, version: str) -> None:
    rows = _extended(client, version, TYPES)
    assert list(rows) == TYPES
    row = rows["text/csv"]
    assert row["iana"] == [{"str": "https://www.iana.org/assignments/media-types/text/csv"}]
    assert {"str": "csv"} in row["extensions"]
    assert row["obsolete"] == [{"str": "false"}]
    assert row["eu"]
    assert row["pronom"]
    assert rows["text/none-such"]["obsolete"] == [{"str": "true"}]
    assert not any(rows["no type"].values())


@pytest.mark.parametrize("version", VERSIONS)
def test_properties_are_proposed_and_suggested(client: TestClient, version: str) -> None:
    proposed = client.get(f"{ROOTS[version]}/extend/propose?type=MediaType&limit=2").json()
    jsonschema.validate(proposed, SCHEMAS[version]["proposal"])
    assert (proposed["type"], proposed["limit"]) == ("MediaType", 2)
    assert len(proposed["properties"]) == 2


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("what", "prefix", "first"),
    [
        ("entity", "svg", "image/svg+xml"),
        ("entity", "image/svg+xml", "image/svg+xml"),
        ("entity", "shapefile", "application/vnd.shp"),
        ("property", "IANA", "iana"),
        ("property", "", "iana"),
        ("type", "media", "MediaType"),
    ],
)
def test_suggestions_begin_with_what_the_text_means(
    client: TestClient, version: str, what: str, prefix: str, first: str
) -> None:
    address = f"{ROOTS[version]}/suggest/{what}"
    answer = client.get(address, params={"prefix": prefix}).json()
    jsonschema.validate(answer, SCHEMAS[version]["suggestions"])
    assert answer["result"][0]["id"] == first
    skip = "cursor" if version == "0.2" else "offset"
    rest = client.get(address, params={"prefix": prefix, skip: 1, "limit": 5}).json()
    assert rest["result"] == answer["result"][1:6]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_preview_is_shown_in_the_frame_of_its_client(client: TestClient, version: str) -> None:
    preview = client.get(f"{ROOTS[version]}/preview", params={"id": "image/svg+xml"})
    assert "frame-ancestors *" in preview.headers["content-security-policy"]
    links = re.findall(r'(?:href|src)="([^"]+)"', preview.text)
    assert len(links) > 2
    for link in links:
        assert client.get(str(preview.url.join(link))).status_code == 200, link


@pytest.mark.parametrize(
    ("path", "content", "status"),
    [
        ("?queries={", None, 400),
        ("?queries=[]", None, 400),
        ('?queries={"q": 1}', None, 400),
        ('?queries={"q": {"query": "CSV", "limit": -1}}', None, 400),
        ('?queries={"q": {"query": "CSV", "properties": [{}]}}', None, 400),
        ('?queries={"q": {"properties": [{"pid": "extensions", "v": [["csv"]]}]}}', None, 400),
        ("?extend={}", None, 400),
        ("?callback=f", None, 200),
        ("?callback=alert(1)//", None, 400),
        ("/suggest/none", None, 404),
        ("/suggest/entity?prefix=a&cursor=-1", None, 400),
        ("/preview", None, 400),
        ("/1.0/match", None, 405),
        ("/1.0/match", [], 400),
        ("/1.0/match", {"queries": {}}, 400),
        ("/1.0/match", {"queries": [{}]}, 400),
        ("/1.0/match", {"queries": [{"conditions": [1]}]}, 400),
        ("/1.0/match", {"queries": [{"conditions": [{"matchType": "name"}]}]}, 400),
        ("/1.0/match", {"queries": [{"conditions": [
            {"matchType": "property", "propertyId": "none", "propertyValue": "a"}]}]}, 400),
        ("/1.0/match", {"queries": [{"conditions": [
            {"matchType": "name", "propertyValue": [["CSV"]]}]}]}, 400),
        ("/1.0/match", {"queries": [{}] * 10_001}, 413),
        ("/1.0/extend", {"ids": ["text/csv"], "properties": [{"id": "none"}]}, 400),
        ("/1.0/extend", {"ids": ["text/csv"] * 10_001, "properties": []}, 413),
    ],
)  # fmt: skip
def test_a_request_that_is_wrong_is_refused(
    client: TestClient, path: str, content: Any, status: int
) -> None:
    address = f"/reconcile{path}"
    answer = client.get(address) if content is None else client.post(address, json=content)
    assert answer.status_code == status, answer.text
    if status != 200:
        assert answer.json()["detail"]


def test_the_file_type_of_a_type_is_one_and_the_narrower_ones_are_another_property(
    client: TestClient,
) -> None:
    wanted = {
        "ids": ["application/zip", "text/html"],
        "properties": [{"id": name} for name in ("eu", "eu-narrower", "pronom")],
    }
    rows = client.post("/reconcile", data={"extend": json.dumps(wanted)}).json()["rows"]
    codes = {
        name: [value["str"].rpartition("/")[2] for value in values]
        for name, values in rows["application/zip"].items()
    }
    assert codes["eu"] == ["ZIP"]
    assert "AKN4EU_ZIP" in codes["eu-narrower"]
    assert len(rows["text/html"]["pronom"]) <= 2


@pytest.mark.parametrize(("prefix", "number"), [("", 1), ("MEDIA", 1), ("medium", 0)])
def test_the_one_type_is_suggested_for_a_part_of_its_name(
    client: TestClient, prefix: str, number: int
) -> None:
    answer = client.get("/reconcile/suggest/type", params={"prefix": prefix}).json()
    assert len(answer["result"]) == number


def test_names_that_begin_with_the_text_are_suggested_first(client: TestClient) -> None:
    answer = client.get("/reconcile/suggest/entity", params={"prefix": "text/c"}).json()
    assert all(entry["id"].startswith("text/c") for entry in answer["result"][:5])
    answer = client.get("/reconcile/suggest/entity", params={"prefix": "te"}).json()
    assert answer["result"][0]["id"].startswith("te")


@pytest.mark.parametrize(("limit", "number"), [({}, 20), ({"limit": 21}, 21), ({"limit": 0}, 0)])
def test_there_are_twenty_suggestions_or_as_many_as_are_asked_for(
    client: TestClient, limit: dict[str, int], number: int
) -> None:
    answer = client.get("/reconcile/suggest/entity", params={"prefix": "te", **limit}).json()
    assert len(answer["result"]) == number


@pytest.mark.parametrize(("limit", "number"), [(99, 99), (101, 100)])
def test_a_query_has_a_hundred_candidates_at_most(limit: int, number: int) -> None:
    extensions = tuple(map("".join, product(ascii_lowercase, repeat=3)))
    assert len(matching([Condition("extensions", extensions)], limit)) == number


@pytest.mark.parametrize(("length", "status"), [(LONGEST_TEXT, 200), (LONGEST_TEXT + 1, 400)])
def test_a_query_is_as_long_as_a_text_may_be(client: TestClient, length: int, status: int) -> None:
    query = {"query": "x" * length}
    batch = {"queries": json.dumps({"q": query})}
    assert client.post("/reconcile", data=batch).status_code == status


@pytest.mark.parametrize(("label", "scores", "match"), [
    ("CSV", [100], [True]), ("CSV, XML", [100, 99], [False, False]), ("XSLX", [70], [False]),
    ("WMS", [], []),
])  # fmt: skip
def test_a_candidate_scores_100_if_it_is_certain_and_one_less_for_each_before_it(
    label: str, scores: list[int], match: list[bool]
) -> None:
    entries = candidates(label)
    assert [entry["score"] for entry in entries] == scores
    assert [entry["match"] for entry in entries] == match
    assert [entry["features"][0]["value"] for entry in entries] == [s > 70 for s in scores]
    assert all(entry["name"] == entry["id"] for entry in entries)


CSV, JSON, XML = "text/csv", "application/json", "application/xml"


@pytest.mark.parametrize(("conditions", "found"), [
    ([(None, ("CSV",)), ("extensions", ("xml",))], {CSV: 80}),
    ([(None, ("CSV",)), *[("extensions", ("xml",))] * 5], {CSV: 0}),
    ([(None, ("CSV",)), *[("extensions", ("xml",))] * 6], {CSV: 0}),
    ([(None, ("CSV",)), ("extensions", ("XML", "csv"))], {CSV: 100}),
    ([(None, ("CSV",)), ("extensions", ("xml", "csv"), False, "all")], {CSV: 80}),
    ([(None, ("CSV",)), ("extensions", ("xml",), True)], {}),
    ([(None, ("CSV",)), ("extensions", ("xml",), True, "none")], {CSV: 100}),
    ([(None, ("CSV", "JSON"))], {CSV: 100, JSON: 100}),
    ([(None, ("CSV", "JSON"), False, "all")], {CSV: 80, JSON: 80}),
    ([(None, ("CSV", "JSON"), True, "all")], {}),
    ([(None, ("CSV, JSON", "JSON"), False, "all")], {JSON: 99, CSV: 80}),
    ([(None, ("CSV, JSON",)), (None, ("JSON",), False, "none")], {CSV: 100, JSON: 79}),
    ([(None, ("CSV, JSON",)), (None, ("JSON",), True, "none")], {CSV: 100}),
    ([(None, ("CSV, JSON",)), (None, ("JSON",))], {JSON: 99, CSV: 80}),
    ([(None, ("CSV",)), (None, ("JSON",))], {CSV: 80, JSON: 80}),
    ([(None, ("CSV",)), (None, ("JSON",), True)], {JSON: 80}),
    ([("extensions", ("csv",))], {CSV: 70}),
    ([("extensions", ("csv",), False, "none")], {}),
])  # fmt: skip
def test_conditions_leave_types_out_or_cost_them_20_each(
    conditions: list[Any], found: dict[str, int]
) -> None:
    entries = matching([Condition(*condition) for condition in conditions])
    assert {entry["id"]: entry["score"] for entry in entries} == found
    assert all(entry["score"] == 100 for entry in entries if entry["match"])


@pytest.mark.parametrize(("header", "name", "values"), [
    ("text/csv", "machine-readable", ["true"]), ("application/pdf", "machine-readable", []),
    ("text/csv", "obsolete", ["false"]), ("text/tsv", "obsolete", ["true"]),
    ("text/csv", "extensions", ["csv"]), ("no type", "extensions", []),
    ("text/csv", "eu",
     ["http://publications.europa.eu/resource/authority/file-type/CSV"]),
])  # fmt: skip
def test_a_property_of_a_type_has_the_values_of_the_registry(
    header: str, name: str, values: list[str]
) -> None:
    assert property_values(header, name) == values


def test_a_narrower_format_is_no_value_of_the_type_itself() -> None:
    own, narrower = (property_values("text/html", name) for name in ("pronom", "pronom-narrower"))
    assert narrower
    assert not set(own) & set(narrower)


LONG, TOO_LONG = "x" * LONGEST_TEXT, "x" * (LONGEST_TEXT + 1)
SVG = {"pid": "extensions", "v": "svg"}


def _candidates_of(query: Any) -> list[str]:
    """Return the candidates of a query of version 0.2."""
    return [entry["id"] for entry in _answers({"q": query})["q"]["result"]]


def _draft_candidates_of(query: Any) -> list[str]:
    """Return the candidates of a query of version 1.0."""
    return [entry["id"] for entry in _draft_answers([query])[0]["candidates"]]


def _condition(**parts: Any) -> dict[str, Any]:
    return {"conditions": [{"matchType": "name", "propertyValue": ["CSV", "JSON"], **parts}]}


@pytest.mark.parametrize(("query", "ids"), [
    ({"query": "CSV"}, [CSV]), ({"query": "CSV, JSON"}, [CSV, JSON]), ({"query": LONG}, []),
    ({"query": "CSV, JSON", "limit": None}, [CSV, JSON]),
    ({"query": "CSV, JSON", "limit": 1}, [CSV]), ({"query": "CSV, JSON", "limit": 2}, [CSV, JSON]),
    ({"properties": [SVG]}, ["image/svg+xml"]), ({"query": None, "properties": [SVG]},
     ["image/svg+xml"]), ({"query": "CSV", "properties": None}, [CSV]),
    # A property that the service does not have says nothing.
    ({"query": "CSV", "properties": [{"pid": "none", "v": "svg"}]}, [CSV]),
])  # fmt: skip
def test_a_query_has_a_text_or_properties_and_may_have_a_limit(query: Any, ids: list[str]) -> None:
    assert _candidates_of(query) == ids


@pytest.mark.parametrize(("query", "problem"), [
    (1, "A query is such as"), ({}, "A query is such as"), ({"query": 1}, "A query is such as"),
    ({"query": 1, "properties": [SVG]}, "A query is such as"),
    ({"query": TOO_LONG}, "A query is such as"), ({"query": None}, "A query is such as"),
    ({"query": "CSV", "properties": [{"pid": "iana"}]}, "A property of a query"),
    ({"query": "CSV", "properties": [{"v": "csv"}]}, "A property of a query"),
    ({"query": "CSV", "properties": [{**SVG, "v": TOO_LONG}]}, "A property of a query"),
    ({"query": "CSV", "limit": 0}, "The limit"), ({"query": "CSV", "limit": "1"}, "The limit"),
])  # fmt: skip
def test_a_query_that_says_nothing_clear_is_refused(query: Any, problem: str) -> None:
    with pytest.raises(HTTPException, match=problem) as refused:
        _candidates_of(query)
    assert refused.value.status_code == 400


@pytest.mark.parametrize(("query", "ids"), [
    (_condition(), [CSV, JSON]), (_condition(matchQuantifier="all", required=True), []),
    (_condition() | {"limit": 1}, [CSV]), (_condition() | {"limit": 2}, [CSV, JSON]),
    (_condition(propertyValue=LONG), []), (_condition(matchType="id", propertyValue=CSV), [CSV]),
    # The name of a property counts where the condition is about one.
    (_condition(propertyId="none"), [CSV, JSON]),
    (_condition(matchType="property", propertyId="extensions", propertyValue="csv"), [CSV]),
])  # fmt: skip
def test_a_condition_is_about_names_or_a_property(query: Any, ids: list[str]) -> None:
    assert _draft_candidates_of(query) == ids


@pytest.mark.parametrize(("required", "ids"), [(True, []), (False, [CSV]), (1, [CSV])])
def test_a_condition_is_required_where_it_says_true(required: Any, ids: list[str]) -> None:
    wanted = _condition(matchType="property", propertyId="extensions", propertyValue="svg")
    wanted["conditions"][0]["required"] = required
    named = {"matchType": "name", "propertyValue": "CSV"}
    assert _draft_candidates_of({"conditions": [named, *wanted["conditions"]]}) == ids


@pytest.mark.parametrize(("query", "problem"), [
    (1, "a list of"), ({}, "a list of"), ({"conditions": []}, "a list of"),
    ({"conditions": 1}, "a list of"), ({"conditions": [1]}, "A condition has"),
    (_condition(propertyValue=TOO_LONG), "A condition has"),
    (_condition(matchType="property"), "A condition has"),
    (_condition(matchType="kind"), "any, all or none"),
    (_condition(matchQuantifier="some"), "any, all or none"),
    (_condition(matchType=[], matchQuantifier=[]), "any, all or none"),
    (_condition(matchType="property", propertyId="none"), "The properties are iana, eu"),
    (_condition(matchType="property", propertyId=[]), "The properties are iana, eu"),
    (_condition() | {"limit": 0}, "The limit"),
])  # fmt: skip
def test_a_condition_that_says_nothing_clear_is_refused(query: Any, problem: str) -> None:
    with pytest.raises(HTTPException, match=problem) as refused:
        _draft_candidates_of(query)
    assert refused.value.status_code == 400


def test_a_bad_query_of_a_batch_costs_no_other_one() -> None:
    good, bad = _answers({"good": {"query": "CSV"}, "bad": {"query": TOO_LONG}}).values()
    assert [one["id"] for one in good["result"]] == [CSV]
    assert "error" not in good
    assert bad["result"] == []
    assert bad["error"].startswith("A query is such as")
    bad, good = _draft_answers([{}, _condition()])
    assert (bad["candidates"], len(good["candidates"])) == ([], 2)
    assert "a list of" in bad["error"]
    with pytest.raises(HTTPException, match="A query is such as"):
        _answers({"bad": {"query": TOO_LONG}, "worse": 1})
    assert (_answers({}), _draft_answers([])) == ({}, [])


def test_a_value_is_a_text_a_number_a_truth_or_an_entity() -> None:
    assert _texts(["a", 1, 1.5, False, {"id": "b"}, LONG]) == ("a", "1", "1.5", "false", "b", LONG)
    for value in (None, [["a"]], {}, {"name": "a"}, TOO_LONG):
        with pytest.raises(TypeError):
            _texts(value)


def test_an_extension_has_the_values_of_each_property_of_each_type() -> None:
    wanted = {"ids": [CSV, "no type"], "properties": [{"id": "extensions"}, {"id": "obsolete"}]}
    extension = _extension(wanted)
    assert extension["meta"] == [
        {"id": name, "name": PROPERTIES[name]} for name in ("extensions", "obsolete")
    ]
    assert extension["rows"] == {
        CSV: {"extensions": [{"str": "csv"}], "obsolete": [{"str": "false"}]},
        "no type": {"extensions": [], "obsolete": []},
    }


@pytest.mark.parametrize(("ids", "properties", "problem", "status"), [
    (CSV, [], "the lists", 400), ([CSV], {}, "the lists", 400), ([1], [], "the lists", 400),
    ([CSV], ["iana"], "the lists", 400), ([CSV], [{}], "The properties are", 400),
    ([CSV], [{"id": []}], "The properties are", 400),
    ([CSV], [{"id": "iana"}, {"id": "none"}], "The properties are", 400),
    ([CSV] * 10_001, [], "may have 10,000 types", 413),
])  # fmt: skip
def test_an_extension_of_anything_else_is_refused(
    ids: Any, properties: Any, problem: str, status: int
) -> None:
    with pytest.raises(HTTPException, match=problem) as refused:
        _extension({"ids": ids, "properties": properties})
    assert refused.value.status_code == status


def test_ten_thousand_types_are_extended_and_not_one_more() -> None:
    assert _extension({"ids": [CSV] * 10_000, "properties": []})["rows"] == {CSV: {}}
