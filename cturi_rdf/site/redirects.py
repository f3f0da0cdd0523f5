"""The redirects of https://w3id.org/cturi/ to the site, by the format that is asked for.

Apache's mod_rewrite reads `Accept` as text.  RFC 9110 section 12.5.1 orders media ranges by their
`q`; the rules go from q=1 down by halves of tenths, and at each step through the formats in the
order in which they are served where the client has no preference.
"""

from __future__ import annotations

import re

from cturi_rdf.rdf.provenance import version
from cturi_rdf.site.resources import VERSIONS

# Where the source is; scripts/name_repository.py writes it here and in all other places.
REPOSITORY = "https://github.com/OWNER/cturi-rdf"
# Ending -> the media types that ask for it, as regular expressions, the page for people first.
FORMATS = {
    "html": r"text/html|application/xhtml\+xml",
    "ttl": r"text/turtle|application/x-turtle",
    "jsonld": r"application/ld\+json",
    "rdf": r"application/rdf\+xml",
    "nt": r"application/n-triples",
}
# RFC 9110 section 12.4.2: the text after a media range with a weight of 1, of halves of tenths; a
# weight of 0 means that the format is not acceptable, and matches nothing.
_ANY = r"(;[^,;]*)*;\s*q="
_WEIGHTS = (
    rf"(;(?!\s*q=)[^,;]*)*\s*(,|$)|{_ANY}1",
    *(rf"{_ANY}0?\.{tenth}{half}" for tenth in range(9, 0, -1) for half in ("[5-9]", "")),
    rf"{_ANY}0?\.0\d*[1-9]",
)
_HEAD = """\
# Redirects of https://w3id.org/cturi/, for the repository perma-id/w3id.org.
# Written by `cturi site`; the address of the site is {base}

Options +FollowSymLinks
RewriteEngine on

# The format: by the weights of Accept, from the highest; a page for people where none is asked for.
"""
_RULES = """\

# Only the vocabulary and its versions are there in RDF/XML and in N-Triples.
RewriteCond %{{ENV:FORMAT}} ^$
RewriteRule ^ - [E=FORMAT:html]
RewriteRule ^/?$ {base}index.html [R=303,L]
RewriteRule ^(vocab|mime)/?$ {base}$1.%{{ENV:FORMAT}} [R=303,L]
{versions}
RewriteCond %{{ENV:FORMAT}} ^(rdf|nt)$
RewriteRule ^ - [E=FORMAT:ttl]

# A page for each resource, and one for all parameters and for all labels, whose IRIs anybody can
# make.  B, BNP: what was decoded to be matched is encoded again.
{pages}

# What is one file in Turtle or JSON-LD.
RewriteRule ^context$ {base}ontology/context.jsonld [R=303,L]
RewriteCond %{{ENV:FORMAT}} ^html$
RewriteRule ^registry$ {base}media-type.html [R=303,L]
RewriteRule ^registry(/{registry})?$ {base}registry.ttl [R=303,L]
RewriteRule ^(registry[.](ttl|trig)|data/[a-z0-9.-]+)$ {base}$1 [R=303,L]
RewriteRule ^shapes$ {base}ontology/shapes/catalogue.ttl [R=303,L]
RewriteRule ^shapes/(2026-11-21)$ {base}ontology/shapes/versions/$1.ttl [R=303,L]
RewriteRule ^(vocabulary|ontology)-shapes$ {base}ontology/shapes/$1.ttl [R=303,L]
RewriteRule ^code-list-shapes$ {base}ontology/shapes/code-lists.ttl [R=303,L]
RewriteRule ^(code-lists/[a-z-]+)$ {base}$1.ttl [R=303,L]
RewriteRule ^(properties)$ {base}ontology/$1.ttl [R=303,L]
RewriteRule ^vocab/axioms$ {base}ontology/axioms.ttl [R=303,L]
RewriteRule ^vocab/(alignment|translation)/([a-z0-9-]+)$ {base}ontology/$1s/$2.ttl [R=303,L]
RewriteRule ^function(/.*)?$ {base}index.html [R=303,L]
"""
_README = """\
# cturi

`https://w3id.org/cturi/` has the vocabulary of the project cturi-rdf, and the nodes of media types,
parameters and labels that it makes.

* Site: {base}
* Source and issues: {repository}
* Contact: the maintainers of cturi-rdf, through the issues of the repository
"""


def htaccess(base: str) -> str:
    """Return the file `.htaccess` that redirects to a site; `base` is its address.

    >>> "RewriteRule ^(vocab|mime)/?$ https://a.example/$1." in htaccess("https://a.example/")
    True
    """
    rules = "".join(
        "RewriteCond %{ENV:FORMAT} ^$\n"
        f'RewriteCond %{{HTTP:Accept}} "(^|,)\\s*({types})\\s*({weight})" [NC]\n'
        f"RewriteRule ^ - [E=FORMAT:{ending}]\n"
        for weight in _WEIGHTS
        for ending, types in FORMATS.items()
    )
    dated = sorted(path.stem.split("-", 1) for path in VERSIONS.glob("*.ttl"))
    versions = "\n".join(
        f"RewriteRule ^({module})/({date})/?$ {base}versions/$1-$2.%{{ENV:FORMAT}} [R=303,L]"
        for module, date in dated
    )
    return (
        _HEAD.format(base=base)
        + rules
        + _RULES.format(
            base=base,
            pages=_pages(base),
            versions=versions,
            registry=re.escape(version()),
        )
    )


def readme(base: str) -> str:
    """Return the README that w3id.org asks for beside `.htaccess`."""
    return _README.format(base=base, repository=REPOSITORY)


def _pages(base: str) -> str:
    ending = ".%{ENV:FORMAT} [B,BNP,NE,R=303,L]"
    return (
        f"RewriteRule ^(suffix|top-level)/([^/]+)$ {base}$1/$2{ending}\n"
        f"RewriteRule ^(media-type)/([^/]+)/([^/]+)$ {base}$1/$2/$3{ending}\n"
        "RewriteCond %{ENV:FORMAT} ^html$\n"
        f"RewriteRule ^(label)/(.+)$ {base}$1.html#$2 [B,BNP,NE,R=303,L]\n"
        "RewriteCond %{ENV:FORMAT} ^html$\n"
        f"RewriteRule ^(parameter)/([^/]+)/(.+)$ {base}$1.html#$2/$3 [B,BNP,NE,R=303,L]\n"
        f"RewriteRule ^(parameter|label)(/.*)?$ {base}$1.%{{ENV:FORMAT}} [R=303,L]"
    )
