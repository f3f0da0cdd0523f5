"""Advice on a value that one of our shapes finds wrong: the text to write in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.profiles import profile_named
from cturi_rdf.catalogue.resources import Resource, Subject
from cturi_rdf.catalogue.steps import to_write
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.catalogue.verdicts import verdicts_on
from cturi_rdf.editing import Span, Statement

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cturi_rdf.rdf.label_statements import Term, Understood


# These two profiles ask for the least; the others build on them.
_PROFILES = ("dcat", "schema")
_SUBJECT, _GRAPH, _LIKELY = ox.BlankNode("resource"), ox.DefaultGraph(), Options("likely")
# The advice where it is certain, and where it is likely, in the languages of our messages.
SENTENCES = {
    "en": ("Write {}.", "It is likely {}."),
    "de": ("Zu schreiben ist {}.", "Wahrscheinlich ist es {}."),
    "fr": ("Il faut écrire {}.", "C'est probablement {}."),
    "es": ("Hay que escribir {}.", "Probablemente es {}."),
}


class Advice(NamedTuple):
    """The text to write in place of a value, as in Turtle; ``""`` where only a human can tell."""

    write: str = ""
    is_likely: bool = False

    def added_to(self, messages: Mapping[str, str]) -> dict[str, str]:
        """Return messages with the advice, in the language of each.

        >>> Advice("dct:format <http://a.example/csv>").added_to({"en": "It is a text."})
        {'en': 'It is a text. Write dct:format <http://a.example/csv>.'}
        """
        if not self.write:
            return dict(messages)
        return {
            language: f"{message} {SENTENCES[language][self.is_likely].format(self.write)}"
            for language, message in messages.items()
        }


def advice_on(path: ox.NamedNode, value: Term, understood: Understood) -> Advice:
    """Return the text that a repair by the profile of DCAT or of schema.org writes for a value.

    >>> from cturi_rdf.labels import resolve
    >>> from cturi_rdf.rdf.label_statements import understand
    >>> path, value = ox.NamedNode("http://www.w3.org/ns/dcat#mediaType"), ox.Literal("text/csv")
    >>> advice_on(path, value, understand(value, (), resolve)).write
    'dcat:mediaType <https://www.iana.org/assignments/media-types/text/csv>'
    """
    for profile in map(profile_named, _PROFILES):
        if path in profile.properties:
            statement = Statement(_GRAPH, _SUBJECT, path, value, Span(0, 0))
            subject = Subject()
            subject.labels.append(statement)
            resource, meanings = Resource([statement], subject), {statement.start: understood}
            verdicts = verdicts_on(resource, profile, meanings, _LIKELY)
            steps = [step for verdict in verdicts for step in verdict.steps]
            return Advice(to_write(steps), any(step.confidence == "likely" for step in steps))
    return Advice()
