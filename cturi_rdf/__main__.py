"""``python -m cturi_rdf`` is the command ``cturi``."""

from __future__ import annotations

import signal


def main() -> None:
    """Run the command line.

    Ctrl-C while the commands are loaded ends it without a traceback.
    """
    # A process that a shell started in the background may ignore it.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cturi_rdf.cli import main as run

    run()


if __name__ == "__main__":
    main()
