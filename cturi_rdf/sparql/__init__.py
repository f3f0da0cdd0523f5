"""SPARQL: one way to run a query, the functions, and the registry as a graph."""

__all__: list[str] = []
