"""The judgement of a resource: what all its evidence says together.

Theory of operation.  A statement about a resource names the type of its bytes (`dcat:mediaType
"text/csv"`), their wrapper (`dcat:packageFormat`), or both (`dct:format "Zipped CSV"`).  A
statement may leave a choice: "CSV, JSON" names two types, and "Excel" has two readings.

The evidence is weighed in the order of how much it counts, and what comes later may narrow what
was established before, but not change it: what is certain; then, only if asked, the name of the
file; then guesses.  An ambiguous name agrees with an established type among its readings, and
takes its value; alone it takes its preferred reading.  A conflict with a guess is one as well,
for nobody but a human knows whom to believe; where the name of the file was asked for, it decides
between statements that contradict each other.

To weigh statements that count the same is to sort out what each says of the content, of a package
(zip, tar: an archive of files) and of a compression (gzip, zstd: a coding of one file), and to look
in each of these three for the narrowest types that every statement allows:

1.  A package or a compression is a wrapper, by whatever property it is named.  A statement that
    names only the structure of the content counts as less specific: `application/zip` beside
    `application/epub+zip`.
2.  The other types are the content.  Two statements agree where a type of one is a type of the
    other, a special case of it, or another name of it.
3.  A parameter is said of the same bytes, whichever type it stands beside: what is agreed has the
    parameters of all.  Only a parameter with two values is a contradiction.
4.  Types that one statement lists are a choice, even where one is a special case of another.
5.  Wrappers nest: a compression is around a package.
6.  Statements that leave no common type are a conflict.

The order of statements decides nothing.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from cturi_rdf.catalogue.evidence import (
    LINKS,
    WRAPPED,
    WRAPS,
    Evidence,
    Reading,
    header_properties,
    is_placeholder,
    name_in_url,
    names_rdf,
    url_reading,
)
from cturi_rdf.content_type import ContentType
from cturi_rdf.rdf.terms import CHARSET, CTV, DOWNLOAD_URLS, MANY_FORMATS, RDF, URLS
from cturi_rdf.registry import registry
from cturi_rdf.registry.charsets import has_charset, same_charset
from cturi_rdf.registry.hierarchy import is_a, is_kind_of, is_rdf_syntax, most_specific

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from cturi_rdf.labels.resolution import Confidence

# How many judgements are remembered, and how many results of weighing.
_REMEMBERED = 4_096
# What is no statement about the type, but tells how such statements are to be read.
_NO_CLAIMS = frozenset({CHARSET.value, CTV.servedAs.value})
# One type; several that do not contradict each other; types that do; nothing that is understood.
Outcome = Literal["one", "several", "conflict", "none"]
_Alternatives = list[tuple[ContentType, ...]]
# How many types of one resource are compared with each other, and how many conflicts are named.
_COMPARED = 100


class Judgement(NamedTuple):
    """What a resource is, by all its evidence.

    `outcome` says whether there is one type.  `contents` are the types of what is inside, and
    `wrappers` what it is wrapped in, the outermost first.  `conflicts` are the types that
    contradict each other, in the order of their names, without a character set unless only these
    differ; `contents` and `wrappers` are then what is certain in spite of that.  `evidence` are the
    statements that count, and `chosen` has the reading that was taken of each, None where it is
    contradicted or not understood; one that certain evidence confirms is certain.  `confidence` is
    ``certain`` where certain evidence alone says the same, and everything is understood; it is not
    where the resource is packed, and nothing says in what.
    """

    outcome: Outcome
    contents: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...]
    conflicts: tuple[ContentType, ...]
    confidence: Confidence
    evidence: tuple[Evidence, ...]
    chosen: tuple[Reading | None, ...]


def judge(evidence: Iterable[Evidence], *, by_url: bool = False) -> Judgement:
    """Return the judgement of a resource by its evidence, in any order.

    With `by_url` the file names in its download URLs count, after what is certain.

    >>> from cturi_rdf.catalogue.evidence import readings_of
    >>> from cturi_rdf.labels import resolve
    >>> judgement = judge(
    ...     Evidence("http://purl.org/dc/terms/format", text, readings_of(resolve(text)))
    ...     for text in ("Excel", "xlsx"))
    >>> judgement.outcome, judgement.confidence, [one.confidence for one in judgement.chosen]
    ('one', 'certain', ['certain', 'certain'])
    """
    statements = (
        one._replace(text=name_in_url(one.text)) if one.path in URLS else one
        for one in evidence
        if by_url or one.path not in URLS
    )
    # Said again is not said more, and in one order the same evidence is one entry of the cache.
    distinct = sorted(dict.fromkeys(statements), key=lambda one: (one.path, one.text))
    return _judged(tuple(distinct), by_url=by_url)


# Many resources have the same evidence.
@lru_cache(maxsize=_REMEMBERED)
def _judged(evidence: tuple[Evidence, ...], *, by_url: bool) -> Judgement:
    # Asked for each time, for --property adds to these.
    paths = {path.value for path in header_properties()}
    counting = _that_count([one for one in evidence if one.path in paths])
    urls = _claims_of_urls(evidence) if by_url else ()
    stated = [
        _as_syntax(one, counting, urls) if one.names_types and names_rdf(one) else one
        for one in counting
    ]
    named = [one for one in stated if one.names_types and one.path not in _NO_CLAIMS]
    claims = tuple(map(_claim, named))
    # Equal types may be spelt differently: the spelling is that of the evidence.
    spelt = {one: one for claim in reversed(claims) for one in (*claim.wrappers, *claim.types)}
    certain = tuple(_claim(one) for one in named if one.confidence == "certain")
    guesses = [one for one in named if one.confidence == "likely"]
    by_certain = weigh(certain)
    url = _by_file_name(by_certain, certain, urls)
    if url and url.contents:
        # The name of the file counts more than a guess.
        weighed = established = url
    else:
        weighed = _with_guesses(url or by_certain, certain, guesses)
        established = by_certain if weighed.outcome == "conflict" else weighed
    if weighed.outcome == "conflict" and _has_many_formats(evidence):
        weighed = established = Weighed("several", narrowest(spelt.values()))
    served = tuple(
        _claim(one) for one in counting if one.path == CTV.servedAs.value and one.names_types
    )
    if weighed.outcome == "conflict" and served:
        # The header is stated, and decides as the name of a file does.
        weighed = established = by_certain = weigh(_agreeing(claims, served) + served)
    if weighed.outcome == "conflict":
        weighed = weighed._replace(contents=established.contents, wrappers=established.wrappers)
    # Statements contradict each other, and not what some of them say together.
    conflicts = narrowest(
        {
            named
            for one in weighed.conflicts
            for named in ([spelt[one]] if one in spelt else filter(partial(is_a, one), spelt))
        }
    )
    # Types contradict each other in any character set, which may also be stated beside them.
    types = narrowest(set(map(_without_charset, conflicts)))
    weighed = weighed._replace(
        contents=tuple(spelt.get(one, one) for one in weighed.contents),
        conflicts=types if len(types) > 1 else conflicts,
    )
    is_packed = any(reading.is_packed for one in stated for reading in one.readings)
    is_sure = (
        weighed[:3] == by_certain[:3]
        and not any(one.is_unread for one in stated)
        and (bool(weighed.wrappers) or not is_packed)
    )
    contents = _with_charset(weighed.contents, evidence)
    # The content that is said to be in another character set.
    disputed = contents[:1] if len(contents) > len(weighed.contents) else ()
    if disputed and not _has_many_formats(evidence):
        weighed = weighed._replace(outcome="conflict", conflicts=contents)
    return Judgement(
        weighed.outcome,
        disputed or contents,
        weighed.wrappers,
        weighed.conflicts,
        "certain" if is_sure else "likely",
        tuple(counting),
        tuple(
            None
            if disputed and disputed == one.content_types
            else _chosen(one, established, by_certain)
            for one in stated
        ),
    )


def _claim(evidence: Evidence) -> Claim:
    """Return what a statement says, with the contents of all its readings to choose from."""
    first = next(one for one in evidence.readings if one.contents)
    alike = [one for one in evidence.readings if one.wrappers == first.wrappers]
    types = dict.fromkeys(content for one in alike for content in one.contents)
    return Claim(tuple(types), first.wrappers, WRAPS.get(evidence.path))


def _that_count(evidence: list[Evidence]) -> list[Evidence]:
    """Return the statements that count: without links that repeat a label or are outdated.

    Annotating adds links to what the labels mean.  Where one of these links is missing, a link to a
    type is outdated unless that is a special case of what they mean.
    """
    nodes = {one for one in evidence if one.path == CTV.contentType.value}
    wrapped = {one for one in evidence if one.path in WRAPPED}
    if not (nodes or wrapped):
        return evidence
    labels = [one for one in evidence if one.path not in LINKS]
    named = {content_type for one in labels for content_type in one.all_types}
    wrapping = {
        content_type
        for one in labels
        for reading in one.readings
        for content_type in (*reading.wrappers, *(reading.contents if one.path in WRAPS else ()))
    }
    repeating = {one for one in nodes if named.issuperset(one.content_types)}
    repeating |= {one for one in wrapped if wrapping.issuperset(one.content_types)}
    judged = _judged(tuple(labels), by_url=False)
    meant = {*judged.contents, *judged.wrappers, *judged.conflicts}
    linked = {content_type for one in nodes | wrapped for content_type in one.content_types}
    is_missing = any(not any(with_parameters(own, one) for own in linked) for one in meant)
    outdated = {
        node
        for node in (nodes - repeating if is_missing else ())
        if not any(with_parameters(own, one) for own in node.content_types for one in meant)
    }
    if outdated:
        # The links to a wrapper and to a header came from the same label.
        outdated |= {one for one in evidence if one.path in LINKS and one not in nodes}
    return [one for one in evidence if one not in repeating | outdated]


def _as_syntax(evidence: Evidence, stated: list[Evidence], urls: tuple[Claim, ...]) -> Evidence:
    """Return "RDF" as evidence of the syntaxes of RDF that are named beside it, if any.

    One that only the name of the file has is a reading to choose.
    """
    named = {
        content
        for one in stated
        if one.confidence == "certain" and not names_rdf(one)
        for content in one.content_types
        if is_rdf_syntax(content.essence)
    }
    if named:
        reason = "RDF has several syntaxes, and another statement names one."
        return evidence._replace(readings=(Reading(tuple(sorted(named, key=str)), reason=reason),))
    likely = [reading._replace(confidence="likely") for reading in evidence.readings]
    by_url = [one for claim in urls for one in claim.types if is_rdf_syntax(one.essence)]
    reason = "RDF has several syntaxes, and the name of the file says which."
    likely += [Reading((one,), confidence="likely", reason=reason) for one in by_url]
    return evidence._replace(readings=tuple(likely)) if by_url else evidence


def _claims_of_urls(evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    """Return the claims of the file names in the URLs of the best property, if they agree."""
    paths = {one.path for one in evidence}
    best = next((path for path in DOWNLOAD_URLS if path in paths), "")
    readings = [url_reading(one.text) for one in evidence if one.path == best]
    claims = tuple(Claim(one.contents, one.wrappers) for one in readings if one)
    return claims if weigh(claims).outcome == "one" else ()


def _by_file_name(
    stated: Weighed, claims: tuple[Claim, ...], urls: tuple[Claim, ...]
) -> Weighed | None:
    """Return what certain claims say where the name of the file decides what they leave open."""
    if not urls:
        return None
    if stated.outcome == "conflict":
        # It decides among the statements that exist: one of them has to name the content.
        agreeing = _agreeing(claims, urls)
        weighed, stated = weigh(agreeing + urls), weigh(agreeing)
        is_stated = bool(stated.contents or not weighed.contents)
        return weighed if agreeing and is_stated and weighed.outcome == "one" else None
    weighed = weigh(claims + urls)
    if weighed.outcome != "one":
        return None
    if stated.outcome != "one":
        return weighed
    # One type that is stated stays; a wrapper may be missing, or what is inside of one.
    named = weigh(urls).wrappers or stated.wrappers
    inside = weighed.contents if named == stated.wrappers == weighed.wrappers else ()
    contents = inside if inside and len(stated.contents) != 1 else stated.contents
    return stated._replace(contents=contents, wrappers=weighed.wrappers or stated.wrappers)


def _agreeing(claims: tuple[Claim, ...], deciding: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims that do not contradict those which decide."""
    return tuple(one for one in claims if weigh((one, *deciding)).outcome != "conflict")


def _with_guesses(base: Weighed, certain: tuple[Claim, ...], guesses: list[Evidence]) -> Weighed:
    """Return what is established together with guesses, which may narrow it."""
    if not guesses or base.outcome == "conflict":
        return base
    stated = certain + _claims_of(base)
    guesses = [_within(one, base) for one in guesses]
    weighed = weigh(stated + tuple(map(_claim, guesses)))
    is_choice = weighed.outcome == "conflict" or len(weighed.contents) > 1
    if not is_choice or base.outcome == "several":
        return weighed
    # Nothing chooses among the readings of an ambiguous name: it takes the preferred one.
    first = [one._replace(readings=one.readings[:1]) for one in guesses]
    preferred = weigh(stated + tuple(_claim(one) for one in first if one.names_types))
    if weighed.outcome == "conflict" and preferred.outcome != "conflict":
        return weighed
    # Some names have no preferred reading.
    return preferred if preferred.contents or weighed.outcome != "one" else weighed


def _within(evidence: Evidence, established: Weighed) -> Evidence:
    """Return an ambiguous name without the readings that say less than what is established.

    A plain text that MIF may be does not make it a name of each kind of text.
    """
    readings = tuple(
        reading
        for reading in evidence.readings
        if not any(
            is_kind_of(content, one) and not is_kind_of(one, content)
            for content in established.contents
            for one in reading.contents
        )
    )
    is_ambiguous = len(evidence.readings) > 1 and any(one.contents for one in readings)
    return evidence._replace(readings=readings) if is_ambiguous else evidence


def _claims_of(weighed: Weighed) -> tuple[Claim, ...]:
    """Return what was established as claims."""
    contents = (Claim(weighed.contents),) if weighed.contents else ()
    # A compression is around a package.
    kinds = ("compression", "package")[-len(weighed.wrappers) :]
    wrappers = zip(weighed.wrappers, kinds, strict=False)
    return contents + tuple(Claim((one,), (), kind) for one, kind in wrappers)


def _chosen(evidence: Evidence, established: Weighed, certain: Weighed) -> Reading | None:
    """Return the first reading that agrees with what is established; confirmed, it is certain."""
    if evidence.path in _NO_CLAIMS or not evidence.names_types:
        return evidence.readings[0] if evidence.readings else None
    stated = _claims_of(established)
    for reading in _within(evidence, established).readings:
        if not reading.contents:
            continue
        claim = Claim(reading.contents, reading.wrappers, WRAPS.get(evidence.path))
        if not stated or weigh((*stated, claim)).outcome == "conflict":
            continue
        if not evidence.content_types and not _is_related(established, reading):
            # No reading is likelier than the others unless another statement names it.
            continue
        is_open = reading.is_packed and not certain.wrappers
        if not is_open and (evidence.confidence == "certain" or _confirms(certain, claim)):
            return reading._replace(confidence="certain")
        return reading._replace(confidence="likely")
    return None


def _is_related(established: Weighed, reading: Reading) -> bool:
    # Several contents leave the choice open.
    contents = established.contents if len(established.contents) == 1 else ()
    return any(
        is_a(one, other) or is_a(other, one)
        for one in contents + established.wrappers
        for other in reading.contents
    )


def _confirms(certain: Weighed, claim: Claim) -> bool:
    """Return whether certain evidence says all that a claim says."""
    inside, outside = claim.types, claim.wrappers
    if claim.wraps and not outside:
        inside, outside = (), inside
    return certain.outcome == "one" and all(
        any(is_a(one, other) for one in types)
        for types, others in ((certain.contents, inside), (certain.wrappers, outside))
        for other in others
    )


def _has_many_formats(evidence: Iterable[Evidence]) -> bool:
    return any(one.path == RDF.type.value and one.text in MANY_FORMATS for one in evidence)


def _with_charset(
    contents: tuple[ContentType, ...], evidence: Iterable[Evidence]
) -> tuple[ContentType, ...]:
    """Return the content with the character set that is stated beside it.

    Where its own character set is none of those that are stated, return it with each of them.
    """
    given = (one.text.strip() for one in evidence if one.path == CHARSET.value)
    texts = (text.rpartition("/")[2] for text in given if not is_placeholder(text))
    stated: list[str] = []
    for text in filter(None, texts):
        if not any(same_charset(text, one) for one in stated):
            stated.append(text)
    if not stated or len(contents) != 1 or not has_charset(contents[0]):
        return contents
    [content] = contents
    own = content.parameters.get("charset")
    if own is None:
        return (_in_charset(content, stated[0]),) if len(stated) == 1 else contents
    if any(same_charset(own, one) for one in stated):
        return contents
    return (content, *(_in_charset(content, one) for one in stated))


def _in_charset(content: ContentType, charset: str) -> ContentType:
    return ContentType(content.type, content.subtype, {**content.parameters, "charset": charset})


def _without_charset(content: ContentType) -> ContentType:
    parameters = content.parameters.items()
    return content.replace(
        parameters={name: text for name, text in parameters if name != "charset"}
    )


class Claim(NamedTuple):
    """What a statement says: types to choose from, and what these are wrapped in.

    `wraps` is the kind of wrapper that the property of the statement names, such as ``package``
    for `dcat:packageFormat`; then `types` are wrappers themselves, unless the statement names
    what is inside as well, as "Zipped CSV" does.
    """

    types: tuple[ContentType, ...]
    wrappers: tuple[ContentType, ...] = ()
    wraps: str | None = None


class Weighed(NamedTuple):
    """What claims say together; the wrappers with the outermost first."""

    outcome: Outcome
    contents: tuple[ContentType, ...] = ()
    wrappers: tuple[ContentType, ...] = ()
    conflicts: tuple[ContentType, ...] = ()


@lru_cache(maxsize=_REMEMBERED)
def weigh(claims: tuple[Claim, ...]) -> Weighed:
    """Return what claims say together, all of the same weight."""
    contents, packages, compressions = _sorted_out(dict.fromkeys(claims))
    agreed = []
    for statements in (contents, packages, compressions):
        agreed.append(_agreed(statements))
        if statements and not agreed[-1]:
            types = narrowest({one for types in statements for one in types})
            return Weighed("conflict", conflicts=types[:_COMPARED])
    inside, *layers = agreed
    layers = list(filter(None, reversed(layers)))
    if layers and len(layers[0]) > 1:
        # A choice of wrappers: each of them is the type of the whole.
        return Weighed("several", layers[0])
    wrappers = tuple(layer[0] for layer in layers if len(layer) == 1)
    # A choice of packages in a compression is a choice of contents.
    inside = inside or next((layer for layer in layers if len(layer) > 1), ())
    if wrappers or len(inside) == 1:
        return Weighed("one", inside, wrappers)
    return Weighed("several" if inside else "none", inside)


def _sorted_out(claims: Iterable[Claim]) -> tuple[_Alternatives, _Alternatives, _Alternatives]:
    """Return the claims on the content, on packages and on compressions (step 1)."""
    contents: _Alternatives = []
    unsure: _Alternatives = []
    # Each with the kind of a wrapper that the registry does not know.
    wrappers: list[tuple[tuple[ContentType, ...], str]] = []
    packaging = registry().packaging
    for claim in claims:
        wrappers += [((wrapper,), "package") for wrapper in claim.wrappers]
        if claim.wraps and not claim.wrappers:
            wrappers.append((claim.types, claim.wraps))
            continue
        (unsure if all(packaging(one.essence) for one in claim.types) else contents).append(
            claim.types
        )
    around = [*unsure, *(types for types, _ in wrappers)]
    named = {one.essence for types in around for one in types}
    # "CSV, ZIP" is a choice; where another statement names the zip, the CSV is inside.
    contents = [
        tuple(one for one in types if not (packaging(one.essence) and one.essence in named))
        for types in contents
    ]
    inside = _agreed(contents) if unsure else ()
    for types in unsure:
        outer = tuple(one for one in types if not any(is_kind_of(other, one) for other in inside))
        wrappers.append((outer, "package"))
        if not outer and all(is_kind_of(one, other) for one in inside for other in types):
            # The structure of the content may have parameters, which are said of the content too.
            contents.append(types)
    # A choice of wrappers means the one that another statement names.
    stated = {types[0].essence for types, _ in wrappers if len(types) == 1}
    wrappers = [
        (tuple(one for one in types if one.essence in stated) or types, kind)
        for types, kind in wrappers
    ]

    def of_kind(kind: str) -> _Alternatives:
        # A choice of a package or a compression stays one choice, of the kind of one of them.
        return [
            types
            for types, unknown in wrappers
            if types and (packaging(min(types).essence) or unknown) == kind
        ]

    return contents, of_kind("package"), of_kind("compression")


def _agreed(statements: _Alternatives) -> tuple[ContentType, ...]:
    """Return the types that every statement names, or allows by a broader one (steps 2 to 4)."""
    # In one order, and the fewest choices first: they make the others.
    ordered = sorted(statements, key=lambda types: (len(types), sorted(types)))
    bare = {one.replace(parameters={}) for types in statements for one in types}
    allowed = {one: completed for one in bare if (completed := _in_all(one, ordered))}
    meant = {
        one
        for narrow, completed in allowed.items()
        if not any(_is_preferred(broad, narrow, statements) for broad in allowed)
        for one in completed
    }
    return tuple(sorted({_name_of(one, list(meant)) for one in meant}))


def _in_all(bare: ContentType, statements: _Alternatives) -> list[ContentType]:
    """Return a type with the parameters that statements give to it, or to a broader type.

    There are several where the statements leave a choice, and none where one says something else.
    """
    completed = [bare]
    for types in statements:
        completed = [
            both
            for one in completed
            for both in (
                [one]
                if any(is_a(one, other) for other in types)
                else filter(None, (with_parameters(one, other) for other in types))
            )
        ][:_COMPARED]
    return completed


def _is_preferred(broad: ContentType, narrow: ContentType, statements: _Alternatives) -> bool:
    """Return whether a statement names a type and not its special case, which another lists."""
    if is_kind_of(broad, narrow) or not is_kind_of(narrow, broad):
        return False
    named = ({one.essence for one in types} for types in statements)
    return any(broad.essence in names and narrow.essence not in names for names in named)


def agree(one: ContentType, other: ContentType) -> bool:
    """Return whether data may be of two types: one is a special case, and no parameter differs.

    >>> parse = ContentType.parse
    >>> agree(parse("application/json; charset=utf-8"), parse("application/geo+json"))
    True
    >>> agree(parse("text/csv; charset=latin1"), parse("text/csv; charset=utf-8"))
    False
    """
    return bool(with_parameters(one, other) or with_parameters(other, one))


def with_parameters(narrow: ContentType, broad: ContentType) -> ContentType | None:
    """Return a type with the parameters of a broader one, or None if they contradict each other.

    A recipient ignores those that the type does not define (RFC 2045 section 1).
    """
    if not is_kind_of(narrow, broad):
        return None
    if narrow.essence == broad.essence and not narrow.parameters:
        return broad
    parameters = dict(narrow.parameters)
    for name, value in broad.parameters.items():
        own = parameters.setdefault(name, value)
        if own == value:
            continue
        if name == "charset" and same_charset(own, value):
            parameters[name] = min(own, value)
        elif name == "profile":
            # A set of names (RFC 6906 section 3.1).
            parameters[name] = " ".join(sorted({*own.split(), *value.split()}))
        elif is_a(narrow.replace(parameters={**parameters, name: value}), narrow):
            # Data of an earlier version of RDF is also of the later one.
            parameters[name] = value
        else:
            return None
    return narrow.replace(parameters=parameters)


def narrowest(types: Collection[ContentType]) -> tuple[ContentType, ...]:
    """Return the types without a special case among the others, one name for each."""
    if len(types) > _COMPARED:
        return tuple(sorted(types, key=str))
    narrow = [
        content_type
        for content_type in types
        if all(is_a(content_type, other) for other in types if is_a(other, content_type))
    ]
    names = {_name_of(content_type, narrow) for content_type in narrow}
    return tuple(sorted(names, key=str))


def _name_of(content_type: ContentType, types: Sequence[ContentType]) -> ContentType:
    if len(types) == 1:
        return content_type
    same = [
        media_type
        for media_type in types
        if is_a(media_type, content_type) and is_a(content_type, media_type)
    ]
    return most_specific(sorted(same, key=str)) or content_type
