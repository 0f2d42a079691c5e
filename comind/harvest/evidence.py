"""Check by machine what the evidence of records claims about a repository.

In: records, the repository that their evidence points into. Out: rows of `evidence_checks`.
A check never judges a record; it says what was shown, or what kept it from being shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import polars as pl
import pyarrow as pa

from comind.records.vocabulary import EvidenceKind
from comind.schemas import TABLES
from comind.sources.git.history import History
from comind.sources.git.line_diffs import Inverse, LineDiff, joint_inverse
from comind.sources.git.revert_proof import GitVerdict, RevertProver

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from comind.records.parts import Evidence
    from comind.records.record import AnyRecord
    from comind.sources.git.repository import GitRepository

__all__ = ["Check", "Result", "check_evidence", "reachable_again"]

_INVERSE = 0.98  # shares of lines from which two changes count as inverse
_PART = 0.3  # a smaller part of the target could be undone by chance
_UNRELATED = 0.12


class Check(StrEnum):
    """What is checked."""

    ON_INDEXED_REF = "on_indexed_ref"  # the commit can be reached from the head
    REVERT_IS_INVERSE = "revert_is_inverse"  # the revert undoes what the record says it undoes


class Result(StrEnum):
    """What came out."""

    PROVEN = "proven"
    REFUTED = "refuted"
    UNVERIFIABLE = "unverifiable"


@dataclass(frozen=True, slots=True)
class _Checked:
    check: Check
    result: Result
    detail: str
    commit: str


def check_evidence(records: Iterable[AnyRecord], repo: GitRepository) -> pa.Table:
    """Check every piece of evidence that points at a commit of the repository.

    Args:
        records: reasons and relations; evidence that points elsewhere is left out.
        repo: at the head that ``on_indexed_ref`` speaks of.

    Returns:
        One row per check, in the schema of `evidence_checks`.
    """
    with RevertProver(repo) as prover:
        checker = _Checker(repo, prover)
        rows = [
            {
                "check_id": f"{record.id}#{position} {checked.check}", "record_id": record.id, "check": checked.check,
                "result": checked.result, "detail": checked.detail, "commit": checked.commit,
            }
            for record in records
            for position, evidence in enumerate(record.evidence)
            for checked in checker.check(evidence, record.evidence)
        ]  # fmt: skip
    return pa.Table.from_pylist(rows, schema=TABLES["evidence_checks"].schema)


def reachable_again(checks: pl.DataFrame, records: pl.DataFrame, repo: GitRepository, reached: Collection[str]) -> pl.DataFrame:
    """Judge ``on_indexed_ref`` anew, at the head of a repository; what else was shown of evidence depends on no head.

    Args:
        checks: rows of `evidence_checks`.
        records: rows of `ledger_records`; the checks of those that were written in the repository are judged.
        repo: at the head that is spoken of.
        reached: every commit that can be reached from there.
    """
    mine = records.filter(pl.col("repo_id") == repo.repo_id).select(record_id="id")
    asked = checks.filter(pl.col("check") == Check.ON_INDEXED_REF).join(mine, on="record_id", how="semi")
    history = History(repo)
    judged = [(check, *_reachable(commit, repo, history, reached)) for check, commit in asked.select("check_id", "commit").iter_rows()]
    names = {"check_id": pl.String, "new_result": pl.String, "new_detail": pl.String}
    beside = checks.join(pl.DataFrame(judged, schema=names, orient="row"), on="check_id", how="left", maintain_order="left")
    told = beside.with_columns(result=pl.coalesce("new_result", "result"), detail=pl.coalesce("new_detail", "detail"))
    return told.select(checks.columns)


def _reachable(commit: str, repo: GitRepository, history: History, reached: Collection[str]) -> tuple[Result, str]:
    if commit in reached:
        return Result.PROVEN, "can be reached from the indexed ref"
    if history.holds(commit):
        return Result.REFUTED, f"cannot be reached from {repo.ref} at {repo.head[:12]}"
    why = "history is cut off here; run `git fetch --unshallow`" if repo.is_shallow else "is not in this clone; run `git fetch`"
    return Result.UNVERIFIABLE, why


class _Checker:
    def __init__(self, repo: GitRepository, prover: RevertProver) -> None:
        self._repo = repo
        self._prover = prover
        self._history = History(repo)
        self._on_ref: frozenset[str] | None = None

    def check(self, evidence: Evidence, all_of_it: Sequence[Evidence]) -> Iterator[_Checked]:
        if evidence.commit is None or not self._is_here(evidence):
            return
        yield self._stands(evidence.commit, evidence.path) if evidence.kind is EvidenceKind.DOCUMENT else self._reaches(evidence.commit)
        if evidence.kind is EvidenceKind.REVERT:
            targets = [other.commit for other in all_of_it if other.kind is EvidenceKind.REVERTED and other.commit and self._is_here(other)]
            if targets:
                yield self._inverse(evidence.commit, targets)

    def _is_here(self, evidence: Evidence) -> bool:
        return evidence.repo in {None, self._repo.identity.repo_id}

    def _reaches(self, commit: str) -> _Checked:
        if self._on_ref is None:
            self._on_ref = self._history.reachable(self._repo.head)
        return _Checked(Check.ON_INDEXED_REF, *_reachable(commit, self._repo, self._history, self._on_ref), commit)

    def _stands(self, commit: str, path: str | None) -> _Checked:
        """Check a document: its commit, and that it stands there."""
        reached = self._reaches(commit)
        if path is None or reached.result is not Result.PROVEN or self._repo.blob_at(commit, path) is not None:
            return reached
        return _Checked(Check.ON_INDEXED_REF, Result.REFUTED, f"no such file stands in {commit[:12]}", commit)

    def _inverse(self, revert: str, targets: Sequence[str]) -> _Checked:
        proof = self._prover.prove(revert, targets)
        if proof.verdict is GitVerdict.SAME_TREE:
            return _Checked(Check.REVERT_IS_INVERSE, Result.PROVEN, proof.detail, revert)
        lines = self._compare(revert, targets)
        if lines is None:
            return _Checked(Check.REVERT_IS_INVERSE, Result.UNVERIFIABLE, proof.detail, revert)
        result, detail = _judge(lines)
        return _Checked(Check.REVERT_IS_INVERSE, result, f"{detail}; {proof.detail}", revert)

    def _compare(self, revert: str, targets: Sequence[str]) -> Inverse | None:
        """Compare line by line; None when a commit or a content is missing, or too large to compare."""
        if not all(map(self._history.holds, (revert, *targets))):
            return None
        undone = self._history.line_diff(revert)
        done = [self._best_diff(target, undone) for target in targets] if isinstance(undone, LineDiff) else []
        known = [diff for diff in done if diff is not None]
        return joint_inverse(known, undone) if isinstance(undone, LineDiff) and known and len(known) == len(done) else None

    def _best_diff(self, target: str, undone: LineDiff) -> LineDiff | None:
        diffs = [self._history.line_diff(target, parent) for parent in range(len(self._history.text(target).parents))]
        known = [diff for diff in diffs if isinstance(diff, LineDiff)]
        return max(known, key=lambda diff: joint_inverse([diff], undone).dice, default=None)


def _judge(lines: Inverse) -> tuple[Result, str]:
    if lines.dice >= _INVERSE:
        return Result.PROVEN, f"line by line the changes are inverse: {lines.dice:.1%} of their lines"
    if lines.cover_target >= _INVERSE:
        return Result.PROVEN, f"line by line all of it is undone, in a commit that does more: {lines.cover_revert:.1%} of that commit"
    if lines.cover_revert >= _INVERSE and lines.dice >= _PART:
        return Result.PROVEN, f"line by line the commit undoes nothing else, and {lines.cover_target:.1%} of it"
    if lines.dice < _UNRELATED:
        return Result.REFUTED, f"line by line only {lines.dice:.1%} of the changes are inverse"
    return Result.UNVERIFIABLE, f"line by line {lines.dice:.1%} of the changes are inverse, too few for a proof"
