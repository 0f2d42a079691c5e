"""Which sources of a repository are to be asked about now: commits, merge requests, documents, each from where it was left.

In: the tables, a repository, its progress. Out: passes: what the gate yields, and how far the source has been read after each.
A pass that was stopped is brought to its own end first, so that every commit is in exactly one pass, however history grows meanwhile.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from comind.distill.gate import brief_commits
from comind.distill.gate_documents import brief_documents
from comind.distill.gate_requests import brief_requests
from comind.harvest.request_rows import request_of
from comind.sources.git.history import History
from comind.tables.distilling import Asking, Distilling, Progress, Sources, distill_sources, load_progress, read_anew, unanswered_sources
from comind.tables.known_records import LakeKnownRecords
from comind.tables.rows import quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from comind.harvest.sources import Reading
    from comind.sources.git import GitRepository
    from comind.store.inbox import Inbox
    from comind.tables.lake import Lake

__all__ = ["distill_source", "pending_commits", "pending_sources"]


def distill_source(  # noqa: PLR0913 - the last two say how much
    lake: Lake, inbox: Inbox, reading: Reading, source: str, asking: Asking, *, first_commits: int
) -> Iterator[Distilling]:
    """Distil what is due of one source of a repository, pass by pass, until it is done or no more may be asked."""
    while True:
        progress = load_progress(lake, reading.repository.repo_id, source)
        sources = pending_sources(lake, reading, progress, first_commits=first_commits)
        if sources is None:
            return
        done = distill_sources(lake, inbox, sources, progress, asking)
        yield done
        if done.found.stopped is not None or done.progress.unanswered:
            return


def pending_sources(lake: Lake, reading: Reading, progress: Progress, *, first_commits: int) -> Sources | None:
    """Return the pass that is due for a source of a repository; None where nothing is new.

    Args:
        lake: the tables.
        reading: the repository and the definitions of its files.
        progress: how far the source has been read; its `source` says which.
        first_commits: how many commits, the newest ones, are read of a repository that was never read.
    """
    again = unanswered_sources(lake, progress.repo_id, progress.source)
    known, head = LakeKnownRecords(lake, progress.repo_id), reading.repository.head
    if progress.source == "git":
        commits, target = pending_commits(reading.repository, progress, first_commits=first_commits)
        wanted = list(dict.fromkeys([*again, *commits]))
        return Sources(found=brief_commits(reading, wanted, known), read_up_to=target, count=len(wanted)) if wanted else None
    if progress.source == "mr":
        return _requests(lake, reading, progress, known, again)
    is_new = progress.read_up_to != head or again
    return Sources(found=brief_documents(reading, known), read_up_to=head) if is_new else None


def pending_commits(repository: GitRepository, progress: Progress, *, first_commits: int) -> tuple[list[str], str]:
    """Return the commits of the pass that is due, oldest first, and the head that it reads up to; none where nothing is new."""
    history = History(repository)
    if progress.reading_to is not None and history.holds(progress.reading_to):
        passed = _between(history, progress.read_up_to, progress.reading_to, first_commits)
        return read_anew(passed, progress.stopped_at), progress.reading_to
    if progress.read_up_to == repository.head:
        return [], repository.head
    return _between(history, progress.read_up_to, repository.head, first_commits), repository.head


def _between(history: History, since: str | None, head: str, first_commits: int) -> list[str]:
    """List the commits behind a head and not behind another, oldest first; the newest ones where there is no other."""
    if since is None or not history.holds(since):
        return history.walk(head)[:first_commits][::-1]
    return history.walk(head, hide=[since])[::-1]


def _requests(lake: Lake, reading: Reading, progress: Progress, known: LakeKnownRecords, again: list[str]) -> Sources | None:
    """Return the requests that were updated since the last pass; one that was stopped is read from its beginning, from the cache."""
    rows = lake.read("merge_requests", where=f"repo_id = {quoted(progress.repo_id)} AND state != 'open'").sort("updated_at", "request_id")
    start = datetime.fromisoformat(progress.read_up_to) if progress.read_up_to else datetime.min.replace(tzinfo=UTC)
    due = [row for row in rows.iter_rows(named=True) if row["updated_at"] > start or row["request_id"] in again]
    if not due:
        return None
    newest = max(start, *(row["updated_at"] for row in due)).isoformat()
    return Sources(found=brief_requests(reading, map(request_of, due), known), read_up_to=newest, count=len(due))
