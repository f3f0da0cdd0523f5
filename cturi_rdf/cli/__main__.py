"""`python -m cturi_rdf.cli` is `cturi`."""

from cturi_rdf.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    main()
