"""Findings where the file name in a download URL contradicts what the labels say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cturi_rdf.catalogue.findings import Finding, Place, shown
from cturi_rdf.catalogue.shacl.terms import CTVS, SH

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.check.catalogue import Catalogue
    from cturi_rdf.rdf.label_statements import Term


# The title of the rule, like the labels of the shapes.
TITLES: dict[Term, str] = {CTVS.TypeFitsFileName: "the labels fit the file name"}

_MESSAGES = {
    "en": "The labels say {}, but the file name says {}.",
    "de": "Die Angaben sagen {}, der Dateiname aber {}.",
    "fr": "Les libellés disent {}, mais le nom du fichier dit {}.",
    "es": "Las etiquetas dicen {}, pero el nombre del archivo dice {}.",
}


def findings_by_url(catalogue: Catalogue) -> Iterator[Finding]:
    """Yield a warning for each download URL whose file name names another type than the labels.

    Labels that contradict each other are findings of their own, and left out here.
    """
    for url, header in catalogue.downloads():
        if header.by_name is not None:
            labels = header.content_type or ", ".join(map(str, header.contains))
            yield Finding(
                CTVS.TypeFitsFileName,
                CTVS.TypeFitsFileName,
                SH.Warning,
                url.predicate,
                shown(url.object),
                {
                    language: message.format(labels, header.by_name)
                    for language, message in _MESSAGES.items()
                },
                [Place.of(url)],
            )
