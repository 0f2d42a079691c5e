"""What a store of another tool holds, into the ledger: a second import of the same store writes nothing.

In: `Found`, the tables and the inbox. Out: records, rows of `code_origins`, refusals, and how many of each there were.
A record whose id stands with other bytes is left as it is and refused: its source was changed since it was imported.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from comind.canonical import content_hash
from comind.harvest.interop.losses import Loss, refusals_of
from comind.harvest.interop.origins import origin_rows
from comind.records.codec import encode
from comind.store.inbox import PutOutcome
from comind.store.layout import object_key
from comind.tables.compact import fast_fold
from comind.tables.harvested import keep_refusals, write_records
from comind.tables.rows import as_frame, quoted

if TYPE_CHECKING:
    from datetime import datetime

    from comind.harvest.interop.losses import Found
    from comind.records.record import AnyRecord
    from comind.store.inbox import Inbox
    from comind.tables.lake import Lake

__all__ = ["TakenIn", "take_in", "would_take_in"]


@dataclass(slots=True)
class TakenIn:
    """What became of one store."""

    written: int = 0
    already_there: int = 0
    erased_here: int = 0  # the store has erased them: they do not come back
    origins_written: int = 0
    origins_already_there: int = 0
    losses: list[Loss] = field(default_factory=list)


def take_in(lake: Lake, inbox: Inbox, found: Found, *, repo_id: str, now: datetime) -> TakenIn:
    """Write what a store holds, and what of it was refused.

    Raises:
        StoreUnreadableError, StoreUnwritableError: some records may have been written; doing it again is safe.
    """
    written = write_records(inbox, found.records)
    found.losses += [_changed(record) for record, outcome in written.outcomes if outcome is PutOutcome.TAKEN]
    if written.counts[PutOutcome.CREATED]:
        fast_fold(lake, inbox, now=now, hand_over=written.keys)
    refusals = refusals_of(found, repo_id)
    keep_refusals(lake, repo_id, found.source, refusals, settled=_refused_before(lake, repo_id, found.source))
    counts, rows = written.counts, origin_rows(found.origins, repo_id, found.source, found.version)
    new = lake.upsert("code_origins", rows) if found.origins else 0
    return TakenIn(counts[PutOutcome.CREATED], counts[PutOutcome.ALREADY_THERE], written.erased, new, rows.num_rows - new, found.losses)


def would_take_in(lake: Lake, inbox: Inbox, found: Found, *, repo_id: str) -> TakenIn:
    """Say what `take_in` would do, and write nothing."""
    erased = inbox.erased()
    kept = [record for record in found.records if record.id not in erased]
    contents = {record.id: encode(record) for record in kept}
    keys = [object_key(record_id, content_hash(content)) for record_id, content in contents.items()]
    there = sum(isinstance(content, bytes) for content in inbox.get_many(keys).values())
    rows = as_frame(origin_rows(found.origins, repo_id, found.source, found.version))
    standing = rows.join(lake.read("code_origins", where=_of(repo_id, found.source)), on=rows.columns, how="semi", nulls_equal=True).height
    return TakenIn(len(contents) - there, there, len(found.records) - len(kept), rows.height - standing, standing, found.losses)


def _changed(record: AnyRecord) -> Loss:
    return Loss(record.id, "changed_source", "it was imported in another form, which stays; `comind show` has it")


def _refused_before(lake: Lake, repo_id: str, source: str) -> list[str]:
    return lake.read("harvest_refusals", where=_of(repo_id, source))["source_id"].to_list()


def _of(repo_id: str, source: str) -> str:
    return f"repo_id = {quoted(repo_id)} AND source = {quoted(source)}"
