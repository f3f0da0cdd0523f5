"""The page for curators: a catalogue checked and repaired, without installing anything."""

from __future__ import annotations

import base64
import binascii
import re
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from cturi_rdf._util.display import counted
from cturi_rdf.errors import CturiError
from cturi_rdf.io.formats import FORMATS
from cturi_rdf.repair import profile_named, profile_names
from cturi_rdf.repair.patch import as_diff
from cturi_rdf.serve.upload import Upload
from cturi_rdf.site.pages import page

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.repair import FilePlan
    from cturi_rdf.serve.settings import Settings
    from cturi_rdf.serve.work import Work

__all__ = ["curation_routes"]

# So many findings are shown; all of them are in the answer of the JSON API.
_SHOWN = 200
_SCRIPT = """\
const text = document.getElementById('text')
const file = document.getElementById('file')
text.addEventListener('dragover', (event) => event.preventDefault())
text.addEventListener('drop', (event) => {
  if (!event.dataTransfer.files.length) return
  event.preventDefault()
  file.files = event.dataTransfer.files
  text.value = ''
})
"""
_FORM = """\
<p>See what is wrong with the media types and formats of a catalogue, and take it away repaired.
Nothing of it is kept.</p>
<form action="curate" method="post" enctype="multipart/form-data">
<label for="file">The file of the catalogue</label>
<input id="file" name="file" type="file">
<label for="text">Or its text</label>
<textarea id="text" name="text" spellcheck="false" autocomplete="off"></textarea>
<label for="format">Format</label>
<select id="format" name="format">
<option value="">as the name of the file tells, else Turtle</option>
{formats}</select>
<label for="profile">Profile to follow</label>
<select id="profile" name="profile">
<option value="">what the catalogue says it follows</option>
{profiles}</select>
<p><button>Check and repair</button></p>
</form>"""
_TAKE = """\
<form action="curate" method="post" enctype="multipart/form-data">
<input type="hidden" name="content" value="{content}">
<input type="hidden" name="name" value="{name}">
<input type="hidden" name="format" value="{format}">
<input type="hidden" name="profile" value="{profile}">
<button name="take" value="file">Take the repaired file</button>
<button name="take" value="patch">Take the patch</button>
</form>"""


class _Outcome(NamedTuple):
    """What is found in a catalogue, the plan for it, and what is found after that."""

    before: dict[str, Any]
    plan: FilePlan | None
    after: dict[str, Any] | None
    refusal: str


def curation_routes(work: Work, settings: Settings) -> list[Route]:
    """Return the addresses of the page."""

    async def curate(request: Request) -> Response:
        if request.method != "POST":
            return _page(_form())
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
            return _page(refused + _form(), 400)
        return _page(_shown(upload, profile, outcome))

    return [
        Route("/curate", curate, methods=["GET", "POST"]),
        Route("/curate.js", _script),
    ]


async def _script(_: Request) -> Response:
    return Response(_SCRIPT, media_type="text/javascript")


def _page(body: str, status: int = 200) -> Response:
    head = '<script src="curate.js" defer></script>\n' if 'id="text"' in body else ""
    text = page("Check and repair a catalogue", body, head=head)
    return Response(text, status, media_type="text/html")


def _form() -> str:
    formats = "\n".join(f'<option value="{each.name}">{each.name}</option>' for each in FORMATS)
    profiles = "\n".join(
        f'<option value="{name}">{escape(profile_named(name).title)}</option>'
        for name in profile_names()
    )
    return _FORM.format(formats=formats, profiles=profiles)


def _upload(content: bytes, name: str, fields: dict[str, str]) -> Upload:
    """Return the file, or the text, or what the page of the findings sends back."""
    form = fields.get("format", "")
    if "content" in fields:
        try:
            content = base64.b64decode(fields["content"], validate=True)
        except binascii.Error as error:
            raise HTTPException(400, "The content is not Base64.") from error
        name = fields.get("name", "")
    elif not content:
        # HTML section 4.10.21: the lines of a text area are sent with CRLF.
        content = fields.get("text", "").replace("\r\n", "\n").encode()
        name, form = "catalogue", form or "turtle"
    return Upload(content, name, form)


def _outcome(upload: Upload, profile: str) -> _Outcome:
    before = upload.report()
    try:
        planned = upload.repaired(profile)
    except CturiError as error:
        return _Outcome(before, None, None, error.summary)
    after = Upload(planned.edited, upload.name, upload.format.name).report()
    return _Outcome(before, planned, after, "")


def _shown(upload: Upload, profile: str, outcome: _Outcome) -> str:
    """Return the findings, the effect of the repair in numbers, and both texts."""
    before, planned = outcome.before, outcome.plan
    parts = [f"<p>{escape(upload.name)}: {_counts(before)}.</p>"]
    if planned is None or outcome.after is None:
        parts.append(f'<p role="alert">It is not repaired: {escape(outcome.refusal)}</p>')
    else:
        plan = planned.plan
        done = f"{counted(len(plan.steps), 'change')} of {counted(plan.total, 'value')}"
        title = f"{escape(plan.profile.title)}, {escape(planned.why)}"
        left = f"{len(plan.left)} left for you; then {_counts(outcome.after)}"
        parts += [
            f"<p>Repaired for {title}: {done}, {left}.</p>",
            _TAKE.format(
                content=base64.b64encode(upload.content).decode(),
                name=escape(upload.name),
                format=upload.format.name,
                profile=escape(profile),
            ),
        ]
    rows = [
        (place.get("line", ""), each["severity"], each["value"], each["message"])
        for each in before["findings"]
        for place in each["places"]
    ]
    rows.sort(key=lambda row: row[0] or 0)
    parts.append(_table("Findings", ("Line", "Severity", "Value", "What is wrong"), rows))
    if planned is not None:
        plan = planned.plan
        undecided = [
            (plan.document.position(each.statement.start)[0], each.text(), each.reason)
            for each in plan.left
        ]
        parts.append(_table("Left for you", ("Line", "Value", "Why"), undecided))
        parts.append(
            '<div class="sides">'
            + _text("As it was", planned.original)
            + _text("Repaired", planned.edited)
            + "</div>\n<h2>Patch</h2>\n"
            + f'<pre tabindex="0">{escape(as_diff(planned))}</pre>'
        )
    parts.append('<p><a href="curate">Another catalogue</a></p>')
    return "\n".join(parts)


def _counts(report: dict[str, Any]) -> str:
    kinds = ("violation", "warning", "info")
    return ", ".join(counted(report[f"{kind}s"], kind) for kind in kinds)


def _table(title: str, heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{each}</th>' for each in heads)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{escape(str(each))}</td>" for each in row) + "</tr>"
        for row in rows[:_SHOWN]
    )
    more = f"<p>And {len(rows) - _SHOWN} more.</p>" if len(rows) > _SHOWN else ""
    return (
        f'<h2>{title}</h2>\n<div class="wide" tabindex="0" role="region" aria-label="{title}">\n'
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>{more}"
    )


def _text(title: str, content: bytes) -> str:
    lines = content.decode("utf-8", "replace").split("\n")
    width = len(str(len(lines)))
    numbered = "\n".join(f"{number:{width}} {line}" for number, line in enumerate(lines, 1))
    return f'<section><h2>{title}</h2><pre tabindex="0">{escape(numbered)}</pre></section>'


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
