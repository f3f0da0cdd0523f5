"""Registrations: whether the form for a media type meets RFC 6838, RFC 9694 and RFC 7303.

RFC 6838 section 5.6 has the form, and draft-ietf-mediaman-6838bis-08 its next version; for a type
with the suffix "+xml" RFC 7303 asks more (section 4.2, and section 9.6.1 on fragments).  A form is
prose, so a few things can be checked: whether a field is there, which specifications it names, and
whether its names may be registered.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import ContentTypeError
from cturi_rdf.registry import registry
from cturi_rdf.registry.hierarchy import TOP_LEVEL_TYPES, successor_of
from cturi_rdf.xml.kinds import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.xml.kinds import Level

# RFC 6838 section 5.6: the names of the fields, which are shorter in RFC 3023 and older forms.
_FIELDS = {
    "type name": ("media type name", "mime media type name"),
    "subtype name": ("mime subtype name", "subtype"),
    "required parameters": (),
    "optional parameters": (),
    "encoding considerations": (),
    "security considerations": (),
    "interoperability considerations": (),
    "published specification": ("published specifications",),
    "applications that use this media type": (
        "applications which use this media type",
        "applications that use this media",
        "applications",
    ),
    "fragment identifier considerations": ("fragment identifiers", "fragment identification"),
    "additional information": (),
    "deprecated alias names for this type": (),
    "magic number(s)": ("magic numbers", "magic number"),
    "file extension(s)": ("file extensions", "file extension"),
    "macintosh file type code(s)": ("macintosh file type codes", "macintosh file type code"),
    "uniform type identifier(s)": ("macos uniform type identifier", "uniform type identifier"),
    "windows clipboard name(s)": ("windows clipboard name",),
    "base uri": ("base uris",),
    "person & email address to contact for further information": (
        "person and email address to contact for further information",
    ),
    "intended usage": (),
    "restrictions on usage": (),
    "author": ("authors",),
    "change controller": ("author/change controller",),
    "provisional registration": ("provisional registration? (standards tree only)",),
}
_NAMES = {other: name for name, others in _FIELDS.items() for other in (name, *others)}
_OPTIONAL = {
    "additional information",
    "deprecated alias names for this type",
    "magic number(s)",
    "file extension(s)",
    "macintosh file type code(s)",
    "uniform type identifier(s)",
    "windows clipboard name(s)",
    "base uri",
    "provisional registration",
}
# RFC 6838 sections 4.2 and 4.6: the fields that a form "MUST" have.
_REQUIRED = {"type name", "subtype name", "security considerations"}
_LINE = re.compile(r"[ \t]*+(?:[0-9]++\.[ \t]*+)?([A-Za-z][A-Za-z &/()?]*+)[ \t]*+:(.*+)")
_RFC_7303 = re.compile(r"\bRFC[ -]?7303\b", re.IGNORECASE)
_RFC_3023 = re.compile(r"\bRFC[ -]?3023\b", re.IGNORECASE)
_SAME = re.compile(r"\bapplication/xml\b", re.IGNORECASE)
_UTF_ONLY = re.compile(r"\bUTF-?8\b", re.IGNORECASE)
# RFC 6838 section 4.8.
_ENCODINGS = re.compile(r"\b(?:7-?bit|8-?bit|binary|framed)\b", re.IGNORECASE)
# RFC 6838 section 4.2: restricted-name; 64 characters is what it recommends.
_RESTRICTED = re.compile(r"[A-Za-z0-9][A-Za-z0-9!#$&\-^_.+]{0,126}")
_RECOMMENDED = 64
_TREES = ("vnd.", "prs.", "x.")
# What a form may not say of its security: RFC 6838 section 4.6 warns of it, the next version
# forbids it.  "No further ones than those of RFC 7303" says something else.
_NO_SECURITY = re.compile(
    r"\bno (?:known )?security (?:issues|considerations|concerns|risks|implications)\b"
    r"(?! (?:beyond|other|besides|except|apart))|^(?:none|none known|n/?a)\.?$",
    re.IGNORECASE,
)
# A parameter in the prose of a form: a word before a colon, or a field of one word.
_PARAMETER = re.compile(r"(?:^|[;.] |, )([!-~]+?)(?= ?:|, |; |\.? *$)")
_NO_PARAMETER = {"none", "n/a", "no", "na"}
_USAGES = ("common", "limited use", "obsolete")
_XML = "RFC 7303 section 4.2"
# Fields that should refer to those of application/xml, and the problem where they do not.
_SAME_AS_XML = {
    ("encoding considerations",): "the encoding considerations are not those of application/xml",
    ("security considerations",): "the security considerations do not include those of RFC 7303",
    ("magic number(s)", "base uri", "additional information"): (
        "magic numbers, base URIs and byte order mark are not those of RFC 7303"
    ),
}


class Registration(NamedTuple):
    """The fields of a registration form, by the names of RFC 6838 section 5.6 in lower case."""

    fields: dict[str, str]

    @classmethod
    def read(cls, text: str) -> Registration:
        r"""Return the fields of a form, as IANA and RFCs print it.

        Text under an unknown name belongs to the field before it.

        >>> form = Registration.read("Type name: application\n\nSubtype name:\n   foo+xml\n")
        >>> form.fields
        {'type name': 'application', 'subtype name': 'foo+xml'}
        """
        lines: dict[str, list[str]] = {}
        current: list[str] = []
        for line in text.splitlines():
            match = _LINE.fullmatch(line)
            if match and (name := _NAMES.get(" ".join(match[1].lower().split()))):
                current = lines.setdefault(name, [])
                if name == "change controller" and match[1].lower().startswith("author"):
                    lines.setdefault("author", current)
                current.append(match[2])
            else:
                current.append(line)
        return cls({name: " ".join(" ".join(values).split()) for name, values in lines.items()})

    def text(self, *names: str) -> str:
        """Return the values of fields, one per line; a missing field is empty."""
        return "\n".join(self.fields.get(name, "") for name in names)

    @property
    def essence(self) -> str:
        """The type that the form is for, as far as it says one, in lower case.

        >>> Registration({"type name": "application", "subtype name": "Foo+XML"}).essence
        'application/foo+xml'
        """
        # Some forms have the whole type as the subtype, or notes behind the name.
        kind, subtype = (
            self.text(name).lower().partition(" ")[0] for name in ("type name", "subtype name")
        )
        return subtype if "/" in subtype else f"{kind}/{subtype}"


def lint_registration(
    form: Registration | str, content_type: ContentType | str | None = None
) -> tuple[Finding, ...]:
    r"""Return the omissions and errors of a registration form, each with its section.

    With `content_type` the form has to be for that type.  Raises `ContentTypeError` where that is
    not a Content-Type.

    >>> form = "Type name: application\nSubtype name: foo+xml\nFragment identifiers: none"
    >>> for finding in lint_registration(form):
    ...     if finding.level == "must":
    ...         print(finding)
    must: the form has no security considerations (RFC 6838 section 4.6)
    must: the fragment identifier considerations do not refer to RFC 7303 (RFC 7303 section 9.6.1)
    """
    if isinstance(form, str):
        form = Registration.read(form)
    if isinstance(content_type, str):
        content_type = ContentType.parse(content_type)
    findings = [*_names(form, content_type), *_fields(form)]
    subtype = content_type.subtype if content_type else form.essence.partition("/")[2]
    if subtype.endswith("+xml"):
        findings += _of_xml(form)
    return tuple(findings)


def _names(form: Registration, content_type: ContentType | None) -> Iterator[Finding]:
    """Find names that cannot be registered (RFC 6838 sections 3 and 4.2)."""
    kind, _, subtype = form.essence.partition("/")
    for field, name in (("type name", kind), ("subtype name", subtype)):
        if name and not _RESTRICTED.fullmatch(name):
            yield _finding("must", f"{name!r} cannot be a {field}", "RFC 6838 section 4.2")
        elif len(name) > _RECOMMENDED:
            problem = f"the {field} has more than {_RECOMMENDED} characters"
            yield _finding("should", problem, "RFC 6838 section 4.2")
    if kind and subtype and content_type and form.essence != content_type.essence:
        problem = f"the form is for {form.essence}, not for {content_type.essence}"
        yield _finding("must", problem, "RFC 6838 section 5.6")
    if kind == "example" or (kind and kind not in TOP_LEVEL_TYPES):
        problem = f"{kind} is not a top-level type that a type can be registered under"
        yield _finding("must", problem, "RFC 9694 section 4, RFC 6838 section 4.2.7")
    is_listed = registry().media_type(form.essence) is not None
    if "." in subtype and not subtype.startswith(_TREES) and not is_listed:
        problem = "a subtype of the standards tree has no '.', which names a tree"
        yield _finding("must", problem, "RFC 6838 section 3.1")
    if subtype.startswith(("x.", "x-")):
        problem = f"a subtype that begins with {subtype[:2]!r} is for private use"
        yield _finding("must", problem, "RFC 6838 section 3.4")
    _, plus, suffix = subtype.rpartition("+")
    if plus and registry().suffix(suffix) is None:
        problem = f"the suffix +{suffix} is not registered"
        yield _finding("should", problem, "RFC 6838 section 4.2.8")
    if successor := successor_of(form.essence):
        problem = f"{successor} was registered in place of {form.essence}"
        yield _finding("should", problem, "RFC 6838 section 4.2.8")
    try:
        record = registry().media_type(ContentType.parse(form.essence).essence)
    except ContentTypeError:
        record = None
    if record and record.status == "obsolete":
        yield _finding("should", f"IANA lists {form.essence} as obsolete", "RFC 6838 section 5.5")


def _fields(form: Registration) -> Iterator[Finding]:
    """Find fields that the form lacks, or whose value is not one of those defined."""
    for field in _FIELDS:
        if field not in _OPTIONAL and not form.fields.get(field):
            level: Level = "must" if field in _REQUIRED else "should"
            section = "4.6" if field == "security considerations" else "5.6"
            yield _finding(level, f"the form has no {field}", f"RFC 6838 section {section}")
    if _NO_SECURITY.search(form.text("security considerations")):
        problem = "the security considerations say only that there are none"
        yield _finding("must", problem, "RFC 6838 section 4.6")
    for field in ("required parameters", "optional parameters"):
        for name in _PARAMETER.findall(form.text(field)):
            if name.lower() not in _NO_PARAMETER and not _RESTRICTED.fullmatch(name.strip('"')):
                problem = f"{name!r} cannot be the name of a parameter"
                yield _finding("must", problem, "RFC 6838 section 4.3")
    usage = form.text("intended usage").lower()
    if usage and not usage.startswith(_USAGES):
        problem = f"the intended usage is none of {', '.join(_USAGES).upper()}"
        yield _finding("must", problem, "RFC 6838 section 5.6")
    encoding = form.text("encoding considerations")
    if encoding and not (_ENCODINGS.search(encoding) or _refers(encoding)):
        problem = "the encoding considerations are none of 7bit, 8bit, binary and framed"
        yield _finding("must", problem, "RFC 6838 section 4.8")


def _of_xml(form: Registration) -> Iterator[Finding]:
    """Find the omissions that RFC 7303 forbids for a type with the suffix +xml."""
    if not _refers(form.text("fragment identifier considerations")):
        problem = "the fragment identifier considerations do not refer to RFC 7303"
        yield _finding("must", problem, "RFC 7303 section 9.6.1")
    parameters = form.text("required parameters", "optional parameters")
    if not _refers(parameters):
        if "charset" in parameters.lower():
            yield _finding("should", "the charset parameter is not that of application/xml", _XML)
        elif not _UTF_ONLY.search(f"{parameters} {form.text('encoding considerations')}"):
            problem = "there is no charset parameter, and no reason such as UTF-8 alone"
            yield _finding("should", problem, _XML)
    for names, problem in _SAME_AS_XML.items():
        if not _refers(form.text(*names)):
            yield _finding("should", problem, _XML)
    if _RFC_3023.search(form.text(*form.fields)):
        problem = "the form refers to RFC 3023, which RFC 7303 obsoletes"
        yield _finding("should", problem, "RFC 7303 section 1")


def _refers(text: str) -> bool:
    """Return whether a field refers to the rules for XML, also by their former number."""
    return any(phrase.search(text) for phrase in (_RFC_7303, _RFC_3023, _SAME))


def _finding(level: Level, problem: str, rule: str) -> Finding:
    return Finding("registration", level, problem, rule)
