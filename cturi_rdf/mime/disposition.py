"""Content-Disposition (RFC 2183): how a part is meant to be shown, and under which name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cturi_rdf.content_type import ContentType
from cturi_rdf.errors import MessageError

if TYPE_CHECKING:
    from collections.abc import Mapping

# RFC 2183 section 2: disposition-type *(";" disposition-parm), where the parameters are
# those of RFC 2045 and RFC 2231; so the grammar of Content-Type reads it, behind a type.
_TYPE = "disposition"


class Disposition(NamedTuple):
    """A disposition: its type in lower case, and its parameters; `str` is the header.

    >>> disposition, defects = Disposition.recover('attachment; filename="a b.png"')
    >>> disposition.type, disposition.filename, str(disposition)
    ('attachment', 'a b.png', 'attachment; filename="a b.png"')
    """

    type: str
    parameters: Mapping[str, str]

    @classmethod
    def recover(cls, text: str) -> tuple[Disposition | None, list[MessageError]]:
        """Return the disposition in a header's value, as far as it can be read, and all defects."""
        recovered = ContentType.recover(f"{_TYPE}/{text}", rules="mail")
        content_type, defects = recovered.content_type, []
        for defect in recovered.defects:
            low, high = (max(at - len(_TYPE) - 1, 0) for at in defect.span)
            rule = "RFC 2183 section 2"
            defects.append(MessageError(defect.problem, text, (low, high), defect.expected, rule))
        if content_type is None:
            return None, defects
        return cls(content_type.subtype, dict(content_type.parameters)), defects

    @property
    def filename(self) -> str | None:
        """The name under which to store the part (RFC 2183 section 2.3); data, not a path."""
        return self.parameters.get("filename")

    def __str__(self) -> str:
        return str(ContentType(_TYPE, self.type, self.parameters)).removeprefix(f"{_TYPE}/")
