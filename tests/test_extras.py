"""The command in an error over a missing extra works where this package was installed from."""

from __future__ import annotations

import json
import re
from importlib import metadata

import pytest
from processes import python

from cturi_rdf._util.lazy import how_to_install, import_extra
from cturi_rdf.selfcheck import _extras

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


# Imports every module where no extra is installed, and prints what cannot be imported.
WITHOUT_EXTRAS = """
import importlib, pkgutil, sys
import cturi_rdf
sys.modules |= dict.fromkeys(sys.argv[1:])
for module in pkgutil.walk_packages(cturi_rdf.__path__, "cturi_rdf.", onerror=lambda _: None):
    try:
        importlib.import_module(module.name)
    except ImportError as error:
        print(module.name, error, sep=": ")
"""


@pytest.mark.slow
def test_every_module_does_without_the_extras_or_says_what_to_install() -> None:
    names = {"ipython": "IPython", "python-multipart": "python_multipart"}
    modules = {names.get(name, name): extra for name, extra in _extras()}
    lines = python("-c", WITHOUT_EXTRAS, *modules).stdout.splitlines()
    sentences = [
        re.fullmatch(r"([\w.]+): (\w+) is not installed; run: (.+)", line) for line in lines
    ]
    assert None not in sentences, lines
    needed = {sentence[1]: (sentence[2], sentence[3]) for sentence in sentences if sentence}
    assert needed["cturi_rdf.serve"] == ("starlette", how_to_install("serve"))
    assert {module for module, _ in needed.values()} <= set(modules)


WITHOUT_OXIGRAPH = (
    "import sys\n"
    "sys.modules['pyoxigraph'] = None\n"
    "from cturi_rdf.__main__ import main\n"
    "sys.argv = ['cturi', *sys.argv[1:]]\n"
    "main()\n"
)


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (("resolve", "csv.gz"), "text/csv in application/gzip"),
        (("uri", "TEXT/CSV"), "ContentType:text/csv"),
        (("header", "ContentType:text/csv"), "text/csv"),
        (("describe", "text/csv"), "ctv:contentTypeHeader"),
        (("describe", "text/csv", "--to", "nt"), "<ContentType:text/csv>"),
        (("registry", "show", "text/csv"), "registered"),
    ],
)
def test_without_pyoxigraph_labels_are_resolved_and_types_mapped_and_described(
    words: tuple[str, ...], printed: str
) -> None:
    assert printed in python("-c", WITHOUT_OXIGRAPH, *words).stdout


def test_without_pyoxigraph_a_description_is_the_same() -> None:
    words = "describe", "application/geo+json; charset=utf-8", "message/rfc822"
    with_it = python("-m", "cturi_rdf", *words).stdout
    assert python("-c", WITHOUT_OXIGRAPH, *words).stdout == with_it


def test_without_pyoxigraph_a_catalogue_is_refused_with_what_is_missing() -> None:
    done = python("-c", WITHOUT_OXIGRAPH, "check", "examples/catalogue.ttl", check=False)
    assert done.returncode == 2
    assert "this needs pyoxigraph, which is not installed; expected pip install" in done.stderr
