"""The page for curators: a catalogue checked and repaired, without installing anything."""

from __future__ import annotations

import base64
import re
from html import escape
from typing import TYPE_CHECKING

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from cturi_rdf.catalogue.patches import as_diff
from cturi_rdf.errors import CturiError
from cturi_rdf.serve.curation_page import SCRIPT, outcome_page, upload_form
from cturi_rdf.serve.upload import Upload
from cturi_rdf.site.pages import page

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.repair import FilePlan
    from cturi_rdf.serve.settings import Settings
    from cturi_rdf.serve.work import Work


def curation_routes(work: Work, settings: Settings) -> list[Route]:
    """Return the addresses of the page."""

    async def curate(request: Request) -> Response:
        if request.method != "POST":
            return _page(upload_form({}))
        async with request.form(max_files=1, max_fields=10, max_part_size=settings.size) as form:
            fields = {name: value for name, value in form.items() if isinstance(value, str)}
            file, content = form.get("file"), b""
            if isinstance(file, UploadFile):
                fields["name"], content = file.filename or "", await file.read()
        profile = fields.get("profile", "")
        try:
            upload = _upload(content, fields)
            return await work.do(_outcome, upload, profile, fields.get("take"))
        except CturiError as error:
            refused = f'<p role="alert">It cannot be read:</p>\n<pre>{escape(str(error))}</pre>\n'
            return _page(refused + upload_form(fields), 400)

    return [
        Route("/curate", curate, methods=["GET", "POST"]),
        Route("/curate.js", Response(SCRIPT, media_type="text/javascript"), methods=["GET"]),
    ]


def _outcome(upload: Upload, profile: str, take: str | None) -> Response:
    if take is None:
        return _page(outcome_page(upload, profile))
    return _download(upload.repaired(profile), take)


def _page(body: str, status: int = 200) -> Response:
    return HTMLResponse(page("Check and repair a catalogue", body), status)


def _upload(content: bytes, fields: dict[str, str]) -> Upload:
    """Return the file, or the text, or the content that the page of findings sends back."""
    name, form = fields.get("name", ""), fields.get("format", "")
    if "content" in fields:
        try:
            content = base64.b64decode(fields["content"], validate=True)
        except ValueError as error:
            raise HTTPException(400, "The content is not Base64.") from error
    elif not content:
        # HTML section 4.10.21: the lines of a text area are sent with CRLF.
        content = fields.get("text", "").replace("\r\n", "\n").encode()
        name, form = "catalogue", form or "turtle"
    return Upload(content, name, form)


def _download(planned: FilePlan, what: str) -> Response:
    # RFC 6266 section 4.1: a token needs no quotes and has no line break.
    name = re.sub(r"[^\w.-]+", "_", planned.source, flags=re.ASCII).strip("._") or "catalogue"
    patch = what == "patch"
    content = as_diff(planned) if patch else planned.edited
    return Response(
        content,
        media_type="text/x-diff" if patch else "application/octet-stream",
        headers={"Content-Disposition": f"attachment; filename={name}{'.patch' if patch else ''}"},
    )
