"""Rows of CSV that a spreadsheet opens as text, never as formulas."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["csv_row"]

# Beginnings of cells that a spreadsheet takes for formulas (OWASP, CSV Injection).
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NUMBER = r"[+-]?(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"


def csv_row(cells: Iterable[str]) -> str:
    r"""Return a line of CSV (RFC 4180) without its end.

    A cell that a spreadsheet would run as a formula begins with an apostrophe; a number stays
    a number.

    >>> csv_row(["a,b", "=1+1", "-5", "@SUM(1)"])
    '"a,b",\'=1+1,-5,\'@SUM(1)'
    """
    import csv

    file = io.StringIO()
    csv.writer(file).writerow([_as_text(cell) for cell in cells])
    return file.getvalue().removesuffix("\r\n")


def _as_text(cell: str) -> str:
    return "'" + cell if cell.startswith(_FORMULA) and not re.fullmatch(_NUMBER, cell) else cell
