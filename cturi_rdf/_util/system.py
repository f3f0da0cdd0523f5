"""What systems do differently, each with another way: the rest of the package never asks.

Windows has no `pread`, no signals but three, no `fork` and no rights of POSIX, does not replace a
file that is open, and takes names that differ in case for one; macOS and the browser lack some of
it too.
"""

from __future__ import annotations

import os
import signal
import stat
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from threading import Lock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

# Whether a file can be replaced while this process has it open.
REPLACES_OPEN_FILES = os.name != "nt"
# How often replacing a file is tried again, and after how many seconds: virus scanners open a file
# that was just written.
_TRIES, _PAUSE = (0, 0.0) if REPLACES_OPEN_FILES else (20, 0.1)
# The signals that end a process cleanly.
ENDING_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
# Attributes whose loss would change who may read a file, or lose what the user wrote.
_KEPT = ("system.posix_acl_", "user.")
_seeking = Lock()


def read_at(descriptor: int, buffer: memoryview, offset: int) -> int:
    """Fill a buffer from an offset of an open file, and return the number of bytes.

    Several readers may share the descriptor.
    """
    if hasattr(os, "preadv"):
        return os.preadv(descriptor, [buffer], offset)
    if hasattr(os, "pread"):
        content = os.pread(descriptor, len(buffer), offset)
    else:
        with _seeking:
            os.lseek(descriptor, offset, os.SEEK_SET)
            content = os.read(descriptor, len(buffer))
    buffer[: len(content)] = content
    return len(content)


def identity(name: str) -> tuple[object, ...]:
    """Return what the names of one file have in common, also where case makes no difference.

    Two hard links are two names, each of which can be replaced.
    """
    real = os.path.realpath(name)
    with suppress(OSError):
        status = os.stat(real)  # noqa: PTH116 - the text is at hand
        return real.casefold(), status.st_dev, status.st_ino
    return (real,)


def ignores_case(folder: Path) -> bool:
    """Return whether names in a folder that differ only in case are of one file."""
    try:
        with NamedTemporaryFile(prefix=".cturi-a", dir=folder) as probe:
            path = Path(probe.name)
            return path.with_name(path.name.upper()).exists()
    except OSError:
        return False


def open_device(name: str) -> int:
    """Return a descriptor to write bytes to a device or a FIFO, which exists."""
    # Without this flag, Windows writes text, in which a line feed becomes two characters.
    return os.open(name, os.O_WRONLY | getattr(os, "O_BINARY", 0))


def replace(new: Path, old: Path) -> None:
    """Put a file in the place of another.  Raises `OSError`, on Windows only after two seconds."""
    for _ in range(_TRIES):
        with suppress(PermissionError):
            new.replace(old)
            return
        time.sleep(_PAUSE)
    new.replace(old)


def allow_open_files(number: int) -> None:
    """Let this process have so many files and connections open, as far as the system allows."""
    try:
        import resource
    except ImportError:
        return
    with suppress(OSError, ValueError):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = number if hard == resource.RLIM_INFINITY else min(number, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def file_without_name(folder: Path) -> int | None:
    """Return a descriptor of a new file in a folder that is gone with this process, or None.

    `name_file` gives it a name.  Only Linux can do this, and not on every file system.
    """
    if not hasattr(os, "O_TMPFILE"):
        return None
    with suppress(OSError):
        return os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600)
    return None


def name_file(descriptor: int, name: Path) -> None:
    """Give a file of `file_without_name` a name.  Raises `FileExistsError`."""
    # Only with a folder does Python follow the link in /proc; the path is absolute.
    os.link(f"/proc/self/fd/{descriptor}", name, src_dir_fd=descriptor)


def keep_rights(descriptor: int, old: Path) -> None:
    """Give an open file the owner, mode, access control list and attributes of another file.

    Where the group cannot be kept, the rights of the group are those of everybody.  Raises
    `OSError` where an access control list or an attribute of the user cannot be kept.  On Windows
    the new file has the rights that its folder gives.
    """
    status = old.stat()
    mode = stat.S_IMODE(status.st_mode)
    if not _keep_owner(descriptor, status):
        mode = mode & ~stat.S_IRWXG | (mode & stat.S_IRWXO) << 3
    set_mode(descriptor, mode)
    for name in os.listxattr(old) if hasattr(os, "listxattr") else ():
        try:
            os.setxattr(descriptor, name, os.getxattr(old, name))
        except OSError:
            if name.startswith(_KEPT):
                raise


def _keep_owner(descriptor: int, status: os.stat_result) -> bool:
    """Give a file an owner and a group, and return whether it has the group."""
    if not hasattr(os, "fchown"):
        return True
    for owner in (status.st_uid, -1):
        with suppress(OSError):
            os.fchown(descriptor, owner, status.st_gid)
            return True
    return os.fstat(descriptor).st_gid == status.st_gid


def set_mode(descriptor: int, mode: int) -> None:
    """Set the mode of an open file.

    Windows knows only files that cannot be written, which it neither replaces nor removes.
    """
    if hasattr(os, "fchmod") and os.name != "nt":
        os.fchmod(descriptor, mode)


def mode_of_new_files() -> int:
    """Return the mode that a new file has."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def sync_folder(folder: Path) -> None:
    """Put the names in a folder on disk, where a folder can be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def can_fork() -> bool:
    """Return whether a process can be forked."""
    return hasattr(os, "fork")


@contextmanager
def signals_waiting() -> Iterator[None]:
    """Delay the signals that end a process, where a process can delay signals."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING_SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def handle_signals(handlers: dict[int, Any]) -> None:
    """Set the handlers of signals, and let signals through that waited for them."""
    for number, handler in handlers.items():
        signal.signal(number, handler)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING_SIGNALS)
