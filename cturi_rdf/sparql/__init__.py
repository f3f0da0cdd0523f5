"""SPARQL: running queries, the functions, and the registry as a graph."""

__all__: list[str] = []
