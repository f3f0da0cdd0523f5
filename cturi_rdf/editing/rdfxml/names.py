"""Names of elements: IRIs as qualified names, with the prefixes of the file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from cturi_rdf._util.display import PREFIX_OF

if TYPE_CHECKING:
    from collections.abc import Mapping


# The longest end of an IRI that can be a local name (Namespaces in XML 1.0, NCName).
_LOCAL = re.compile(r"[^\W\d][\w.\-]*\Z")


class QualifiedNames:
    """Writes IRIs as qualified names; missing prefixes are declared on the first element.

    `declared` has the prefixes to declare, by the IRI of their namespaces.
    """

    def __init__(self, root: Mapping[str, str] | None) -> None:
        """Take the namespaces of rdf:RDF, or None where there is no such element."""
        self.declared: dict[str, str] = {}
        self._root = root

    def element(self, iri: str, namespaces: Mapping[str, str]) -> tuple[str, str] | None:
        """Return the name of an element and the declaration that its tag needs, if any.

        `namespaces` are those in scope.  None is returned for an IRI that no name stands for
        (RDF 1.1 XML Syntax section 2.2).

        >>> names = QualifiedNames({"d": "http://d.example/"})
        >>> names.element("http://d.example/a", {"d": "http://d.example/"})
        ('d:a', '')
        >>> names.element("http://d.example/", {}) is None
        True
        """
        local = _LOCAL.search(iri)
        if local is None or not local.start():
            return None
        namespace = iri[: local.start()]
        prefix, declaration = self._prefix(namespace, namespaces, default=True)
        return (f"{prefix}:{local[0]}" if prefix else local[0]), declaration

    def attribute(self, iri: str, namespaces: Mapping[str, str]) -> tuple[str, str]:
        """Return the name of an attribute and the declaration that its tag needs, if any."""
        local = _LOCAL.search(iri)
        start = local.start() if local else len(iri)
        prefix, declaration = self._prefix(iri[:start], namespaces, default=False)
        return f"{prefix}:{iri[start:]}", declaration

    def _prefix(
        self, namespace: str, namespaces: Mapping[str, str], *, default: bool
    ) -> tuple[str, str]:
        for prefix, name in namespaces.items():
            if name == namespace and (prefix or default):
                return prefix, ""
        bound = self.declared.get(namespace)
        if bound is not None and bound not in namespaces:
            return bound, ""
        prefix = self._fresh(namespace, namespaces)
        if self._root is None or bound is not None:
            return prefix, f" xmlns:{prefix}={quoteattr(namespace)}"
        self.declared[namespace] = prefix
        return prefix, ""

    def _fresh(self, namespace: str, namespaces: Mapping[str, str]) -> str:
        """Return the usual prefix of a namespace, or another one that is free."""
        usual = PREFIX_OF.get(namespace, "ns1")
        taken = {*namespaces, *(self._root or ()), *self.declared.values()}
        number, prefix = 1, usual
        while prefix in taken:
            number += 1
            prefix = f"{usual.rstrip('0123456789')}{number}"
        return prefix
