"""The mapping of draft-eastlake-cturi (June 2023): Content-Type to URI, node and back.

The comments name the sections of the draft.  Where it is silent:

* in the `iri` spelling, every character of the draft's URI that RFC 3986 forbids at its place is
  percent-encoded, so that the URI can be an RDF node; section 3.2 decodes both alike;
* a query that is no list of distinct ``name=value`` stays part of the opaque URI;
* decoding can never produce a second parameter or a control character.

The node of a content type is its one IRI in RDF, by which two content types are equal.  A type of
the draft's `uri.` tree, or with a `URI-body`, stands for a URI (sections 2.3 and 2.4), and that URI
is its node.  Two that stand for the same URI are equal, however each is encoded.  Where the URI
does not lead back, the node is a `ContentType:` URI, which always does: of a subtype that is no
URI, and of one with a query in it that `from_uri` reads as parameters.  So every content type has a
node, and reading a node gives an equal one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cturi_rdf.content_type import ContentType
from cturi_rdf.content_type.grammar import (
    MEDIA_TYPE,
    PARAMETER,
    TOKEN,
    in_uri_tree,
    percent_decode,
    percent_encode,
    quote,
)
from cturi_rdf.content_type.rfc2231 import Parameter, is_extended, resolve
from cturi_rdf.errors import ContentTypeError, HeaderError, MappingError, expect_kind
from cturi_rdf.uri.rfc3986 import check, legal_fragment, legalise

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from cturi_rdf._util.references import Components

    Spelling = Literal["iri", "draft"]
    Control = Literal["honour", "ignore"]


# Section 4, with the quote, which is in the draft's program but missing from its list.
_TROUBLESOME = re.compile(r'[\x00-\x20\x7f()<>@,;:\\"/\[\]?%#=]|[^\x00-\x7f]')
# Characters to encode in the names and the values of a ContentType URI: all that RFC 3986 does
# not allow in a query (section 3.4 there), the percent sign, and separators.
_NOT_NAME = re.compile(r"[^A-Za-z0-9\-._~!$'*+]")
_NOT_VALUE = re.compile(r"[^A-Za-z0-9\-._~!$'()*+,;=:@/?]")
# Characters that separate the parameters of any other URI's query.
_SEPARATOR = re.compile(r"[&#]")
_QUOTES = {"iri": "%22", "draft": '"'}
# A pair of quotes around a value is not part of it.
_QUOTED = re.compile(r'(%22|")(.*)\1', re.DOTALL)
# Section 2.4 and 3.3: the parameters that control the mapping, in the case of parameter names.
_BODY, _FRAGMENT, _MIME_TYPE = "uri-body", "uri-fragment", "mime-type"
_SCHEME = "contenttype:"
# RFC 3986 section 2.3: the characters that are never encoded in a URI.
_UNENCODED = re.compile(r"[A-Za-z0-9\-._~]*")


def to_uri(
    content_type: ContentType | str,
    *,
    spelling: Literal["iri", "draft"] = "iri",
    control: Literal["honour", "ignore"] = "honour",
) -> str:
    """Return the URI of a content type (the draft, section 2).

    `spelling` is ``"iri"``, legal by RFC 3986, or ``"draft"``, with raw quotes as printed there.
    With ``control="ignore"`` a `URI-body` is a parameter like any other (the draft, section 6).
    Raises `MappingError`.

    >>> to_uri('text/plain; charset="us-ascii"')
    'ContentType:text/plain?charset=%22us-ascii%22'
    >>> to_uri('text/plain; charset="us-ascii"', spelling="draft")
    'ContentType:text/plain?charset="us-ascii"'
    >>> to_uri("application/uri.http%3A%2F%2Fexample.com%2Ftag42")
    'http://example.com/tag42'
    """
    if not isinstance(content_type, ContentType):
        content_type = _parse(content_type)
    if in_uri_tree(content_type.subtype):
        text = _from_tree(content_type)
    elif _BODY in content_type.parameters and control == "honour":
        text = _controlled(content_type)
    else:
        return content_type_uri(content_type, spelling)
    try:
        uri = legalise(text, draft=spelling == "draft")
        # A URI that section 3 cannot read is not returned.
        from_uri(uri, control=control)
    except MappingError as error:
        raise _unmappable(f"{error.problem} in what should be a URI", content_type) from error
    return uri


def content_type_uri(content_type: ContentType, spelling: Spelling = "iri") -> str:
    """Return the URI of the scheme ContentType for any content type (sections 2.1 and 2.2).

    >>> content_type_uri(ContentType("application", "uri.x%3Ay"))
    'ContentType:application/uri.x%253Ay'
    """
    uri = f"ContentType:{_encode_name(content_type.type)}/{_encode_name(content_type.subtype)}"
    parameters = content_type.parameters
    if not parameters:
        return uri
    mark, pieces, fragment = _QUOTES[spelling], [], ""
    for name, value in parameters.items():
        if name == _FRAGMENT and (decoded := _fragment(value)) is not None:
            fragment = f"#{decoded}"
            continue
        # The quoted string without its quotes, percent-encoded, so that 3.2 gives it back.
        inside = percent_encode(quote(value)[1:-1], _NOT_VALUE)
        pieces.append(f"{_encode_name(name)}={mark}{inside}{mark}")
    return uri + ("?" + "&".join(pieces) if pieces else "") + fragment


def from_uri(
    uri: str,
    *,
    query: Literal["parameters", "opaque"] = "parameters",
    control: Literal["honour", "ignore"] = "honour",
) -> ContentType:
    """Return the content type of an absolute URI or IRI (the draft, section 3).

    Both spellings are read.  With ``query="opaque"`` the query of a URI of another scheme is kept
    in the subtype; with ``control="ignore"`` a `MIME-type` in it is a parameter like any other
    (section 6).  With both, `to_uri` with ``control="ignore"`` gives every legal URI back exactly.
    Raises `MappingError`.

    >>> print(from_uri("contenttype:TEXT/plain?Charset=%22UTF-8%22"))
    text/plain; charset=UTF-8
    >>> print(from_uri("http://example.com/tag42"))
    application/uri.http%3A%2F%2Fexample.com%2Ftag42
    """
    expect_kind(uri, str, "a URI is text")
    parts = check(uri)
    try:
        if parts.scheme.lower() == "contenttype":
            return _from_content_type_uri(uri, parts)
        pairs = _pairs(parts.query) if query == "parameters" else None
        if pairs and control == "honour" and any(n.lower() == _MIME_TYPE for n, _ in pairs):
            return _read_controlled(uri, parts, pairs)
        return _basic(parts, pairs)
    except ContentTypeError as error:
        raise MappingError(error.problem, uri, error.span, error.expected, error.rule) from error
    except UnicodeDecodeError as error:
        problem, expected = "percent-encoded octets that are not UTF-8", "UTF-8"
        raise MappingError(problem, uri, expected=expected, rule="RFC 3987 section 3.2") from error


def _parse(text: str) -> ContentType:
    """Return the result of `ContentType.parse`; its error is also a `MappingError`."""
    try:
        return ContentType.parse(text)
    except ContentTypeError as error:
        raise HeaderError(*error.args) from error


def _encode_name(text: str) -> str:
    return percent_encode(text, _NOT_NAME)


def _trouble(text: str) -> str:
    """Return `text` with the troublesome characters of section 4 encoded."""
    return percent_encode(text, _TROUBLESOME)


def _decode(text: str, content_type: ContentType) -> str:
    """Return `text` decoded one level, as sections 2.3 and 2.4 ask."""
    try:
        return percent_decode(text)
    except UnicodeDecodeError as error:
        raise _unmappable("percent-encoded octets that are not UTF-8", content_type) from error


def _fragment(value: str) -> str | None:
    """Return the fragment that a `URI-fragment` stands for, if 3.2 gives the value back."""
    try:
        decoded = percent_decode(value)
    except UnicodeDecodeError:
        return None
    return decoded if legal_fragment(decoded) == decoded and _trouble(decoded) == value else None


def _from_tree(content_type: ContentType) -> str:
    """Section 2.3: a subtype of the `uri.` tree is an encoded URI, and becomes that URI again."""
    uri = _decode(content_type.subtype.removeprefix("uri."), content_type)
    if "#" in uri:
        raise _unmappable("a fragment in the subtype", content_type)
    return _with_query(uri, [], content_type)


def _controlled(content_type: ContentType) -> str:
    """Section 2.4: `URI-body` gives the wanted URI."""
    body = _decode(content_type.parameters[_BODY], content_type)
    if "?" in body or "#" in body:
        raise _unmappable("a URI-body with a query or a fragment", content_type)
    if _MIME_TYPE in content_type.parameters:
        raise _unmappable("a MIME-type parameter beside URI-body", content_type)
    essence = f"{_encode_name(content_type.type)}/{_encode_name(content_type.subtype)}"
    return _with_query(body, [f'MIME-type="{essence}"'], content_type)


def _with_query(uri: str, pieces: list[str], content_type: ContentType) -> str:
    """Return `uri` with `pieces` and the other parameters as its query, still to be legalised."""
    parameters = dict(content_type.parameters)
    fragment = parameters.pop(_FRAGMENT, None)
    if pieces:
        parameters.pop(_BODY)
    for name, value in parameters.items():
        decoded = percent_encode(_decode(value, content_type), _SEPARATOR)
        pieces.append(f'{percent_encode(name, _SEPARATOR)}="{decoded}"')
    if pieces:
        uri += ("&" if "?" in uri else "?") + "&".join(pieces)
    if fragment is not None:
        uri += "#" + _decode(fragment, content_type)
    return uri


def _unmappable(problem: str, content_type: ContentType) -> MappingError:
    section = "2.4" if _BODY in content_type.parameters else "2.3"
    expected = "an absolute URI, encoded by its section 4"
    rule = f"draft-eastlake-cturi section {section}"
    return MappingError(problem, content_type.to_header(), expected=expected, rule=rule)


def _from_content_type_uri(uri: str, parts: Components) -> ContentType:
    """Section 3.2: the URI is an encoded Content-Type, and becomes that Content-Type again."""
    if parts.authority is not None:
        problem = "'//' after 'ContentType:'"
        expected = "type '/' subtype: the form with '//' is reserved"
        raise MappingError(problem, uri, (12, 14), expected, "draft-eastlake-cturi section 2.1")
    start = len(parts.scheme) + 1
    match = MEDIA_TYPE.fullmatch(percent_decode(parts.path))
    if match is None:
        problem = "not a media type"
        expected, rule = "one type '/' subtype", "draft-eastlake-cturi section 3.2"
        raise MappingError(problem, uri, (start, start + len(parts.path)), expected, rule)
    type_, subtype = match.groups()
    parameters: list[Parameter] = []
    start += len(parts.path) + 1
    for piece in parts.query.split("&") if parts.query else ():
        # Exactly one parameter: an encoded ";" or line break cannot smuggle anything in.
        span = (start, start + len(piece))
        match = PARAMETER.fullmatch(f";{percent_decode(piece)}")
        parameter = Parameter.of(match, subtype) if match else None
        if parameter is None:
            problem, expected = "a piece of the query that is not a parameter", 'name="value"'
            raise MappingError(problem, uri, span, expected, "draft-eastlake-cturi section 3.2")
        parameters.append(parameter._replace(span=span))
        start = span[1] + 1
    if parts.fragment is not None:
        span = (len(uri) - len(parts.fragment), len(uri))
        # The draft's spelling leaves characters raw that are encoded in the node of the same type.
        value = _trouble(legal_fragment(parts.fragment))
        parameters.append(Parameter(_FRAGMENT, value, quoted=True, span=span))
    resolved = resolve(uri, parameters)
    return ContentType(type_, subtype, {p.name: p.value for p in resolved})


def _pairs(query: str | None) -> list[tuple[str, str]] | None:
    """Return the query as distinct names and values, or None where it is no such list."""
    pairs: dict[str, str] = {}
    for piece in query.split("&") if query is not None else ():
        name, equals, value = piece.partition("=")
        if not equals or not TOKEN.fullmatch(name) or name in pairs:
            return None
        # A name that would mean something else as a parameter, or once decoded, is refused too.
        if is_extended(name) or "%" in name or name.lower() == _FRAGMENT:
            return None
        quoted = _QUOTED.fullmatch(value)
        pairs[name] = quoted[2] if quoted else value
    return list(pairs.items())


def _whole(parts: Components, *, with_query: bool = False) -> str:
    """Return the URI without its fragment, and without its query unless asked for."""
    authority = "" if parts.authority is None else f"//{parts.authority}"
    query = f"?{parts.query}" if with_query and parts.query is not None else ""
    return f"{parts.scheme}:{authority}{parts.path}{query}"


def _basic(parts: Components, pairs: Iterable[tuple[str, str]] | None) -> ContentType:
    """Section 3.1: any other URI becomes a subtype of the `uri.` tree.

    A query that is no list of parameters, or is not to be read as one, stays in the URI.
    """
    parameters = {name: _trouble(value) for name, value in pairs or ()}
    if parts.fragment is not None:
        parameters[_FRAGMENT] = _trouble(parts.fragment)
    whole = _whole(parts, with_query=pairs is None)
    return ContentType("application", f"uri.{_trouble(whole)}", parameters)


def _read_controlled(uri: str, parts: Components, pairs: list[tuple[str, str]]) -> ContentType:
    """Section 3.3: a `MIME-type` in the query gives the wanted type."""
    folded = {name.lower(): value for name, value in pairs}
    if len(folded) < len(pairs) or _BODY in folded:
        # Names that differ in the query may be equal as parameter names.
        return _basic(parts, None)
    match = MEDIA_TYPE.fullmatch(percent_decode(folded.pop(_MIME_TYPE)))
    if match is None or in_uri_tree(match[2]):
        problem = "a MIME-type that is not a media type"
        expected = "type '/' subtype, outside the 'uri.' tree"
        raise MappingError(problem, uri, expected=expected, rule="draft-eastlake-cturi section 3.3")
    parameters = {_BODY: _trouble(_whole(parts))}
    parameters |= {name: _trouble(value) for name, value in folded.items()}
    if parts.fragment is not None:
        parameters[_FRAGMENT] = _trouble(parts.fragment)
    return ContentType(match[1], match[2], parameters)


def is_content_type_uri(iri: str) -> bool:
    """Return whether an IRI has the scheme `ContentType`, in any case (RFC 3986 section 3.1).

    >>> is_content_type_uri("contenttype:text/csv")
    True
    """
    return iri[: len(_SCHEME)].lower() == _SCHEME


def node(content_type: ContentType | str, *, control: Control = "honour") -> str:
    """Return the one canonical IRI of a content type: equal types have equal nodes.

    The node is the `iri` spelling with names sorted and the charset's value in lower case.  A type
    that stands for a URI has that URI as its node; with ``control="ignore"`` (the draft, section 6)
    it has a ``ContentType:`` URI like any other, so that a text cannot choose the IRI of somebody
    else.  Raises `MappingError` where a text is not a Content-Type.

    >>> node("text/html; level=1; Charset=UTF-8")
    'ContentType:text/html?charset=%22utf-8%22&level=%221%22'
    >>> node("application/uri.http%3A%2F%2Fexample.com%2Ftag42")
    'http://example.com/tag42'
    >>> node("application/uri.http%3A%2F%2Fexample.com%2Ftag42", control="ignore")
    'ContentType:application/uri.http%253A%252F%252Fexample.com%252Ftag42'
    >>> node("application/uri.example")
    'ContentType:application/uri.example'
    """
    if not isinstance(content_type, ContentType):
        content_type = _parse(content_type)
    if control == "ignore":
        return content_type_uri(canonical(content_type))
    while _stands_for_uri(content_type):
        content_type = _in_order(content_type)
        try:
            uri = to_uri(content_type)
        except MappingError:
            return content_type_uri(content_type)
        read_type = from_uri(uri)
        if not is_content_type_uri(uri):
            if to_uri(_in_order(read_type)) == uri:
                return uri
            return content_type_uri(from_uri(uri, query="opaque"))
        # The URI is itself one of a content type.
        content_type = read_type
    return content_type_uri(_in_order(content_type))


def canonical(content_type: ContentType) -> ContentType:
    """Return the canonical form of all equal content types, from which the node is made.

    >>> print(canonical(ContentType.parse("text/html; level=1; Charset=UTF-8")))
    text/html; charset=utf-8; level=1
    """
    return _in_order(as_read(content_type))


def as_read(content_type: ContentType) -> ContentType:
    """Return a content type that stands for a URI as its node is read, any other unchanged.

    >>> print(as_read(ContentType.parse("application/uri.ContentType%3Atext%2Fcsv")))
    text/csv
    """
    return from_uri(node(content_type)) if _stands_for_uri(content_type) else content_type


def _in_order(content_type: ContentType) -> ContentType:
    """Return a content type with its parameters sorted by name, and the charset in lower case."""
    if not content_type.parameters or in_uri_tree(content_type.subtype):
        return content_type
    parameters = dict(sorted(content_type.parameters.items()))
    charset = parameters.get("charset", "")
    # In a URI the case of a percent-encoded octet is data.
    if not _stands_for_uri(content_type) or _UNENCODED.fullmatch(charset):
        parameters |= {"charset": charset.lower()} if charset else {}
    return ContentType(content_type.type, content_type.subtype, parameters)


def check_uri(content_type: ContentType) -> None:
    """Raise `MappingError` where a content type should stand for a URI, but does not.

    >>> check_uri(ContentType("text", "csv"))
    >>> check_uri(ContentType("application", "uri.example"))
    Traceback (most recent call last):
    cturi_rdf.errors.MappingError: not an absolute URI in what should be a URI
        application/uri.example
        ^^^^^^^^^^^^^^^^^^^^^^^ expected an absolute URI, encoded by its section 4 (draft-eastlake-cturi section 2.3)
    """  # noqa: E501 - the message as it is
    if _stands_for_uri(content_type):
        to_uri(content_type)


def _stands_for_uri(content_type: ContentType) -> bool:
    """Return whether a type is meant as a URI: in the `uri.` tree (2.3) or by a `URI-body` (2.4).

    >>> _stands_for_uri(ContentType("application", "uri.x%3Ay"))
    True
    """
    return in_uri_tree(content_type.subtype) or "uri-body" in content_type.parameters


def identity(content_type: ContentType) -> tuple[object, ...]:
    """Return the key for equality and hash of a content type that stands for a URI."""
    name = node(content_type)
    read_type = from_uri(name)
    return (name,) if _stands_for_uri(read_type) else read_type._identity()  # noqa: SLF001 - its twin
