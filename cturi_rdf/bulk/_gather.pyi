from collections.abc import Callable

def gather(
    texts: tuple[tuple[bytes, int], ...],
    join: Callable[[tuple[int, ...]], int],
    ends: list[bytes],
    end: Callable[[int], bytes],
) -> tuple[bytes, int]: ...
