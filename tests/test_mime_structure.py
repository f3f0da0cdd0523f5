"""Archived pages are graphs (RFC 2557), and what containers get wrong is a defect."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from messages import multipart, part, problems, read
from rdflib import DCTERMS, URIRef

from cturi_rdf.mime import Message
from cturi_rdf.mime.document import names
from cturi_rdf.mime.entity import text_of
from cturi_rdf.mime.references import links
from cturi_rdf.rdf.message import describe_message

PAGE = "<img src='pic.gif'><img src='/b/c.gif'><img src='http://a.example/d.gif#x'><a href='cid:e'>"
# The layout of Chrome's pages, with a folded location and one that is a cid: URL.
ARCHIVE = multipart(
    "related",
    "r",
    part(PAGE, "Content-Type: text/html", "Content-Location: http://a.example/b/page.html"),
    part("GIF", "Content-Type: image/gif", "Content-Location: http://a.example/b/\n pic.gif"),
    part("GIF", "Content-Type: image/gif", "Content-Location: http://a.example/b/c.gif"),
    part("GIF", "Content-Type: image/gif", "Content-Location: http://a.example/d.gif"),
    part("p { background: url('b/c.gif') }", "Content-Type: text/css", "Content-Location: cid:e"),
    parameters='; type="text/html"',
)


def _references(text: str) -> dict[int, list[int]]:
    """Return the parts that each part refers to, by their numbers."""
    message = read(f"Message-ID: <m@a>\n{text}")
    graph = describe_message(message)
    numbers = {URIRef("mid:m@a"): 0}
    numbers |= {URIRef(f"mid:m@a#part={n}"): n for n in range(1, len(message))}
    return {
        number: sorted(
            numbers[target] for target in graph.objects(node, DCTERMS.references)
            if target in numbers
        )
        for node, number in numbers.items()
    }  # fmt: skip


def test_an_archived_page_is_a_graph() -> None:
    assert _references(ARCHIVE) == {0: [], 1: [2, 3, 4, 5], 2: [], 3: [], 4: [], 5: []}
    graph = describe_message(read(f"Message-ID: <m@a>\n{ARCHIVE}"))
    source = URIRef("http://a.example/b/page.html")
    assert (URIRef("mid:m@a#part=1"), DCTERMS.source, source) in graph
    assert set(graph.predicates(source)) == set()


# The fields of a page and of a picture, the URL in the page, and whether it means the picture.
LOCATIONS = [
    ("", "Content-Location: pic.gif", "pic.gif", True),
    ("Content-Location: http://a.example/b/", "Content-Location: pic.gif", "pic.gif", True),
    ("Content-Location: http://a.example/b/", "Content-Location: http://a.example/b/p", "p", True),
    ("Content-Location: http://a.example/b/", "Content-Location: http://a.example/p", "p", False),
    ("Content-Location: b/page", "Content-Location: b/p", "p", True),
    ("", "Content-Location: http://a.example/p", "//a.example/p", False),
    ("", "Content-Location: http://a.example/p#x", " http://a.example/p#y ", True),
    ("", "X-Y: z", "p", False),
]


@pytest.mark.parametrize(("page", "picture", "url", "is_meant"), LOCATIONS)
def test_a_url_means_the_part_with_its_location(
    page: str, picture: str, url: str, is_meant: bool
) -> None:
    fields = ("Content-Type: text/html", *filter(None, [page]))
    text = multipart("related", "r", part("", *fields), part("", picture))
    message = read(text)
    found = message.located(url, message.entities[1])
    assert (found is message.entities[2]) is is_meant


def test_the_location_of_a_container_is_the_base_of_its_parts() -> None:
    inner = multipart("related", "s", part("", "Content-Location: p"))
    outer = "Content-Location: http://a.example/b/\n" + multipart("mixed", "r", inner)
    message = read(outer)
    (picture,) = (entity for entity in message if entity.content_location == "p")
    assert message.location_of(picture) == "http://a.example/b/p"
    assert message.resolve("http://a.example/b/p") is picture


@pytest.mark.parametrize(
    ("base", "url"),
    [("", " ./p "), ("<base href=' http://b.example/x/ '>", "http://b.example/x/p")],
)
def test_a_url_is_resolved_where_html_has_a_base(base: str, url: str) -> None:
    message = read(part(f"{base}<img src=' ./p '>", "Content-Type: text/html"))
    assert [link.url for link in links(message.root, others=True)] == [url]


def test_the_base_of_html_counts_before_the_location() -> None:
    page = "<base href='http://b.example/x/'><base href='http://c.example/'><img src='p'>"
    message = read(part(page, "Content-Type: text/html"))
    (link,) = links(message.root, others=True)
    assert link.url == "http://b.example/x/p"
    assert list(links(message.root)) == []


_ID = "Content-ID: <i@a>"
_HTML = "Content-Type: text/html"
# A message, and its defects by the numbers of their parts.
FAULTS = [
    (multipart("mixed", "b" * 70, part("", _HTML)), []),
    (multipart("mixed", "b" * 71, part("", _HTML)), [(0, "a boundary of 71 octets")]),
    (multipart("related", "r", part("", _HTML)), [(0, "a multipart/related without a type")]),
    (
        multipart("related", "r", parameters='; type="text/html"; start="<i@a>"'),
        [(0, "a multipart without a part")],
    ),
    (f"Content-Type: text/plain; boundary={'b' * 71}\n\n", []),
    (
        multipart("related", "r", part("", _HTML), parameters='; type="text/html"; start="<>"'),
        [(0, "a start that no part has as its Content-ID")],
    ),
    (multipart("related", "r", part("", _HTML), parameters='; type="Text/HTML"'), []),
    (
        multipart("related", "r", part("", _HTML), parameters='; type="text/xml"'),
        [(0, "a type that the root does not have")],
    ),
    (
        multipart("related", "r", part("", _HTML), parameters='; type="text/html"; start="<i@a>"'),
        [(0, "a start that no part has as its Content-ID")],
    ),
    (
        multipart("related", "r", part(""), part("", _HTML, _ID),
                  parameters='; type="text/html"; start="<i@a>"'),
        [],
    ),
    (
        multipart("mixed", "r", part("", _ID), part("", _ID)),
        [(2, "the Content-ID of another part")],
    ),
    (multipart("alternative", "r", part("", _ID), part("", _ID)), []),
    # A message in a part has its own names.
    (
        multipart("mixed", "r", part("", _ID), part(f"{_ID}\n\n", "Content-Type: message/rfc822")),
        [],
    ),
    (
        multipart("mixed", "r", part("", _ID), part(
            multipart("mixed", "s", part("", _ID), part("", _ID)), "Content-Type: message/rfc822"
        )),
        [(5, "the Content-ID of another part")],
    ),
    (f"{_ID}\n" + multipart("mixed", "r", part("", _ID)), [(1, "the Content-ID of another part")]),
    (multipart("mixed", "r", part("", _ID), part("", "Content-ID: <j@a>")), []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "defects"), FAULTS)
def test_what_a_container_gets_wrong_is_a_defect(text: str, defects: list[tuple[int, str]]) -> None:
    assert problems(read(text)) == defects


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_location_and_any_url_is_compared(location: str, url: str) -> None:
    field = "Content-Location: " + location.encode("unicode_escape").decode()
    message = read(multipart("related", "r", part("", field), part("", field)))
    found = message.located(url, message.entities[1])
    assert found is None or found.content_location is not None


@pytest.mark.parametrize(("octets", "text"), [(b"a\xc3\xa9", "aé"), (b"a\xc3", "a\ufffd")])
def test_a_character_that_is_cut_off_at_the_end_of_a_part_is_replaced(
    octets: bytes, text: str
) -> None:
    [part] = Message.read(b"Content-Type: text/plain; charset=utf-8\n\n" + octets)
    assert "".join(text_of(part)) == text


def test_a_digest_names_a_message_and_not_the_messages_in_it() -> None:
    message = Message.read(
        b"Message-ID: <m@a>\nContent-Type: multipart/mixed; boundary=x\n\n"
        b"--x\nContent-Type: message/rfc822\n\nMessage-ID: <n@a>\n\none\n--x--"
    )
    assert names(message) == ["mid:m@a", "mid:m@a#part=1", "mid:n@a"]
    digest, part, inside = names(message, by_digest=True)
    assert digest.startswith("ni:///sha-256;")
    assert (part, inside) == (f"{digest}#part=1", "mid:n@a")


@pytest.mark.parametrize("spaces", [256, 257])
def test_as_much_white_space_may_follow_a_delimiter(spaces: int) -> None:
    end = f"--r--{' ' * spaces}\r\n"
    message = read(f"Content-Type: multipart/mixed; boundary=r\n\n--r\n\none\n{end}")
    content = b"".join(message.entities[1].content())
    assert content == (b"one" if spaces == 256 else b"one\n" + end.encode())
