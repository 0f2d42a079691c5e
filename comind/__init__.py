"""Comind Ledger: why the code is this way, anchored to symbols and never shown stale.

Importing this package loads nothing heavy; every submodule is imported by the one that needs it.
"""

__all__ = ["__version__"]

__version__ = "0.1.0"
