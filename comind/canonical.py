"""Canonical JSON bytes and the content hash that names them.

In: plain values (dict, list, str, int, bool, None). Out: the one byte string that stands for them.
Never floats and never non-ASCII object keys: without those two, sorting keys by code point equals
RFC 8785 (JCS) byte for byte, so the fast encoder is the standard one. ``rfc8785`` is the oracle in the tests.
"""

from __future__ import annotations

from typing import TypeAlias

import orjson
from blake3 import blake3

from comind.errors import ComindError

__all__ = ["MAX_SAFE_INTEGER", "CanonicalFormError", "Json", "canonical_bytes", "content_hash"]

Json: TypeAlias = "dict[str, Json] | list[Json] | str | int | bool | None"

MAX_SAFE_INTEGER = 2**53 - 1  # the largest integer that every JSON reader keeps exactly (RFC 8785 §3.2.2.3)


class CanonicalFormError(ComindError):
    """A value has no canonical form here: a float, a non-ASCII key, an integer beyond 2^53-1."""

    def __init__(self, where: str, problem: str) -> None:
        self.where, self.problem = where, problem
        super().__init__(f"{where or 'value'} {problem}; it cannot be written to the ledger")


def canonical_bytes(value: Json) -> bytes:
    r"""Encode a value as RFC 8785 canonical JSON.

    Raises:
        CanonicalFormError: a float, a non-ASCII object key, or an integer outside ±(2^53-1) stands in it.

    >>> canonical_bytes({"b": [1, "é"], "a": None})
    b'{"a":null,"b":[1,"\xc3\xa9"]}'
    """
    _check(value, "")
    return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def content_hash(content: bytes) -> str:
    """Hash bytes with BLAKE3: 64 lower-case hex digits.

    >>> content_hash(b"")[:16]
    'af1349b9f5f9a1a6'
    """
    return blake3(content).hexdigest()


def _check(value: object, where: str) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str) or not key.isascii():
                raise CanonicalFormError(where, f"has the key {key!r}, which is not ASCII text")
            _check(item, f"{where}.{key}" if where else key)
    elif isinstance(value, list):
        for position, item in enumerate(value):
            _check(item, f"{where}[{position}]")
    elif isinstance(value, int) and not isinstance(value, bool):
        if abs(value) > MAX_SAFE_INTEGER:
            raise CanonicalFormError(where, "is an integer beyond 2^53-1")
    elif not (value is None or isinstance(value, str | bool)):
        raise CanonicalFormError(where, f"is a {type(value).__name__}, not JSON text, integer or boolean")
