"""`python -m cturi_rdf.cli` is `cturi`."""

from cturi_rdf.cli import main

if __name__ == "__main__":
    main()
