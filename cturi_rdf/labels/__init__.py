"""The meaning of the format labels that people write in catalogues.

`resolve` reads one label: as a header or an identifier if it is one, or else in two passes.  The
first finds its `candidates`: names from the one table of `names`, and the words between them.  The
second, a small `grammar`, says what they mean together.  The `rule` of the answer says what
decided: ``service``, ``syntax`` (a media type), ``scheme`` (an identifier), ``code`` (of a list of
formats), ``extension``, ``alias`` (another name), ``spelling`` and ``prose``.  The answer is
certain only if nothing of the label is left over.  If two readings are equally likely, the
verdict is ``nothing``, and `Resolution.readings` has both.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from cturi_rdf.labels.resolution import Reading, Resolution
from cturi_rdf.labels.resolver import Resolver, read_labels

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Reading", "Resolution", "Resolver", "read_labels", "resolve", "resolve_all"]

_RESOLVER = Resolver()


@lru_cache(8_192)
def resolve(label: str) -> Resolution:
    """Return the meaning of a label: its verdict, its media types, how sure it is and why.

    `label` is the text of a literal or an IRI.  Never raises.  The rules are our own; each
    answer says which one decided, and `Resolver` takes labels of the user's own.

    >>> resolution = resolve("Zipped Shapefile")
    >>> resolution.verdict, list(map(str, resolution.types)), str(resolution.outer)
    ('compound', ['application/vnd.shp'], 'application/zip')
    >>> resolve("WMS").verdict, resolve("XSLX").rule
    ('service', 'spelling')
    """
    return _RESOLVER.resolve(label)


def resolve_all(labels: Iterable[str]) -> list[Resolution]:
    """Return the meanings of many labels, in their order; each distinct label is read once.

    >>> [resolution.verdict for resolution in resolve_all(["CSV", "API", "CSV"])]
    ['media_type', 'service', 'media_type']
    """
    return _RESOLVER.resolve_all(labels)
