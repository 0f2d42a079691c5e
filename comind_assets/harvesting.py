"""What every harvest asset does: ask the cursor, read a source, write to the inbox, keep what was refused, move the cursor, count.

In: sources, repositories at hand. Out: inbox objects, rows of `harvest_refusals` and of the asset's own cursor table.
The cursor moves last: whoever is killed before that harvests again, to the same ids. How a source is added says `comind.harvest.sources`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.frames import schema_of
from comind.harvest.refusals import Refusal
from comind.harvest.sources import Reading
from comind.index.past import SymbolsAt
from comind.store.inbox import PutOutcome
from comind.tables.harvested import keep_refusals, write_records
from comind.tables.parse_cache import LakeParseCache
from comind.tables.rows import quoted
from comind_assets.reporting import materialized
from comind_resources.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import dagster as dg

    from comind.harvest.sources import GitSource, Harvest
    from comind.store.inbox import Inbox
    from comind.tables.lake import Lake
    from comind_resources.ledger import LedgerResource, RepositoryAtHand

__all__ = ["COUNTED", "CURSOR_TABLES", "Cursor", "harvest_repositories", "load_cursor", "settle"]

CURSOR_TABLES = ("git_harvest", "document_harvest", "merge_request_harvest")
"""Tables of cursors, one per harvest asset; the fold reads from each what was handed over."""

COUNTED = ("read", "found", "refused", *PutOutcome, "erased")
"""What `settle` counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cursor:
    """How far the harvest of one source has come in one repository, as one row of a cursor table."""

    table: str
    repo_id: str
    source: str
    version: str  # of the rules
    position: str | None = None  # None: nothing has been read by these rules
    branch_commits: tuple[str, ...] = ()
    read: int = 0
    found: int = 0
    refused: int = 0

    @property
    def cursor_id(self) -> str:
        """Name of the row."""
        return f"{self.repo_id} {self.source}"


def harvest_repositories(ledger: LedgerResource, table: str, sources: Sequence[GitSource]) -> dg.MaterializeResult[None]:
    """Harvest what is new in every repository at hand, from each of the sources, and report the asset of that name."""
    lake, inbox = ledger.lake(), ledger.inbox()
    total: Counter[str] = Counter()
    for found in ledger.at_hand():
        for source in sources:
            total.update(_harvest(lake, inbox, table, source, found))
    counts = {f"{name}_count": total[name] for name in COUNTED}
    return materialized(table, lake.read(table), changed=bool(total), **counts)


def load_cursor(lake: Lake, table: str, *, repo_id: str, source: str, version: str) -> Cursor:
    """Return how far a source has come by these rules: nowhere, if it was never read or other rules read it."""
    empty = Cursor(table=table, repo_id=repo_id, source=source, version=version)
    rows = lake.read(table, where=f"cursor_id = {quoted(empty.cursor_id)}").filter(pl.col("harvester_version") == version)
    for row in rows.iter_rows(named=True):
        return Cursor(
            table=table, repo_id=repo_id, source=source, version=version, position=row["read_up_to"],
            branch_commits=tuple(row["branch_commits"]), read=row["read"], found=row["found"], refused=row["refused"],
        )  # fmt: skip
    return empty


def settle(lake: Lake, inbox: Inbox, cursor: Cursor, harvest: Harvest, *, branch_commits: Sequence[str] = ()) -> Counter[str]:
    """Write what a harvest found, then move its cursor; return the counts that an asset reports."""
    written = write_records(inbox, harvest.records)
    refusals = [*harvest.refusals, *(_changed(cursor, record_id) for record_id in written.taken)]
    keep_refusals(lake, cursor.repo_id, cursor.source, refusals, settled=harvest.settled)
    for name, rows in harvest.tables.items():
        lake.upsert(name, rows)
    row = {
        "cursor_id": cursor.cursor_id, "repo_id": cursor.repo_id, "source": cursor.source, "harvester_version": cursor.version,
        "read_up_to": harvest.position, "branch_commits": list(branch_commits), "read": cursor.read + harvest.read,
        "found": cursor.found + len(harvest.records), "refused": cursor.refused + len(harvest.refusals), "handed_over": list(written.keys),
    }  # fmt: skip
    lake.upsert(cursor.table, pl.DataFrame([row], schema=schema_of(cursor.table)))
    return written.counts + Counter(read=harvest.read, found=len(harvest.records), refused=len(harvest.refusals))


def _harvest(lake: Lake, inbox: Inbox, table: str, source: GitSource, found: RepositoryAtHand) -> Counter[str]:
    repository = found.repository
    if repository is None:
        return Counter()
    cursor = load_cursor(lake, table, repo_id=repository.repo_id, source=source.name, version=source.version)
    tips = [repository.resolve(branch) for branch in found.entry.branches]
    if cursor.position == repository.head and set(tips) <= set(cursor.branch_commits):
        return Counter()
    with SymbolsAt(repository, LakeParseCache(lake)) as symbols_at:
        reading = Reading(
            repository=repository,
            since=cursor.position,
            branches=found.entry.branches,
            symbols_at=symbols_at,
            progress=progress_of("harvest"),
        )
        harvest = source.read(reading)
    return settle(lake, inbox, cursor, harvest, branch_commits=tips)


def _changed(cursor: Cursor, record_id: str) -> Refusal:
    return Refusal(
        repo_id=cursor.repo_id, source=cursor.source, source_id=record_id, code="changed_source", harvester_version=cursor.version,
        detail=f"its source says something else than when {record_id[:8]} was recorded, which stands as it was",
    )  # fmt: skip
