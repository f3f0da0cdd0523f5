"""Hypothesis strategies for the terms of specifications."""

from __future__ import annotations

from hypothesis import strategies as st

from cturi_rdf import ContentType

TOKEN_CHARACTERS = "!#$%&'*+-.0123456789ABCXYZ^_`abcxyz{|}~"

tokens = st.text(TOKEN_CHARACTERS, min_size=1, max_size=12)
type_names = st.text(TOKEN_CHARACTERS + "?", min_size=1, max_size=12)
# Names to which RFC 2231 gives a meaning of their own are left out.
parameter_names = tokens.filter(
    lambda name: "*" not in name.rstrip("0123456789")[-1:] and not name.endswith("*")
)
values = st.text(
    st.one_of(
        st.characters(
            exclude_categories=("Cs",), exclude_characters=[*map(chr, range(32)), "\x7f"]
        ),
        st.sampled_from('\t"\\%;,=&#?/ é\x85'),
    ),
    max_size=12,
)


def parameters(
    names: st.SearchStrategy[str] = parameter_names,
) -> st.SearchStrategy[dict[str, str]]:
    """Return parameters whose names differ by more than case."""
    return st.lists(
        st.tuples(names | st.just("charset"), values), max_size=4, unique_by=lambda p: p[0].lower()
    ).map(dict)


content_types = st.builds(
    ContentType, type_names, type_names.filter(lambda s: s[:4].lower() != "uri."), parameters()
)
uri_tree = st.builds(
    ContentType, type_names, type_names.map(lambda name: f"uri.{name}"), parameters()
)

# Texts in which characters with a special meaning are common.
_ALPHABET = "aAbz01.-+*!/;=?&#%\"\\()[]{}<>@:, '\t\r\n\x00\x85é€😀"
hostile_text = st.one_of(
    st.text(max_size=40),
    st.text(_ALPHABET, max_size=40),
    st.builds("a/b;{}".format, st.text(_ALPHABET, max_size=30)),
    st.builds("ContentType:{}".format, st.text(_ALPHABET, max_size=30)),
    st.builds("ContentType:a/b?{}".format, st.text(_ALPHABET, max_size=30)),
    st.builds("http://a/{}".format, st.text(_ALPHABET, max_size=30)),
    st.builds("http://{}".format, st.text(_ALPHABET, max_size=30)),
    st.builds("a:?MIME-type={}".format, st.text(_ALPHABET, max_size=30)),
    st.builds("application/uri.{}".format, st.text(_ALPHABET, max_size=30)),
    st.builds('a/b; URI-body="{}"'.format, st.text(_ALPHABET, max_size=30)),
)

_UNRESERVED = "abzABZ019-._~"
_ENCODED = st.sampled_from(["%20", "%C3%A9", "%2F", "%25", "%0A", "%FF"])
_UCSCHAR = st.sampled_from("é漢\u00a0\U0001f600")


def _component(characters: str) -> st.SearchStrategy[str]:
    return st.lists(
        st.one_of(st.text(_UNRESERVED + characters, max_size=5), _ENCODED, _UCSCHAR), max_size=4
    ).map("".join)


_authorities = st.one_of(
    st.builds(
        "//{}{}{}".format,
        st.one_of(st.just(""), st.builds("{}@".format, _component("!$&'()*+,;=:"))),
        st.one_of(
            _component("!$&'()*+,;="), st.sampled_from(["[::1]", "[v1.x:y]", "[2001:db8::7]"])
        ),
        st.sampled_from(["", ":", ":8080"]),
    )
)
# Legal absolute IRIs of any scheme but ContentType (RFC 3987 section 2.2).
legal_iris = st.builds(
    "{}:{}{}{}".format,
    st.sampled_from(["http", "HTTP", "urn", "mailto", "x-y.z+1"]),
    st.one_of(
        st.builds(
            "{}{}".format,
            _authorities,
            st.one_of(st.just(""), _component("/:@!$&").map("/{}".format)),
        ),
        _component(":@!$&'()*+,;="),
    ),
    st.one_of(st.just(""), _component("/:@?!$&'()*+,;=\ue000").map("?{}".format)),
    st.one_of(st.just(""), _component("/:@?!$&'()*+,;=").map("#{}".format)),
)
