"""What comes of each of several files: a failure of one is not one of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from cturi_rdf.errors import CturiError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["outcomes_of"]

_File = TypeVar("_File")
_Result = TypeVar("_Result")


def outcomes_of(
    work: Callable[[_File], _Result], files: Sequence[_File], *, at_once: bool
) -> Iterator[_Result | CturiError]:
    """Return what `work` returns of each file, or raises; if `at_once`, from many processes."""

    def attempt(file: _File) -> _Result | CturiError:
        try:
            return work(file)
        except CturiError as error:
            return error

    if not at_once or len(files) == 1:
        return map(attempt, files)
    from cturi_rdf._util.parallel import in_processes  # noqa: PLC0415

    return in_processes(attempt, files)
