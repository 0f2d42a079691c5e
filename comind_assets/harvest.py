"""HARVEST: what a team already wrote down becomes records in the inbox, exactly once.

In: repositories at hand. Out: inbox objects, `git_harvest` (how far it came) and `harvest_refusals` (what was not written, and why).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import dagster as dg
import polars as pl

from comind.anchors.frames import schema_of
from comind.canonical import content_hash
from comind.harvest.refusals import refusal_rows
from comind.harvest.reverts import HARVESTER_VERSION, SOURCE, harvest_reverts
from comind.index.past import SymbolsAt
from comind.records.codec import encode
from comind.store.inbox import PutOutcome
from comind.store.layout import object_key
from comind.tables.parse_cache import LakeParseCache
from comind.tables.rows import quoted
from comind_assets.reporting import materialized, table_spec
from comind_resources.ledger import LedgerResource
from comind_resources.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.harvest.reverts import Harvest
    from comind.records.record import AnyRecord
    from comind.sources.git import GitRepository
    from comind.store.inbox import Inbox
    from comind.tables.lake import Lake

__all__ = ["git_harvest"]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """One repository to harvest, and how far that had come."""

    repository: GitRepository
    branches: tuple[str, ...]
    branch_commits: list[str]
    read: int = 0
    found: int = 0
    refused: int = 0
    since: str | None = None
    since_on_branches: tuple[str, ...] = ()

    @property
    def is_read(self) -> bool:
        """Nothing is new on the head and the release branches."""
        return self.since == self.repository.head and set(self.branch_commits) <= set(self.since_on_branches)


@dg.multi_asset(
    name="harvest_git",
    specs=[
        table_spec("git_harvest", group="harvest", kinds={"git"}, deps=["repositories"], code_version=HARVESTER_VERSION),
        table_spec("harvest_refusals", group="harvest", kinds={"git"}, deps=["repositories"], code_version=HARVESTER_VERSION),
    ],
)
def git_harvest(ledger: LedgerResource) -> Iterator[dg.MaterializeResult[None]]:
    """Read the commits that are new since the last harvest and write what they undid as attempts."""
    lake, inbox = ledger.lake(), ledger.inbox()
    total: Counter[str] = Counter()
    for found in ledger.at_hand():
        if found.repository and not (source := _source(lake, found.repository, found.entry.branches)).is_read:
            total.update(_harvest(lake, inbox, source))
    counts = {f"{name}_count": total[name] for name in ("read", "found", "refused", *PutOutcome)}
    yield materialized("git_harvest", lake.read("git_harvest"), changed=bool(total), **counts)
    yield materialized("harvest_refusals", lake.read("harvest_refusals"), changed=total["refused"] > 0)


def _source(lake: Lake, repository: GitRepository, branches: tuple[str, ...]) -> _Source:
    tips = [repository.resolve(branch) for branch in branches]
    rows = lake.read("git_harvest", where=f"cursor_id = {quoted(_cursor_id(repository))}")
    state = next(rows.filter(pl.col("harvester_version") == HARVESTER_VERSION).iter_rows(named=True), None)
    if state is None:
        return _Source(repository=repository, branches=branches, branch_commits=tips)
    return _Source(
        repository=repository, branches=branches, branch_commits=tips, read=state["read"], found=state["found"], refused=state["refused"],
        since=state["head_commit"], since_on_branches=tuple(state["branch_commits"]),
    )  # fmt: skip


def _harvest(lake: Lake, inbox: Inbox, source: _Source) -> Counter[str]:
    with SymbolsAt(source.repository, LakeParseCache(lake)) as symbols_at:
        harvest = harvest_reverts(
            source.repository, since=source.since, symbols_at=symbols_at, branches=source.branches, progress=progress_of("harvest")
        )
    keys, outcomes = _write(inbox, harvest.records)
    lake.upsert("harvest_refusals", refusal_rows(harvest.refusals))
    # Last: who is killed before it harvests again, to the same ids.
    lake.upsert("git_harvest", _state(source, harvest, keys))
    return outcomes + Counter(read=harvest.read, found=len(harvest.records), refused=len(harvest.refusals))


def _write(inbox: Inbox, records: Sequence[AnyRecord]) -> tuple[list[str], Counter[str]]:
    contents = [(record.id, encode(record)) for record in records]
    outcomes = Counter(map(str, inbox.put_many(contents)))
    return [object_key(record_id, content_hash(content)) for record_id, content in contents], outcomes


def _state(source: _Source, harvest: Harvest, keys: list[str]) -> pl.DataFrame:
    row = {
        "cursor_id": _cursor_id(source.repository), "repo_id": source.repository.repo_id, "source": SOURCE,
        "harvester_version": HARVESTER_VERSION, "head_commit": harvest.head, "branch_commits": source.branch_commits,
        "read": source.read + harvest.read, "found": source.found + len(harvest.records), "refused": source.refused + len(harvest.refusals),
        "handed_over": keys,
    }  # fmt: skip
    return pl.DataFrame([row], schema=schema_of("git_harvest"))


def _cursor_id(repository: GitRepository) -> str:
    return f"{repository.repo_id} {SOURCE}"
