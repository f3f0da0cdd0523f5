"""Several files in one call: the target and the outcome of each; one may fail alone."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from cturi_rdf.cli.output import progress
from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


_File = TypeVar("_File")
_Result = TypeVar("_Result")


def outcomes_of(
    work: Callable[[_File], _Result], files: Sequence[_File], *, at_once: bool
) -> Iterator[_Result | CturiError]:
    """Return the results or errors of `work` on each file; if `at_once`, from many processes."""

    def attempt(file: _File) -> _Result | CturiError:
        try:
            return work(file)
        except CturiError as error:
            return error

    if not at_once or len(files) == 1:
        return map(attempt, files)
    from cturi_rdf._util.parallel import in_processes

    return in_processes(attempt, files)


@contextmanager
def results_of(
    files: Sequence[str], outcomes: Iterator[_Result | CturiError], doing: str | None = None
) -> Iterator[Iterator[tuple[str, _Result]]]:
    """Give each file with its result; print the errors of the others, and end with 2 for them.

    The block ends first.  Progress is shown where `doing` says what is done with a file.
    """
    failed = False

    def results() -> Iterator[tuple[str, _Result]]:
        nonlocal failed
        for file in files:
            with progress(f"{doing} {file}") if doing else nullcontext():
                outcome = next(outcomes)
            if isinstance(outcome, CturiError):
                failed = True
                click.echo(f"cturi: {outcome.summary}{outcome.option}", err=True)
            else:
                yield file, outcome

    yield results()
    if failed:
        raise SystemExit(2)


def targets_of(sources: Sequence[str], output: str, *, in_place: bool) -> dict[str, str]:
    """Return the target of the output of each source; several targets are in a folder.

    A file to edit in place that is named twice is there once.

    Raises `click.UsageError` where two sources have one target, or none.
    """
    if in_place:
        if output != "-" or "-" in sources:
            raise click.UsageError("--in-place takes files, and no -o")
        files: dict[str, str] = {}
        for source in sources:
            files.setdefault(os.path.realpath(source), source)
        return {source: source for source in files.values()}
    if not Path(output or os.curdir).is_dir():
        if len(sources) > 1:
            raise click.UsageError("several files need --in-place, or -o with a folder that exists")
        return {sources[0]: output}
    if "-" in {output, *sources}:
        raise click.UsageError("-o with a folder takes files, not standard input")
    targets = [str(Path(output, Path(source).name)) for source in sources]
    target, count = Counter(targets).most_common(1)[0]
    if count > 1:
        raise click.UsageError(f"two files would be written to {target!r}")
    return dict(zip(sources, targets, strict=True))
