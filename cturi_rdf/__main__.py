"""``python -m cturi_rdf`` is the command ``cturi``."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from contextlib import suppress

__all__ = ["main"]


def main() -> None:
    """Run the command line, and end the process.

    Ctrl-C while it is being loaded ends it without a traceback.
    """
    # A process that a shell started in the background may ignore it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Modules and tables stay, and going through them every 700 objects takes a twentieth of the
    # time.
    gc.set_threshold(50_000)
    from cturi_rdf.cli import main as run

    try:
        run()
    except SystemExit as end:
        # The output is written and the files are closed.  To free every object and module takes
        # a tenth of the time of a short command.
        atexit._run_exitfuncs()  # noqa: SLF001 - as `multiprocessing` does
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os._exit(end.code if isinstance(end.code, int) else 1)


if __name__ == "__main__":
    main()
