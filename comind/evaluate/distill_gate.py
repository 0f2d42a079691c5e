"""Measure the gate before the model on labelled commits: which reach a model, and which of those had no reason to.

In: labelled rows, a directory of clones or bundles. Out: figures per label and repository, and what was judged otherwise than labelled.
A row whose repository or commit is not there is counted and said, never scored. Asks no model.
"""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from comind.distill.brief import Brief, Skip
from comind.distill.gate import brief_commits
from comind.evaluate.labels import clone_of, existing_directory, read_labels
from comind.harvest.sources import Reading
from comind.index.past import SymbolsAt
from comind.sources.git.history import History
from comind.sources.git.repository import GitRepository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from comind.distill.brief import KnownRecord
    from comind.harvest.touched import Place

__all__ = ["GateFigures", "Judged", "LabelledCommit", "RepositoryShare", "evaluate_gate", "judge_commits"]


class LabelledCommit(BaseModel):
    """One commit that somebody read, and whether it says something worth a record."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    repo: str
    sha: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
    label: Literal["record", "none"]
    kind: str | None = None
    outcome: str | None = None
    fact: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of one labelled commit."""

    label: LabelledCommit
    found: Brief | Skip

    @property
    def passed(self) -> bool:
        """Whether a model would be asked about it."""
        return isinstance(self.found, Brief)


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryShare:
    """How many commits of one repository passed, by their label."""

    repo: str
    records: int
    records_passed: int
    others: int
    others_passed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFigures:
    """What was measured, and what could not be; shares are between 0 and 1."""

    recall: float  # of commits that say something, the share that passes
    others_passed: float  # of the others
    rows: int
    repositories: tuple[RepositoryShare, ...]
    skipped: dict[str, int]  # commits by the code that they were skipped for
    missed: tuple[str, ...]  # commits that say something and were skipped
    passed: tuple[str, ...]  # the others that passed
    cpu_ms_per_commit: float
    rows_without_repository: int
    rows_without_commit: int
    repositories_missing: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        return asdict(self)


def evaluate_gate(data: Path, repos: Path, *, progress: Callable[[int, int], None] | None = None) -> tuple[GateFigures, list[Judged]]:
    """Measure the gate on labelled commits; return the figures, and every commit as it was judged.

    Args:
        data: labels, one JSON object per line.
        repos: holds ``<name>``, ``<owner>+<name>``, ``<owner>+<name>/repo`` or ``<name>.bundle`` for each ``owner/name`` of the labels.
        progress: told how many rows are judged, and of how many.

    Raises:
        LabelsUnreadableError: the labels are not there, or are none.
        UsageError: ``repos`` is not a directory.
    """
    labels = read_labels(data, LabelledCommit, "labelled commit")
    existing_directory(repos)
    by_repo: defaultdict[str, list[LabelledCommit]] = defaultdict(list)
    for label in labels:
        by_repo[label.repo].append(label)
    judged: list[Judged] = []
    missing: list[str] = []
    started = time.process_time()
    for repo, rows in by_repo.items():
        with clone_of(repo, repos) as path:
            if path is None:
                missing.append(repo)
                continue
            judged += judge_commits(path, repo, rows)
        if progress:
            progress(len(judged), len(labels))
    elapsed = time.process_time() - started
    without = sum(len(by_repo[repo]) for repo in missing)
    return _figures(judged, missing, without, len(labels) - without - len(judged), elapsed), judged


def _nothing(places: Sequence[Place], *, before: int) -> tuple[KnownRecord, ...]:  # noqa: ARG001 - labels are judged without a ledger
    return ()


def judge_commits(path: Path, repo: str, labels: Sequence[LabelledCommit]) -> list[Judged]:
    """Pass the labelled commits of one clone through the gate; those that it does not hold are left out."""
    repository = GitRepository.open(path, name=repo)
    history = History(repository)
    here = [label for label in labels if history.holds(label.sha)]
    with SymbolsAt(repository) as symbols_at:
        reading = Reading(repository=repository, since=None, branches=(), symbols_at=symbols_at, progress=lambda _done, _all: None)
        found = brief_commits(reading, [label.sha for label in here], _nothing)
        return [Judged(label, one) for label, one in zip(here, found, strict=True)]


def _figures(judged: Sequence[Judged], missing: Sequence[str], without_repo: int, without_commit: int, elapsed: float) -> GateFigures:
    records = [one for one in judged if one.label.label == "record"]
    others = [one for one in judged if one.label.label == "none"]
    return GateFigures(
        recall=_share(records),
        others_passed=_share(others),
        rows=len(judged),
        repositories=tuple(_of(repo, judged) for repo in dict.fromkeys(one.label.repo for one in judged)),
        skipped=dict(Counter(str(one.found.code) for one in judged if isinstance(one.found, Skip)).most_common()),
        missed=tuple(_told(one) for one in records if not one.passed),
        passed=tuple(_told(one) for one in others if one.passed),
        cpu_ms_per_commit=1000 * elapsed / max(len(judged), 1),
        rows_without_repository=without_repo,
        rows_without_commit=without_commit,
        repositories_missing=tuple(missing),
    )


def _of(repo: str, judged: Iterable[Judged]) -> RepositoryShare:
    here = [one for one in judged if one.label.repo == repo]
    records = [one.passed for one in here if one.label.label == "record"]
    others = [one.passed for one in here if one.label.label == "none"]
    return RepositoryShare(
        repo=repo, records=len(records), records_passed=sum(records), others=len(others), others_passed=sum(others)
    )  # fmt: skip


def _share(judged: Sequence[Judged]) -> float:
    return sum(one.passed for one in judged) / len(judged) if judged else 0.0


def _told(one: Judged) -> str:
    what = f"{one.found.code}: " if isinstance(one.found, Skip) else ""
    return f"{one.label.repo} {one.label.sha[:12]} {what}{one.label.fact}"
