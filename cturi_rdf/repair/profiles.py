"""Metadata profiles: their rules for the properties that name formats.

A profile is a table in the folder ``data/profiles``, with the source and the section of each
rule.  Nothing else in this package knows what a profile asks.
"""

# pathlib takes longer to import than a profile to read.
# ruff: noqa: PTH208

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.prefixes import PREFIXES
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.registry.lookup import listed
from cturi_rdf.registry.tables import DATA, Record, load

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Profile", "PropertyRule", "RuleRecord", "iri_of", "profile_named", "profile_names"]

_ENDING = ".tsv"


class RuleRecord(Record):
    """A rule in the table of a profile; `applies_to` has its classes, if any, and its property."""

    applies_to: str
    role: str
    write: tuple[str, ...]
    accept: tuple[str, ...]
    at_most: str
    type: str
    in_scheme: bool
    pattern: str
    level: str
    source: str
    section: str


class PropertyRule(NamedTuple):
    """The rule of a profile for one property of the resources of some classes.

    `role` is the subject of the property: ``media type``, ``format``, ``compression``, ``package``
    or ``other``.  `write` names the forms of a value, the preferred one first: schemes of IRIs,
    such as ``iana-https`` and ``eu-file-type``; ``media-type``, a text; and ``name``, a text for
    people.  `accept` names further forms that are right; ``node`` is any IRI or blank node.  `of`
    are the classes, none for all.  `at_most` is how many values a resource may have, None for any
    number.  `type` is the class that a value must have in the data, and `in_scheme` says whether it
    must have its `skos:inScheme` there.
    """

    property: ox.NamedNode
    role: str
    of: frozenset[ox.NamedNode]
    write: tuple[str, ...]
    accept: tuple[str, ...]
    at_most: int | None
    type: ox.NamedNode | None
    in_scheme: bool
    pattern: re.Pattern[str] | None
    level: str
    source: str
    section: str

    def wraps(self) -> str | None:
        """Return the kind of wrapper that the property names, if any: its role."""
        return self.role if self.role in {"compression", "package"} else None


class Profile(NamedTuple):
    """A metadata profile, with its rules.

    `extends` names the profile that it is a special case of.  A file says that it follows the
    profile by an IRI of `conforms_to`, or by using a namespace of `uses`.
    """

    name: str
    title: str
    document: str
    extends: str | None
    conforms_to: tuple[str, ...]
    uses: tuple[str, ...]
    rules: tuple[PropertyRule, ...]

    @property
    def properties(self) -> frozenset[ox.NamedNode]:
        """The properties that the profile has rules for."""
        return frozenset(rule.property for rule in self.rules)

    def rule_for(
        self, path: ox.NamedNode, types: Collection[ox.NamedNode] = ()
    ) -> PropertyRule | None:
        """Return the rule for a property of a resource of these classes, or None.

        A resource of unknown classes is treated as one that the profile is about.

        >>> path = ox.NamedNode("http://purl.org/dc/terms/format")
        >>> profile_named("dcat-ap").rule_for(path).write
        ('eu-file-type',)
        """
        for rule in self.rules:
            if rule.property == path and (
                not types or not rule.of or not rule.of.isdisjoint(types)
            ):
                return rule
        return None

    def rule_of(self, role: str, types: Collection[ox.NamedNode] = ()) -> PropertyRule | None:
        """Return the rule for the property with a role, or None where the profile has none."""
        paths = (rule.property for rule in self.rules if rule.role == role)
        return next(filter(None, (self.rule_for(path, types) for path in paths)), None)


@cache
def profile_names() -> tuple[str, ...]:
    """Return the names of all profiles.

    >>> "dcat-ap" in profile_names()
    True
    """
    files = os.listdir(f"{DATA}/profiles")
    return tuple(sorted(file.removesuffix(_ENDING) for file in files if file.endswith(_ENDING)))


@cache
def profile_named(name: str) -> Profile:
    """Return a profile.  Raises `CatalogError` where there is none of that name.

    >>> profile_named("pod").title
    'Project Open Data 1.1'
    """
    if name not in profile_names():
        raise CatalogError("an unknown profile", name, f"one of {', '.join(profile_names())}")
    table = load(f"profiles/{name}{_ENDING}", RuleRecord)
    return Profile(
        name,
        table.facts["title"],
        table.facts["document"],
        table.facts.get("extends"),
        listed(table.facts.get("conforms to", "")),
        listed(table.facts.get("uses", "")),
        tuple(map(_rule, table)),
    )


def _rule(row: RuleRecord) -> PropertyRule:
    classes, _, name = row.applies_to.rpartition(" ")
    return PropertyRule(
        iri_of(name),
        row.role,
        frozenset(map(iri_of, listed(classes))),
        row.write,
        row.accept,
        int(row.at_most) if row.at_most else None,
        iri_of(row.type) if row.type else None,
        row.in_scheme,
        re.compile(row.pattern) if row.pattern else None,
        row.level,
        row.source,
        row.section,
    )


def iri_of(name: str) -> ox.NamedNode:
    """Return the node of a name with one of the common prefixes, or of an IRI.

    >>> iri_of("dcat:mediaType").value
    'http://www.w3.org/ns/dcat#mediaType'
    """
    prefix, _, local = name.partition(":")
    return ox.NamedNode(PREFIXES[prefix] + local if prefix in PREFIXES else name)
