"""Words beside the name of a format that say what kind of thing it is."""

from __future__ import annotations

import pytest

from cturi_rdf.labels import resolve
from cturi_rdf.labels.words import languages, words_of

KINDS = {"audio": "PNG", "video": "PNG", "font": "PNG", "image": "MP3", "archive": "GeoJSON"}
NOUNS = [
    (word.word, kind) for word in words_of(*languages()) for kind in word.kinds if kind in KINDS
]


@pytest.mark.parametrize(("noun", "kind"), NOUNS)
def test_a_format_that_is_said_to_be_of_another_kind_is_not_certain(noun: str, kind: str) -> None:
    assert resolve(f"{KINDS[kind]} ({noun})").confidence == "likely"


@pytest.mark.parametrize(
    ("label", "essence"),
    [
        ("Ogg video", "video/ogg"),
        ("Windows Media (audio)", "audio/x-ms-wma"),
        ("vidéo WebM", "video/webm"),
    ],
)
def test_the_kind_chooses_between_the_types_of_a_format(label: str, essence: str) -> None:
    assert str(resolve(label).types[0]) == essence


@pytest.mark.parametrize("label", ["image PNG", "ZIP archive", "TrueType-Schrift", "PDF image"])
def test_a_noun_that_fits_leaves_a_name_certain(label: str) -> None:
    assert resolve(label).confidence == "certain"


@pytest.mark.parametrize(
    ("label", "essence"),
    [
        ("Image JPEG-2000", "image/jp2"),
        ("presentación de PowerPoint 97", "application/vnd.ms-powerpoint"),
    ],
)
def test_a_longer_name_is_not_cut_by_one_that_begins_with_a_noun(label: str, essence: str) -> None:
    assert str(resolve(label).types[0]) == essence


@pytest.mark.parametrize("label", ["PKCS#10", "Speex audio", "troff document"])
def test_the_subtype_of_a_registered_type_is_a_name_that_is_likely(label: str) -> None:
    resolution = resolve(label)
    assert resolution.registered
    assert resolution.confidence == "likely"
