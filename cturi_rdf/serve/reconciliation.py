"""The Reconciliation Service API of W3C's community group, in two versions, over media types.

OpenRefine 3 uses version 0.2, and a manifest is for one version.  So the draft of version 1.0 has
addresses of its own.  The versions differ in the form of questions and answers alone.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from cturi_rdf import ContentType, __version__
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.registry import registry
from cturi_rdf.registry.qualities import qualities
from cturi_rdf.registry.schemes import identifiers, own_identifiers
from cturi_rdf.registry.tables import inverted
from cturi_rdf.serve.answers import LONGEST_TEXT, MOST_TEXTS, address_of, json_object
from cturi_rdf.serve.pages import meaning
from cturi_rdf.site.pages import page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence, Sized

    from starlette.requests import Request

    from cturi_rdf.serve.app import Settings
    from cturi_rdf.serve.work import Work


ENTITY_TYPE = {"id": "MediaType", "name": "Media type"}
PROPERTIES = {
    "iana": "IRI of IANA",
    "eu": "File type of the EU",
    "pronom": "Format in PRONOM",
    "eu-narrower": "Narrower file types of the EU",
    "pronom-narrower": "Narrower formats in PRONOM",
    "extensions": "File extensions",
    "machine-readable": "Machine-readable",
    "obsolete": "Not registered, or withdrawn",
}
_SCHEMES = {"iana": "iana-https", "eu": "eu-file-type", "pronom": "pronom"}
_NARROWER = "-narrower"
_SCORES = {"certain": 100, "likely": 70}
# The loss of score for each condition that a candidate does not meet.
_MISMATCH = 20
# A query has no more candidates than this, whatever it asks for.
_MOST = 100


class Condition(NamedTuple):
    """A condition on the identity, a property or the name of a candidate.

    `name` is the identifier of a property, or None for the names and identifiers of types.
    `quantifier` is ``any``, ``all`` or ``none`` of the values.
    """

    name: str | None
    values: tuple[str, ...]
    required: bool = False
    quantifier: str = "any"


def candidates(label: str) -> list[dict[str, Any]]:
    """Return the types that a label may mean, the best first.

    `match` is true only where one type is certain.

    >>> [(candidate["id"], candidate["match"]) for candidate in candidates("CSV")]
    [('text/csv', True)]
    >>> candidates("WMS")
    []
    """
    resolution = resolve(label)
    certain = resolution.confidence == "certain"
    essences = dict.fromkeys(content_type.essence for content_type in resolution.named)
    match = certain and resolution.verdict == "media_type" and len(essences) == 1
    score = _SCORES[resolution.confidence]
    return [
        _candidate(essence, resolution.reason, score - place, certain=certain, match=match)
        for place, essence in enumerate(essences)
    ]


def matching(conditions: Sequence[Condition], limit: int = _MOST) -> list[dict[str, Any]]:
    """Return the types that conditions describe, the best first.

    Names say which types are looked at; without names, these are the types that have a value of one
    of the properties.  A type that does not meet a condition is no longer a match and loses some of
    its score; if the condition is required, the type is left out.

    >>> by_name = Condition(None, ("XML",))
    >>> by_extension = Condition("extensions", ("svg",))
    >>> [candidate["id"] for candidate in matching([by_extension])]
    ['image/svg+xml']
    >>> [candidate["match"] for candidate in matching([by_name, by_extension])]
    [False]
    """
    wanted = [
        (condition.name, value)
        for condition in conditions
        if condition.quantifier != "none"
        for value in condition.values
    ]
    entities = [entry for name, text in wanted if name is None for entry in candidates(text)]
    if all(name is not None for name, _ in wanted):
        reason, score = "It has what is asked for.", _SCORES["likely"]
        entities = [
            _candidate(essence, reason, score, certain=False, match=False)
            for name, value in wanted
            for essence in _having(name or "").get(value.lower(), ())
        ]
    entries: dict[str, dict[str, Any]] = {}
    for entry in entities:
        entries.setdefault(entry["id"], entry)
    for condition in conditions:
        for essence in [essence for essence in entries if not _meets(essence, condition)]:
            if condition.required:
                del entries[essence]
            else:
                entry = entries[essence]
                entry["score"], entry["match"] = max(entry["score"] - _MISMATCH, 0), False
    return sorted(entries.values(), key=lambda entry: -entry["score"])[: min(limit, _MOST)]


def named_properties(names: Iterable[str] = PROPERTIES) -> list[dict[str, str]]:
    """Return properties with their names; all of them if none are named.

    >>> named_properties(["iana"])
    [{'id': 'iana', 'name': 'IRI of IANA'}]
    """
    return [{"id": name, "name": PROPERTIES[name]} for name in names]


def property_values(header: str, name: str) -> list[str]:
    """Return the values of a property of a type; none if the header is not a type.

    >>> property_values("text/csv", "iana")
    ['https://www.iana.org/assignments/media-types/text/csv']
    >>> property_values("CSV", "iana")
    []
    >>> [iri.rpartition("/")[2] for iri in property_values("application/zip", "eu")]
    ['ZIP']
    """
    try:
        content_type = ContentType.parse(header)
    except CturiError:
        return []
    essence = content_type.essence
    if name == "extensions":
        return list(registry().extensions_of(essence))
    if name == "machine-readable":
        machine_readable = qualities(content_type).machine_readable
        return [] if machine_readable is None else [str(machine_readable).lower()]
    if name == "obsolete":
        return [str(not registry().is_current(essence)).lower()]
    scheme = _SCHEMES[name.removesuffix(_NARROWER)]
    own = [identifier.iri for identifier in own_identifiers(essence) if identifier.scheme == scheme]
    if not name.endswith(_NARROWER):
        return own
    every = [identifier.iri for identifier in identifiers(essence) if identifier.scheme == scheme]
    return [iri for iri in every if iri not in own]


def suggested_entities(prefix: str) -> Iterator[dict[str, Any]]:
    """Yield the types that a text means, then the registered types that have it in their names.

    >>> next(suggested_entities("svg"))["id"]
    'image/svg+xml'
    """
    wanted = prefix.lower()
    meant = {entry["id"]: entry["description"] for entry in candidates(prefix)}
    for name, description in meant.items():
        yield _suggestion(name, description)
    named = [name for name in _names() if wanted in name and name not in meant]
    # The beginning of the name or of the subtype is best, and then an earlier place in the subtype.
    named.sort(
        key=lambda name: (
            not name.startswith(wanted),
            name.partition("/")[2].find(wanted) % 1_000,
            len(name),
            name,
        )
    )
    for name in named:
        yield _suggestion(name, "A registered media type.")


def suggested_properties(prefix: str) -> list[dict[str, str]]:
    """Return the properties that have a text in their names or identifiers; all for no text."""
    return [entry for entry in named_properties() if _is_in(prefix, entry)]


def suggested_types(prefix: str) -> list[dict[str, str]]:
    """Return the type of all entities, if it has a text in its name or identifier."""
    return [ENTITY_TYPE] if _is_in(prefix, ENTITY_TYPE) else []


def _is_in(prefix: str, entry: dict[str, str]) -> bool:
    return any(prefix.lower() in text.lower() for text in entry.values())


def _candidate(
    essence: str, reason: str, score: int, *, certain: bool, match: bool
) -> dict[str, Any]:
    return {
        "id": essence,
        "name": essence,
        "description": reason,
        "type": [ENTITY_TYPE],
        "score": score,
        "match": match,
        "features": [{"id": "certain", "name": "Certain", "value": certain}],
    }


def _suggestion(name: str, description: str) -> dict[str, Any]:
    return {"id": name, "name": name, "description": description, "notable": [ENTITY_TYPE]}


def _meets(essence: str, condition: Condition) -> bool:
    if condition.name is None:
        meant = [resolve(text).named for text in condition.values]
        held = [any(one.essence == essence for one in named) for named in meant]
    else:
        own = _values(essence, condition.name)
        held = [value.lower() in own for value in condition.values]
    if condition.quantifier == "none":
        return not any(held)
    return all(held) if condition.quantifier == "all" else any(held)


@lru_cache(maxsize=20_000)
def _values(essence: str, name: str) -> frozenset[str]:
    return frozenset(value.lower() for value in property_values(essence, name))


@cache
def _having(name: str) -> dict[str, list[str]]:
    """Return the registered types that have each value of a property."""
    return inverted((essence, _values(essence, name)) for essence in _names())


@cache
def _names() -> tuple[str, ...]:
    return tuple(record.essence for record in registry().media_types())


# --- The addresses, and the forms of both versions ------------------------------------------------


# The address of each version, and the parameter for how many suggestions the client has already.
_V0, _V1 = "/reconcile", "/reconcile/1.0"
_SKIP = {_V0: "cursor", _V1: "offset"}
_SUGGESTED: dict[str, Callable[[str], Iterable[dict[str, Any]]]] = {
    "entity": suggested_entities,
    "property": suggested_properties,
    "type": suggested_types,
}
_MOST_SUGGESTIONS = 20
_CALLBACK = re.compile(r"[A-Za-z_$][\w$.]{0,99}", re.ASCII)
# Tuples, because a client may send something that is not hashable.
_KINDS, _QUANTIFIERS = ("name", "id", "property"), ("any", "all", "none")
# The links of a preview lead out of the frame that a client shows it in.
_HEAD = '<base target="_blank">\n'


def reconciliation_routes(work: Work, settings: Settings) -> list[Route]:
    """Return the addresses of both versions of the service."""

    async def service(request: Request) -> Response:
        parameters = dict(request.query_params)
        if request.method == "POST":
            async with request.form(
                max_files=0, max_fields=20, max_part_size=settings.size
            ) as form:
                parameters |= {name: str(value) for name, value in form.items()}
        if "queries" in parameters:
            queries = json_object(parameters["queries"])
            _check_size(queries, "A batch", "queries")
            answer: Any = await work.do(_answers, queries)
        elif "extend" in parameters:
            answer = await work.do(_extension, json_object(parameters["extend"]))
        else:
            answer = _manifest(address_of(request, settings))
        return _json(answer, request)

    async def draft(request: Request) -> Response:
        return JSONResponse(_draft_manifest(address_of(request, settings)))

    async def match(request: Request) -> Response:
        queries = json_object(await request.body()).get("queries")
        if not isinstance(queries, list):
            raise HTTPException(400, "A batch has a list of `queries`.")
        _check_size(queries, "A batch", "queries")
        return JSONResponse({"results": await work.do(_draft_answers, queries)})

    async def extend(request: Request) -> Response:
        wanted = json_object(await request.body())
        return JSONResponse(await work.do(_draft_extension, wanted))

    return [
        Route(_V0, service, methods=["GET", "POST"]),
        Route(_V1, draft),
        Route(f"{_V1}/match", match, methods=["POST"]),
        Route(f"{_V1}/extend", extend, methods=["POST"]),
        *(
            Route(root + path, answer)
            for root in (_V0, _V1)
            for path, answer in (
                ("/suggest/{what}", _suggest),
                ("/extend/propose", _propose),
                ("/preview", _preview),
            )
        ),
    ]


# --- Candidates --------------------------------------------------------------------------------


def _answers(queries: dict[str, Any]) -> dict[str, Any]:
    return dict(zip(queries, _batch("result", _candidates, queries.values()), strict=True))


def _batch(
    name: str, find: Callable[[Any], list[dict[str, Any]]], queries: Iterable[Any]
) -> list[dict[str, Any]]:
    """Return the candidates of each query; none, and what is wrong, of one that is refused.

    The queries of a batch are rows of a table, and a bad row costs no other.  Raises
    `HTTPException` where all are refused.
    """
    answers: list[dict[str, Any]] = []
    refused: list[HTTPException] = []
    for query in queries:
        try:
            answers.append({name: find(query)})
        except HTTPException as error:
            refused.append(error)
            answers.append({name: [], "error": error.detail})
    if refused and len(refused) == len(answers):
        raise refused[0]
    return answers


def _candidates(query: Any) -> list[dict[str, Any]]:
    """Return the candidates of a query (version 0.2, section 4.2)."""
    query = query if isinstance(query, dict) else {}
    text, properties = query.get("query"), query.get("properties") or []
    try:
        conditions = [
            Condition(str(entry["pid"]), _texts(entry["v"]))
            for entry in properties
            if entry["pid"] in PROPERTIES
        ]
    except (KeyError, TypeError) as error:
        raise HTTPException(400, "A property of a query has `pid` and `v`.") from error
    if isinstance(text, str) and len(text) <= LONGEST_TEXT:
        conditions.append(Condition(None, (text,)))
    elif text is not None or not properties:
        raise HTTPException(
            400, f'A query is such as {{"query": "CSV"}}, with up to {LONGEST_TEXT:,} characters.'
        )
    return matching(conditions, _limit(query))


def _draft_answers(queries: list[Any]) -> list[dict[str, Any]]:
    return _batch("candidates", _draft_candidates, queries)


def _draft_candidates(query: Any) -> list[dict[str, Any]]:
    """Return the candidates of a query (1.0, section "Structure of a Reconciliation Query")."""
    conditions = query.get("conditions") if isinstance(query, dict) else None
    if not isinstance(conditions, list) or not conditions:
        raise HTTPException(400, "A query has a list of `conditions`.")
    return matching([_condition(entry) for entry in conditions], _limit(query))


def _condition(entry: Any) -> Condition:
    try:
        kind, values = entry["matchType"], _texts(entry["propertyValue"])
        name = entry["propertyId"] if kind == "property" else None
        quantifier = entry.get("matchQuantifier", "any")
    except (AttributeError, KeyError, TypeError) as error:
        raise HTTPException(
            400, "A condition has `matchType`, `propertyValue`, and `propertyId` for a property."
        ) from error
    if kind not in _KINDS or quantifier not in _QUANTIFIERS:
        raise HTTPException(
            400, "`matchType` is name, id or property, and `matchQuantifier` any, all or none."
        )
    if name is not None:
        _check_properties([name])
    return Condition(name, values, entry.get("required") is True, quantifier)


def _texts(value: Any) -> tuple[str, ...]:
    """Return the values of a property as texts; they are one or a list, and each may be an entity.

    Raises `TypeError` for anything else.

    >>> _texts("csv"), _texts([1, True, {"id": "text/csv"}])
    (('csv',), ('1', 'true', 'text/csv'))
    """
    return tuple(map(_text, value if isinstance(value, list) else [value]))


def _text(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("id")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)) and len(text := str(value)) <= LONGEST_TEXT:
        return text
    raise TypeError


def _limit(query: dict[str, Any]) -> int:
    """Return how many candidates a query asks for."""
    limit = query.get("limit")
    if limit is None:
        return MOST_TEXTS
    if not isinstance(limit, int) or limit < 1:
        raise HTTPException(400, "The limit of a query is a positive integer.")
    return limit


# --- Properties --------------------------------------------------------------------------------


def _extension(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the requested properties of some types (version 0.2, section 6)."""
    ids, properties = wanted.get("ids"), wanted.get("properties")
    if (
        not isinstance(ids, list)
        or not isinstance(properties, list)
        or not all(isinstance(essence, str) for essence in ids)
        or not all(isinstance(entry, dict) for entry in properties)
    ):
        raise HTTPException(400, "A data extension has the lists `ids` and `properties`.")
    names = [entry.get("id") for entry in properties]
    _check_properties(names)
    _check_size(ids, "A data extension", "types")
    rows = {
        essence: {
            name: [{"str": value} for value in property_values(essence, name)] for name in names
        }
        for essence in ids
    }
    return {"meta": named_properties(names), "rows": rows}


def _draft_extension(wanted: dict[str, Any]) -> dict[str, Any]:
    """Return the same in the form of version 1.0."""
    extension = _extension(wanted)
    rows = [
        {
            "id": essence,
            "properties": [{"id": name, "values": values} for name, values in row.items()],
        }
        for essence, row in extension["rows"].items()
    ]
    return {**extension, "rows": rows}


def _check_properties(names: Iterable[object]) -> None:
    """Raise `HTTPException` if one of the names is not that of a property."""
    if any(not isinstance(name, str) or name not in PROPERTIES for name in names):
        raise HTTPException(400, f"The properties are {', '.join(PROPERTIES)}.")


def _check_size(things: Sized, whole: str, parts: str) -> None:
    """Raise `HTTPException` if a request has more things than one may have."""
    if len(things) > MOST_TEXTS:
        raise HTTPException(413, f"{whole} may have {MOST_TEXTS:,} {parts}.")


# --- What both versions answer alike -------------------------------------------------------------


async def _suggest(request: Request) -> Response:
    suggested = _SUGGESTED.get(request.path_params["what"])
    if suggested is None:
        raise HTTPException(404, f"There are suggestions for {', '.join(_SUGGESTED)}.")
    prefix = request.query_params.get("prefix", "")[:LONGEST_TEXT].strip()
    start = _number(request, _SKIP[_V1 if request.url.path.startswith(_V1) else _V0]) or 0
    limit = _number(request, "limit")
    count = _MOST_SUGGESTIONS if limit is None else min(limit, MOST_TEXTS)
    return _json({"result": list(islice(suggested(prefix), start, start + count))}, request)


async def _propose(request: Request) -> Response:
    """Answer with the properties of the type that a request asks for."""
    limit = _number(request, "limit")
    proposal = {
        "type": request.query_params.get("type", ENTITY_TYPE["id"]),
        "properties": named_properties()[:limit],
    }
    return _json(proposal if limit is None else proposal | {"limit": limit}, request)


async def _preview(request: Request) -> Response:
    """Answer with a small page about a type."""
    name = request.query_params.get("id", "")[:LONGEST_TEXT]
    if not name:
        raise HTTPException(400, "The parameter 'id' is missing.")
    depth = request.url.path.count("/") - 1
    body = meaning(name, root="../" * depth)
    return HTMLResponse(page(name, body, depth=depth, head=_HEAD))


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not re.fullmatch("[0-9]{1,9}", text):
        raise HTTPException(400, f"The parameter {name!r} is not a number of things.")
    return int(text)


def _json(answer: object, request: Request) -> Response:
    """Return JSON, or a call with it for old clients (JSONP)."""
    callback = request.query_params.get("callback")
    if callback is None:
        return JSONResponse(answer)
    if not _CALLBACK.fullmatch(callback):
        raise HTTPException(400, "The parameter 'callback' is not the name of a function.")
    return Response(f"/**/{callback}({json.dumps(answer)});", media_type="text/javascript")


# --- Manifests -----------------------------------------------------------------------------------


def _manifest(base: str) -> dict[str, Any]:
    proposer = {"service_url": base, "service_path": f"{_V0}/extend/propose"}
    return _common("0.2", base) | {
        "identifierSpace": "https://www.iana.org/assignments/media-types/",
        "schemaSpace": "https://w3id.org/cturi/vocab#",
        "view": {"url": f"{base}/type/{{{{id}}}}"},
        "preview": {"url": f"{base}{_V0}/preview?id={{{{id}}}}", "width": 480, "height": 320},
        "suggest": {
            kind: {"service_url": base, "service_path": f"{_V0}/suggest/{kind}"}
            for kind in _SUGGESTED
        },
        "extend": {"propose_properties": proposer, "property_settings": []},
    }


def _draft_manifest(base: str) -> dict[str, Any]:
    return _common("1.0-draft", base) | {
        "view": {"url": f"{base}/type/{{id}}"},
        "preview": {"width": 480, "height": 320},
        "suggest": dict.fromkeys(_SUGGESTED, True),
        "extend": {"proposeProperties": True, "propertySettings": []},
        "batchSize": MOST_TEXTS,
        "standardizedScore": True,
        "lang": "en",
    }


def _common(version: str, base: str) -> dict[str, Any]:
    return {
        "versions": [version],
        "name": "Media types (cturi)",
        "documentation": f"{base}/",
        "serviceVersion": __version__,
        "defaultTypes": [ENTITY_TYPE],
    }
