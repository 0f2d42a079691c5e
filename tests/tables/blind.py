"""An inbox that finds nothing by itself, and the moment at which the tests fold. Light, since racing processes load it."""

from datetime import UTC, datetime

from comind.store.inbox import Inbox
from comind.store.listing import Listing

NOW = datetime(2023, 11, 14, 22, 14, 20, tzinfo=UTC)  # a minute after the ids of `tests.builders.records`


class Blind(Inbox):
    """An inbox whose listing of what is new shows nothing: only what is handed over is found, as with old objects in a bucket."""

    def list_recent(self, *, now, hours=24, basis=""):
        seen = super().list_recent(now=now, hours=hours, basis=basis)
        return Listing(objects=[], bad_names=[], erased=seen.erased, shards=frozenset(), complete=False)
