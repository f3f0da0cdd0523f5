"""Findings: what is wrong with an entity or its header, how wrong, and who says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Literal

    Level = Literal["must", "should"]


class Finding(NamedTuple):
    """One thing that breaks a rule.

    `code` is a name for programs; `level` is "must" or "should", whichever the rule says
    (RFC 2119); `problem` is for people, `rule` is the specification and section.

    >>> print(Finding("utf-32", "should", "UTF-32 is not recommended", "RFC 7303 section 2.2"))
    should: UTF-32 is not recommended (RFC 7303 section 2.2)
    """

    code: str
    level: Level
    problem: str
    rule: str

    def __str__(self) -> str:
        return f"{self.level}: {self.problem} ({self.rule})"
