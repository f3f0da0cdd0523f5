"""The first page: a label, a header or an IRI, and its meaning."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import quote

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from cturi_rdf import ContentType, node
from cturi_rdf.errors import CturiError
from cturi_rdf.labels import resolve
from cturi_rdf.registry import registry
from cturi_rdf.registry.schemes import identifiers
from cturi_rdf.serve.home import overview
from cturi_rdf.site.pages import STYLE, page
from cturi_rdf.site.resources import KINDS

if TYPE_CHECKING:
    from starlette.requests import Request

    from cturi_rdf.serve.work import Work

SHEET = (
    STYLE
    + """
form { margin: 1rem 0; }
label { display: block; font-weight: 600; margin: .5rem 0 .2rem; }
button, select, textarea { font: inherit; padding: .4rem .8rem; margin: .4rem 0; max-width: 100%;
  box-sizing: border-box; }
textarea { width: 100%; min-height: 14rem; font-family: ui-monospace, monospace; }
pre { overflow-x: auto; padding: .6rem; border: 1px solid #888; }
.wide { overflow-x: auto; }
.wide th[scope=row] { white-space: normal; }
.sides { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(18rem, 1fr)); }
.sides > * { min-width: 0; }
"""
)
_SCRIPT = """\
const field = document.getElementById('q')
const list = document.getElementById('suggestions')
let waiting = 0
field.addEventListener('input', () => {
  clearTimeout(waiting)
  waiting = setTimeout(async () => {
    const prefix = field.value.trim()
    if (!prefix) { list.replaceChildren(); return }
    const answer = await fetch('reconcile/suggest/entity?prefix=' + encodeURIComponent(prefix))
    if (!answer.ok) return
    const { result } = await answer.json()
    list.replaceChildren(...result.map(({ id, description }) => {
      const option = document.createElement('option')
      option.value = id
      option.label = description
      return option
    }))
  }, 150)
})
"""
_FORM = """\
<form action="look" role="search">
<label for="q">A label, a header, a ContentType: URI or another IRI</label>
<input id="q" name="q" type="search" list="suggestions" autocomplete="off" maxlength="2000"
 value="{value}">
<datalist id="suggestions"></datalist>
<button>What does it mean?</button>
</form>
<script src="front.js" defer></script>
"""
_INDEX = """\
<p>Media types as linked data: what labels, headers and IRIs of formats mean.</p>
{form}
<ul>
{lists}
<li><a href="curate">Check and repair a catalogue</a></li>
<li><a href="sparql">SPARQL endpoint</a>, <a href="api/openapi.json">JSON API</a>,
<a href="reconcile">reconciliation service</a></li>
</ul>
{overview}"""


def front_routes(work: Work) -> list[Route]:
    """Return the addresses of the first page and of its files."""
    kept: list[str] = []

    async def index(_: Request) -> Response:
        if not kept:
            # The data do not change.
            kept.append(await work.do(overview, with_data=True))
        return HTMLResponse(page("Media types as linked data", body.replace("{overview}", kept[0])))

    lists = "\n".join(f'<li><a href="{kind}.html">{name}</a></li>' for kind, name in KINDS.items())
    body = _INDEX.format(form=_FORM.format(value=""), lists=lists, overview="{overview}")
    unchanging = {
        "/style.css": Response(SHEET, media_type="text/css"),
        "/front.js": Response(_SCRIPT, media_type="text/javascript"),
        # Browsers ask every server for an icon: there is none.
        "/favicon.ico": Response(status_code=204),
    }
    routes = [Route(path, response, methods=["GET"]) for path, response in unchanging.items()]
    return [Route("/", index), Route("/index.html", index), *routes, Route("/look", _look)]


async def _look(request: Request) -> Response:
    text = request.query_params.get("q", "")[:2_000].strip()
    body = _FORM.format(value=escape(text)) + (meaning(text) if text else "")
    return HTMLResponse(page(text or "What it means", body))


def meaning(text: str, root: str = "") -> str:
    """Return the meaning of a text as HTML: the reason, the types, and all their other names.

    `root` is the way from the page to the first page.

    >>> "image/svg%2Bxml" in meaning("SVG"), "<script" in meaning("<script>")
    (True, False)
    """
    resolution = resolve(text)
    parts = [f"<p>{escape(resolution.reason)}</p>"]
    if resolution.wrappers:
        wrappers = ", in ".join(_link(wrapper, root) for wrapper in reversed(resolution.wrappers))
        parts.append(f"<p>Packed or compressed as {wrappers}.</p>")
    parts.append(
        f"<p>Verdict: {resolution.verdict}, {resolution.confidence}, by the rule"
        f' "{escape(resolution.rule)}". <a href="{root}label/{quote(text, safe="")}.html">'
        "The label as linked data</a></p>"
    )
    if "/" in text and not resolution.types:
        try:
            ContentType.parse(text)
        except CturiError as error:
            parts.append(f"<pre>{escape(str(error))}</pre>")
    content_types = dict.fromkeys((*resolution.types, *resolution.wrappers))
    parts += [_names(content_type, root) for content_type in content_types]
    return "\n".join(parts)


def _link(content_type: ContentType, root: str) -> str:
    return (
        f'<a href="{root}type/{quote(content_type.essence)}.html">{escape(str(content_type))}</a>'
    )


def _names(content_type: ContentType, root: str) -> str:
    """Return a table with every name of a type."""
    essence = content_type.essence
    rows = [("Header", escape(str(content_type)))]
    try:
        rows.append(("Node", f"<code>{escape(node(content_type))}</code>"))
    except CturiError as error:
        rows.append(("Node", escape(error.summary)))
    canonical = registry().canonical(essence)
    names = (canonical, *registry().aliases(canonical))
    extensions = registry().extensions_of(essence)
    rows += [
        ("Other media types", ", ".join(escape(name) for name in names if name != essence)),
        ("File extensions", ", ".join(f".{escape(extension)}" for extension in extensions)),
        (
            "IRIs",
            "<br>".join(
                f"<code>{escape(name.iri)}</code> ({escape(name.scheme)}, {name.relation})"
                for name in identifiers(essence)
            ),
        ),
    ]
    table = "\n".join(f"<tr><th>{name}</th><td>{text}</td></tr>" for name, text in rows if text)
    return f"<h2>{_link(content_type, root)}</h2>\n<table>\n{table}\n</table>"
