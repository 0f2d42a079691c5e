"""Labels of re-anchoring, predictions, and what is counted of them.

In: labelled declarations with predictions. Out: figures as the data set's scorer counts them, and some that it does not have.
Never reads a repository.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from comind.evaluate.figures import Score
from comind.evaluate.reanchor_checks import Withheld

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Counted", "LabelledDeclaration", "Prediction", "ReanchorFigures", "figures_of"]

_Sha = Annotated[str, Field(pattern=r"^[0-9a-f]{40}$")]
_FAR = 1_000  # commits


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
    changes: tuple[str, ...] = ()  # what differs between the two
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

    def is_right(self, guess: Prediction) -> bool:
        """Whether a prediction names the place of the label."""
        if guess.file != self.file_after or guess.name != self.name_after or guess.line is None:
            return False
        start = self.start_after or 0
        return start <= guess.line <= max(self.line_after or 0, start)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of rows that it is counted in."""
        if not self.is_hard:
            return ("all",)
        changed = ("hard, body changed",) if "body" in self.changes else ()
        far = (f"hard, over {_FAR:,} commits",) if self.gap > _FAR else ()
        return ("all", "hard", f"hard {self.lang}", *changed, *far)


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
    forwarder: bool = False  # the label stays with the old name, which only calls what the body is called now


@dataclass(slots=True)
class Counted:
    """Places given, wrong and missed."""

    right: int = 0
    wrong: int = 0
    missed: int = 0

    def add(self, label: LabelledDeclaration, guess: Prediction) -> None:
        """Count one row as the data set's scorer does: a wrong place is both wrong and missed."""
        given, exists = guess.file is not None, label.file_after is not None
        right = exists and given and label.is_right(guess)
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
    withheld: Withheld = field(default_factory=Withheld)
    forwarders: list[str] = field(default_factory=list)  # ids of rows whose label stays with a forwarder; counted nowhere
    cpu_seconds: float = 0.0
    causes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))  # ids of wrong rows, by what was said instead
    rows_without_commit: int = 0
    rows_without_repository: int = 0
    repositories_missing: list[str] = field(default_factory=list)

    @property
    def wrong(self) -> list[str]:
        """The ids of all wrong rows."""
        return [row for rows in self.causes.values() for row in rows]

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        shares = {name: _score_json(counted.score) for name, counted in [*self.groups.items(), ("orphans", self.orphans)]}
        drift = {kind: sum(right) / len(right) for kind, right in self.drift.items()}
        rest = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in {"groups", "orphans", "drift", "withheld"}}
        return shares | {"drift": drift, "withheld": asdict(self.withheld), "cpu_ms_per_row": self.cpu_ms_per_row} | rest

    @property
    def cpu_ms_per_row(self) -> float:
        """CPU time per row, in milliseconds, opening the repository included."""
        return 1000 * self.cpu_seconds / max(self.rows, 1)


def figures_of(judged: Iterable[tuple[LabelledDeclaration, Prediction]], figures: ReanchorFigures | None = None) -> ReanchorFigures:
    """Count predictions against labels, as the data set's scorer does."""
    figures = figures or ReanchorFigures()
    for label, guess in judged:
        figures.rows += 1
        if guess.forwarder:
            figures.forwarders.append(label.id)
            continue
        figures.rungs[guess.matched_by] += 1
        given, exists = guess.file is not None, label.file_after is not None
        right = label.is_right(guess) if exists and given else given == exists
        for group in label.groups:
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
            figures.causes[_cause(guess, exists=exists)].append(label.id)
    return figures


def _cause(guess: Prediction, *, exists: bool) -> str:
    """Return in words what was said of a row instead of what is right."""
    if guess.file is not None:
        return "another place was given" if exists else "a place was given to what is gone"
    said = {"ambiguous": "several places were listed", "deleted": "it was called gone"}
    return said.get(guess.matched_by, "it was not followed")


def _score_json(score: Score) -> dict[str, float]:
    return {"precision": score.precision, "recall": score.recall, "f1": score.f1}
