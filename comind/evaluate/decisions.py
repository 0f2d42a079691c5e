"""Measure the reader of decision records against labelled files.

In: labelled rows, a directory of clones, or of files laid out as ``<owner>+<name>/<commit>/<path>``. Out: figures, and what was wrong.
A row whose file is not there is counted and said, never scored.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from comind.evaluate.labels import labelled_files, read_labels
from comind.harvest.decisions import Decision, read_decision

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["FIELDS", "DecisionFigures", "LabelledDecision", "evaluate_decisions"]

FIELDS = ("title", "status", "status_raw", "date", "chosen", "options", "supersedes", "superseded_by", "amends", "amended_by")
"""What is compared."""


class LabelledDecision(BaseModel):
    """One file that somebody read."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    repo: str
    commit: str
    path: str
    is_adr: bool
    title: str | None = None
    status: str | None = None
    status_raw: str | None = None
    date: str | None = None
    chosen: str | None = None
    options: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    amends: tuple[str, ...] = ()
    amended_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionFigures:
    """What was measured, and what could not be."""

    decisions: int  # labelled as such, and there
    decisions_right: int  # in every field
    others: int  # files that are no decision
    others_taken: int  # of these, taken for one
    wrong: tuple[str, ...]
    files_missing: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return one object of named figures."""
        return {**asdict(self), "share_right": round(self.decisions_right / self.decisions, 4) if self.decisions else None}


def evaluate_decisions(data: Path, directory: Path, *, repos: bool, progress: Callable[[int, int], None] | None = None) -> DecisionFigures:
    """Read the labelled files and compare every field.

    Args:
        data: labels, one JSON object per line.
        directory: holds what the labels name.
        repos: it holds clones; else single files.
        progress: told how many rows are judged, and of how many.

    Raises:
        LabelsUnreadableError: the labels are not there, or are none.
        UsageError: `directory` is none.
    """
    labels = read_labels(data, LabelledDecision, "labelled decision")
    files = labelled_files(directory, repos=repos)
    judged: list[tuple[LabelledDecision, list[str]]] = []
    missing = []
    for done, label in enumerate(labels, start=1):
        content = files(label.repo)(label.commit, label.path)
        if content is None:
            missing.append(f"{label.repo} {label.path}")
        else:
            judged.append((label, _differences(label, content)))
        if progress:
            progress(done, len(labels))
    return _figures(judged, missing)


def _differences(label: LabelledDecision, content: bytes) -> list[str]:
    read = read_decision(PurePosixPath(label.path).name, content.decode("utf-8", "replace"))
    if not isinstance(read, Decision):
        return [f"is no decision: {read.why}"] if label.is_adr else []
    if not label.is_adr:
        return ["is taken for a decision"]
    found = {name: getattr(read, name) for name in FIELDS} | {"options": tuple(option.name for option in read.options)}
    return [f"{name} is {getattr(label, name)!r}, read {value!r}" for name, value in found.items() if value != getattr(label, name)]


def _figures(judged: Sequence[tuple[LabelledDecision, list[str]]], missing: Sequence[str]) -> DecisionFigures:
    decisions = [differences for label, differences in judged if label.is_adr]
    others = [differences for label, differences in judged if not label.is_adr]
    return DecisionFigures(
        decisions=len(decisions),
        decisions_right=sum(not differences for differences in decisions),
        others=len(others),
        others_taken=sum(bool(differences) for differences in others),
        wrong=tuple(f"{label.repo} {label.path}: {one}" for label, differences in judged for one in differences),
        files_missing=tuple(missing),
    )
