"""The plan for a file: the changes that a profile asks for, their edits, and the values left."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.replacement import UNKNOWN
from cturi_rdf.catalogue.resources import Contents
from cturi_rdf.catalogue.value_forms import exists_nowhere, is_right
from cturi_rdf.catalogue.verdict import (
    Left,
    Options,
    Step,
    Verdict,
    short_name,
    typing_reason,
)
from cturi_rdf.catalogue.verdicts import verdicts_on_all
from cturi_rdf.editing import EditError
from cturi_rdf.editing.blank_nodes import nodes_of
from cturi_rdf.editing.edit import Append, plan
from cturi_rdf.editing.law import check
from cturi_rdf.rdf.terms import VALUES
from cturi_rdf.reading.terms import RDF_NS, relative

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from cturi_rdf.catalogue.labels import Meanings
    from cturi_rdf.catalogue.parts import Part
    from cturi_rdf.catalogue.profiles import Profile, PropertyRule
    from cturi_rdf.catalogue.resource_state import Value
    from cturi_rdf.catalogue.resources import Fact
    from cturi_rdf.editing import Document, Statement
    from cturi_rdf.editing.edit import Change, Edit


# What describes a statement in RDF 1.1, and what a text has that describes one.
_PARTS = tuple(ox.NamedNode(f"{RDF_NS}{name}") for name in ("subject", "predicate", "object"))
_MAY_DESCRIBE = (b"<<", b"reifies", b"subject", b":ID")


class Plan(NamedTuple):
    """The verdicts on the statements of a document, in their order, and the edits that follow.

    `unknown` are the types in no registry that are left where the profile has no rule.  `typing` is
    the change that adds what the data has to say about its new values, if any; the edits are
    numbered by `steps`.  `alike` is whether resources with the same statements have the same
    verdicts.
    """

    document: Document
    profile: Profile
    verdicts: tuple[Verdict, ...]
    unknown: tuple[Left, ...]
    typing: tuple[Step, ...]
    edits: list[Edit]
    contents: Contents
    alike: bool

    @property
    def steps(self) -> tuple[Step, ...]:
        """The changes, each with its reason."""
        return (*(step for verdict in self.verdicts for step in verdict.steps), *self.typing)

    @property
    def left(self) -> tuple[Left, ...]:
        """The values that are left for a person to decide, in the order of the file."""
        ruled = filter(None, (verdict.left for verdict in self.verdicts))
        return tuple(sorted((*ruled, *self.unknown), key=lambda one: one.statement.start))

    @property
    def total(self) -> int:
        """The number of values for which the profile has a rule."""
        return sum(1 for _ in self.contents.ruled)

    @property
    def unruled(self) -> Iterator[tuple[Statement, tuple[str, ...]]]:
        """The statements that the profile has no rule for, each with its property and classes."""
        for one in self.contents.unruled:
            classes = map(short_name, self.contents.subject(one.subject).types)
            yield one, (short_name(one.predicate), *classes)

    def check(self) -> None:
        """Raise `EditError` unless the edited text differs by exactly the planned changes."""
        check(self.document, self.edits, _changes(self.verdicts, self.typing))


def plan_document(
    document: Document,
    profile: Profile,
    meanings: Meanings,
    options: Options = Options(),
    contents: Contents | None = None,
) -> Plan:
    """Return the plan for a document that was located with `predicates_for` the profile.

    Values that the syntax has no place for are left.  `contents` are those of the document, if they
    have been read already.
    """
    contents = contents or Contents(document.statements, profile, by_url=options.by_url)
    contents.is_list = document.is_list
    judged = verdicts_on_all(
        contents, profile, lambda statement: meanings.of(statement.object), options
    )
    judged.sort(key=lambda verdict: verdict.statement.start)
    verdicts = judged
    # A graph has no text to look at.
    data = document.data
    may_describe = not data or any(name in data for name in _MAY_DESCRIBE)
    if may_describe and any(verdict.changes for verdict in verdicts):
        verdicts = leave_described(verdicts, document.parse(document.data))
    typing = typing_steps(contents, profile, verdicts)
    edits = _edits(document, _changes(verdicts, typing))
    if edits is None:
        if _edits(document, _changes(verdicts)) is None:
            verdicts = _writable(document, verdicts)
            typing = typing_steps(contents, profile, verdicts)
        if typing and _edits(document, _changes((), typing)) is None:
            verdicts.append(_untyped(verdicts))
            typing = ()
        changes = _changes(verdicts, typing)
        edits = plan(document, changes) if changes else []
    alike = options.services == "report" and verdicts == judged
    unknown = tuple(_unknown(contents, meanings))
    return Plan(document, profile, tuple(verdicts), unknown, typing, edits, contents, alike)


def _unknown(contents: Contents, meanings: Meanings) -> Iterator[Left]:
    """Yield the types in no registry where the profile has no rule; one that is repeated, once."""
    unruled: dict[tuple[object, ...], Statement] = {}
    for one in contents.unruled:
        unruled.setdefault(one[1:4], one)
    for one in unruled.values():
        value, values = one.object, VALUES.get(one.predicate)
        if values is None or not isinstance(value, ox.NamedNode | ox.Literal):
            continue
        resolution = meanings.of(value).resolution
        if exists_nowhere(value, resolution, any_format=values == "any format"):
            # A check uses the same words.
            yield Left(one, "unknown", UNKNOWN.format(relative(value.value)))


def leave_described(verdicts: Iterable[Verdict], quads: Iterable[ox.Quad]) -> list[Verdict]:
    """Return verdicts; one that changes a statement which others are about is left.

    Such a statement is a triple term (RDF 1.2 Concepts section 1.5), or has a node of its own with
    `rdf:subject`, `rdf:predicate` and `rdf:object` (RDF 1.1 Schema section 5.3).  A blank node in a
    triple term keeps what is said of it.
    """
    triples: set[tuple[object, ...]] = set()
    nodes: dict[object, dict[ox.NamedNode, object]] = {}
    for quad in quads:
        if isinstance(quad.object, ox.Triple):
            triples.add(tuple(quad.object))
        elif quad.predicate in _PARTS:
            nodes.setdefault(quad.subject, {})[quad.predicate] = quad.object
    triples |= {tuple(map(parts.get, _PARTS)) for parts in nodes.values()}
    used = {node for triple in triples for node in nodes_of(triple)}
    reason = "A statement that other statements describe cannot be replaced or removed."
    return _supported(
        _by_hand(verdict, reason)
        if any(change.removed and change.statement
               and (change.statement[1:4] in triples or change.statement.object in used)
               for change in verdict.changes)
        else verdict
        for verdict in verdicts
    )  # fmt: skip


def lawful(planned: Plan, expect_valid: Callable[[], object] | None = None) -> Plan:
    """Return a plan without the verdicts whose edits would change something else.

    If there are any, `expect_valid` is called first: it raises an error if the file is not valid.
    """
    document = planned.document
    try:
        planned.check()
    except EditError:
        if expect_valid:
            expect_valid()
    else:
        return planned
    verdicts = _supported(_right(document, planned.verdicts))
    typing = typing_steps(planned.contents, planned.profile, verdicts)
    changes = _changes(verdicts, typing)
    try:
        check(document, edits := plan(document, changes), changes)
    except EditError:
        verdicts.append(_untyped(verdicts))
        typing, edits = (), plan(document, _changes(verdicts))
    return planned._replace(verdicts=tuple(verdicts), typing=typing, edits=edits, alike=False)


def _right(
    document: Document, verdicts: Sequence[Verdict], others: Sequence[Verdict] = ()
) -> list[Verdict]:
    """Return verdicts; one whose edits do not say what they should beside the others is left."""
    changes = _changes([*others, *verdicts])
    try:
        check(document, plan(document, changes), changes)
    except EditError as error:
        if len(verdicts) == 1:
            return [_left(verdicts[0], f"{error.problem[:1].upper()}{error.problem[1:]}.")]
        half = len(verdicts) // 2
        right = _right(document, verdicts[:half], others)
        return [*right, *_right(document, verdicts[half:], [*others, *right])]
    return list(verdicts)


def typing_steps(
    contents: Contents, profile: Profile, verdicts: Iterable[Verdict]
) -> tuple[Step, ...]:
    """Return the step that adds the classes and schemes of values, where a rule asks for them."""
    if not any(rule.type or rule.in_scheme for rule in profile.rules):
        return ()
    # Many verdicts are about the same values of resources of the same classes.
    asking = {
        (
            one.asks,
            one.action,
            one.statement.graph,
            contents.subject(one.statement.subject).types,
            *one.values,
        ): one
        for one in verdicts
    }
    quads = {quad for one in asking.values() for quad in missing_facts(contents, profile, one)}
    change = Append(tuple(sorted(quads, key=str)))
    return (Step(change, "typing", "certain", typing_reason(profile)),) if quads else ()


def missing_facts(contents: Contents, profile: Profile, verdict: Verdict) -> Iterator[ox.Quad]:
    """Yield what the data lacks about the values of a verdict, where a rule asks for it."""
    for path, value in verdict.values:
        rule: PropertyRule | None = verdict.asks
        if path != verdict.asks.property:
            rule = profile.rule_for(path, contents.subject(verdict.statement.subject).types)
        if rule is not None and (verdict.action == "right" or is_right(rule, value)):
            for fact in contents.missing(rule, value):
                yield ox.Quad(*fact, verdict.statement.graph)


class Typing:
    """What a large file does not say of its values, by the plans for its parts."""

    def __init__(self) -> None:
        self._quads: set[ox.Quad] = set()
        self._facts: set[Fact] = set()

    def add(self, plan: Plan, part: Part) -> dict[ox.Quad, Statement]:
        """Take the plan for a part; return what it lacks, with the first statement that asks."""
        self._facts |= plan.contents.facts
        # Of other parts it may not know enough.
        own = [verdict for verdict in plan.verdicts if part.has(verdict.statement.start)]
        asking = {
            quad: verdict.statement
            for verdict in sorted(own, key=lambda verdict: verdict.statement.start, reverse=True)
            for quad in missing_facts(plan.contents, plan.profile, verdict)
        }
        self._quads.update(asking)
        return asking

    def missing(self) -> list[ox.Quad]:
        """Return the statements to add."""
        return sorted(
            (quad for quad in self._quads if tuple(quad.triple) not in self._facts), key=str
        )


def _writable(document: Document, verdicts: list[Verdict]) -> list[Verdict]:
    """Return the verdicts that can be written; the others, and what rests on them, are left."""
    # What is written of one resource has to be writable together.
    written: dict[object, list[Change]] = {}
    judged = []
    for verdict in verdicts:
        key = verdict.statement.graph, verdict.statement.subject
        of_same = written.setdefault(key, [])
        try:
            if verdict.changes:
                plan(document, [*of_same, *verdict.changes])
        except EditError as error:
            judged.append(_by_hand(verdict, f"{error.problem[:1].upper()}{error.problem[1:]}."))
        else:
            of_same += verdict.changes
            judged.append(verdict)
    return _supported(judged)


def _supported(verdicts: Iterable[Verdict]) -> list[Verdict]:
    """Return verdicts; one that removes a value is left where nothing says the same then."""
    verdicts = list(verdicts)
    # What the properties of each resource say.
    values: dict[object, set[Value]] = {}
    for verdict in verdicts:
        if verdict.action != "remove":
            key = verdict.statement.graph, verdict.statement.subject
            values.setdefault(key, set()).update(verdict.values)
    return [
        verdict
        if verdict.action != "remove"
        or verdict.value is None
        or verdict.value in values.get((verdict.statement.graph, verdict.statement.subject), ())
        else _left(verdict, "The value that would state the same cannot be written.")
        for verdict in verdicts
    ]


def _by_hand(verdict: Verdict, reason: str) -> Verdict:
    """Return a verdict that is left, with all that is to be changed."""
    changes = " ; ".join(step.text() for step in verdict.steps)
    return _left(verdict, f"{reason} Change it by hand: {changes}.")


def _left(verdict: Verdict, reason: str) -> Verdict:
    return verdict._replace(action="leave", rule="no place", reason=reason, changes=())


def _untyped(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict that the classes of values cannot be written."""
    reason = "The file has no place for the classes of its values, which the profile requires."
    first = next(one for one in verdicts if one.changes or one.action == "right")
    return Verdict(first.statement, first.asks, "leave", "typing", reason)


def _changes(verdicts: Iterable[Verdict], typing: Iterable[Step] = ()) -> list[Change]:
    """Return the changes of verdicts, and those that add statements about the values."""
    changes = [change for verdict in verdicts for change in verdict.changes]
    return changes + [step.change for step in typing]


def _edits(document: Document, changes: list[Change]) -> list[Edit] | None:
    try:
        return plan(document, changes)
    except EditError:
        return None
