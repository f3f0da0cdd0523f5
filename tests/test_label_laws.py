"""What a label means does not depend on how it is dressed, and two labels together mean both."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from cturi_rdf.labels import resolve
from cturi_rdf.labels.media_types import is_top_level
from cturi_rdf.labels.names import LISTING, formats, languages, names, words_of
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import is_same

if TYPE_CHECKING:
    from cturi_rdf.labels import Resolution

# Words that say nothing about a format, in the order and the marks of several languages.
DRESSED = (
    "{} file", "{} files", "{}-file", "file {}", "File: {}", "Format: {}", "{} format",
    "{} document", "{} dataset", "{}-Datei", "Datei im Format {}", "im {}-Format",
    "Fichier au format {}", "données {}", "fichier {}", "en formato {}", "archivo {}",
    "ficheiro {}", "file in formato {}", "{}-bestand", "{}-fil", "{}-tiedosto", "plik {}",
    "soubor {}", "αρχείο {}", "{} dosyası", "{}ファイル", "{}文件", "{} (v2)",
    "{} (English)", "{} [de]", "{}, 2019", "{} (12 MB)", "{} (UTF-8)", "{} / n/a", "n/a, {}",
    "{}; unknown", "The data are available as {}", "format={}", "1. {}", "- {}", "• {}",
)  # fmt: skip
# What leaves a format in doubt, or makes another thing of it.
DOUBTFUL = (
    "{}?", "{}...", "{}, …", "maybe {}", "no {}", "not {}", "for {}", "without {}", "{}-like",
    "{} or similar", "{} qqx", "qqx {}", "{} (qqx)", "qqx: {}", "{}, qqx", "{} converter",
    "{} metadata", "{} API", "API ({})", "{} service",
)  # fmt: skip
# Marks and blanks around a whole label.
AROUND = ("  {}  ", "({})", "[{}]", '"{}"', "{},", "\u00a0{}")
LISTS = (
    "{}, {}", "{};{}", "{} | {}", "{}/{}", "{} & {}", "{} + {}", "{} • {}", "{}・{}", "{}，{}",
    "{} and {}", "{} und {}", "{} et {}", "{} или {}",
)  # fmt: skip
ZIPPED = ("{}.zip", "{} (zip)", "zip ({})", "zipped {}", "gezippte {}", "{} zippé", "ZIP: {}")
ZIP = "application/zip"
# A longer name is read only where it is the whole label.
_MOST_WORDS = 6
_A_FEW = 3
_NAMING = ("format:", "service:", "package:")


def _known() -> list[str]:
    codes = [row.code for row in registry().eu_file_types()]
    return sorted(name for name in {*formats().keys(), *codes} if _is_plain(name))


def _is_plain(name: str) -> bool:
    """Return whether a name has no marks of a list, is not long, and is no ordinary word."""
    has_marks = not LISTING.isdisjoint(name) or "(" in name
    is_long = len(name.split()) > _MOST_WORDS
    return not (has_marks or is_long) and names().kinds(name).isdisjoint({"aside", "ordinary"})


def _all_known() -> list[str]:
    kinds = ("format:", "service:", "package:")
    words = words_of(*languages())
    named = [row.word for row in words if any(kind.startswith(kinds) for kind in row.kinds)]
    return sorted(name for name in {*named} - {*_known()} if _is_plain(name))


NAMES = [
    pytest.param(_known()[::_A_FEW], id="some formats and codes"),
    pytest.param(_known() + _all_known(), id="names in all languages", marks=pytest.mark.slow),
]


def _is_other_name(label: str, name: str) -> bool:
    """Return whether what is dressed is or has another name: "SAS data", "zipped KML"."""
    words = label.replace("_", " ").split()
    spans = combinations(range(len(words) + 1), 2)
    parts = [" ".join(words[start:end]) for start, end in spans if end - start > 1]
    found = {names().find(text) for text in (label, *parts)} - {None, names().find(name)}
    return names().described(label) is not None or bool(found)


def _all_types(meaning: Resolution) -> set[str]:
    readings = [one for reading in meaning.readings for one in (*reading.types, *reading.wrappers)]
    return {one.essence for one in (*readings, *meaning.types, *meaning.wrappers)}


@pytest.mark.parametrize("known", NAMES)
def test_words_that_say_nothing_make_a_name_no_more_certain_and_no_other_type(
    known: list[str],
) -> None:
    wrong = []
    for name in known:
        bare = resolve(name)
        for label in (pattern.format(name) for pattern in DRESSED):
            dressed = resolve(label)
            if _is_other_name(label, name) or not dressed.types:
                continue
            is_other = not _all_types(dressed) <= _all_types(bare)
            is_surer = dressed.confidence == "certain" and bare.confidence == "likely"
            if is_other or is_surer:
                wrong.append((label, *dressed.types, dressed.confidence, *bare.types))
    assert not wrong


@pytest.mark.parametrize("known", NAMES)
def test_no_name_in_doubt_is_a_certain_format(known: list[str]) -> None:
    labels = [
        label
        for name in known
        if resolve(name).types
        for label in (pattern.format(name) for pattern in DOUBTFUL)
        if not _is_other_name(label, name)
    ]
    certain = [one for one in map(resolve, labels) if one.types and one.confidence == "certain"]
    assert [one.label for one in certain] == []


@pytest.mark.parametrize("known", NAMES)
def test_marks_around_a_label_change_nothing(known: list[str]) -> None:
    wrong = []
    for name in known:
        bare = resolve(name)
        for label in (pattern.format(name) for pattern in AROUND):
            marked = resolve(label)
            same = (marked.verdict, marked.types, marked.wrappers)
            if same != (bare.verdict, bare.types, bare.wrappers):
                wrong.append((label, *same))
    assert not wrong


@pytest.mark.parametrize("known", NAMES)
def test_a_list_of_two_formats_means_both(known: list[str]) -> None:
    csv = resolve("CSV")
    wrong = []
    for name in known:
        bare = resolve(name)
        if bare.verdict != "media_type" or bare.alternatives or name == "text":
            continue
        if registry().packaging(bare.types[0].essence) or _all_types(bare) == {"text/csv"}:
            continue
        for pattern in LISTS:
            for label in (pattern.format(name, "CSV"), pattern.format("CSV", name)):
                # A slash behind such a word makes a media type.
                is_type = is_top_level(re.split(r"[\W_]", name)[-1].lower()) and "/" in label
                both = _all_types(resolve(label))
                if not is_type and both != _all_types(bare) | _all_types(csv):
                    wrong.append((label, *both))
    assert not wrong


@pytest.mark.parametrize("known", NAMES)
def test_a_format_in_a_zip_is_that_format_in_a_zip(known: list[str]) -> None:
    wrong = []
    for name in known:
        bare = resolve(name)
        if bare.verdict != "media_type" or registry().packaging(bare.types[0].essence):
            continue
        for label in (pattern.format(name) for pattern in ZIPPED):
            packed = resolve(label)
            if _is_other_name(label, name):
                continue
            essences = [one.essence for one in (*packed.types, *packed.wrappers)]
            is_inside = essences == [bare.types[0].essence, ZIP]
            is_surer = packed.confidence == "certain" and bare.confidence == "likely"
            if not is_inside or is_surer:
                wrong.append((label, *packed.types, *packed.wrappers, packed.confidence))
    assert not wrong


@pytest.mark.parametrize("blanks", ["\n", "\t", " \r\n  ", "\u00a0"])
def test_all_white_space_is_a_blank(blanks: str) -> None:
    labels = [name for name in (*_known(), *_all_known()) if " " in name]
    labels += ["text CSV", "CSV PDF", "zipped CSV files", "GIF version 89a"]
    assert [
        label
        for label in labels
        if resolve(label.replace(" ", blanks))._replace(label=label).readings
        != resolve(label).readings
    ] == []


def test_all_names_of_a_format_or_a_service_mean_the_same() -> None:
    named: defaultdict[str, list[str]] = defaultdict(list)
    for row in formats():
        named[f"format:{row.name}"].append(row.name)
    for row in words_of(*languages()):
        for kind in row.kinds:
            named[kind].append(row.word)
    wrong = {}
    for kind, spellings in named.items():
        # What a name mostly means is less certain than the others.
        spelt = [one for one in spellings if "usual" not in names().kinds(one)]
        meanings = {_meaning(resolve(one)) for one in spelt if kind.startswith(_NAMING)}
        firsts = {names().first_key(one) for one in spelt if kind.startswith("service:W")}
        if max(len(meanings), len(firsts)) > 1:
            wrong[kind] = spelt
    assert wrong == {}


def _meaning(meaning: Resolution) -> tuple[object, ...]:
    types, wrappers = (
        tuple(one.essence for one in some) for some in (meaning.types, meaning.wrappers)
    )
    return meaning.verdict, types, wrappers, meaning.alternatives, meaning.confidence


@pytest.mark.parametrize("program", ["Excel", "Word", "PowerPoint"])
@pytest.mark.parametrize("prefix", ["", "Microsoft ", "MS "])
def test_the_year_of_a_program_chooses_its_format(program: str, prefix: str) -> None:
    binary, xml = (resolve(f"{program} {year}").types for year in (97, 2007))
    assert binary != xml
    wanted = dict.fromkeys((95, 97, 2000), binary)
    wanted |= dict.fromkeys((2007, 2010, 2013, 2016, 2019, 2021, 2024), xml)
    found = {year: resolve(f"{prefix}{program} {year}") for year in wanted}
    assert {year: one.types for year, one in found.items()} == wanted
    assert {one.confidence for one in found.values()} == {"certain"}
    # In 2003, or in a year that is not known yet, it may be either.
    unknown = [resolve(f"{prefix}{program} {year}") for year in (2003, 2098)]
    assert {one.confidence for one in unknown} == {"likely"}


def test_an_extension_that_is_certain_means_what_its_name_means() -> None:
    wrong = []
    for extension in (row.extension for row in registry().extensions()):
        name, dotted = resolve(extension), resolve(f".{extension}")
        if not name.types or {name.confidence, dotted.confidence} != {"certain"}:
            continue
        found = names().find(extension)
        if found and not found.spelt.isalnum():
            # "Web archive" is not the extension webarchive.
            continue
        if not is_same(name.named[0], dotted.named[0]):
            wrong.append((extension, *name.named, *dotted.named))
    assert not wrong
