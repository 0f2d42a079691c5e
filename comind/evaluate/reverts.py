"""Measure the harvest of reverts against labelled commits.

In: labelled rows, a directory of clones or bundles. Out: figures, per repository and over all; predictions on demand.
A row whose repository or commit is not there is counted and said, never scored. The figures are those of the data set's own scorer.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import orjson
from pydantic import BaseModel, ConfigDict, Field

from comind.evaluate.figures import Score
from comind.evaluate.labels import clone_of, existing_directory, read_labels
from comind.harvest.message_index import MessageIndex
from comind.harvest.relands import find_relands
from comind.harvest.revert_finder import FindingKind, RevertFinder, RevertFinding
from comind.sources.git.history import History
from comind.sources.git.repository import GitRepository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

__all__ = ["LabelledRevert", "Prediction", "RepositoryFigures", "RevertFigures", "evaluate_reverts", "figures_of"]

_Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]


class LabelledRevert(BaseModel):
    """One commit that somebody read, and what it undid."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    repo: str
    commit: _Sha
    is_revert: bool
    reverted_commits: tuple[_Sha, ...] = ()
    relanded_by: _Sha | None = None
    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """What the harvest says about one commit."""

    repo: str
    commit: str
    is_revert: bool = False
    reverted_commits: tuple[str, ...] = ()
    relanded_by: str | None = None
    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryFigures:
    """The figures of one repository, or of all together; shares are between 0 and 1."""

    repo: str
    rows: int
    positives: int
    is_revert_precision: float
    is_revert_recall: float
    is_revert_f1: float
    target_links_precision: float
    target_links_recall: float
    target_links_f1: float
    exact_target_sets: float  # share of true reverts whose set of targets is exactly right
    relanded_by_precision: float
    relanded_by_recall: float
    relanded_by_f1: float
    partial_precision: float
    partial_recall: float
    partial_f1: float
    wrong: tuple[str, ...]  # commits judged otherwise than labelled, or with another set of targets


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertFigures:
    """What was measured, and what could not be."""

    all: RepositoryFigures
    per_repository: tuple[RepositoryFigures, ...]
    rows_without_repository: int
    rows_without_commit: int
    repositories_missing: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        return asdict(self)


def evaluate_reverts(
    data: Path, repos: Path, *, out: Path | None = None, progress: Callable[[int, int], None] | None = None
) -> RevertFigures:
    """Measure the harvest of reverts on labelled commits.

    Args:
        data: labels, one JSON object per line.
        repos: holds ``<name>``, ``<owner>+<name>``, ``<owner>+<name>/repo`` or ``<name>.bundle`` for each ``owner/name`` of the labels.
        out: gets one prediction per row that was judged, in the format of the data set's scorer.
        progress: told how many rows are judged, and of how many.

    Raises:
        LabelsUnreadableError: the labels are not there, or are none.
        UsageError: ``repos`` is not a directory.
    """
    labels = read_labels(data, LabelledRevert, "labelled commit")
    existing_directory(repos)
    by_repo: defaultdict[str, list[LabelledRevert]] = defaultdict(list)
    for label in labels:
        by_repo[label.repo].append(label)
    judged: list[tuple[LabelledRevert, Prediction]] = []
    missing: list[str] = []
    without_commit = 0
    for repo, rows in by_repo.items():
        with clone_of(repo, repos) as path:
            if path is None:
                missing.append(repo)
                continue
            pairs = _judge(path, repo, rows)
        judged += pairs
        without_commit += len(rows) - len(pairs)
        if progress:
            progress(len(judged), len(labels))
    if out is not None:
        out.write_bytes(b"".join(orjson.dumps(asdict(prediction)) + b"\n" for _, prediction in judged))
    return RevertFigures(
        all=figures_of("all", judged),
        per_repository=tuple(
            figures_of(repo, [pair for pair in judged if pair[0].repo == repo]) for repo in by_repo if repo not in missing
        ),
        rows_without_repository=sum(len(by_repo[repo]) for repo in missing),
        rows_without_commit=without_commit,
        repositories_missing=tuple(missing),
    )


def figures_of(repo: str, judged: Sequence[tuple[LabelledRevert, Prediction]]) -> RepositoryFigures:
    """Score predictions against labels, as the data set's scorer does."""
    positives = [(label, guess) for label, guess in judged if label.is_revert]
    said = _score((label.is_revert, guess.is_revert) for label, guess in judged)
    links = [(set(label.reverted_commits), set(guess.reverted_commits) if guess.is_revert else set[str]()) for label, guess in judged]
    linked = Score(
        sum(len(wanted & found) for wanted, found in links),
        sum(len(found - wanted) for wanted, found in links),
        sum(len(wanted - found) for wanted, found in links),
    )
    exact = [label.commit for label, guess in positives if guess.is_revert and set(label.reverted_commits) == set(guess.reverted_commits)]
    relanded = _score_relands(positives)
    partial = _score((label.partial, guess.partial) for label, guess in positives)
    wrong = [
        label.commit for label, guess in judged if label.is_revert != guess.is_revert or (label.is_revert and label.commit not in exact)
    ]
    return RepositoryFigures(
        repo=repo, rows=len(judged), positives=len(positives),
        is_revert_precision=said.precision, is_revert_recall=said.recall, is_revert_f1=said.f1,
        target_links_precision=linked.precision, target_links_recall=linked.recall, target_links_f1=linked.f1,
        exact_target_sets=len(exact) / len(positives) if positives else 0.0,
        relanded_by_precision=relanded.precision, relanded_by_recall=relanded.recall, relanded_by_f1=relanded.f1,
        partial_precision=partial.precision, partial_recall=partial.recall, partial_f1=partial.f1,
        wrong=tuple(wrong),
    )  # fmt: skip


def _score(pairs: Iterable[tuple[bool, bool]]) -> Score:
    counted = list(pairs)
    return Score(counted.count((True, True)), counted.count((False, True)), counted.count((True, False)))


def _score_relands(positives: Iterable[tuple[LabelledRevert, Prediction]]) -> Score:
    """A wrong commit is both a false answer and one that was missed."""
    pairs = [(label.relanded_by, guess.relanded_by) for label, guess in positives]
    return Score(
        sum(wanted is not None and wanted == found for wanted, found in pairs),
        sum(found is not None and wanted != found for wanted, found in pairs),
        sum(wanted is not None and wanted != found for wanted, found in pairs),
    )


def _judge(path: Path, repo: str, labels: Sequence[LabelledRevert]) -> list[tuple[LabelledRevert, Prediction]]:
    repository = GitRepository.open(path, name=repo)
    history = History(repository)
    here = [label for label in labels if history.holds(label.commit)]
    commits = history.walk_all([repository.head, *(label.commit for label in here)])
    finder = RevertFinder(history, MessageIndex(map(history.text, commits)))
    found = {label.commit: finder.find(label.commit) for label in here}
    reverts = [commit for commit, outcome in found.items() if isinstance(outcome, RevertFinding)]
    relanded: dict[str, str] = {}
    for reland in find_relands(history, reverts, commits[::-1]):
        relanded.setdefault(reland.revert, reland.commit)
    pairs = []
    for label in here:
        outcome = found[label.commit]
        finding = outcome if isinstance(outcome, RevertFinding) and (outcome.kind is FindingKind.REVERT or outcome.says_so) else None
        pairs.append((label, _prediction(label, finding, relanded.get(label.commit))))
    return pairs


def _prediction(label: LabelledRevert, finding: RevertFinding | None, relanded_by: str | None) -> Prediction:
    if finding is None:
        return Prediction(repo=label.repo, commit=label.commit)
    return Prediction(
        repo=label.repo, commit=label.commit, is_revert=True,
        reverted_commits=tuple(target.commit for target in finding.targets), relanded_by=relanded_by, partial=finding.partial,
    )  # fmt: skip
