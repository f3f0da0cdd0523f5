"""The command in an error over a missing extra works where this package was installed from."""

from __future__ import annotations

import json
from importlib import metadata

import pytest

from cturi_rdf._util.extras import how_to_install, import_extra

SOURCES = [
    # A release, from a package index.
    (None, "pip install 'cturi-rdf[shacl]'"),
    # The forms of PEP 610.
    ({"url": "file:///src/cturi", "dir_info": {}}, "pip install '/src/cturi[shacl]'"),
    ({"url": "file:///a%20b", "dir_info": {"editable": True}}, "pip install -e '/a b[shacl]'"),
    (
        {"url": "https://a.example/cturi", "vcs_info": {"vcs": "git", "commit_id": "1"}},
        "pip install 'cturi-rdf[shacl] @ git+https://a.example/cturi'",
    ),
    (
        {"url": "https://a.example/cturi.whl", "archive_info": {}},
        "pip install 'cturi-rdf[shacl] @ https://a.example/cturi.whl'",
    ),
]


class Installed:
    """A distribution, by what pip wrote down of its source."""

    def __init__(self, source: object) -> None:
        self.source = source

    def read_text(self, _: str) -> str | None:
        """Return the content of direct_url.json."""
        return json.dumps(self.source) if self.source else None


@pytest.mark.parametrize(("source", "command"), SOURCES)
def test_an_extra_comes_from_where_the_package_came_from(
    source: object, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(metadata, "distribution", lambda _: Installed(source))
    assert how_to_install("shacl") == command


def test_a_package_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "distribution", missing)
    with pytest.raises(ImportError, match=r"^none_such is not installed; run: pip install 'cturi"):
        import_extra("none_such", "notebook")
