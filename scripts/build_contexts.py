"""Build the JSON-LD contexts of `cturi_rdf/data/contexts/` from what their owners define.

What a context defines is a fact: which IRI a name stands for, and how its values are read.  Each
file says so in one form, with whole IRIs and sorted names, without prose and without the protection
of terms.  `../shared` has the official contexts; SOURCES there names their commits.  That folder is
not part of the project: where it is missing, the files stay as they are.  A test of the contexts
compares the output with the files wherever the folder is there.

rdflib has the terms of schema.org as a namespace; `schema-org.txt` lists their names.

Four contexts were written by hand, because their owners give no file of them or none that can be
used: Web Annotation, of W3C's recommendation; the profile of ODRL that dataspaces use, of ODRL's
vocabulary; the registry of selectors of IIIF; and version 4 of IIIF's Presentation API, of a draft
in which three kinds of transforms have one IRI, where each has its own here.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rdflib import SDO

ROOT = Path(__file__).parents[1]
SHARED, DATA = ROOT.parent / "shared", ROOT / "cturi_rdf" / "data"
_IIIF = "IIIF/api, commit 28a88829"
_US = "DOI-DO/dcat-us, commit bec4468, 2026-04-28"
# The name of each file here, the official file, and the source that it names.
CONTEXTS = {
    "activitystreams": ("contexts/activitystreams.jsonld", "w3c/activitystreams, commit 6a647d4"),
    "csvw": ("contexts/csvw.jsonld", "w3c/csvw, commit 2bc84f9"),
    "dataspace": (
        "contexts/dspace.jsonld",
        "eclipse-dataspace-protocol-base/DataspaceProtocol, commit 0b7ac40",
    ),
    "dcat-us-3": ("suites/profiles/dcat-us-3/context/dcat-us-3.0.jsonld", _US),
    **{
        f"iiif-{part}-{number}": (f"contexts/iiif/{part}/{number}/context.json", _IIIF)
        for part, numbers in {
            "presentation": "23", "image": "123", "search": "012", "auth": "012",
        }.items()
        for number in numbers
    },
}  # fmt: skip
SCHEMA_ORG = f"""\
# source: the names of the terms of https://schema.org/, as listed by rdflib {version("rdflib")}
# date: 2026-11
# licence: names alone, which are facts; this list is under the licence of the package
"""
_FIELDS = (
    "@id", "@reverse", "@type", "@container", "@language", "@direction", "@index", "@nest",
    "@prefix", "@context",
)  # fmt: skip
_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


def main() -> None:
    """Write all files that can be built here."""
    (DATA / "schema-org.txt").write_text(schema_org(), "utf-8")
    for name in CONTEXTS if SHARED.exists() else ():
        (DATA / "contexts" / f"{name}.jsonld").write_text(built(name), "utf-8")


def schema_org() -> str:
    """Return the list of the terms of schema.org."""
    names = sorted({str(term).rpartition("/")[2] for term in dir(SDO)})
    return SCHEMA_ORG + "\n".join(names) + "\n"


def built(name: str) -> str:
    """Return the text of one file."""
    path, source = CONTEXTS[name]
    context = json.loads((SHARED / path).read_text("utf-8"))["@context"]
    facts = {"source": f"https://github.com/{source}", "@context": _plain(context, {})}
    return json.dumps(facts, indent=1, ensure_ascii=False) + "\n"


def _plain(context: Any, outer: dict[str, str]) -> Any:
    """Return a context in the one form; `outer` has the IRIs of the terms around it."""
    if isinstance(context, list):
        known, items = dict(outer), []
        for item in context:
            items.append(_plain(item, known))
            known |= _iris(item) if isinstance(item, dict) else {}
        return items
    if not isinstance(context, dict):
        return context
    iris = outer | _iris(context)
    plain: dict[str, Any] = {}
    for name in sorted(context):
        value = context[name]
        if name.startswith("@"):
            if name != "@protected":
                plain[name] = _whole(value, iris) if name == "@vocab" else value
        elif isinstance(value, dict):
            fields = {field: value[field] for field in _FIELDS if field in value}
            fields.setdefault("@id", name) if "@reverse" not in fields and ":" in name else None
            for field in ("@id", "@reverse", "@type"):
                if field in fields:
                    fields[field] = _whole(fields[field], iris)
            if "@context" in fields:
                fields["@context"] = _plain(fields["@context"], iris)
            plain[name] = fields["@id"] if fields.keys() == {"@id"} else fields
        else:
            plain[name] = _whole(value, iris)
    return plain


def _iris(context: dict[str, Any]) -> dict[str, str]:
    iris = {}
    for name, value in context.items():
        iri = value.get("@id") if isinstance(value, dict) else value
        if isinstance(iri, str) and not name.startswith("@"):
            iris[name] = iri
    return iris


def _whole(value: Any, iris: dict[str, str]) -> Any:
    """Return an IRI without a prefix."""
    for _ in range(8):
        if not isinstance(value, str) or value.startswith("@") or _ABSOLUTE.match(value):
            return value
        prefix, colon, local = value.partition(":")
        if not colon or prefix not in iris or iris[prefix] == value:
            return value
        value = iris[prefix] + local
    return value


if __name__ == "__main__":
    main()
