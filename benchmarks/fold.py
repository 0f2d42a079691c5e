"""Fold 1,000 new objects into tables of 100,000 and 1,000,000 records, side by side.

In: a directory that keeps the tables between runs. Out: medians of wall and CPU time and their ratio, as text or JSON.
What is timed is everything a fold does: open, list, look up, read, decode and validate, merge, remember. The inbox holds what a busy
one holds in its recent shards, 9,000 objects that are folded already and 1,000 that are not, and its older shards as directories.

    python benchmarks/fold.py --dir /tmp/fold-bench [--rounds 7] [--json]
"""

from __future__ import annotations

import argparse
import json
import shutil
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import polars as pl

from comind.canonical import content_hash
from comind.ids import v7_shards_between
from comind.records.codec import encode
from comind.records.record import RECORD, AnyRecord
from comind.schemas import TABLES
from comind.store.inbox import Inbox
from comind.store.layout import INBOX, object_key
from comind.store.location import StoreLocation
from comind.tables.compact import fast_fold, record_rows
from comind.tables.lake import Lake
from comind.tables.merge import insert

if TYPE_CHECKING:
    import pyarrow as pa

NOW = datetime(2026, 11, 1, tzinfo=UTC)
YEARS = timedelta(days=3 * 365)  # over which the older records are spread
NEW, RECENT = 1_000, 9_000
AT_ONCE = 100_000  # rows made at a time
TARGET_SECONDS, TARGET_RATIO = 0.5, 1.5
COMMIT = "4f1c2a" + "0" * 34


@dataclass(frozen=True)
class Timing:
    """One fold."""

    wall: float  # seconds
    cpu: float  # seconds, of all threads


def main() -> None:
    """Prepare, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=Path, required=True, help="keeps the tables between runs, about 2 GB")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--sizes", type=int, nargs="+", default=[100_000, 1_000_000], help="records that stand already")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    stores = {size: prepared(options.dir / f"store-{size}", size) for size in options.sizes}
    timings: dict[int, list[Timing]] = {size: [] for size in options.sizes}
    for number in range(options.rounds + 1):  # the first round warms the page cache
        for size, location in stores.items():
            timing = fold_once(location, number)
            if number:
                timings[size].append(timing)
    figures = summary(timings)
    print(json.dumps(figures) if options.json else as_text(figures))


def fold_once(location: StoreLocation, number: int) -> Timing:
    """Write new objects and time the fold that finds them, with handles as new as those of a new process."""
    moment = NOW + timedelta(minutes=number)
    Inbox(location).put_many((record.id, encode(record)) for record in records_at(moment, NEW))
    lake, inbox = Lake(location), Inbox(location)
    wall, cpu = time.perf_counter(), time.process_time()
    report = fast_fold(lake, inbox, now=moment)
    timing = Timing(time.perf_counter() - wall, time.process_time() - cpu)
    if report.folded != NEW:
        message = f"folded {report.folded} of {NEW}; delete {location.root}"
        raise SystemExit(message)
    return timing


def summary(timings: dict[int, list[Timing]]) -> dict[str, float]:
    """Return medians in seconds, and how much longer the largest table takes than the smallest."""
    figures: dict[str, float] = {}
    for size, measured in timings.items():
        figures[f"fold_{size}_wall_seconds"] = round(median(one.wall for one in measured), 3)
        figures[f"fold_{size}_cpu_seconds"] = round(median(one.cpu for one in measured), 3)
    smallest, largest = min(timings), max(timings)
    for kind in ("wall", "cpu"):
        figures[f"ratio_{kind}"] = round(figures[f"fold_{largest}_{kind}_seconds"] / figures[f"fold_{smallest}_{kind}_seconds"], 2)
    return figures | {"target_seconds": TARGET_SECONDS, "target_ratio": TARGET_RATIO}


def as_text(figures: dict[str, float]) -> str:
    """Return one figure a line."""
    return "\n".join(f"{name:32} {figure:g}" for name, figure in figures.items())


def prepared(directory: Path, size: int) -> StoreLocation:
    """Return a store whose table has `size` records; made once, its inbox at every run."""
    location = StoreLocation.parse(str(directory), {"XDG_CACHE_HOME": str(directory / "cache")})
    recent = list(records_at(NOW - timedelta(hours=1), RECENT))
    if not (directory / "complete").exists():
        shutil.rmtree(directory, ignore_errors=True)
        fill(Lake(location), recent, size)
        (directory / "complete").touch()
    lake = Lake(location)
    lake.delete("ledger_records", f"recorded_at >= timestamp '{NOW:%Y-%m-%d %H:%M:%S}'")  # what earlier runs folded
    lake.maintain("ledger_records")
    shutil.rmtree(directory / INBOX, ignore_errors=True)
    for shard in [*v7_shards_between(NOW - YEARS, NOW), *(f"h{number:02x}" for number in range(256))]:
        (directory / INBOX / shard).mkdir(parents=True)
    Inbox(location).put_many((record.id, encode(record)) for record in recent)
    return location


def fill(lake: Lake, recent: list[AnyRecord], size: int) -> None:
    """Insert made-up older rows and the recent records."""
    table = lake.table("ledger_records")
    contents = {object_key(record.id, content_hash(content)): content for record in recent for content in [encode(record)]}
    insert(table, record_rows(contents).records)
    dataset = table.open_or_create()
    for first in range(0, size - len(recent), AT_ONCE):
        rows = older_rows(first, min(AT_ONCE, size - len(recent) - first), size)
        dataset.insert(rows.cast(dataset.schema), max_rows_per_file=table.rows_per_file)
    lake.maintain("ledger_records")


def older_rows(first: int, count: int, size: int) -> pa.Table:
    """Return rows of `ledger_records` as large as real ones, spread over the years before."""
    start = int((NOW - YEARS).timestamp() * 1000)
    step = int(YEARS.total_seconds() * 1000 * 0.99) // size
    made = pl.DataFrame({"number": pl.int_range(first, first + count, eager=True)}).with_columns(
        ms=start + pl.col("number") * step, one=pl.col("number").hash(1), two=pl.col("number").hash(2)
    )
    hexed = made.with_columns(
        time=pl.Series([f"{ms:012x}" for ms in made["ms"]]),
        low=pl.Series([f"{one:016x}" for one in made["one"]]),
        hash=pl.Series(
            [f"{one:016x}{two:016x}{two ^ one:016x}{two * 3 % 2**64:016x}" for one, two in zip(made["one"], made["two"], strict=True)]
        ),
    )
    low = pl.col("low").str
    record_id = pl.concat_str(
        [pl.col("time").str.slice(0, 8), pl.col("time").str.slice(8), "7" + low.slice(0, 3), "8" + low.slice(3, 3), low.slice(4)],
        separator="-",
    )
    text = "Grants are read once per connection, so a role that was taken away keeps its rights until the pool recycles it; case "
    case = pl.col("number").cast(pl.String)
    columns = hexed.select(
        id=record_id,
        content_hash="hash",
        object_key=pl.format("_ledger/inbox/{}/{}-{}.json", pl.col("time").str.slice(0, 5), record_id, pl.col("hash")),
        kind=pl.lit("gotcha"),
        lamport=pl.lit(0, pl.Int64),
        recorded_at=pl.from_epoch("ms", time_unit="ms").cast(pl.Datetime("us", "UTC")),
        author_kind=pl.lit("human"),
        source=pl.lit("cli"),
        repo_id=pl.format("github.com/example/service-{}", pl.col("number") % 1000),
        title=pl.lit("Grants outlive roles ") + case,
        trigger=pl.lit("when roles change"),
        body=pl.lit(text) + pl.col("hash"),
        subject_id=pl.lit(None, pl.String),
        successor_id=pl.lit(None, pl.String),
        valid_from=pl.lit(None, pl.String),
        record=pl.lit('{"anchors":[{"scope":"file"}],"body":"' + text * 3) + pl.col("hash") + pl.lit('"}'),
    )
    return columns.to_arrow().cast(TABLES["ledger_records"].schema)


def records_at(moment: datetime, count: int) -> list[AnyRecord]:
    """Return records whose ids are of one moment."""
    ms = int(moment.timestamp() * 1000)
    return [record(f"{ms:012x}", number) for number in range(count)]


def record(time_digits: str, number: int) -> AnyRecord:
    """Return one record of ordinary size with an id of the given time."""
    raw = {
        "schema": 1,
        "id": f"{time_digits[:8]}-{time_digits[8:]}-7000-8000-{number:012x}",
        "lamport": 0,
        "kind": "gotcha",
        "provenance": {"author_kind": "human", "source": "cli", "repo": "github.com/example/service"},
        "title": f"Grants outlive roles {number}",
        "trigger": "when roles change",
        "body": "Roles are read once per connection. " * 15,
        "anchors": [
            {
                "scope": "symbol",
                "repo": "github.com/example/service",
                "path": "authz/check.py",
                "symbol": "comind pypi service 1.0 authz/check_permission().",
                "start_line": 40,
                "end_line": 88,
                "commit": COMMIT,
            }
        ],
        "evidence": [{"kind": "revert", "repo": "github.com/example/service", "commit": COMMIT}],
        "fields": {"symptom": "A grant outlives its role", "cause": "Roles are read once per connection"},
    }
    return RECORD.validate_json(json.dumps(raw))


if __name__ == "__main__":
    main()
