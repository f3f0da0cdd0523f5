"""Printing a content type as the value of a header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.content_type.grammar import CONTROL, TOKEN, can_be_extended, fold_name
from cturi_rdf.content_type.grammar import quote as quoted_string
from cturi_rdf.content_type.rfc2231 import encode

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

__all__ = ["header"]

# The draft's spelling of its own two parameters, whose case has no meaning; every other name is
# printed as it is kept.
_SPELLED = {"uri-body": "URI-body", "uri-fragment": "URI-fragment"}


def header(essence: str, parameters: Mapping[str, str], quote: Literal["needed", "always"]) -> str:
    """Return a header of a type and its parameters, see `ContentType.to_header`."""
    pieces = [essence]
    for name, value in parameters.items():
        spelled = _SPELLED.get(name, name)
        if spelled != name and fold_name(spelled, essence.partition("/")[2]) != name:
            spelled = name
        beyond_ascii = quote == "needed" and not value.isascii() and can_be_extended(name)
        if beyond_ascii or CONTROL.search(value):
            pieces.append(f"{spelled}*={encode(value)}")
        elif quote == "needed" and TOKEN.fullmatch(value):
            pieces.append(f"{spelled}={value}")
        else:
            pieces.append(f"{spelled}={quoted_string(value)}")
    return "; ".join(pieces)
