"""A verdict: what is to be done about one statement under a profile, and how much may be done."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pyoxigraph as ox

from cturi_rdf._util.display import counted, shortened
from cturi_rdf.editing.edit import Append, Remove, Replace
from cturi_rdf.reading.terms import relative
from cturi_rdf.registry.tables import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.catalogue.resource_state import Value
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.editing import Document, Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.labels.resolution import Confidence


# The rules of changes, and the effect of each.
RULES = {
    "form": "rewritten as the profile requires",
    "split": "one value written as several",
    "move": "moved to the property that has a value for it",
    "duplicate": "removed, because it is stated twice",
    "placeholder": "replaced by what another statement says",
    "by URL": "replaced by what the download URL says",
    "service": "described as a service",
    "node": "a node with a label, replaced by what the label means",
    "missing": "added, because the profile requires it",
    "typing": "statements about the values",
}


class Step(NamedTuple):
    """One change, with the rule that asks for it, how sure it is and why."""

    change: Change
    rule: str
    confidence: Confidence
    reason: str

    @property
    def statement(self) -> Statement | None:
        """The statement that is changed, or beside which another one is written."""
        return self.change.statement

    def as_dict(self, document: Document) -> dict[str, Any]:
        """Return the step for JSON."""
        statement, change = self.statement, self.change
        return {
            **_place(document, statement),
            "old": [_statement(quad) for quad in change.removed],
            "new": [_statement(quad) for quad in change.added],
            "rule": self.rule,
            "confidence": self.confidence,
            "reason": self.reason,
        }

    def text(self) -> str:
        """Return the step on one line: the old statement, an arrow, the new one."""
        change = self.change
        if isinstance(change, Append):
            subjects = "types" if self.rule == "typing" else "a service"
            return f"+ {counted(len(change.quads), 'statement')} about {subjects}"
        if isinstance(change, Replace):
            new = written(change.object) if change.predicate is None else _text(change.added[0])
            return f"{_text(change.statement)} -> {new}"
        if isinstance(change, Remove):
            return f"- {_text(change.statement)}"
        return f"+ {_text(change.added[0])}"


class Left(NamedTuple):
    """A value that only a person can correct, and why."""

    statement: Statement
    rule: str
    reason: str

    def as_dict(self, document: Document) -> dict[str, Any]:
        """Return the value for JSON."""
        return {
            **_place(document, self.statement),
            "value": written(self.statement.object),
            "rule": self.rule,
            "reason": self.reason,
        }

    def text(self) -> str:
        """Return the statement on one line."""
        return _text(self.statement)


def _place(document: Document, statement: Statement | None) -> dict[str, Any]:
    if statement is None:
        return {}
    position = {}
    # A statement of a file that only rdflib reads has no place.
    if statement.start >= 0:
        position["line"], position["column"] = document.position(statement.start)
    return {
        **position,
        "resource": written_iri(statement.subject),
        "property": statement.predicate.value,
    }


def _statement(quad: ox.Quad) -> dict[str, str]:
    return {
        "resource": written_iri(quad.subject),
        "property": quad.predicate.value,
        "value": written(quad.object),
    }


def written_iri(resource: Term) -> str:
    """Return the IRI of a resource as its author wrote it, ``""`` for a blank node."""
    return relative(resource.value) if isinstance(resource, ox.NamedNode) else ""


@cache
def short_name(predicate: ox.NamedNode) -> str:
    """Return the name of a property with a prefix that everybody knows, else its IRI.

    >>> short_name(ox.NamedNode("http://purl.org/dc/terms/format"))
    'dct:format'
    """
    name = shortened(predicate.value)
    return f"<{name}>" if name == predicate.value else name


def written(term: Term) -> str:
    """Return a term for a reader: an IRI in angle brackets, a text in quotes.

    >>> written(ox.Literal("CSV", language="de"))
    '"CSV"@de'
    """
    if isinstance(term, ox.NamedNode):
        return f"<{relative(term.value)}>"
    return "[]" if isinstance(term, ox.BlankNode) else str(term)


def typing_reason(profile: Profile) -> str:
    """Return why statements about the values of a file are added."""
    return f"{profile.title} requires statements about its values."


def to_write(steps: Iterable[Step]) -> str:
    """Return the text that some steps write in place of a statement, as in Turtle, or ``""``."""
    changes = (step.change for step in steps if not isinstance(step.change, Append))
    return " ; ".join(_text(quad) for change in changes for quad in change.added)


def _text(statement: Statement | ox.Quad) -> str:
    return f"{short_name(statement.predicate)} {written(statement.object)}"


# What is to be done about a statement.  Nothing is done about one that is "right", and one that is
# left ("leave") is for a human.  What is "missing" has no statement yet.
Action = Literal["right", "replace", "remove", "move", "missing", "leave"]


class Options(NamedTuple):
    """How much a repair may do.

    The options are the confidence that a change needs, whether URLs count, and whether the names of
    services move to `dcat:accessService`.
    """

    min_confidence: Confidence = "certain"
    by_url: bool = False
    services: Literal["report", "move"] = "report"


class Verdict(NamedTuple):
    """The verdict on one statement under one profile.

    `statement` is the statement; for what is missing, the one beside which it is written.  `asks`
    is the rule of the profile, and `action` is what is to be done.  `rule` names the reason in a
    word, such as ``form``, ``duplicate`` or ``several``, and `reason` gives it in a sentence or
    two.  `value` is the property and the value to write instead, and `beside` are those to write
    beside it; `contents` are the contents that the statement names then, where they differ from
    those of its label.  `changes` carry the verdict out; they belong together, and are made all or
    none.
    `confidence` is how sure the verdict is: only a certain one is carried out unasked.
    """

    statement: Statement
    asks: PropertyRule
    action: Action
    rule: str = ""
    reason: str = ""
    confidence: Confidence = "certain"
    value: Value | None = None
    beside: tuple[Value, ...] = ()
    contents: tuple[ContentType, ...] | None = None
    changes: tuple[Change, ...] = ()

    @property
    def steps(self) -> Iterator[Step]:
        """The changes, each with its reason."""
        for change in self.changes:
            rule, reason = self.rule, self.reason
            if isinstance(change, Remove) and self.is_repetition(change.statement):
                rule, reason = "duplicate", "It is stated twice."
            yield Step(change, rule, self.confidence, reason)

    def is_repetition(self, other: Statement) -> bool:
        """Return whether another statement says the same as this one, at another place."""
        own = self.statement
        return other.start != own.start and other.quad == own.quad

    @property
    def tells_conflict(self) -> bool:
        """Whether it says that the statements of the resource do not agree on one type."""
        return self.rule in {"conflict", "several"}

    @property
    def left(self) -> Left | None:
        """The statement and the reason, if it is left for a person to decide."""
        if self.changes or self.action == "right":
            return None
        return Left(self.statement, self.rule, self.reason)

    @property
    def values(self) -> Iterator[Value]:
        """The properties and values of the statement once the verdict is carried out."""
        if self.action in {"right", "leave"} or not self.changes:
            yield self.statement.predicate, self.statement.object
        else:
            yield from () if self.value is None else (self.value,)
            yield from self.beside


class MessageRecord(NamedTuple):
    """The words of a message in the languages of findings.

    The reasons of a profile have no words in English: these have the reading of the label as well,
    which is English everywhere.
    """

    name: str
    en: str
    de: str
    fr: str
    es: str


@cache
def in_languages(name: str) -> dict[str, str]:
    """Return the words of a message by language.

    >>> in_languages("write")["en"]
    'Write {}.'
    """
    _, *texts = load("messages.tsv", MessageRecord)[name]
    languages = MessageRecord._fields[1:]
    return {tag: text for tag, text in zip(languages, texts, strict=True) if text}


def in_other_languages(
    profile: Profile,
    rule: str,
    *,
    verdict: Verdict | None = None,
    path: ox.NamedNode | None = None,
    write: str | None = None,
) -> dict[str, str]:
    """Return the message of a finding in other languages: what to write, if that is known, and why.

    `rule` is that of the verdict; a finding about the whole file has none, and one about a
    property of which the profile says nothing has its `path` alone.
    """
    asks = verdict.asks if verdict else None
    path = asks.property if asks else path
    name = f"because {rule}"
    is_known = name in load("messages.tsv", MessageRecord)
    reasons = in_languages(name if is_known else "because form")
    messages = {}
    for language, reason in reasons.items():
        forms = [in_languages(form)[language] for form in (asks.write if asks else ())]
        text = reason.format(
            title=profile.title,
            form=f" {in_languages('or')[language]} ".join(forms),
            property=short_name(path) if path else "",
            value=written(verdict.value[1] if verdict.value else verdict.statement.object)
            if verdict
            else "",
            validator=asks.refused_by[0] if asks and asks.refused_by else "",
        )
        advice = ""
        if write is not None:
            advice = in_languages("write" if write else "leave out")[language].format(write)
        messages[language] = f"{advice} {text}".strip()
    return messages
