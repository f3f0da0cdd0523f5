"""Words beside the name of a format that say what kind of thing it is."""

from __future__ import annotations

import pytest

from cturi_rdf import ContentType
from cturi_rdf.labels import resolve
from cturi_rdf.labels.names import languages, words_of

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


@pytest.mark.parametrize(
    ("label", "verdict", "types", "confidence", "reason"),
    [
        # Its own name is a subtype that is registered with the type that the word names.
        ("Audio: MP4", "media_type", ["audio/mp4"], "likely", "It is said to be audio."),
        ("video MP3", "nothing", [], "likely", "It is said to be video."),
        ("audio MP3", "media_type", ["audio/mpeg"], "certain", "The EU's file type MP3 is"),
        # It is not: a medium is contradicted, a text is not.
        ("image WebM", "nothing", [], "likely", "It is said to be image."),
        ("font CSV", "nothing", [], "likely", "It is said to be font."),
        ("video CSV", "media_type", ["text/csv"], "certain", "The EU's file type CSV is"),
        ("archive CSV", "media_type", ["text/csv"], "likely", "It may be packed. "),
    ],
)
def test_a_word_for_a_medium_counts_before_the_name_of_a_format_of_another_medium(
    label: str, verdict: str, types: list[str], confidence: str, reason: str
) -> None:
    meaning = resolve(label)
    assert (meaning.verdict, list(map(str, meaning.types))) == (verdict, types)
    assert meaning.confidence == confidence
    assert meaning.reason.startswith(reason)
    # What the name means by itself stays a reading of it.
    alone = resolve(label.partition(" ")[2]).types
    assert meaning.types or [one.types for one in meaning.alternatives] == [alone]


def test_two_names_of_several_formats_mean_likely_the_one_that_both_may_mean() -> None:
    both = resolve("MapInfo, MIF")
    assert (both.verdict, both.confidence) == ("media_type", "likely")
    assert both.types == (ContentType.parse("text/plain"),)
    assert both.reason == f"{resolve('MapInfo').reason} {resolve('MIF').reason}"
    # They share nothing here: the first counts.
    apart = resolve("MIF, SDF")
    assert (apart.types, apart.reason) == ((), resolve("MIF").reason)
