r"""The grammar of a Content-Type: each pattern under the production that it implements.

Theory of operation.  A header is one line of ASCII structure around Unicode values.  There are
three sets of rules for it, and every reader names the one that it goes by:

* ``http``: RFC 9110 section 8.3.1.  One line; no white space around "/" and "="; no comments;
  tokens without braces; quoted strings of Latin-1, because the octets of a field are read so;
* ``mail``: RFC 2045 section 5.1.  Folded lines; white space and comments (RFC 822 section 3.1.4)
  between any two tokens; quoted strings of Unicode (RFC 6532 section 3.2); no encoded words
  (RFC 2047 section 5);
* ``any``: whatever one of the two allows; ``?`` in a type or subtype, for the draft's own example
  (section 2.1); and the name of the field in front, as it is copied from a message.

Under all of them a parameter may be empty (RFC 9110 section 5.6.6), names and values may be those
of RFC 2231 and RFC 8187, and no value holds a control character other than the tab.  What ``http``
or ``mail`` allows, ``any`` reads alike; so the reader has one set of patterns, those of ``any``,
and the other two sets only refuse more.

All patterns are matched with `fullmatch`, or with `match` from a known position; all
ranges are explicit ASCII; every repetition is possessive or over disjoint alternatives,
so that time is linear in the length of the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

    Rules = Literal["any", "http", "mail"]

# RFC 2045 section 5.1: token := 1*<any (US-ASCII) CHAR except SPACE, CTLs, or tspecials>
_TOKEN = r"[!#$%&'*+\-.0-9A-Z^_`a-z{|}~]++"
# The draft's one extension: "?" in a type or a subtype.
_TYPE = r"[!#$%&'*+\-.0-9?A-Z^_`a-z{|}~]++"
# RFC 9110 section 5.6.4: qdtext and quoted-pair, with RFC 6532's UTF8-non-ascii.
_QUOTED = r'(?:[^"\\\x00-\x08\x0a-\x1f\x7f]|\\[^\x00-\x08\x0a-\x1f\x7f])*+'

# RFC 9110 section 5.6.2: tchar, which has no braces; section 5.6.4: qdtext, and what may follow the
# backslash of a quoted-pair.  The shapes for catalogues are made of these as well.
TCHAR = r"!#$%&'*+\-.0-9A-Z^_`a-z|~"
QDTEXT = r"\t !#-\[\]-~\x80-\xff"
QUOTED_PAIR = r"\t -~\x80-\xff"
_HTTP_TOKEN = rf"[{TCHAR}]++"
_HTTP_QUOTED = rf'"(?:[{QDTEXT}]|\\[{QUOTED_PAIR}])*+"'

TOKEN = re.compile(_TOKEN)
HTTP_TOKEN = re.compile(_HTTP_TOKEN)
TYPE = re.compile(_TYPE)
# Only these two productions.
MEDIA_TYPE = re.compile(rf"({_TYPE})/({_TYPE})")
# The name of the header field, for texts that are copies of the whole line.
_FIELD_NAME = r"[ \t]*+(?:(?i:content-type)[ \t]*+:[ \t]*+)?"
FIELD_NAME = re.compile(_FIELD_NAME)
# type "/" subtype, at the start of a header; the field name may stand in front.
TYPE_SUBTYPE = re.compile(rf"{_FIELD_NAME}({_TYPE})[ \t]*+/[ \t]*+({_TYPE})[ \t]*+")
# ";" [ attribute "=" value ]; the value is in the second group, or quoted in the third.
PARAMETER = re.compile(
    rf';[ \t]*+(?:({_TOKEN})[ \t]*+=[ \t]*+(?:({_TOKEN})|"({_QUOTED})")[ \t]*+)?'
)
# RFC 9110 section 8.3.1: media-type = type "/" subtype parameters, where section 5.6.6 has
# parameters = *( OWS ";" OWS [ parameter ] ) and parameter = parameter-name "=" parameter-value.
_HTTP_PARAMETER = rf"[ \t]*+;[ \t]*+(?:{_HTTP_TOKEN}=(?:{_HTTP_TOKEN}|{_HTTP_QUOTED}))?+"
HTTP = re.compile(
    rf"[ \t]*+{_HTTP_TOKEN}/{_HTTP_TOKEN}(?:{_HTTP_PARAMETER})*+[ \t]*+",
)
# The longest beginning of a text that can be the beginning of such a header.
HTTP_BEGINNING = re.compile(
    rf"[ \t]*+(?:{_HTTP_TOKEN}(?:/"
    rf"(?:{_HTTP_TOKEN}(?:{_HTTP_PARAMETER})*+(?:{_HTTP_TOKEN}=?+)?+)?+)?+)?+"
)
# RFC 2231 section 7: a name with a section number, an asterisk for "extended", or both, behind an
# attribute that does not end like that itself; otherwise the name is used as it is.
_EXTENDED_NAME = re.compile(
    r"((?:.*\*)?(?=[0-9]*+[^*0-9])[^*]++|[^*]++)(?:\*(0|[1-9][0-9]*+))?(\*)?"
)
# RFC 5322 section 2.2.3: a line break that white space follows.
FOLD = re.compile(r"\r?\n(?=[ \t])")
# Characters that no header may hold: all controls of ASCII but the tab.
FORBIDDEN = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
# Characters that no output may hold unencoded: C0 controls, DEL, C1 controls.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")

_NEEDS_ESCAPE = re.compile(r'["\\]')
_QUOTED_PAIR = re.compile(r"\\(.)", re.DOTALL)
_PERCENT_RUN = re.compile(r"(?:%[0-9A-Fa-f]{2})++")


def attribute_of(name: str) -> str:
    """Return a parameter's name without its section number and the mark of an extended value.

    >>> [attribute_of(name) for name in ("title*0*", "title", "a*b", "*")]
    ['title', 'title', 'a*b', '*']
    """
    match = _EXTENDED_NAME.fullmatch(name) if "*" in name else None
    return match[1] if match else name


def can_be_extended(name: str) -> bool:
    """Return whether RFC 8187 can encode the value of a parameter with this name.

    >>> [can_be_extended(name) for name in ("title", "a*b", "a*0*0", "*")]
    [True, True, False, False]
    """
    return "*" not in name or attribute_of(f"{name}*") == name


def forbidden_span(value: str, name: str = "") -> tuple[int, int] | None:
    r"""Return the span of the first character that is forbidden in a value, or None.

    These are all control characters but the tab, and surrogates, which are no characters.
    A tab and the C1 controls are written by RFC 8187 alone, so that the value may hold neither
    where the name rules that out.

    >>> forbidden_span("a\tb"), forbidden_span("a\nb"), forbidden_span("a\tb", "c*0*0")
    (None, (1, 2), (1, 2))
    """
    match = (FORBIDDEN if can_be_extended(name) else CONTROL).search(value)
    if match:
        return match.span()
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            return error.start, error.end
    return None


def in_uri_tree(subtype: str) -> bool:
    """Return whether a subtype is in the draft's `uri.` tree (section 2.3).

    >>> in_uri_tree("URI.http%3A%2F%2Fa"), in_uri_tree("uri-list")
    (True, False)
    """
    return subtype[:4].lower() == "uri."


def fold_subtype(subtype: str) -> str:
    """Return `subtype` in lower case, except after `uri.`, where case is data.

    >>> fold_subtype("HTML"), fold_subtype("URI.http%3A%2F%2FExample.com")
    ('html', 'uri.http%3A%2F%2FExample.com')
    """
    return f"uri.{subtype[4:]}" if in_uri_tree(subtype) else subtype.lower()


def fold_name(name: str, subtype: str) -> str:
    """Return a parameter's name in lower case; in the `uri.` tree only URI-fragment.

    There every other name is a key of a URI's query, where case is data.

    >>> fold_name("Charset", "html"), fold_name("Key", "uri.a%3Ab")
    ('charset', 'Key')
    """
    folded = name.lower()
    keeps_case = in_uri_tree(subtype) and folded.partition("*")[0] != "uri-fragment"
    return name if keeps_case else folded


def end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Return the end of the match of a `pattern` at `position`, or `position` without one."""
    match = pattern.match(text, position)
    return match.end() if match else position


def quote(value: str) -> str:
    r"""Return the quoted string that holds `value` (RFC 9110 section 5.6.4).

    >>> print(quote('a "b" c'))
    "a \"b\" c"
    """
    return '"' + _NEEDS_ESCAPE.sub(r"\\\g<0>", value) + '"'


def unquote(inside: str) -> str:
    r"""Return the value of a quoted string, given what stands between its quotes.

    >>> print(unquote(r'a \"b\" c'))
    a "b" c
    """
    return _QUOTED_PAIR.sub(r"\1", inside) if "\\" in inside else inside


def percent_encode(text: str, forbidden: re.Pattern[str]) -> str:
    """Return `text` with the octets of every match of `forbidden` percent-encoded.

    The octets are those of UTF-8, the hex digits in upper case (RFC 3986 section 2.1).

    >>> percent_encode("né#1", re.compile(r"[^a-z0-9]"))
    'n%C3%A9%231'
    """
    return forbidden.sub(
        lambda match: "".join(f"%{octet:02X}" for octet in match[0].encode()), text
    )


def percent_decode(text: str, charset: str = "utf-8") -> str:
    """Return `text` with one level of percent-encoding undone (the draft, section 1.2).

    A percent sign without two hex digits is kept.  Raises `UnicodeDecodeError`
    where the octets are not of `charset`.

    >>> percent_decode("n%C3%A9%2523 100%")
    'né%23 100%'
    """
    if "%" not in text:
        return text
    return _PERCENT_RUN.sub(
        lambda run: bytes.fromhex(run[0].replace("%", "")).decode(charset), text
    )
