from collections.abc import Callable
from typing import TypeVar

_Made = TypeVar("_Made")

def parser(
    made: type[_Made],
    no_parameters: dict[str, str],
    read: Callable[[str], _Made],
    memory: dict[str, _Made],
    most: int,
    longest: int,
    doc: str,
    /,
) -> Callable[[str], _Made]: ...
