"""What `cturi_rdf.xml` offers."""

from cturi_rdf.xml.charset import Converted, Step, convert
from cturi_rdf.xml.document import Element
from cturi_rdf.xml.encoding import Decision, encoding_of, lint
from cturi_rdf.xml.fragment import (
    Base,
    Part,
    Pointer,
    Resolution,
    base_of,
    lint_fragment,
    parse_fragment,
    parse_pointer,
    resolve_fragment,
)
from cturi_rdf.xml.kinds import Facts, Finding, Transfer, facts_of, is_xml, transfer_of
from cturi_rdf.xml.registration import Registration, lint_registration

__all__ = [
    "Base", "Converted", "Decision", "Element", "Facts", "Finding", "Part", "Pointer",
    "Registration", "Resolution", "Step", "Transfer", "base_of", "convert", "encoding_of",
    "facts_of", "is_xml", "lint", "lint_fragment", "lint_registration", "parse_fragment",
    "parse_pointer", "resolve_fragment", "transfer_of",
]  # fmt: skip
