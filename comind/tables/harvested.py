"""What a harvest found, into the store: records into the inbox, refusals into their table; doing it again writes nothing.

In: records and refusals of any harvest. Out: inbox objects, rows of `harvest_refusals`, counts.
Never brings back what was erased, never changes an object that is there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from comind.canonical import content_hash
from comind.harvest.refusals import refusal_id, refusal_rows
from comind.records.codec import encode
from comind.store.inbox import PutOutcome
from comind.store.layout import object_key
from comind.tables.rows import in_list

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from comind.harvest.refusals import Refusal
    from comind.records.record import AnyRecord
    from comind.tables.lake import Lake

__all__ = ["WrittenRecords", "keep_refusals", "write_records"]


class _Inbox(Protocol):
    def erased(self) -> frozenset[str]: ...

    def put_many(self, records: Iterable[tuple[str, bytes]]) -> list[PutOutcome]: ...


@dataclass(frozen=True, slots=True)
class WrittenRecords:
    """What became of the records of one harvest."""

    keys: tuple[str, ...]  # where each lies that was not erased; for the fold
    outcomes: tuple[tuple[AnyRecord, PutOutcome], ...]
    erased: int

    @property
    def taken(self) -> tuple[str, ...]:
        """Ids under which something else stands: their source was changed since."""
        return tuple(record.id for record, outcome in self.outcomes if outcome is PutOutcome.TAKEN)

    @property
    def counts(self) -> Counter[str]:
        """Records by outcome, and those that were erased."""
        return Counter(str(outcome) for _, outcome in self.outcomes) + Counter(erased=self.erased)


def write_records(inbox: _Inbox, records: Sequence[AnyRecord]) -> WrittenRecords:
    """Write records, but none that was erased: a harvest must not bring it back."""
    erased = inbox.erased() if records else frozenset()
    kept = [record for record in records if record.id not in erased]
    contents = [(record.id, encode(record)) for record in kept]
    outcomes = inbox.put_many(contents)
    keys = tuple(object_key(record_id, content_hash(content)) for record_id, content in contents)
    return WrittenRecords(keys, tuple(zip(kept, outcomes, strict=True)), len(records) - len(kept))


def keep_refusals(lake: Lake, repo_id: str, source: str, refusals: Sequence[Refusal], *, settled: Collection[str]) -> None:
    """Make the refusals of a harvest stand; an earlier one of a finding that is settled now goes."""
    refused = {refusal.source_id for refusal in refusals}
    gone = [refusal_id(source, repo_id, one) for one in settled if one not in refused]
    if gone and lake.exists("harvest_refusals"):
        lake.delete("harvest_refusals", in_list("refusal_id", gone))
    lake.upsert("harvest_refusals", refusal_rows(refusals))
