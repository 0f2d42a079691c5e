"""The certificate of an answer: how far the index and the ledger have been read, and what may have been missed.

In: a view, the repositories in question, what is checked out. Out: `Coverage`; without gaps an empty answer means that there is nothing.
Never hides a gap: what is not known (a head without a checkout) is left out of the gaps only where the answer shows it as unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.query.answer import Coverage, RepositoryCoverage
from comind.query.where import all_of, among, equal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.query.answer import SubjectShown
    from comind.query.checkouts import FindsRepositories
    from comind.query.view import LedgerView

__all__ = ["certify", "ledger_gaps", "repository_coverage", "standing_gaps", "unreadable_objects"]

_NOT_WHOLE = ("partial", "skipped", "unreadable")


def certify(
    view: LedgerView, checkouts: FindsRepositories, *, subject: SubjectShown | None, repositories: Sequence[str] | None = None
) -> Coverage:
    """Say what an answer about a subject has looked at; without a subject, about a name that was looked for in every file.

    Args:
        view: what a reader sees now.
        checkouts: to compare the index with the heads on this machine.
        subject: what the question turned out to be about.
        repositories: only these; None for all that are indexed.
    """
    covered = repository_coverage(view, checkouts, [subject.repo_id] if subject and subject.repo_id else repositories)
    gaps = [*_index_gaps(covered, by_name=subject is None), *_status_gaps(view, covered), *_file_gaps(view, subject), *ledger_gaps(view)]
    return Coverage(
        repositories=tuple(covered),
        unreadable_objects=len(unreadable_objects(view)),
        quarantined=view.read("ledger_current", columns=["id"], where=equal("trust", "T0")).height,
        unfolded=len(view.inbox.unfolded),
        gaps=tuple(gaps),
    )


def repository_coverage(view: LedgerView, checkouts: FindsRepositories, repositories: Sequence[str] | None) -> list[RepositoryCoverage]:
    """Compare the index of each repository with the checkout on this machine, in order of their identity."""
    wanted = None if repositories is None else among("repo_id", repositories)
    own_rows = equal("path", "") if wanted is None else all_of(equal("path", ""), wanted)
    heads = view.read("code_files", columns=["repo_id", "head_commit"], where=own_rows).sort("repo_id")
    refs = dict(view.read("repositories", columns=["repo_id", "ref"], where=wanted).iter_rows())
    files = view.read("code_files", columns=["repo_id", "status", "language"], where=wanted).filter(pl.col("language").is_not_null())
    counts = files.group_by("repo_id").agg(files=pl.len(), missed=pl.col("status").is_in(_NOT_WHOLE).sum())
    counted = {repo_id: (total, missed) for repo_id, total, missed in counts.iter_rows()}
    covered = []
    for repo_id, indexed in heads.iter_rows():
        checkout, (total, missed) = checkouts.find(repo_id), counted.get(repo_id, (0, 0))
        head = checkout.head if checkout else None
        covered.append(
            RepositoryCoverage(
                repo_id=repo_id,
                ref=refs.get(repo_id),
                indexed_commit=indexed,
                head_commit=head,
                files=total,
                files_not_parsed=missed,
            )
        )
    return covered


def ledger_gaps(view: LedgerView) -> Iterator[str]:
    """Say what of the ledger could not be read."""
    unreadable = len(unreadable_objects(view))
    if unreadable:
        yield f"{_counted(unreadable, 'object')} in the inbox cannot be read; `comind status` lists them"
    if not view.inbox.complete:
        yield "part of the inbox could not be listed"


def standing_gaps(view: LedgerView, checkouts: FindsRepositories) -> Iterator[str]:
    """Say where what the ledger believes may lag behind the code: of the indexed repositories, whatever is in them."""
    covered = repository_coverage(view, checkouts, None)
    if covered:  # a store that only records were written to has none, and lags behind nothing
        yield from (*_index_gaps(covered, by_name=False), *_status_gaps(view, covered))


def unreadable_objects(view: LedgerView) -> dict[str, str]:
    """Return why each object of the inbox that cannot be trusted cannot, by its key."""
    stored = view.read("unreadable_objects", columns=["object_key", "code", "detail"])
    known = {key: f"{code}: {detail}" for key, code, detail in stored.sort("object_key").iter_rows()}
    return known | dict(view.inbox.unreadable)


def _index_gaps(covered: list[RepositoryCoverage], *, by_name: bool) -> Iterator[str]:
    if not covered:
        yield "no such repository is indexed; `comind run --repo PATH` indexes one"
    for one in covered:
        if one.head_commit and one.head_commit != one.indexed_commit:
            indexed = (one.indexed_commit or "no commit")[:12]
            yield f"{one.repo_id} is indexed at {indexed} and stands at {one.head_commit[:12]}; `comind run` indexes it"
        if by_name and one.files_not_parsed:
            yield f"{_counted(one.files_not_parsed, 'file')} of {one.repo_id} could not be parsed whole and may define the name"


def _status_gaps(view: LedgerView, covered: list[RepositoryCoverage]) -> Iterator[str]:
    """Say where the code is indexed already and the records are not compared with it yet: a run is at work, broke off, or was held back."""
    indexed = {one.repo_id: one.indexed_commit for one in covered}
    looked_at = view.read("ledger_current", columns=["repo_id", "located_commit"], where=among("repo_id", indexed))
    known = looked_at.drop_nulls().group_by("repo_id", "located_commit").len().sort("repo_id", "located_commit")
    for repo_id, commit, count in known.iter_rows():
        if commit != indexed[repo_id]:
            told = f"the status of {_counted(count, 'record')} of {repo_id} is as of {commit[:12]}"
            yield f"{told}, the code as of {(indexed[repo_id] or '')[:12]}; `comind run` compares them"


def _file_gaps(view: LedgerView, subject: SubjectShown | None) -> Iterator[str]:
    if subject is None or not subject.repo_id or not subject.path:
        return
    in_place = all_of(equal("repo_id", subject.repo_id), equal("path", subject.path))
    for status, problem in view.read("code_files", columns=["status", "problem"], where=in_place).iter_rows():
        if status in _NOT_WHOLE:
            yield f"{subject.path} was not parsed whole: {problem or status}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
