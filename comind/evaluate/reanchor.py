"""Measure re-anchoring and drift against labelled declarations.

In: labelled rows, a directory of clones or bundles. Out: figures, and predictions in the format of the data set's scorer.
What was found rightly in one commit is asked for again without the place it went to: that shows how much is guessed.
Asks the functions that the pipeline asks. A row whose repository or commit is not there is counted and said, never scored.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import orjson
import polars as pl

from comind.anchors.follow import Follower
from comind.anchors.frames import schema_of
from comind.drift.classify import classify_drift
from comind.evaluate.labels import clone_of, existing_directory, read_labels
from comind.evaluate.reanchor_checks import stays_with_forwarder
from comind.evaluate.reanchor_figures import LabelledDeclaration, Prediction, ReanchorFigures, figures_of
from comind.fingerprints import FINGERPRINT_VERSION, grammar_probe
from comind.index.names import sid_of
from comind.records.vocabulary import Role, Scope
from comind.sources.git.repository import GitRepository
from comind.syntax import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from comind.anchors.changes import Place
    from comind.fingerprints import Definition

__all__ = ["evaluate_reanchor"]

_LABELS = {"moved": "unchanged"}  # a move is no class of the labels
_WORDS = frozenset({"unchanged", "moved", "signature", "body", "deleted"})


def evaluate_reanchor(  # noqa: PLR0913 - filters of a command
    data: Path,
    repos: Path,
    *,
    out: Path | None = None,
    only: str | None = None,
    every: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ReanchorFigures:
    """Follow labelled declarations to their target commits and count how often that is right.

    Args:
        data: labels, one JSON object per line; rows whose target is older than the anchor are left out.
        repos: holds ``<name>``, ``<owner>+<name>``, ``<owner>+<name>/repo`` or ``<name>.bundle`` for each ``owner/name`` of the labels.
        out: gets one prediction per judged row.
        only: part of the name of the repositories to judge; all by default.
        every: judge one row of so many.
        progress: told how many rows are judged, and of how many.

    Raises:
        LabelsUnreadableError: the labels are not there, or are none.
        UsageError: ``repos`` is not a directory.
    """
    labels = [label for label in read_labels(data, LabelledDeclaration, "labelled declaration") if not label.time_reversed][::every]
    existing_directory(repos)
    by_repo: defaultdict[str, list[LabelledDeclaration]] = defaultdict(list)
    for label in labels:
        if only is None or only in label.repo:
            by_repo[label.repo].append(label)
    judged: list[tuple[LabelledDeclaration, Prediction]] = []
    figures = ReanchorFigures()
    for repo, rows in by_repo.items():
        with clone_of(repo, repos) as path:
            if path is None:
                figures.repositories_missing.append(repo)
                figures.rows_without_repository += len(rows)
                continue
            pairs = _judge(GitRepository.open(path, name=repo), rows, figures)
        figures.rows_without_commit += len(rows) - len(pairs)
        judged += pairs
        if progress:
            progress(len(judged), sum(map(len, by_repo.values())))
    if out is not None:
        out.write_bytes(b"".join(orjson.dumps(_as_scored(guess)) + b"\n" for _, guess in judged))
    return figures_of(judged, figures)


def _judge(
    repository: GitRepository, rows: Sequence[LabelledDeclaration], figures: ReanchorFigures
) -> list[tuple[LabelledDeclaration, Prediction]]:
    started = time.process_time()
    follower = Follower(repository)
    here = [row for row in rows if all(map(follower.lineage.holds, (row.commit_before, row.commit_after)))]
    # In order of file, so that what two rows share is still remembered.
    guesses = [_guess(follower, row) for row in sorted(here, key=lambda row: (row.file_before, row.commit_before, row.id))]
    drifts = _drifts(guesses)
    figures.cpu_seconds += time.process_time() - started
    return [(one.row, replace(_checked(follower, one, figures), drift=drifts.get(one.row.id))) for one in guesses]


@dataclass(frozen=True, slots=True)
class _Guess:
    """One prediction, its places, and the fingerprints at both ends."""

    row: LabelledDeclaration
    prediction: Prediction
    start: Place | None = None
    place: Place | None = None
    was: Definition | None = None
    now: Definition | None = None


def _checked(follower: Follower, one: _Guess, figures: ReanchorFigures) -> Prediction:
    """Ask for a right place without it, and whether a wrong one is only what its label calls by another name."""
    row = one.row
    if one.start is None or one.place is None or row.file_after is None or row.name_after is None or row.line_after is None:
        return one.prediction
    if row.is_right(one.prediction):
        if row.is_hard and row.gap == 1:
            figures.withheld.ask(follower, row.id, one.start, one.place, (row.commit_before, row.commit_after))
        return one.prediction
    label = follower.find(row.commit_after, row.file_after, row.name_after, row.kind, row.line_after)
    if label is None:
        return one.prediction
    stays = stays_with_forwarder(follower, (one.start, row.commit_before), (label, row.commit_after), one.place)
    return replace(one.prediction, forwarder=stays)


def _guess(follower: Follower, row: LabelledDeclaration) -> _Guess:
    start = follower.find(row.commit_before, row.file_before, row.name_before, row.kind, row.line_before)
    if start is None:
        return _Guess(row, Prediction(id=row.id, detail="the declaration was not found at its own commit"))
    found = follower.follow(start, row.commit_before, row.commit_after)
    told = Prediction(id=row.id, matched_by=found.matched_by, level=found.level, detail=found.problem)
    was, now = follower.definition(start, row.commit_before), None
    if found.place is not None:
        now = follower.definition(found.place, row.commit_after)
    if now is None or found.place is None:
        return _Guess(row, told, start, was=was)
    told = replace(told, file=found.place.path, name=now.name, line=follower.line_of(found.place, row.commit_after))
    return _Guess(row, told, start, found.place, was, now)


def _drifts(guesses: Sequence[_Guess]) -> dict[str, str]:
    """Classify what happened, as the pipeline does, in the words of the labels."""
    anchors: list[dict[str, object]] = []
    locations: list[dict[str, object]] = []
    symbols: list[dict[str, object]] = []
    for one in guesses:
        if one.was is None or (one.now is None and one.prediction.file is not None):
            continue
        ids = {"anchor_id": one.row.id, "record_id": one.row.id, "repo_id": one.row.repo, "sid": sid_of(one.row.id), "ordinal": 0}
        anchors.append(_code(one.was, one.row.file_before) | ids | {"scope": Scope.SYMBOL, "role": Role.SUBJECT})
        rung = one.prediction.matched_by
        locations.append(ids | {"matched_by": rung, "detail": rung, "path": one.prediction.file})
        if one.now is not None and one.prediction.file is not None:
            symbols.append(_code(one.now, one.prediction.file) | ids)
    drift = classify_drift(_frame(anchors, "ledger_anchors"), _frame(locations, "anchor_locations"), _frame(symbols, "symbols"))
    return {row: _LABELS.get(word, word) for row, word in drift.select("anchor_id", "drift").iter_rows() if word in _WORDS}


def _code(definition: Definition, path: str) -> dict[str, object]:
    probe = grammar_probe(language_of(path) or "")
    return definition._asdict() | {"path": path, "fingerprint_version": FINGERPRINT_VERSION, "grammar_probe": probe}


def _frame(rows: list[dict[str, object]], table: str) -> pl.DataFrame:
    schema = schema_of(table)
    kept = [{name: row.get(name) for name in schema} for row in rows]
    return pl.DataFrame(kept, schema=schema, orient="row")


def _as_scored(guess: Prediction) -> dict[str, object]:
    told = asdict(guess).items()
    return {name: value for name, value in told if name == "file" or (value is not None and value is not False)}
