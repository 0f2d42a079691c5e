"""Whether a derived table has to be computed again.

In: digests of what it is computed from. Out: one digest, kept beside its rows.
"""

from __future__ import annotations

from comind.canonical import canonical_bytes, content_hash

__all__ = ["inputs_digest"]


def inputs_digest(code_version: str, *digests: str) -> str:
    """Return one digest for the version of the rules and the contents they were applied to.

    >>> inputs_digest("1", "a") == inputs_digest("2", "a")
    False
    """
    return content_hash(canonical_bytes([code_version, *digests]))
