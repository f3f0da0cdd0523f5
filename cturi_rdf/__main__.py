"""``python -m cturi_rdf`` is the command ``cturi``."""

from __future__ import annotations

import gc
import signal

__all__ = ["main"]


def main() -> None:
    """Run the command line; Ctrl-C while it is being loaded ends it without a traceback."""
    # A process that a shell started in the background may ignore it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Modules and tables stay, and going through them every 700 objects takes a twentieth of the
    # time.
    gc.set_threshold(50_000)
    from cturi_rdf.cli import main as run

    try:
        run()
    finally:
        # Looking for garbage once more at the end takes a tenth of the time of a short command.
        gc.freeze()


if __name__ == "__main__":
    main()
