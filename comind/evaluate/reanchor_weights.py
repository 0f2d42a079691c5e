"""Fit the weights by which re-anchoring scores a pair, and tell what they are worth on repositories that they have not seen.

In: labelled rows over a single commit, clones, the standing weights. Out: weights by group, and figures of leaving one repository out.
A fit is drawn towards the standing weights: there are few hundred rows, and a feature that they hardly show keeps what it had.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from comind.anchors.follow import Follower
from comind.anchors.likeness import standing_weights
from comind.evaluate.labels import clone_of, existing_directory, read_labels
from comind.evaluate.reanchor_figures import LabelledDeclaration
from comind.sources.git.repository import GitRepository

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from comind.anchors.changes import Place

__all__ = ["Fit", "ScoredPair", "fit_group", "fit_weights"]

_GROUPS = ("class", "method", "field")
_RIGHT_PAIRS_COUNT = 4.0  # as many wrong ones
_STEPS, _LONGEST_STEP = 60, 2.0


@dataclass(frozen=True, slots=True)
class ScoredPair:
    """One candidate of a labelled declaration."""

    repo: str
    row: str
    group: str
    is_right: bool
    features: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """The weights of one group."""

    weights: dict[str, float]
    rows: int  # labelled declarations with a candidate
    best_before: int  # of them, those whose best candidate is right, with the standing weights
    best_after: int  # with weights that have not seen their repository


def fit_weights(data: Path, repos: Path, *, pull: float = 10.0) -> dict[str, Fit]:
    """Fit the weights of each group to the labelled rows that go over one commit.

    Args:
        data: labels, as of `evaluate_reanchor`.
        repos: holds the clones; repositories that are not there are left out.
        pull: how strongly a fit is drawn towards the standing weights.
    """
    labels = [
        label for label in read_labels(data, LabelledDeclaration, "labelled declaration") if label.gap == 1 and not label.time_reversed
    ]
    existing_directory(repos)
    by_repo: defaultdict[str, list[LabelledDeclaration]] = defaultdict(list)
    for label in labels:
        if label.is_hard or label.file_after is None:
            by_repo[label.repo].append(label)
    pairs: list[ScoredPair] = []
    for repo, rows in by_repo.items():
        with clone_of(repo, repos) as path:
            if path is not None:
                follower = Follower(GitRepository.open(path, name=repo))
                pairs += [pair for row in rows for pair in _pairs(follower, row)]
    return {group: fit_group(group, [pair for pair in pairs if pair.group == group], pull=pull) for group in _GROUPS}


def fit_group(group: str, pairs: Sequence[ScoredPair], *, pull: float) -> Fit:
    """Fit one group's weights; without any pair they are the standing ones."""
    standing = standing_weights()[group]
    names = list(standing)
    start = np.array([standing[name] for name in names])
    table = np.array([[float(pair.features.get(name, 0.0)) for name in names] for pair in pairs]).reshape(-1, len(names))
    right = np.array([pair.is_right for pair in pairs], dtype=float)
    repos = np.array([pair.repo for pair in pairs])
    unseen = np.zeros(len(pairs))
    for repo in sorted(set(repos.tolist())):
        held = repos == repo
        unseen[held] = table[held] @ _train(table[~held], right[~held], start, pull)
    fitted = _train(table, right, start, pull)
    return Fit(
        weights={name: round(float(weight), 2) for name, weight in zip(names, fitted, strict=True)},
        rows=len({pair.row for pair in pairs}),
        best_before=_best_right(pairs, table @ start),
        best_after=_best_right(pairs, unseen),
    )


def _pairs(follower: Follower, row: LabelledDeclaration) -> list[ScoredPair]:
    """Return the candidates that the commit of a row has for its declaration."""
    if not all(map(follower.lineage.holds, (row.commit_before, row.commit_after))):
        return []
    old = follower.find(row.commit_before, row.file_before, row.name_before, row.kind, row.line_before)
    if old is None:
        return []
    new = None
    if row.file_after is not None and row.name_after is not None and row.line_after is not None:
        new = follower.find(row.commit_after, row.file_after, row.name_after, row.kind, row.line_after)
    found: list[ScoredPair] = []

    def observe(group: str, one: Place, other: Place, features: Mapping[str, float]) -> None:
        if one == old:
            found.append(ScoredPair(row.repo, row.id, group, other == new, dict(features)))

    follower.matches.score(old, row.commit_before, row.commit_after, observe)
    return found


def _train(table: NDArray[np.float64], right: NDArray[np.float64], start: NDArray[np.float64], pull: float) -> NDArray[np.float64]:
    """Fit a logistic regression by Newton's method, drawn towards where it starts."""
    weights, counts = start.copy(), np.where(right == 1, _RIGHT_PAIRS_COUNT, 1.0)
    for _ in range(_STEPS):
        guessed = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (counts * (guessed - right)) + pull * (weights - start)
        curve = (table * (counts * guessed * (1 - guessed))[:, None]).T @ table + pull * np.eye(len(start))
        step = np.linalg.solve(curve, slope)
        weights -= step * min(1.0, _LONGEST_STEP / max(float(np.abs(step).max()), 1e-12))
    return weights


def _best_right(pairs: Sequence[ScoredPair], scores: NDArray[np.float64]) -> int:
    best: dict[str, tuple[float, bool]] = {}
    for pair, score in zip(pairs, scores.tolist(), strict=True):
        if pair.row not in best or score > best[pair.row][0]:
            best[pair.row] = score, pair.is_right
    return sum(is_right for _, is_right in best.values())
