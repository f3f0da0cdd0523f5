"""Media types as linked data: any Content-Type to a ``ContentType:`` URI and back."""

from __future__ import annotations

__version__ = "0.1.0"
