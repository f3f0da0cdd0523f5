"""The JSON API: what the command line does, for programs in any language."""

from __future__ import annotations

import json
import tempfile
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from anyio import open_file
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from cturi_rdf import ContentType, __version__, from_uri, node, to_uri
from cturi_rdf.catalogue import headers_of_file
from cturi_rdf.catalogue.patches import as_diff
from cturi_rdf.catalogue.rendering import as_json
from cturi_rdf.catalogue.repair import summary_of
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.check import check_file
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import ReadOptions, compression_of, format_named, format_of_file
from cturi_rdf.registry.schemes import only_type_of_iri
from cturi_rdf.repair import plan_file
from cturi_rdf.serve.answers import LONGEST_TEXT, MOST_TEXTS, json_object
from cturi_rdf.uri.mapping import content_type_uri

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from starlette.requests import Request
    from starlette.responses import Response

    from cturi_rdf.labels.resolution import Confidence
    from cturi_rdf.reading.formats import Format
    from cturi_rdf.serve.work import Work
    from cturi_rdf.uri.mapping import Control

# What a catalogue without a name is called.
_NAME = "catalogue"


def api_routes(work: Work) -> list[Route]:
    """Return the addresses of the API."""

    async def resolve_labels(request: Request) -> Response:
        labels = await _labels(request)
        return JSONResponse({"resolutions": await work.do(_resolutions, labels)})

    async def check(request: Request) -> Response:
        async with _upload(request) as upload:
            profile, by_url = request.query_params.get("profile"), _by_url(request)
            return JSONResponse(await work.do(upload.report, profile, by_url))

    async def repair(request: Request) -> Response:
        profile = request.query_params.get("profile")
        confidence = cast("Confidence", _choice(request, "min-confidence", "certain", "likely"))
        options = Options(confidence, _by_url(request))
        async with _upload(request) as upload:
            return JSONResponse(await work.do(upload.repair, profile, options))

    async def headers(request: Request) -> Response:
        async with _upload(request) as upload:
            return JSONResponse({"headers": await work.do(upload.headers, _by_url(request))})

    described = JSONResponse(description(), media_type="application/openapi+json")
    return [
        Route("/api", described, methods=["GET"]),
        Route("/api/openapi.json", described, methods=["GET"]),
        _route("/api/resolve", resolve_labels, "GET", "POST"),
        _route("/api/header", _header, "GET"),
        _route("/api/uri", _uri, "GET"),
        _route("/api/check", check, "POST"),
        _route("/api/repair", repair, "POST"),
        _route("/api/headers", headers, "POST"),
    ]


def _route(path: str, answer: Callable[[Request], Awaitable[Response]], *methods: str) -> Route:
    """Return an address that refuses parameters that no address of the API has.

    A check under "profil=dcat-ap" would be one under another profile.
    """

    async def checked(request: Request) -> Response:
        for name in request.query_params:
            if name not in _parameters():
                expected = ", ".join(_parameters())
                raise HTTPException(400, f"There is no parameter {name!r}: expected {expected}.")
        return await answer(request)

    return Route(path, checked, methods=list(methods))


@cache
def _parameters() -> tuple[str, ...]:
    """Return the names of the parameters of the API, as its description has them."""
    described = description()
    shared = described["components"]["parameters"]
    named = (
        parameter.get("name") or shared[parameter["$ref"].rpartition("/")[2]]["name"]
        for path, operations in described["paths"].items()
        if path.startswith("/api/")
        for operation in operations.values()
        for parameter in operation.get("parameters", ())
    )
    return tuple(sorted(set(named)))


def description() -> dict[str, Any]:
    """Return the description of all addresses (OpenAPI 3.1)."""
    text = files("cturi_rdf.serve").joinpath("static", "openapi.json").read_text("utf-8")
    described: dict[str, Any] = json.loads(text)
    described["info"]["version"] = __version__
    return described


def _resolutions(labels: list[str]) -> list[dict[str, Any]]:
    return [resolve(label).as_dict() for label in labels]


async def _header(request: Request) -> Response:
    """Answer with the header of a ContentType: URI, or of the IRI of another registry."""
    uri = _one(request, "uri")
    control = _control(request)
    return _both(only_type_of_iri(uri) or from_uri(uri, control=control), control)


async def _uri(request: Request) -> Response:
    return _both(ContentType.parse(_one(request, "header")), _control(request))


def _both(content_type: ContentType, control: Control) -> Response:
    ignoring = control == "ignore"
    uri = content_type_uri(content_type) if ignoring else to_uri(content_type)
    named = node(content_type, control=control)
    return JSONResponse({"header": str(content_type), "uri": uri, "node": named})


def _control(request: Request) -> Control:
    """Return whether a header may name the URI of something else (the draft, section 6)."""
    return cast("Control", _choice(request, "control", "honour", "ignore"))


def _by_url(request: Request) -> bool:
    """Return whether the file names in download URLs count."""
    return _choice(request, "by-url", "false", "true") == "true"


def _choice(request: Request, name: str, usual: str, other: str) -> str:
    """Return the value of a parameter that has one of two."""
    asked = request.query_params.get(name, usual)
    if asked not in {usual, other}:
        raise HTTPException(400, f"The parameter {name!r} is {usual!r} or {other!r}.")
    return asked


def _one(request: Request, name: str) -> str:
    values = request.query_params.getlist(name)
    if len(values) != 1:
        raise HTTPException(400, f"The parameter {name!r} is needed once, not {len(values)} times.")
    if len(values[0]) > LONGEST_TEXT:
        raise HTTPException(400, f"The parameter {name!r} may have {LONGEST_TEXT:,} characters.")
    return values[0]


async def _labels(request: Request) -> list[str]:
    labels: Any = request.query_params.getlist("label")
    if request.method == "POST":
        labels = json_object(await request.body()).get("labels")
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        raise HTTPException(400, 'The content is not such as {"labels": ["CSV"]}.')
    if not labels:
        raise HTTPException(400, "There is no label: expected /api/resolve?label=CSV.")
    if len(labels) > MOST_TEXTS or any(len(label) > LONGEST_TEXT for label in labels):
        raise HTTPException(
            400, f"A request may have {MOST_TEXTS:,} labels of up to {LONGEST_TEXT:,} characters."
        )
    return labels


class Upload(NamedTuple):
    """A catalogue that was sent: its file, what its sender calls it, and how to read it."""

    file: str
    name: str
    reading: ReadOptions

    def report(self, profile: str | None = None, by_url: bool = False) -> dict[str, Any]:  # noqa: FBT001, FBT002 - a task has no names
        """Return the report of a check, as `cturi check --json` prints it.

        Raises `CatalogError` for an unknown profile.
        """
        with self._under_its_name():
            report = check_file(
                self.file, reading=self.reading, profile=profile or None, by_url=by_url
            )
        answer: dict[str, Any] = json.loads(as_json({self.name: report}))
        return answer

    def repair(self, profile: str | None, options: Options = Options()) -> dict[str, Any]:
        """Return the changes of `cturi repair`, the text, the patch and the summary for people.

        Raises `CatalogError` for an unknown profile.
        """
        with self._under_its_name():
            planned = plan_file(
                self.file, reading=self.reading, profile=profile or None, options=options
            )
        planned = planned._replace(source=self.name)
        text = planned.plan.document.text
        return {
            **planned.as_dict(),
            "summary": list(summary_of(planned).lines()),
            "text": text(planned.edited),
            "patch": text(as_diff(planned)),
        }

    def headers(self, by_url: bool = False) -> list[dict[str, Any]]:  # noqa: FBT001, FBT002 - a task has no names
        """Return the header of each file of the catalogue, as `cturi headers --json` prints it."""
        with self._under_its_name():
            headers = headers_of_file(self.file, reading=self.reading, by_url=by_url)
            return [one.as_dict() for one in headers]

    @contextmanager
    def _under_its_name(self) -> Iterator[None]:
        """Say the name that the sender knows in errors, and not that of our file."""
        try:
            yield
        except CturiError as error:
            if error.text == self.file:
                error.text, error.span = self.name, (0, len(self.name))
            error.problem = error.problem.replace(self.file, self.name)
            raise


@asynccontextmanager
async def _upload(request: Request) -> AsyncIterator[Upload]:
    """Keep the catalogue in the content of a request in a file while the request is answered.

    The format is the one asked for, a name or a media type, or that of the file's name, or else
    that of the Content-Type.  The file is alone in a folder, because a document that came over the
    network has no neighbours; and it is not the worker's, which may be ended at any time.  Raises
    `CatalogError` where nothing says the format, and for a compressed file, whose size is unknown.
    """
    asked = request.query_params
    name = Path(asked.get("name", "").replace("\\", "/")).name
    with tempfile.TemporaryDirectory(prefix="cturi-") as folder:
        file = Path(folder, _NAME)
        async with await open_file(file, "w+b") as content:
            async for part in request.stream():
                await content.write(part)
            await content.seek(0)
            beginning = await content.read(16)
        form = _format(asked.get("format"), name, request.headers.get("content-type"))
        if compression_of(beginning):
            raise CatalogError("a compressed file", name or _NAME, "the unpacked file")
        yield Upload(str(file), name or _NAME, ReadOptions(form=form.name))


def _format(asked: str | None, name: str, sent_as: str | None) -> Format:
    """Return the format asked for, or that of a file's name, or that of a Content-Type."""
    if asked:
        return format_named(asked)
    try:
        return format_of_file(name)
    except CatalogError:
        if not sent_as and not name:
            expected = "a Content-Type, or the parameter 'format' or 'name'"
            raise CatalogError("a request that does not say its format", _NAME, expected) from None
        if not sent_as:
            raise
        return format_named(sent_as)
