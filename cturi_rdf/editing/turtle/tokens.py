r"""The tokens of Turtle and TriG (Turtle 1.2 section 6.5), told apart for valid files only.

Invalid text is not refused here.  A pattern gives back nothing that it has repeated, except the
dots after a name, so it takes time in proportion to its match.
"""

from __future__ import annotations

import re

# Between tokens: spaces, line ends and comments.
_SPACE = rb"[ \t\r\n]*+(?:#[^\r\n]*+[ \t\r\n]*+)*+"
_IRI = rb"<[^<>]*+>"
# PNAME_NS: a dot, a digit or a hyphen is never first.  A class without \w is quicker to match.
_PREFIX = rb"(?:[A-Za-z\x80-\xff][0-9A-Z_a-z\-.\x80-\xff]*+)?+:"
_LOCAL = rb"[0-9A-Z_a-z\-.:%\x80-\xff]*"
# PNAME_LN, PNAME_NS and BLANK_NODE_LABEL: a dot is never the last character.
_LABEL = rb"_:[0-9A-Z_a-z\-.\x80-\xff]*(?<!\.)"
_NAME = rb"(?>%b%b(?:\\.%b)*(?<![^\\]\.)|%b)" % (_PREFIX, _LOCAL, _LOCAL, _LABEL)
_LANGUAGE = rb"@[A-Za-z0-9\-]++"
_STRING = (
    rb'(?:"(?!"")[^"\\\r\n]*+(?:\\.[^"\\\r\n]*+)*+"'
    rb"|'(?!'')[^'\\\r\n]*+(?:\\.[^'\\\r\n]*+)*+')"
)
# A dot belongs to a number where digits or an exponent follow.
_NUMBER = (
    rb"[+\-]?(?:[0-9]+(?:\.(?=[0-9]|[eE][+\-]?[0-9])[0-9]*)?|\.[0-9]+)"
    rb"(?:[eE][+\-]?[0-9]+)?(?!\.?(?:[0-9]|[eE][+\-]?[0-9]))"
)
_OTHER = rb"%b|%b|%b|true|false" % (_NAME, _IRI, _NUMBER)
_SIMPLE = rb"(?:%b(?:%b|\^\^(?:%b|%b))?|%b)" % (_STRING, _LANGUAGE, _IRI, _NAME, _OTHER)
_TYPE = rb"a(?![\w\-:.%\\\x80-\xff])"
_VERB = rb"(?:%b|%b|%b)" % (_NAME, _IRI, _TYPE)

SPACE = re.compile(_SPACE)
IRI = re.compile(_IRI)
STRING = re.compile(_STRING)
PREFIX = re.compile(rb"([\w\-.\x80-\xff]*):")
# A directive or a keyword; what has a colon is a name.
WORD = re.compile(rb"(@[A-Za-z]+|[A-Za-z]+(?![\w\-.:\x80-\xff]))")
# A node or a predicate, then, outside the group, the space up to the next token.  Patterns with
# names in them take long to compile, so this one is used wherever it fits.
NODE = re.compile(rb"(%b|%b)%b" % (_NAME, _IRI, _SPACE))
BLANK_TOKEN = re.compile(rb"\[%b\]" % _SPACE)
# A verb, an object of one token, and what follows: a group for each of ; , . ]
PAIR = re.compile(
    rb"(%b)%b(%b)%b(?:(;)|(,)|(\.)|(\]))%b" % (_VERB, _SPACE, _SIMPLE, _SPACE, _SPACE)
)
LOCAL_ESCAPE = re.compile(rb"\\(.)")

# A term that `string_end` does not read.
_NO_STRING = re.compile(_OTHER)
_A = re.compile(rb"(%b)%b" % (_TYPE, _SPACE))
# Behind a string: its language, or what a datatype follows.
_SUFFIX = re.compile(rb"%b(?:%b|(\^\^)%b)" % (_SPACE, _LANGUAGE, _SPACE))
_LONG = {
    b'"""': re.compile(rb'\\.|"""', re.DOTALL),
    b"'''": re.compile(rb"\\.|'''", re.DOTALL),
}
# The tokens on which the end of a quoted triple depends.
_QUOTED = rb"""<<\(?|\)?>>|%b|#[^\r\n]*|\\.|["'~]""" % _IRI


def space_end(data: bytes, start: int) -> int:
    """Return the end of the space and the comments at an offset, which may be none.

    >>> space_end(b"<a> # the first", 3)
    15
    """
    return SPACE.match(data, start).end()  # type: ignore[union-attr] # it may be empty


def verb_match(data: bytes, start: int) -> re.Match[bytes] | None:
    """Return the match of a verb at an offset, as its group, and of what follows it up to a token.

    >>> verb_match(b"a <b>", 0).span(1), verb_match(b"ex:a <b>", 0).end(), verb_match(b"true", 0)
    ((0, 1), 5, None)
    """
    return NODE.match(data, start) or _A.match(data, start)


def term_end(data: bytes, start: int) -> int:
    """Return the end of a term without terms in brackets in it, or -1 if there is none.

    >>> term_end(b"[ ] .", 0), term_end(b"[ a <b> ] .", 0)
    (3, -1)
    """
    first = data[start : start + 1]
    if first in {b'"', b"'"}:
        return string_end(data, start)
    if data.startswith(b"<<", start):
        return quoted_end(data, start)[0]
    match = (BLANK_TOKEN if first == b"[" else _NO_STRING).match(data, start)
    return match.end() if match else -1


def string_end(data: bytes, start: int) -> int:
    r'''Return the end of a literal, with its language or datatype; -1 where it has none.

    >>> string_end(b'"""a"b\\""""^^ <c> .', 0)
    17
    '''
    quotes = _LONG.get(data[start : start + 3])
    if quotes is None:
        short = STRING.match(data, start)
        if short is None:
            return -1
        end = short.end()
    else:
        end = start + 3
        while True:
            match = quotes.search(data, end)
            if match is None:
                return -1
            end = match.end()
            if not match[0].startswith(b"\\"):
                break
    suffix = _SUFFIX.match(data, end)
    if suffix and suffix[1]:
        datatype = NODE.match(data, suffix.end())
        return datatype.end(1) if datatype else end
    return suffix.end() if suffix else end


def quoted_end(data: bytes, start: int) -> tuple[int, int]:
    r"""Return the end of a reified triple or a triple term, and the place of its tilde.

    Each is -1 where there is none.

    >>> quoted_end(b'<< <a> <b> <<( <c> <d> "\\">>" )>> ~ <e> >> <f>', 0)
    (42, 34)
    """
    depth, end, tilde = 0, start, -1
    search = re.compile(_QUOTED).search
    while True:
        match = search(data, end)
        if match is None:
            return -1, -1
        token, end = match[0], match.end()
        if token.startswith(b"<<"):
            depth += 1
        elif token.endswith(b">>"):
            depth -= 1
            if not depth:
                return end, tilde
        elif token == b"~" and depth == 1:
            tilde = match.start()
        elif token in {b'"', b"'"}:
            end = string_end(data, match.start())
            if end < 0:
                return -1, -1
