"""The whole ledger into lines, and lines into a ledger; each reports what was taken, what was left, and why.

In: an inbox; lines of an export. Out: lines; objects in an inbox, written create-only, so doing it again writes nothing.
Never erases anything, never changes an object, and takes no record that the store has erased.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, Final, Protocol

from comind.harvest.ledger_lines import (
    BadLine,
    End,
    ErasedLine,
    RecordLine,
    UnreadableLine,
    digest_of,
    end_line,
    erased_line,
    first_line,
    is_export,
    object_line,
    object_problem,
    read_line,
    unreadable_line,
)
from comind.store.inbox import PutOutcome
from comind.store.layout import object_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from comind.store.layout import InboxObject
    from comind.store.listing import Listing
    from comind.store.objects import ReadFailure

__all__ = ["ExportReport", "ImportReport", "LeftLine", "Source", "Target", "export_lines", "import_lines"]

_AT_ONCE: Final = 1_000  # objects in memory


class Source(Protocol):
    """What an export reads: an inbox."""

    def list_all(self) -> Listing:
        """List every object and tombstone."""

    def get_many(self, keys: Sequence[str]) -> dict[str, bytes | ReadFailure]:
        """Read objects."""


class Target(Source, Protocol):
    """What an import writes: an inbox."""

    def put_many(self, records: Iterable[tuple[str, bytes]]) -> list[PutOutcome]:
        """Write records, each exactly once."""


@dataclass(slots=True)
class ExportReport:
    """What an export wrote."""

    records: int = 0
    erased: int = 0  # tombstones, told so that nobody wonders
    unreadable: list[tuple[str, str]] = field(default_factory=list)  # (key, why): told in the file, not carried


@dataclass(frozen=True, slots=True)
class LeftLine:
    """A line that was not taken."""

    number: int  # in the file, from 1
    code: str
    why: str


@dataclass(slots=True)
class ImportReport:
    """What an import did."""

    written: int = 0
    already_there: int = 0
    erased_here: int = 0  # records that this store has erased: they do not come back
    erased_there: int = 0  # tombstones of the file; an import erases nothing
    unreadable_there: int = 0  # objects that the export could not carry
    left: list[LeftLine] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)  # of the objects written, for the fold
    whole: bool = False  # the last line is there, and nothing before it is missing


def export_lines(inbox: Source, report: ExportReport, progress: Callable[[int, int], None] = lambda _done, _total: None) -> Iterator[bytes]:
    """Yield the lines of an export, in the order of ids; `report` is filled as they are taken.

    Raises:
        StoreUnreadableError: the store cannot be listed or read.
    """
    listing = inbox.list_all()
    objects = sorted(listing.objects, key=lambda one: (one.record_id, one.content_hash))
    hashes: list[str] = []
    yield first_line()
    for number in range(0, len(objects), _AT_ONCE):
        progress(number, len(objects))
        yield from _objects(inbox, objects[number : number + _AT_ONCE], listing.erased, hashes, report)
    for bad in sorted(listing.bad_names, key=lambda one: one.key):
        report.unreadable.append((bad.key, bad.reason))
        yield unreadable_line(bad.key, bad.reason)
    yield from map(erased_line, sorted(listing.erased))
    report.records, report.erased = len(hashes), len(listing.erased)
    yield end_line(hashes)


def _objects(
    inbox: Source, objects: Sequence[InboxObject], erased: frozenset[str], hashes: list[str], report: ExportReport
) -> Iterator[bytes]:
    wanted = [one for one in objects if one.record_id not in erased]
    contents = inbox.get_many([one.key for one in wanted])
    for one in wanted:
        content = contents[one.key]
        problem = object_problem(content, one.content_hash) if isinstance(content, bytes) else content.reason
        if problem is None and isinstance(content, bytes):
            hashes.append(one.content_hash)
            yield object_line(one.record_id, content)
        else:
            report.unreadable.append((one.key, problem or ""))
            yield unreadable_line(one.key, problem or "")


def import_lines(
    lines: Iterable[bytes], inbox: Target, *, write: bool = True, progress: Callable[[int, int | None], None] = lambda _done, _total: None
) -> ImportReport:
    """Take the records of an export that are not there yet.

    Args:
        lines: of a file, without their ends.
        inbox: where the records go.
        write: False to find out what would be done; what is there already is then counted as written.
        progress: called with (lines done, None): how many there are shows at the end.

    Raises:
        StoreUnreadableError, StoreUnwritableError: some records may have been written; doing it again is safe.
    """
    report, numbered = ImportReport(), enumerate(lines, start=1)
    problem = is_export(next(numbered, (1, b""))[1])
    if problem is not None:
        report.left.append(LeftLine(1, problem.code, problem.why))
        return report
    erased = inbox.list_all().erased
    hashes: list[str] = []
    while batch := list(islice(numbered, _AT_ONCE)):
        records = [(number, record) for number, line in batch if (record := _told(number, line, hashes, report))]
        _take(records, inbox, erased, report, write=write)
        progress(batch[-1][0], None)
    return report


def _told(number: int, line: bytes, hashes: list[str], report: ImportReport) -> RecordLine | None:
    """Count a line in the report; return it if it is a record to take."""
    report.whole = False  # until the end comes, and nothing after it
    match read_line(line):
        case RecordLine() as record:
            hashes.append(record.blake3)
            return record
        case ErasedLine():
            report.erased_there += 1
        case UnreadableLine():
            report.unreadable_there += 1
        case End(records, blake3):
            report.whole = (records, blake3) == (len(hashes), digest_of(hashes))
        case BadLine(code, why):
            report.left.append(LeftLine(number, code, why))
    return None


def _take(records: Sequence[tuple[int, RecordLine]], inbox: Target, erased: frozenset[str], report: ImportReport, *, write: bool) -> None:
    wanted = [(number, record) for number, record in records if record.record_id not in erased]
    report.erased_here += len(records) - len(wanted)
    if not write:
        report.written += len(wanted)
        return
    outcomes = inbox.put_many([(record.record_id, record.content) for _, record in wanted])
    counts = Counter(outcomes)
    report.written += counts[PutOutcome.CREATED]
    report.already_there += counts[PutOutcome.ALREADY_THERE]
    for (number, record), outcome in zip(wanted, outcomes, strict=True):
        if outcome is PutOutcome.CREATED:
            report.keys.append(object_key(record.record_id, record.blake3))
        elif outcome is PutOutcome.TAKEN:
            report.left.append(LeftLine(number, "id_taken", f"another record has the id {record.record_id}; nothing was overwritten"))
