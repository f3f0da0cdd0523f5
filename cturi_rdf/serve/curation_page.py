"""The page for curators as HTML: the form, and the findings in a catalogue."""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Any

from cturi_rdf._util.display import counted
from cturi_rdf.catalogue.patches import as_diff
from cturi_rdf.catalogue.quality_score import effect
from cturi_rdf.catalogue.repair_summary import values_changed
from cturi_rdf.errors import CturiError
from cturi_rdf.reading.formats import FORMATS
from cturi_rdf.repair import profile_named, profile_names
from cturi_rdf.serve.upload import Upload

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cturi_rdf.repair import FilePlan

# How many findings are shown; the answer of the JSON API has all of them.
_SHOWN = 200
SCRIPT = """\
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
_SEVERITIES = ("violation", "warning", "info")
_FORM = """\
<p>See what is wrong with the media types and formats of a catalogue, and take it away repaired.
Nothing of it is kept.</p>
<form action="curate" method="post" enctype="multipart/form-data">
<label for="file">The file of the catalogue</label>
<input id="file" name="file" type="file">
<label for="text">Or its text</label>
<textarea id="text" name="text" spellcheck="false" autocomplete="off">
{text}</textarea>
<label for="format">Format</label>
<select id="format" name="format">
<option value="">as the name of the file tells, else Turtle</option>
{formats}</select>
<label for="profile">Profile to follow</label>
<select id="profile" name="profile">
<option value="">what the catalogue says it follows</option>
{profiles}</select>
<p><button>Check and repair</button></p>
</form>
<script src="curate.js" defer></script>"""
_TAKE = """\
<form action="curate" method="post" enctype="multipart/form-data">
<input type="hidden" name="content" value="{content}">
<input type="hidden" name="name" value="{name}">
<input type="hidden" name="format" value="{format}">
<input type="hidden" name="profile" value="{profile}">
<button name="take" value="file">Take the repaired file</button>
<button name="take" value="patch">Take the patch</button>
</form>"""


def upload_form(fields: Mapping[str, str]) -> str:
    """Return the form for a catalogue, with the earlier contents of its fields.

    >>> '<option value="dcat-ap" selected>' in upload_form({"profile": "dcat-ap"})
    True
    """
    formats = [(rdf_format.name, rdf_format.name) for rdf_format in FORMATS]
    profiles = [(name, profile_named(name).title) for name in profile_names()]
    return _FORM.format(
        text=escape(fields.get("text", "")),
        formats=_options(formats, fields.get("format")),
        profiles=_options(profiles, fields.get("profile")),
    )


def _options(options: Iterable[tuple[str, str]], chosen: str | None) -> str:
    return "\n".join(
        f'<option value="{name}"{" selected" * (name == chosen)}>{escape(title)}</option>'
        for name, title in options
    )


def outcome_page(upload: Upload, profile: str) -> str:
    """Return the findings in a catalogue, the changes of a repair, and the text before and after.

    Raises `CturiError` where the catalogue cannot be read.
    """
    try:
        report = upload.report(profile)
    except CturiError:
        # Where the profile is unknown, the repair says so below.
        report = upload.report()
    rows = _finding_rows(report)
    parts = [f"<p>{escape(upload.name)}: {_counts(report)}.</p>"]
    undecided: list[tuple[Any, ...]] = []
    original, repaired, patch = upload.content.decode("utf-8", "replace"), "", ""
    try:
        planned = upload.repaired(profile)
    except CturiError as error:
        parts.append(f'<p role="alert">It is not repaired: {escape(error.summary)}</p>')
    else:
        plan = planned.plan
        undecided = [
            (plan.document.position(value.statement.start)[0], value.text(), value.reason)
            for value in plan.left
        ]
        done = f"{values_changed(plan)} of {counted(plan.total, 'value')} changed"
        title = f"{escape(plan.profile.title)}, {escape(planned.why)}"
        after = Upload(planned.edited, upload.name, upload.format.name).report(profile)
        parts += [
            f"<p>Repaired for {title}: {done}, {len(plan.left)} left for you.</p>",
            _effect_table(report, after, planned),
            _TAKE.format(
                content=base64.b64encode(upload.content).decode(),
                name=escape(upload.name),
                format=upload.format.name,
                profile=escape(profile),
            ),
        ]
        text = plan.document.text
        original = text(planned.original)
        repaired = _text("Repaired", text(planned.edited))
        patch = (
            '<h2 id="patch">Patch</h2>\n<pre tabindex="0" role="region" aria-labelledby="patch">'
            f"{escape(text(as_diff(planned)))}</pre>"
        )
    linked = {row[0] for row in (*rows[:_SHOWN], *undecided[:_SHOWN])}
    parts += [
        _table("Findings", ("Line", "Severity", "Value", "What is wrong"), rows),
        _table("Left for you", ("Line", "Value", "Why"), undecided),
        f'<div class="sides">{_text("As it was", original, linked)}{repaired}</div>',
        patch,
        '<p><a href="curate">Another catalogue</a></p>',
    ]
    return "\n".join(parts)


def _finding_rows(report: dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the findings as rows of a table, in the order of their lines."""
    rows = [
        (place.get("line", ""), finding["severity"], finding["value"], finding["message"])
        for finding in report["findings"]
        for place in finding["places"]
    ]
    return sorted(rows, key=lambda row: row[0] or 0)


def _counts(report: dict[str, Any]) -> str:
    return ", ".join(counted(report[f"{kind}s"], kind) for kind in _SEVERITIES)


def _effect_table(before: dict[str, Any], after: dict[str, Any], planned: FilePlan) -> str:
    """Return the effect of the repair in numbers."""
    points = effect(planned)
    rows = [
        (f"{kind.capitalize()}s", before[f"{kind}s"], after[f"{kind}s"]) for kind in _SEVERITIES
    ]
    title = f"Violations of {planned.plan.profile.title}"
    rows.append((title, points.before.violations, points.after.violations))
    rows.append(("Points for formats, of 80 (MQA)", points.before.points, points.after.points))
    return _table("Effect", ("", "Before", "After"), rows)


def _table(title: str, heads: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    if not rows:
        return ""
    head = "".join(f'<th scope="col">{label}</th>' if label else "<td></td>" for label in heads)
    body = "\n".join(f"<tr>{''.join(_cells(heads, row))}</tr>" for row in rows[:_SHOWN])
    more = f"<p>And {len(rows) - _SHOWN} more.</p>" if len(rows) > _SHOWN else ""
    return (
        f'<h2>{title}</h2>\n<div class="wide" tabindex="0" role="region" aria-label="{title}">\n'
        f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>\n</div>{more}"
    )


def _cells(heads: tuple[str, ...], row: tuple[Any, ...]) -> Iterable[str]:
    for head, value in zip(heads, row, strict=True):
        text = escape(str(value))
        if not head:
            yield f'<th scope="row">{text}</th>'
        elif head == "Line" and value:
            yield f'<td><a href="#line-{text}">{text}</a></td>'
        else:
            yield f"<td>{text}</td>"


def _text(title: str, text: str, linked: Iterable[int] = ()) -> str:
    """Return a text with the numbers of its lines; some of them are linked to."""
    lines = escape(text).split("\n")
    width, targets = len(str(len(lines))), set(linked)
    numbered = "\n".join(
        f'<span id="line-{number}">{number:{width}} {line}</span>'
        if number in targets
        else f"{number:{width}} {line}"
        for number, line in enumerate(lines, 1)
    )
    name = title.lower().replace(" ", "-")
    return (
        f'<section><h2 id="{name}">{title}</h2>'
        f'<pre tabindex="0" role="region" aria-labelledby="{name}">{numbered}</pre></section>'
    )
