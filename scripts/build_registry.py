"""Build the registry's tables in `cturi_rdf/data` from the sources of their facts.

Three kinds of source: IANA's document, the package `mime-db` for file extensions, and a
folder of reference facts (PRONOM, Tika, NARA, the EU's file types, suffixes, charsets).
What we judge ourselves stands in the tables beside this script, each row with a reason.
A table whose sources are not given stays as it is.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from cturi_rdf import iana
from cturi_rdf.registry import (
    SNAPSHOT,
    CharsetRecord,
    EuFileTypeRecord,
    FormatRecord,
    MediaTypeRecord,
    Registry,
    SuffixRecord,
    AliasRecord,
    ExtensionRecord,
    SubTypeRecord,
)
from cturi_rdf.schemes import SchemeRecord
from cturi_rdf.tables import Record, Table, write_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DATA = Path(__file__).parents[1] / "cturi_rdf" / "data"
JUDGED = Path(__file__).parent / "registry"
NOTHING_SAID = "application/octet-stream"
TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*")
TIKA = "Apache Tika (Apache-2.0)"
TIKAS_OWN = re.compile(r"tika|unknown")
OURS = "BSD-3-Clause, as this package"


def types_in(cell: str) -> list[str]:
    """Return the essences in a cell, whatever parts them, without parameters."""
    found = (part.partition(";")[0].strip().lower() for part in re.split(r"[|,]|\s+", cell))
    return list(dict.fromkeys(each for each in found if TYPE.fullmatch(each)))


def judged(name: str) -> list[dict[str, str]]:
    """Return the rows of one of the tables beside this script."""
    lines = (JUDGED / name).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader((x for x in lines if not x.startswith("# ")), delimiter="\t"))


def listed(cell: str) -> tuple[str, ...]:
    """Return the members of a list in a cell of our own tables."""
    return tuple(cell.split("|")) if cell else ()


class Builder:
    """Builds each table from what it was given; `tables` has the ones that could be built."""

    def __init__(self, document: bytes | None, reference: Path | None, mime_db: Path | None):
        self.document = document
        self.reference = reference
        self.mime_db = mime_db
        self.tables: dict[str, str] = {}

    def build(self) -> dict[str, str]:
        """Return the text of every table that can be built, by file name."""
        if self.document:
            self.media_types(self.document)
        self.put("schemes.tsv", SchemeRecord, self.schemes(), self.judged_facts())
        if self.reference:
            self.charsets()
            self.suffixes()
            self.aliases()
            self.sub_types()
            if self.mime_db:
                self.extensions(self.mime_db)
            self.eu_file_types()
            self.w3c_formats()
            self.pronom()
            self.nara("loc-fdd", "loc_fdd", r"(fdd[0-9]{6})\.shtml")
            self.nara("wikidata", "wikidata", r"/(Q[0-9]+)")
        return self.tables

    def put(
        self, name: str, record: type[Record], rows: Iterable[Record], facts: dict[str, str]
    ) -> None:
        """Keep the text of a table."""
        self.tables[name] = write_table(facts, record, rows)

    def text(self, name: str) -> str:
        """Return a table as it was built now, else as it was built before."""
        return self.tables.get(name) or (DATA / name).read_text(encoding="utf-8")

    def source(self, name: str) -> Path:
        """Return the newest file of that name in the folder of reference facts."""
        assert self.reference  # noqa: S101 # build() asked
        return max(self.reference.glob(name))

    def rows(self, name: str) -> list[dict[str, str]]:
        """Return the rows of a CSV file of reference facts."""
        with self.source(name).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def judged_facts(self) -> dict[str, str]:
        """Return the head of a table that is judged by hand."""
        source = "our own reading of what each scheme publishes"
        return {"source": source, "date": "2026-07", "licence": OURS}

    # IANA

    def media_types(self, document: bytes) -> None:
        """IANA's media types, with the provisional ones among them."""
        date, records = iana.read_media_types(document)
        by_essence = {each.essence: each for each in records}
        waiting: list[MediaTypeRecord]
        if self.reference:
            names = json.loads(self.source("iana-provisional-*.json").read_text("utf-8"))["types"]
            waiting = [by_essence[name.lower()] for name in names]
        else:
            before = self.registry.media_types()
            waiting = [each for each in before if each.status == "provisional"]
        self.tables[SNAPSHOT] = iana.snapshot(date, records, waiting)

    def load(self, name: str, record: type[Record]) -> Table:
        """Return a table as it was built now, else as it was built before."""
        return Table(self.text(name), record)

    @property
    def registry(self) -> Registry:
        """What is known so far, to judge the other sources by."""
        return Registry(self.load(SNAPSHOT, MediaTypeRecord), self.load)

    def charsets(self) -> None:
        """IANA's character sets."""
        data = json.loads(self.source("iana-charsets-*.json").read_text("utf-8"))
        rows = []
        for each in data["charsets"]:
            name = each.get("preferred_mime_name") or each["name"]
            others = dict.fromkeys([each["name"], *each["aliases"]])
            others.pop(name, None)
            rows.append(CharsetRecord((name, tuple(others), str(each["mib"]))))
        facts = {
            "source": "IANA, Character Sets",
            "date": "2013-12-20",
            "licence": "CC0 1.0 (IANA registry data)",
        }
        self.put("charsets.tsv", CharsetRecord, rows, facts)

    def suffixes(self) -> None:
        """IANA's structured syntax suffixes."""
        data = json.loads(self.source("structured-syntax-suffixes.json").read_text("utf-8"))
        rows = []
        for each in data["suffixes"]:
            doubtful = re.search(r"reference (inferred|not found)", each["confidence"])
            now = each["references"].partition("(")[0]
            references = () if doubtful else re.findall(r"RFC[0-9]+|ITU-T X\.[0-9]+|https:\S+", now)
            fragment = each["fragment"]
            as_base = re.match(r"(?:SHOULD be )?as (?:for |specified for )?|.*RFC7303 s5", fragment)
            rows.append(
                SuffixRecord(
                    (
                        each["suffix"].removeprefix("+"),
                        each["name"],
                        each["base_type"] or None,
                        tuple(references),
                        each["encoding"].partition(" (")[0],
                        each["base_type"] if as_base else None,
                        "three-case rule" in fragment,
                    )
                )
            )
        facts = {
            "source": "IANA, Structured Syntax Suffixes",
            "date": data["iana_last_updated_seen"],
            "licence": "CC0 1.0 (IANA registry data)",
        }
        self.put("suffixes.tsv", SuffixRecord, rows, facts)

    # Names

    def aliases(self) -> None:
        """Other names of types: our own judgement first, then Tika's groups."""
        known = self.registry
        found: dict[str, AliasRecord] = {}
        proper: set[str] = set()
        for row in judged("aliases.tsv"):
            proper.add(row["essence"])
            for alias in listed(row["aliases"]):
                found[alias] = AliasRecord((alias, row["essence"], row["source"]))
        for row in self.rows("tika-types.csv"):
            group = types_in(f"{row['type']}|{row['aliases']}")
            if ";" in row["type"] or TIKAS_OWN.search(row["type"]):
                continue
            # The registered one of the names is the name.
            names = [found[group[0]].essence if group[0] in found else group[0], *group[1:]]
            chosen = next(filter(known.is_current, names), names[0])
            for alias in group:
                # A type of its own is nobody's alias unless a specification says so.
                if alias not in {chosen, *proper, *found} and not known.media_type(alias):
                    found[alias] = AliasRecord((alias, chosen, TIKA))
        facts = {"source": f"RFCs, common use; {TIKA}", "date": "2026-07", "licence": f"{OURS}; Apache-2.0"}
        self.put("aliases.tsv", AliasRecord, sorted(found.values()), facts)

    def named(self, types: Iterable[str]) -> tuple[str, ...]:
        """Return the types under their proper names, without repetition."""
        return tuple(dict.fromkeys(map(self.registry.canonical, types)))

    def sub_types(self) -> None:
        """Special cases of another type: Tika's, where the general type is a syntax."""
        syntaxes = {
            "application/epub+zip", "application/gzip", "application/java-archive",
            "application/json", "application/ogg", "application/pdf", "application/tiff",
            "application/vnd.sqlite3", "application/x-tar", "application/xml",
            "application/zip", "image/tiff", "text/plain",
        }  # fmt: skip
        parents: dict[str, str] = {}
        for row in self.rows("tika-types.csv"):
            parents.setdefault(row["type"].lower(), row["sub_class_of"].lower())
        found = {
            row["essence"]: SubTypeRecord((row["essence"], listed(row["broader"]), row["source"]))
            for row in judged("sub-types.tsv")
        }
        for child in parents:
            parent = parents[child]
            while TIKAS_OWN.search(parent):  # Tika's own classes are no media types
                parent = parents.get(parent, "")
            essence, broader = self.registry.canonical(child), self.registry.canonical(parent)
            if broader not in syntaxes or not TYPE.fullmatch(essence) or TIKAS_OWN.search(essence):
                continue
            # RFC 2046 section 4.1.4: what is text is text/plain at least.
            text = broader == "text/plain" and not essence.startswith("text/")
            suffix = essence.rpartition("+")[2] == broader.rpartition("/")[2]
            if essence not in {broader, *found} and not text and not suffix:
                found[essence] = SubTypeRecord((essence, (broader,), TIKA))
        facts = {"source": f"specifications; {TIKA}", "date": "2026-07", "licence": f"{OURS}; Apache-2.0"}
        self.put("sub-types.tsv", SubTypeRecord, sorted(found.values()), facts)

    # Extensions

    def extension_facts(self, mime_db: Path) -> Iterator[tuple[str, str, str, int]]:
        """Yield extension, type, source and the source's rank, best first."""
        order = {"iana": 0, "apache": 1, None: 2, "nginx": 3}
        database = json.loads((mime_db / "db.json").read_text("utf-8"))
        for rank_of, rank in order.items():
            for essence, entry in database.items():
                if entry.get("source") == rank_of:
                    for extension in entry.get("extensions", ()):
                        yield extension, essence, "mime-db", rank
        for row in self.rows("tika-types.csv"):
            if not TIKAS_OWN.search(row["type"]):
                for extension in re.findall(r"(?:^|\s)\*\.(\S+)", row["globs"]):
                    yield extension, row["type"].partition(";")[0], "tika", len(order)
        for row in self.rows("w3c-formats.csv"):
            if row["suffix"]:
                yield row["suffix"][1:], row["media_type"], "w3c", len(order) + 1
        for row in self.rows("eu-file-types-*.csv"):
            types = types_in(row["iana_mt"])
            for extension in row["file_ext"].split():
                if len(types) == 1:
                    yield extension.lstrip("."), types[0], "eu", len(order) + 2

    def extensions(self, mime_db: Path) -> None:
        """File extensions.

        The preferred type of an extension is the one that we judged so; else a registered
        one that is no alias; else by source, mime-db's in its own order of sources first.
        A type that says nothing about the content comes last.
        """
        found: dict[str, dict[str, tuple[bool, bool, int]]] = {}
        sources: dict[str, dict[str, None]] = {}
        main: dict[str, str] = {}
        for cell, written, source, rank in self.extension_facts(mime_db):
            extension, essence = cell.lower(), written.lower()
            if not re.fullmatch(r"[a-z0-9][a-z0-9_+-]*", extension):
                continue  # tar.gz and the like are two extensions
            if source == "eu" and extension in found:
                continue  # the EU names the parts of a format too: .dbf of a shapefile
            sources.setdefault(extension, {})[source] = None
            for each in dict.fromkeys((self.registry.canonical(essence), essence)):
                vague = each == NOTHING_SAID or (each == "text/plain" and source != "mime-db")
                proper = self.registry.is_current(each) and self.registry.canonical(each) == each
                key = (vague, not proper, rank)
                types = found.setdefault(extension, {})
                types[each] = min(types.get(each, key), key)
                main.setdefault(each, extension)
        notes: dict[str, str] = {}
        ranked = {extension: tuple(sorted(t, key=t.__getitem__)) for extension, t in found.items()}
        for row in judged("extensions.tsv"):
            extension, types = row["extension"], listed(row["types"])
            others = ranked.pop(extension, ())
            if types:
                ranked[extension] = tuple(dict.fromkeys((*types, *others)))
                sources[extension] = {"judged": None, **sources.get(extension, {})}
                notes[extension] = row["reason"]
                main.setdefault(types[0], extension)
                if row["main"]:
                    main[types[0]] = extension
        rows = [
            ExtensionRecord(
                (
                    extension,
                    types,
                    tuple(each for each in types if main.get(each) == extension),
                    tuple(sources[extension]),
                    notes.get(extension, ""),
                )
            )
            for extension, types in sorted(ranked.items())
        ]
        version = json.loads((mime_db / "package.json").read_text("utf-8"))["version"]
        date = re.findall(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", (mime_db / "HISTORY.md").read_text("utf-8"))
        facts = {
            "source": f"mime-db {version} (MIT); {TIKA}; W3C; EU file types (CC BY 4.0)",
            "date": date[0],
            "licence": f"MIT, Apache-2.0 and CC BY 4.0 as the sources say; {OURS}",
        }
        self.put("extensions.tsv", ExtensionRecord, rows, facts)

    # What others identify

    def eu_file_types(self) -> None:
        """The EU's file types, with our reading of each."""
        known = self.registry
        rows = {row["code"]: row for row in self.rows("eu-file-types-*.csv")}
        ours = {row["code"]: row for row in judged("eu-file-types.tsv")}
        read: dict[str, tuple[str, ...]] = {}
        for code, row in rows.items():
            extensions = [each.lstrip(".").lower() for each in row["file_ext"].split()]
            usual = [types[0] for each in extensions if (types := known.types_of_extension(each))]
            types = [each for each in self.named(types_in(row["iana_mt"])) if each != NOTHING_SAID]
            registered = [each for each in types if known.is_current(each)]
            read[code] = tuple(registered or types or usual[:1])
        read.update((code, listed(row["types"])) for code, row in ours.items())
        records = []
        for code, row in sorted(rows.items()):
            stated = tuple(row["iana_mt"].lower().split())
            service = code.endswith("_SRVC") or any("/" not in each for each in stated)
            types = () if service else read[code]
            # METS_ZIP is METS in a ZIP.
            stem = code.removesuffix("_ZIP") if code.endswith("_ZIP") else ""
            inner = listed(ours[code]["inner"]) if code in ours else ()
            note = ours[code]["reason"] if code in ours else ""
            if not note and service:
                note = "a service, not a format"
            elif not note and types != stated:
                extension_only = not self.named(types_in(row["iana_mt"]))[1:] and NOTHING_SAID in stated
                note = "by its extension" if extension_only else "by the registered or usual name"
            extensions = tuple(each.lstrip(".") for each in row["file_ext"].split())
            records.append(
                EuFileTypeRecord(
                    (
                        code,
                        row["label_en"],
                        types,
                        inner or self.packed(stem, read),
                        extensions,
                        service,
                        row["deprecated"] == "true",
                        stated,
                        note,
                    )
                )
            )
        facts = {
            "source": "Publications Office of the EU, authority table File type, 20250319-0",
            "date": "2025-03-19",
            "licence": "CC BY 4.0; columns types, inner and note are ours",
        }
        self.put("eu-file-type.tsv", EuFileTypeRecord, records, facts)

    @staticmethod
    def packed(stem: str, read: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
        """Return the types of what a package holds: its code begins with that of the content."""
        return next((types for code, types in read.items() if stem and code == stem), ())

    def w3c_formats(self) -> None:
        """W3C's formats: the same thing as their type where only they have it."""
        rows = [(row["iri"].rpartition("/")[2], row["media_type"]) for row in self.rows("w3c-formats.csv")]
        types = [essence for _, essence in rows]
        # RDFa is one use of HTML, and so are results of a query one of these.
        general = {"text/csv", "text/tab-separated-values"}
        records = [
            FormatRecord(
                (name, name, (essence,), types.count(essence) == 1 and essence not in general)
            )
            for name, essence in rows
        ]
        facts = {
            "source": "W3C, Unique URIs for File Formats, https://www.w3.org/ns/formats/",
            "date": "2026-07",
            "licence": "facts; W3C Document License for the page",
        }
        self.put("w3c-formats.tsv", FormatRecord, records, facts)

    def pronom(self) -> None:
        """PRONOM's formats that have a media type."""
        records = [
            FormatRecord((row["puid"], f"{row['name']} {row['version']}".strip(), types, False))
            for row in self.rows("pronom-*.csv")
            if (types := self.named(types_in(row["mime"])))
        ]
        facts = {
            "source": "The National Archives, PRONOM, version 109",
            "date": "2022-10-31",
            "licence": "Open Government Licence v3.0",
        }
        self.put("pronom.tsv", FormatRecord, records, facts)

    def nara(self, scheme: str, column: str, pattern: str) -> None:
        """Codes that NARA's formats have elsewhere, where one type is sure."""
        types: dict[str, set[str]] = {}
        labels: dict[str, str] = {}
        for row in self.rows("nara-crosswalk-*.csv"):
            code = re.search(pattern, row[column])
            if code:
                named = set(self.named(types_in(row["mime"]))) - {NOTHING_SAID}
                types.setdefault(code[1], set()).update(named)
                labels.setdefault(code[1], " ".join(row["name"].split()))
        records = [
            FormatRecord((code, labels[code], tuple(found), False))
            for code, found in sorted(types.items())
            if len(found) == 1
        ]
        facts = {
            "source": "NARA, Digital Preservation Framework, file format plans",
            "date": "2026-03-20",
            "licence": "public domain (work of the United States Government)",
        }
        self.put(f"{scheme}.tsv", FormatRecord, records, facts)

    def schemes(self) -> Iterator[SchemeRecord]:
        """The schemes of identifiers, as judged."""
        for row in judged("schemes.tsv"):
            yield SchemeRecord(
                (row["template"], row["id"], row["relation"] or None, row["defined_by"])
            )


def unpack(given: Path | None, folder: Path) -> Path:
    """Return the folder with `mime-db` in it: the given one, or one made of its archive."""
    if given and given.is_dir():
        return given
    if not given:
        packed = subprocess.run(  # noqa: S603 # a fixed command
            ["npm", "pack", "--silent", "mime-db"],  # noqa: S607 # npm is found on the path
            cwd=folder,
            check=True,
            capture_output=True,
            text=True,
        )
        given = folder / packed.stdout.split()[-1]
    with tarfile.open(given) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package"


def main() -> None:
    """Read the options, build, and write what has changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iana", default=iana.IANA, help="URL or file (default: %(default)s)")
    parser.add_argument("--reference", type=Path, help="folder of reference facts")
    parser.add_argument("--mime-db", type=Path, help="its folder or archive; fetched if not given")
    parser.add_argument("--data", type=Path, default=DATA, help="where the tables are written")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        mime_db = None
        if options.reference:
            mime_db = unpack(options.mime_db, Path(temporary))
        document = iana._fetch(options.iana)  # noqa: SLF001 # the package's own script
        tables = Builder(document, options.reference, mime_db).build()
    for name, text in tables.items():
        (options.data / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
