"""The examples that a profile publishes: they violate nothing, and a repair leaves them alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cturi_rdf.catalogue.shacl import SH
from cturi_rdf.check import check_file
from cturi_rdf.reading.formats import ReadOptions
from cturi_rdf.repair import plan_file

if TYPE_CHECKING:
    from pathlib import Path

# The folder of each profile's own examples, which of them, and the profile that they are under.
EXAMPLES = [
    ("dcat-us-3-json/schemas/dcatus3.0/examples", "**/good/*.json", "dcat-us-json"),
    ("dcat-us-3/docs/examples", "**/*.ttl", "dcat-us"),
    ("croissant/datasets", "**/metadata.json", "croissant-1.0"),
    ("dcat-ap-de/testcases", "rewritten-example-*.ttl", "dcat-ap-de"),
]
# These are many, and say what those in Turtle say.
IN_JSON_LD = ("dcat-us-3/docs/examples", "**/*.jsonld", "dcat-us")
# The same for examples in which no type is named by a property that the profile has a rule for.
WITHOUT_TYPES = [
    ("dcat-us-3-json/example_data/dcatus", "dcatus3_0*.json", "dcat-us-json"),
    ("dcat-us-3-json/example_data/dcatus", "dcatus*_2.json", "pod"),
    ("dcat-ap-no/examples", "DCAT-AP-NO2.0-examples.ttl", "dcat-ap-no"),
    ("geodcat-ap/releases/examples", "*.ttl", "dcat"),
]
CONTEXT = "https://raw.githubusercontent.com/DOI-DO/dcat-us/main/context/dcat-us-3.0.jsonld"
# Files that carry nothing about types, or are there to be refused.
OTHERS = {
    "dcatus3_0_invalid.json",
    "dcatus3_0_series_with_members.json",
    "dcatus3_0_service_serves_dataset.json",
    # A type that does not exist, for a warning.
    "dcatus3_0_warning.json",
    # JSON-LD without a triple.
    "access-url.jsonld",
}


@pytest.mark.parametrize(
    ("folder", "pattern", "profile"),
    [*EXAMPLES, pytest.param(*IN_JSON_LD, marks=pytest.mark.slow), *WITHOUT_TYPES],
    ids=[f"{row[2]}-{row[1]}" for row in [*EXAMPLES, IN_JSON_LD, *WITHOUT_TYPES]],
)
def test_what_a_profile_publishes_is_right(
    shared: Path, folder: str, pattern: str, profile: str
) -> None:
    files = sorted((shared / "suites" / "profiles" / folder).glob(pattern))
    own = shared / "suites" / "profiles" / "dcat-us-3" / "context" / "dcat-us-3.0.jsonld"
    reading = ReadOptions(contexts={CONTEXT: own})
    judged = 0
    for file in files:
        if file.name in OTHERS:
            continue
        plan = plan_file(str(file), profile=profile, reading=reading).plan
        changes = [step.text() for step in plan.steps if step.rule != "typing"]
        assert changes == [], file.name
        findings = check_file(str(file), profile=profile, reading=reading).findings
        violations = [(f.value, f.message()) for f in findings if f.severity == SH.Violation]
        assert violations == [], file.name
        judged += plan.total
    assert files
    assert judged or (folder, pattern, profile) in WITHOUT_TYPES


def test_the_formats_of_dcat_ap_se_are_right(shared: Path, tmp_path: Path) -> None:
    import json

    folder = shared / "suites" / "profiles" / "dcat-ap-se" / "templates" / "commons"
    choices = json.loads((folder / "dcat:format-group_common_choices").read_text("utf-8"))
    rows = "".join(
        f"<a:{number}> a dcat:Distribution ; dct:format {json.dumps(choice['value'])} .\n"
        for number, choice in enumerate(choices["choices"])
    )
    file = tmp_path / "se.ttl"
    file.write_text(
        "@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .\n"
        + rows,
        "utf-8",
    )
    assert plan_file(str(file), profile="dcat-ap-se").plan.steps == ()
    assert check_file(str(file), profile="dcat-ap-se").conforms
