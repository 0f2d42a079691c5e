"""How long it takes to see what is new in a large local inbox.

    python benchmarks/list_inbox.py [NAMES]

In: how many objects to pretend (100,000). Out: CPU milliseconds, each as a ratio to listing everything in the same run.
The objects are empty files with true names: 60 % UUIDv7 spread over a year, 40 % UUIDv5.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

import obstore
from obstore.store import LocalStore

from comind.ids import derived_id
from comind.store.inbox import Inbox
from comind.store.layout import INBOX, object_key
from comind.store.location import StoreLocation

NOW = datetime(2026, 11, 30, tzinfo=UTC)
YEAR = timedelta(days=365)
HASH = "0" * 64
REPEATS = 3


def main(names: int) -> None:
    """Build the inboxes, then measure each way of listing."""
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        location = StoreLocation.parse(str(base / "store"), {"XDG_CACHE_HOME": str(base / "cache")})
        flat = base / "flat"
        flat.mkdir()
        keys = [object_key(record_id, HASH) for record_id in ids(names)]
        touch(base / "store", keys)
        for key in keys:
            (flat / key.rpartition("/")[2]).touch()
        inbox = Inbox(location)
        settle(base / "store")

        everything = measure(lambda: inbox.list_all().objects)
        print(f"{names} names in {len(list((base / 'store' / INBOX).iterdir()))} shards; CPU ms, ratio to list_all")
        report("list_all: names parsed into objects", everything, everything)
        report("names alone, sharded (os.scandir)", measure(lambda: scan(base / "store" / INBOX)), everything)
        report("names alone, one flat directory", measure(lambda: [entry.name for entry in os.scandir(flat)]), everything)
        client = LocalStore(base / "store")
        report(
            "names by obstore.list", measure(lambda: [one["path"] for page in obstore.list(client, INBOX) for one in page], 1), everything
        )
        report("list_recent, nothing remembered", measure(lambda: inbox.list_recent(now=NOW)), everything)
        for what, new in (
            ("nothing new", []),
            ("1,000 new UUIDv7", [v7(NOW, 10**9 + number) for number in range(1000)]),
            ("5 late drafts", [v7(NOW - YEAR * step / 6, 10**9) for step in range(1, 6)]),
            ("1,000 new UUIDv5", [derived_id("new", str(number)) for number in range(1000)]),
        ):
            settle(base / "store")
            inbox.remember(inbox.list_recent(now=NOW))
            touch(base / "store", [object_key(record_id, HASH) for record_id in new])
            listing = inbox.list_recent(now=NOW)
            took = measure(lambda: inbox.list_recent(now=NOW))
            report(f"list_recent, {what}: {len(listing.shards)} shards, {len(listing.objects)} names", took, everything)


def ids(count: int) -> list[str]:
    """Make the ids: the same every time."""
    written = count * 6 // 10
    return [v7(NOW - YEAR * number / written, number) for number in range(written)] + [
        derived_id("source", str(number)) for number in range(count - written)
    ]


def v7(moment: datetime, number: int) -> str:
    """Make the UUIDv7 of a moment with a number in its random part."""
    return str(UUID(int=int(moment.timestamp() * 1000) << 80 | 7 << 76 | 2 << 62 | number))


def touch(store: Path, keys: list[str]) -> None:
    """Create empty objects."""
    for folder in {key.rpartition("/")[0] for key in keys}:
        (store / folder).mkdir(parents=True, exist_ok=True)
    for key in keys:
        os.close(os.open(store / key, os.O_CREAT | os.O_WRONLY))


def settle(store: Path) -> None:
    """Let every shard look as if it had last changed an hour ago."""
    for shard in (store / INBOX).iterdir():
        moment = shard.stat().st_mtime_ns - 3_600_000_000_000
        os.utime(shard, ns=(moment, moment))


def scan(inbox: Path) -> list[str]:
    """List the names of all shards and do nothing with them."""
    return [entry.name for shard in os.scandir(inbox) for entry in os.scandir(shard.path)]


def measure(work: object, repeats: int = REPEATS) -> float:
    """Return the least CPU time of some runs, in ms."""
    times = []
    for _ in range(repeats):
        started = time.process_time()
        work()  # type: ignore[operator]
        times.append((time.process_time() - started) * 1000)
    return min(times)


def report(what: str, took: float, everything: float) -> None:
    """Print one line."""
    print(f"{took:9.1f}  {took / everything:7.3f}  {what}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
