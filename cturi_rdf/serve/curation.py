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

from cturi_rdf.errors import CturiError
from cturi_rdf.repair.patch import as_diff
from cturi_rdf.serve.curation_page import SCRIPT, Outcome, outcome_page, upload_form
from cturi_rdf.serve.upload import Upload
from cturi_rdf.site.pages import page

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.repair import FilePlan
    from cturi_rdf.serve.settings import Settings
    from cturi_rdf.serve.work import Work

__all__ = ["curation_routes"]


def curation_routes(work: Work, settings: Settings) -> list[Route]:
    """Return the addresses of the page."""

    async def curate(request: Request) -> Response:
        if request.method != "POST":
            return _page(upload_form({}))
        async with request.form(max_files=1, max_fields=10, max_part_size=settings.size) as form:
            fields = {name: value for name, value in form.items() if isinstance(value, str)}
            file = form.get("file")
            content = await file.read() if isinstance(file, UploadFile) else b""
            name = (file.filename or "") if isinstance(file, UploadFile) else ""
        profile = fields.get("profile", "")
        try:
            upload = _upload(content, name, fields)
            if "take" in fields:
                planned = await work.do(lambda: upload.repaired(profile), upload.name)
                return _download(planned, fields["take"])
            outcome = await work.do(lambda: _outcome(upload, profile), upload.name)
        except CturiError as error:
            refused = f'<p role="alert">It cannot be read:</p>\n<pre>{escape(str(error))}</pre>\n'
            return _page(refused + upload_form(fields), 400)
        return _page(outcome_page(upload, profile, outcome))

    return [
        Route("/curate", curate, methods=["GET", "POST"]),
        Route("/curate.js", Response(SCRIPT, media_type="text/javascript"), methods=["GET"]),
    ]


def _page(body: str, status: int = 200) -> Response:
    head = '<script src="curate.js" defer></script>\n' if 'id="text"' in body else ""
    text = page("Check and repair a catalogue", body, head=head)
    return Response(text, status, media_type="text/html")


def _upload(content: bytes, name: str, fields: dict[str, str]) -> Upload:
    """Return the file, or the text, or what the page of the findings sends back."""
    form = fields.get("format", "")
    if "content" in fields:
        try:
            content = base64.b64decode(fields["content"], validate=True)
        except ValueError as error:
            raise HTTPException(400, "The content is not Base64.") from error
        name = fields.get("name", "")
    elif not content:
        # HTML section 4.10.21: the lines of a text area are sent with CRLF.
        content = fields.get("text", "").replace("\r\n", "\n").encode()
        name, form = "catalogue", form or "turtle"
    return Upload(content, name, form)


def _outcome(upload: Upload, profile: str) -> Outcome:
    before = upload.report()
    try:
        planned = upload.repaired(profile)
    except CturiError as error:
        return Outcome(before, None, None, error.summary)
    after = Upload(planned.edited, upload.name, upload.format.name).report()
    return Outcome(before, planned, after, "")


def _download(planned: FilePlan, what: str) -> Response:
    # RFC 6266 section 4.1: a token needs no quotes and has no line break.
    name = re.sub(r"[^\w.-]+", "_", planned.source, flags=re.ASCII).strip("._") or "catalogue"
    patch = what == "patch"
    content = as_diff(planned).encode("utf-8", "surrogateescape") if patch else planned.edited
    return Response(
        content,
        media_type="text/x-diff" if patch else "application/octet-stream",
        headers={"Content-Disposition": f"attachment; filename={name}{'.patch' if patch else ''}"},
    )
