"""Measure re-anchoring and drift against labelled declarations.

In: labelled rows, a directory of clones or bundles. Out: figures, and predictions in the format of the data set's scorer.
Asks the functions that the pipeline asks. A row whose repository or commit is not there is counted and said, never scored.
"""

from __future__ import annotations

import time
from collections import defaultdict
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Annotated

import orjson
import polars as pl
from pydantic import BaseModel, ConfigDict, Field

from comind.anchors.follow import Follower
from comind.anchors.frames import schema_of
from comind.drift.classify import classify_drift
from comind.evaluate.figures import Score
from comind.evaluate.labels import clone_of, existing_directory, read_labels
from comind.fingerprints import FINGERPRINT_VERSION, grammar_probe
from comind.index.names import sid_of
from comind.records.vocabulary import Role, Scope
from comind.sources.git.repository import GitRepository
from comind.syntax import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from comind.fingerprints import Definition

__all__ = ["Counted", "LabelledDeclaration", "Prediction", "ReanchorFigures", "evaluate_reanchor", "figures_of"]

_Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
_LABELS = {"moved": "unchanged"}  # a move is no class of the labels
_WORDS = frozenset({"unchanged", "moved", "signature", "body", "deleted"})


class LabelledDeclaration(BaseModel):
    """One declaration at two commits, as somebody labelled it."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    repo: str
    lang: str
    kind: str  # method | class | field
    commit_before: _Sha
    commit_after: _Sha
    file_before: str
    name_before: str
    line_before: int
    qname_before: str
    file_after: str | None = None
    name_after: str | None = None
    qname_after: str | None = None
    start_after: int | None = None
    line_after: int | None = None
    drift: str
    drift_alt: tuple[str, ...] = ()
    drift_scored: bool = True
    gap: int = 0  # commits between the two
    row_type: str = ""
    time_reversed: bool = False

    @property
    def is_hard(self) -> bool:
        """Whether file, container or name differ."""
        return self.file_after is not None and (self.file_before, self.qname_before) != (self.file_after, self.qname_after)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Where the ladder says that a declaration is."""

    id: str
    file: str | None = None
    name: str | None = None
    line: int | None = None
    drift: str | None = None
    matched_by: str = "unknown"
    level: str | None = None
    detail: str = ""


@dataclass(slots=True)
class Counted:
    """Places given, wrong and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, label: LabelledDeclaration, guess: Prediction) -> None:
        """Count one row as the data set's scorer does: a wrong place is both wrong and missed."""
        given, exists = guess.file is not None, label.file_after is not None
        right = exists and given and _is_right(label, guess)
        self.right += right
        self.wrong += given and not right
        self.missed += exists and not right

    @property
    def score(self) -> Score:
        """Precision and recall."""
        return Score(self.right, self.wrong, self.missed)


@dataclass(slots=True, kw_only=True)
class ReanchorFigures:
    """What was measured, and what could not be."""

    rows: int = 0
    groups: dict[str, Counted] = field(default_factory=lambda: defaultdict(Counted))  # all, hard, and hard by language
    orphans: Counted = field(default_factory=Counted)
    siblings: int = 0  # deletions with a declaration of the same name left
    siblings_right: int = 0
    drift: dict[str, list[bool]] = field(default_factory=lambda: defaultdict(list))  # by kind, of rows with the right place
    rungs: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    cpu_seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)  # ids
    rows_without_commit: int = 0
    rows_without_repository: int = 0
    repositories_missing: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        shares = {name: _score_json(counted.score) for name, counted in [*self.groups.items(), ("orphans", self.orphans)]}
        drift = {kind: sum(right) / len(right) for kind, right in self.drift.items()}
        rest = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in {"groups", "orphans", "drift"}}
        return shares | {"drift": drift, "cpu_ms_per_row": self.cpu_ms_per_row} | rest

    @property
    def cpu_ms_per_row(self) -> float:
        """CPU time per row, in milliseconds, opening the repository included."""
        return 1000 * self.cpu_seconds / max(self.rows, 1)


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
            started = time.process_time()
            pairs = _judge(path, repo, rows)
            figures.cpu_seconds += time.process_time() - started
        figures.rows_without_commit += len(rows) - len(pairs)
        judged += pairs
        if progress:
            progress(len(judged), sum(map(len, by_repo.values())))
    if out is not None:
        out.write_bytes(b"".join(orjson.dumps(_as_scored(guess)) + b"\n" for _, guess in judged))
    return figures_of(judged, figures)


def figures_of(judged: Iterable[tuple[LabelledDeclaration, Prediction]], figures: ReanchorFigures | None = None) -> ReanchorFigures:
    """Count predictions against labels, as the data set's scorer does."""
    figures = figures or ReanchorFigures()
    for label, guess in judged:
        figures.rows += 1
        figures.rungs[guess.matched_by] += 1
        given, exists = guess.file is not None, label.file_after is not None
        right = _is_right(label, guess) if exists and given else given == exists
        for group in ("all", *(("hard", f"hard {label.lang}") if label.is_hard else ())):
            figures.groups[group].add(label, guess)
        figures.orphans.right += not given and not exists
        figures.orphans.wrong += not given and exists
        figures.orphans.missed += given and not exists
        if label.row_type == "deleted-hard":
            figures.siblings += 1
            figures.siblings_right += right
        if guess.drift and label.drift_scored and right:
            figures.drift[label.kind].append(guess.drift == label.drift or guess.drift in label.drift_alt)
        if not right:
            figures.wrong.append(label.id)
    return figures


def _is_right(label: LabelledDeclaration, guess: Prediction) -> bool:
    if guess.file != label.file_after or guess.name != label.name_after or guess.line is None:
        return False
    start = label.start_after or 0
    return start <= guess.line <= max(label.line_after or 0, start)


def _judge(path: Path, repo: str, rows: Sequence[LabelledDeclaration]) -> list[tuple[LabelledDeclaration, Prediction]]:
    follower = Follower(GitRepository.open(path, name=repo))
    here = [row for row in rows if all(map(follower.lineage.holds, (row.commit_before, row.commit_after)))]
    # In order of file, so that what two rows share is still remembered.
    guesses = [_guess(follower, row) for row in sorted(here, key=lambda row: (row.file_before, row.commit_before, row.id))]
    drifts = _drifts(guesses)
    return [(one.row, replace(one.prediction, drift=drifts.get(one.row.id))) for one in guesses]


@dataclass(frozen=True, slots=True)
class _Guess:
    """One prediction, and the fingerprints at both ends."""

    row: LabelledDeclaration
    prediction: Prediction
    was: Definition | None = None
    now: Definition | None = None


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
        return _Guess(row, told, was)
    return _Guess(row, replace(told, file=found.place.path, name=now.name, line=follower.line_of(found.place, row.commit_after)), was, now)


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
    return {name: value for name, value in asdict(guess).items() if value is not None or name == "file"}


def _score_json(score: Score) -> dict[str, float]:
    return {"precision": score.precision, "recall": score.recall, "f1": score.f1}
