"""Metadata profiles: what each asks of the properties that name formats.

A profile is a file of TOML in the folder ``profiles``, with the source and the section of each
line.  Nothing else in this package knows what a profile asks.
"""

# pathlib takes longer to import than a profile to read.
# ruff: noqa: PTH118, PTH120, PTH123, PTH208

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from cturi_rdf._util.prefixes import PREFIXES
from cturi_rdf._util.value import NamedTuple
from cturi_rdf.io.errors import CatalogError

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["Profile", "PropertyRule", "iri_of", "profile_named", "profile_names"]

_FOLDER = os.path.join(os.path.dirname(__file__), "profiles")


class PropertyRule(NamedTuple):
    """What a profile asks of one property of the resources of some classes.

    `role` is what the property is about: ``media type``, ``format``, ``compression``,
    ``package`` or ``other``.  `write` names the forms of a value, the preferred one first:
    schemes of IRIs, such as ``iana-https`` and ``eu-file-type``; ``media-type``, a text; and
    ``name``, a text for people.  `accept` names the forms that are right too; ``node`` is any
    IRI or blank node.  `of` are the classes, none for all.  `at_most` is how many values a
    resource may have, None for any number.  `type` is the class that a value has to be of in
    the data, and `in_scheme` says whether a value has to be in its `skos:inScheme` there.
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
    """A metadata profile, with what it asks of each property.

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

        A resource whose classes are not known is taken for one that the profile is about.

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
    files = os.listdir(_FOLDER)
    return tuple(sorted(name.removesuffix(".toml") for name in files if name.endswith(".toml")))


@cache
def profile_named(name: str) -> Profile:
    """Return a profile.  Raises `CatalogError` where there is none of that name.

    >>> profile_named("pod").title
    'Project Open Data 1.1'
    """
    if name not in profile_names():
        raise CatalogError("an unknown profile", name, f"one of {', '.join(profile_names())}")
    import tomllib

    with open(os.path.join(_FOLDER, f"{name}.toml"), "rb") as file:
        content = tomllib.load(file)
    return Profile(
        name,
        content["title"],
        content["document"],
        content.get("extends"),
        tuple(content.get("conforms_to", ())),
        tuple(content.get("uses", ())),
        tuple(map(_rule, content["property"])),
    )


def _rule(row: dict[str, Any]) -> PropertyRule:
    pattern, type_ = row.get("pattern"), row.get("class")
    return PropertyRule(
        iri_of(row["name"]),
        row["role"],
        frozenset(map(iri_of, row["of"])),
        tuple(row["write"]),
        tuple(row.get("accept", ())),
        row.get("at_most"),
        type_ and iri_of(type_),
        row.get("in_scheme", False),
        re.compile(pattern) if pattern else None,
        row["level"],
        row["source"],
        row["section"],
    )


def iri_of(name: str) -> ox.NamedNode:
    """Return the node of a name with one of the common prefixes, or of an IRI.

    >>> iri_of("dcat:mediaType").value
    'http://www.w3.org/ns/dcat#mediaType'
    """
    prefix, _, local = name.partition(":")
    return ox.NamedNode(PREFIXES[prefix] + local if prefix in PREFIXES else name)
