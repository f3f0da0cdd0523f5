"""Catalogues: what a resource is, what its statements mean together, and what follows from it."""

__all__: list[str] = []
