"""The JSON API: what the command line does, for programs in any language."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from cturi_rdf import ContentType, from_uri, node, to_uri
from cturi_rdf.catalogue import headers_of_file
from cturi_rdf.catalogue.patches import as_diff
from cturi_rdf.catalogue.rendering import as_json
from cturi_rdf.catalogue.repair import summary_of
from cturi_rdf.catalogue.verdict import Options
from cturi_rdf.check import check_file
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.reading.compression import compression_of
from cturi_rdf.reading.errors import CatalogError
from cturi_rdf.reading.formats import format_named, format_of_file
from cturi_rdf.reading.options import ReadOptions
from cturi_rdf.registry.schemes import type_of_iri
from cturi_rdf.repair import plan_file
from cturi_rdf.serve.answers import json_object
from cturi_rdf.serve.openapi import DESCRIPTION
from cturi_rdf.serve.settings import LONGEST_TEXT, MOST_TEXTS
from cturi_rdf.uri.mapping import content_type_uri

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from starlette.requests import Request
    from starlette.responses import Response

    from cturi_rdf.labels.resolution import Confidence
    from cturi_rdf.serve.work import Work
    from cturi_rdf.uri.mapping import Control

    _Result = TypeVar("_Result")


def api_routes(work: Work) -> list[Route]:
    """Return the addresses of the API."""

    async def resolve_labels(request: Request) -> Response:
        labels = await _labels(request)
        return JSONResponse({"resolutions": await work.do(_resolutions, labels)})

    async def check(request: Request) -> Response:
        upload = await _upload(request)
        return JSONResponse(await work.do(upload.report, request.query_params.get("profile")))

    async def repair(request: Request) -> Response:
        upload = await _upload(request)
        profile = request.query_params.get("profile")
        confidence = request.query_params.get("min-confidence", "certain")
        if confidence not in {"certain", "likely"}:
            raise HTTPException(400, "The parameter 'min-confidence' is 'certain' or 'likely'.")
        return JSONResponse(await work.do(upload.repair, profile, confidence))

    async def headers(request: Request) -> Response:
        upload = await _upload(request)
        return JSONResponse({"headers": await work.do(upload.headers)})

    description = JSONResponse(DESCRIPTION, media_type="application/openapi+json")
    return [
        Route("/api", description, methods=["GET"]),
        Route("/api/openapi.json", description, methods=["GET"]),
        Route("/api/resolve", resolve_labels, methods=["GET", "POST"]),
        Route("/api/header", _header),
        Route("/api/uri", _uri),
        Route("/api/check", check, methods=["POST"]),
        Route("/api/repair", repair, methods=["POST"]),
        Route("/api/headers", headers, methods=["POST"]),
    ]


def _resolutions(labels: list[str]) -> list[dict[str, Any]]:
    return [resolve(label).as_dict() for label in labels]


async def _header(request: Request) -> Response:
    """Answer with the header of a ContentType: URI, or of the IRI of another registry."""
    uri = _one(request, "uri")
    _, essences = type_of_iri(uri) or ("", ())
    control = _control(request)
    is_listed = len(essences) == 1
    content_type = ContentType.parse(essences[0]) if is_listed else from_uri(uri, control=control)
    return _both(content_type, control)


async def _uri(request: Request) -> Response:
    return _both(ContentType.parse(_one(request, "header")), _control(request))


def _both(content_type: ContentType, control: Control) -> Response:
    ignoring = control == "ignore"
    uri = content_type_uri(content_type) if ignoring else to_uri(content_type)
    named = node(content_type, control=control)
    return JSONResponse({"header": str(content_type), "uri": uri, "node": named})


def _control(request: Request) -> Control:
    """Return whether a header may name the URI of something else (the draft, section 6)."""
    control = request.query_params.get("control", "honour")
    if control not in {"honour", "ignore"}:
        raise HTTPException(400, "The parameter 'control' is 'honour' or 'ignore'.")
    return cast("Control", control)


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


async def _upload(request: Request) -> Upload:
    """Return the catalogue in the content of a request."""
    content = await request.body()
    name = request.query_params.get("name", "")
    form = request.query_params.get("format", "")
    return Upload(content, name, form, request.headers.get("content-type", ""))


_NAME = "catalogue"


class Upload:
    """The content of a catalogue, with the name of its format.

    `name` is what its sender calls it.  The format is that of `form`, a name or a media type, or
    that of the file's name, or else that of `sent_as`, a Content-Type.  Raises `CatalogError` where
    none of them says it, and for a compressed file, whose size is not known.
    """

    def __init__(self, content: bytes, name: str = "", form: str = "", sent_as: str = "") -> None:
        ending = name.rpartition(".")[2]
        try:
            self.format = format_named(form) if form else format_of_file(name)
        except CatalogError:
            if form or not sent_as:
                raise
            self.format = format_named(sent_as)
        self._reading = ReadOptions(form=self.format.name)
        self.name = Path(name.replace("\\", "/")).name or _NAME
        self.content = content
        if compression_of(content[:16]):
            raise CatalogError("a compressed file", self.name, f"it unpacked, not .{ending}")

    def report(self, profile: str | None = None) -> dict[str, Any]:
        """Return the report of a check, as `cturi check --json` prints it.

        Raises `CatalogError` for an unknown profile.
        """
        report = self._in_file(
            lambda path: as_json(
                {self.name: check_file(path, reading=self._reading, profile=profile or None)}
            )
        )
        answer: dict[str, Any] = json.loads(report)
        return answer

    def repair(self, profile: str | None, confidence: Confidence) -> dict[str, Any]:
        """Return the changes of `cturi repair`, the text, the patch and the summary for people.

        Raises `CatalogError` for an unknown profile.
        """
        options = Options(confidence)
        planned = self._in_file(
            lambda path: plan_file(
                path, reading=self._reading, profile=profile or None, options=options
            )
        )._replace(source=self.name)
        text = planned.plan.document.text
        return {
            **planned.as_dict(),
            "summary": list(summary_of(planned).lines()),
            "text": text(planned.edited),
            "patch": text(as_diff(planned)),
        }

    def headers(self) -> list[dict[str, Any]]:
        """Return the header of each file of the catalogue, as `cturi headers --json` prints it."""
        return self._in_file(
            lambda path: [one.as_dict() for one in headers_of_file(path, reading=self._reading)]
        )

    def _in_file(self, task: Callable[[str], _Result]) -> _Result:
        """Return the result of a task on a file that exists while the task runs.

        It is alone in a folder, because a document that came over the network has no neighbours.
        """
        with tempfile.TemporaryDirectory(prefix="cturi-") as folder:
            file = Path(folder, "catalogue")
            file.write_bytes(self.content)
            name = str(file)
            try:
                return task(name)
            except CturiError as error:
                # The sender has another name for the file, and no use for that of the folder.
                if error.text == name:
                    error.text, error.span = self.name, (0, len(self.name))
                error.problem = error.problem.replace(folder, "").replace("/catalogue", self.name)
                raise
