"""Make sure that a store refuses to overwrite, before the first record is entrusted to it.

In: a location. Out: nothing, or a refusal. Writes one object, once per store, under a key that no reader takes for a record.
Some servers accept a conditional PUT and ignore the condition: two writers would both believe they had won.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from comind.errors import ComindError
from comind.store.layout import PROBE_KEY

if TYPE_CHECKING:
    from comind.store.location import StoreLocation

__all__ = ["StoreNotCreateOnlyError", "probe_once"]

_CONTENT = b"Comind Ledger wrote this to see whether the store refuses to overwrite. No record; keep it.\n"


class StoreNotCreateOnlyError(ComindError):
    """The store lets a second writer replace what a first one wrote; no record is written to it."""

    def __init__(self, where: str) -> None:
        self.where = where
        super().__init__(f"the store {where} overwrites objects although told not to; use one that honours If-None-Match (S3 itself does)")


@functools.cache
def probe_once(location: StoreLocation) -> None:
    """Try to write the probe twice; asked once per process and location, for failures are not remembered.

    Needs only the right to put objects: what stands there already is as good as what was written just now.

    Raises:
        StoreNotCreateOnlyError: the second write won too.
        StoreUnwritableError: the store cannot be written.
    """
    objects = location.objects()
    if objects.create(PROBE_KEY, _CONTENT) and objects.create(PROBE_KEY, _CONTENT):
        raise StoreNotCreateOnlyError(location.where)
