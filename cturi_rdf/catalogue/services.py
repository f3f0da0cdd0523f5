"""The names of services where a format is asked for: codes of their own, or descriptions elsewhere.

DCAT 3 section 6.8 links a distribution to the service that gives access to it, which has its own
description: a class, a title, an endpoint, and the formats that it answers in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph as ox

from cturi_rdf.catalogue.profiles import iri_of
from cturi_rdf.catalogue.replacement import says_more
from cturi_rdf.catalogue.value_forms import eu_service_named, value_for
from cturi_rdf.catalogue.verdict import Options, Verdict, short_name, written
from cturi_rdf.editing.edit import Append, Remove, Replace
from cturi_rdf.labels.candidates import candidates
from cturi_rdf.labels.names import names
from cturi_rdf.rdf.terms import RDF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cturi_rdf.catalogue.profiles import PropertyRule
    from cturi_rdf.catalogue.resource_state import ResourceState, Value
    from cturi_rdf.catalogue.resources import Contents
    from cturi_rdf.content_type import ContentType
    from cturi_rdf.editing import Statement
    from cturi_rdf.editing.document import Term
    from cturi_rdf.editing.edit import Change
    from cturi_rdf.labels import Resolution
    from cturi_rdf.labels.resolution import Confidence


SERVICE = iri_of("dcat:DataService")
_TITLE, _FORMAT = iri_of("dct:title"), iri_of("dct:format")
_ENDPOINT, _ACCESS_SERVICE = iri_of("dcat:endpointURL"), iri_of("dcat:accessService")


class NamedService(NamedTuple):
    """The service that a label names: its name, the formats of its answers, how sure that is.

    Each format has its own text in the label.  `is_protocol` says that the name tells how a file is
    fetched: then the URL is that of a file, and there is no service to describe.
    """

    name: str
    formats: tuple[tuple[str, ContentType], ...]
    confidence: Confidence
    is_protocol: bool


def service_in(label: str, resolution: Resolution) -> NamedService:
    """Return the service that a label names.

    >>> from cturi_rdf.labels import resolve
    >>> service = service_in("WFS (GML, SHP)", resolve("WFS (GML, SHP)"))
    >>> service.name, [text for text, _ in service.formats], service.confidence
    ('WFS', ['GML', 'SHP'], 'certain')
    """
    parts = [part for part in candidates(label) if part.kind != "list"]
    named = [part for part in parts if part.kind == "format" and part.meaning is not None]
    formats = tuple(
        (part.text, one) for part in named if part.meaning for one in part.meaning.types
    )
    # Nothing is left over: one service, and formats of which each is certain.
    is_all = (
        sum(part.kind == "service" for part in parts) == 1
        and len(named) == len(parts) - 1
        and all(part.meaning and part.meaning.confidence == "certain" for part in parts)
    )
    return NamedService(
        ", ".join(resolution.services),
        formats,
        "certain" if is_all else resolution.confidence,
        all(map(names().is_protocol, resolution.services)),
    )


def judge_service(
    state: ResourceState,
    statement: Statement,
    rule: PropertyRule,
    options: Options,
    contents: Contents,
) -> Verdict:
    """Return the verdict on the name of a service: a code on a service itself, else no format.

    `contents` are those of the catalogue, which may describe the service already.
    """
    text, resolution = state.understood[statement.key]
    service = service_in(text, resolution)
    leave = Verdict(statement, rule, "leave", "service")
    if SERVICE in state.types:
        code = eu_service_named(resolution.services) if "eu-file-type" in rule.write else None
        if code and resolution.confidence == "certain" and not resolution.types:
            reason = f"{service.name} is a service, and the EU has a code for it."
            place, changes = (rule.property, code), (Replace(statement, code),)
            verdict = Verdict(
                statement, rule, "replace", "form", reason, value=place, changes=changes
            )
            if more := says_more(statement, state.understood[statement.key], code):
                verdict = verdict._replace(confidence="likely", reason=f"{reason} {more}")
                if options.min_confidence == "certain":
                    # What is left says nothing of the code, which another label may write.
                    return verdict._replace(action="leave", rule="likely", value=None, changes=())
            return verdict
        reason = f"{service.name} is what the service is, not a format of its answers."
        return leave._replace(reason=reason)
    if resolution.types:
        # A new value would name no service.
        return leave._replace(
            reason=f"It names {' and '.join(map(str, resolution.named))}, and {service.name}, which"
            f" is no format: {advice_on(state, 'that')}, and keep the rest."
        )
    if service.is_protocol:
        reason = f"{service.name} is a protocol: it says how the file is fetched, not what it is."
        return leave._replace(reason=reason)
    if options.services == "report":
        reason = f"{service.name} is a service, not a format: {advice_on(state, 'it')}."
        return leave._replace(reason=reason)
    return _moved(state, leave, service, options, contents)


def _moved(
    state: ResourceState,
    leave: Verdict,
    service: NamedService,
    options: Options,
    contents: Contents,
) -> Verdict:
    """Return the verdict that moves the name of a service to a description of it, or leaves it."""
    statement, own = leave.statement, state.subject
    subject = statement.subject
    access = [one for one in own.values("access") if isinstance(one, ox.NamedNode)]
    text = state.understood[statement.key].text
    about = contents.only_label_of(statement)
    reason = f"{service.name} is a service, not a format: "
    if service.confidence == "likely" and options.min_confidence == "certain":
        return leave._replace(reason=reason + "but that is only likely.")
    if not isinstance(subject, ox.NamedNode):
        reason += "the distribution has no IRI to make that of the service from."
        return leave._replace(reason=reason)
    if len(access) != 1:
        reason += f"its endpoint is one dcat:accessURL, and there are {len(access) or 'none'}."
        return leave._replace(reason=reason)
    if about is None:
        reason += "the node is more than the label of one statement."
        return leave._replace(rule="node", reason=reason)
    formats = tuple(_formats(state, leave.asks, service))
    if len(formats) < len(service.formats):
        reason += "some format of its answers has no value that the profile asks for."
        return leave._replace(reason=reason)
    described = contents.services.get(access[0])
    more = says_more(statement, state.understood[statement.key])
    enough = (text,) if more else (text, service.name)
    facts: list[Value] = []
    # Each text that names it is a title, in its language.
    named = [one.object for one in about] or [statement.object]
    texts = [one for one in named if isinstance(one, ox.Literal)] or [ox.Literal(text)]
    titled: list[Value] = [(_TITLE, one) for one in texts]
    if described is None:
        node: Any = service_of(subject, service.name)
        facts = [(RDF.type, SERVICE), *titled, (_ENDPOINT, access[0])]
    else:
        node, titles = described
        if not titles:
            facts = titled
        elif not any(_is_named(title, name) for title in titles for name in enough):
            reason += f"{written(node)} has this endpoint, and another title."
            return leave._replace(reason=reason)
    labels = contents.subjects[node].labels if described else ()
    there = {(one.predicate, one.object) for one in labels}
    facts += [(_FORMAT, value) for value in formats if (_FORMAT, value) not in there]
    changes: tuple[Change, ...] = ()
    if facts:
        changes = (Append(tuple(ox.Quad(node, *fact, statement.graph) for fact in facts)),)
    verdict = leave._replace(beside=tuple((_FORMAT, value) for value in formats))
    if described is not None and node in own.values("service"):
        reason += f"it is linked to {written(node)} already, which has this endpoint."
        changes = (Remove(statement), *changes, *map(Remove, about))
        return verdict._replace(action="remove", reason=reason, changes=changes)
    reason += "DCAT 3 section 6.8 links a distribution to its service."
    changes = (Replace(statement, node, _ACCESS_SERVICE), *changes, *map(Remove, about))
    return verdict._replace(
        action="move", reason=reason, value=(_ACCESS_SERVICE, node), changes=changes
    )


def _is_named(title: str, name: str) -> bool:
    """Return whether a title has a name among its words."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", title, re.IGNORECASE) is not None


def _formats(state: ResourceState, asks: PropertyRule, service: NamedService) -> Iterator[Term]:
    """Yield the values for the formats that a service answers in, as the profile has them there."""
    rule = state.profile.rule_for(_FORMAT, {SERVICE}) or asks
    for text, content_type in service.formats:
        value = value_for(rule, content_type, text)
        if value is not None:
            yield value


def advice_on(state: ResourceState, service: str) -> str:
    """Return the advice for a service: a text for people names it, or a description."""
    rule = state.rule_of("format")
    if rule is not None and "name" in rule.write:
        return f"name {service} in {short_name(rule.property)}"
    return f"describe {service} as a dcat:DataService, linked by dcat:accessService"


def service_of(distribution: ox.NamedNode, name: str) -> ox.NamedNode:
    """Return the IRI of a service by its name and by the distribution that it gives access to.

    >>> service_of(ox.NamedNode("http://a.example/roads"), "WMS").value
    'http://a.example/roads#wms-service'
    """
    separator = "-" if "#" in distribution.value else "#"
    slug = re.sub(r"[^a-z0-9]+", "-", f"{name} service".lower()).strip("-")
    return ox.NamedNode(f"{distribution.value}{separator}{slug}")
