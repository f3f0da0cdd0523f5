"""``python -m cturi_rdf`` is the command ``cturi``."""

from cturi_rdf.cli import main

__all__: list[str] = []

if __name__ == "__main__":
    main()
