"""What every other package may use: lazy loading, tables of values, the garbage collector."""

__all__: list[str] = []
