"""The examples of the page on clusters, run one after the other as a reader would."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cturi_rdf.columns.spark.__main__ import crawl

PAGE = (Path(__file__).parents[2] / "docs" / "clusters.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks(kind: str) -> list[str]:
    return [text for language, text in BLOCK.findall(PAGE) if language == kind]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which the Python of the page has run."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "build").mkdir()
    (folder / "page.txt").write_text("\n".join(_blocks("python")), "utf-8")
    run = subprocess.run(
        [sys.executable, "-m", "doctest", "page.txt"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.stdout, run.returncode) == ("", 0)
    return folder


def test_the_commands_of_the_page_print_what_it_says(folder: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    commands = [
        each
        for block in _blocks("console")
        for each in re.split(r"^\$ ", block, flags=re.MULTILINE)
    ]
    assert len(commands) > 2
    for each in filter(None, commands):
        command, _, expected = each.partition("\n")
        run = subprocess.run(  # noqa: S602 - the commands of our own page
            command,
            shell=True,
            cwd=folder,
            env=os.environ | {"PATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout == expected


def test_every_option_on_the_page_is_one_of_the_job() -> None:
    named = set(re.findall(r"`(--[a-z-]+)`", PAGE)) - {"--archives"}
    options = {name for each in crawl.get_params(click.Context(crawl)) for name in each.opts}
    assert named
    assert named <= options
