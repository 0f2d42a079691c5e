"""What a person decided about what waits: the shape of the answers of `comind review accept` and the other verbs.

In: nothing. Out: frozen dataclasses whose fields are described.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from comind.query.shape import Shape

__all__ = ["DecidedAnswer", "DecisionShown", "EntryWritten"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryWritten(Shape):
    """One entry that a decision writes."""

    id: Annotated[str, "Id of the entry"]
    kind: Annotated[str, "A relation; of an edit also the new record"]
    title: Annotated[str, "What it says, in a line"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionShown(Shape):
    """What was decided about one entry of the log."""

    verb: Annotated[str, "accept, edit, reject, confirm, retract, supersede, dispute or undo"]
    id: Annotated[str, "The record or challenge that it is about"]
    kind: Annotated[str, "Its kind"]
    title: Annotated[str, "What it says, in a line"]
    entries: Annotated[tuple[EntryWritten, ...], "What was written to say so"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedAnswer(Shape):
    """What was decided: what `comind review accept --json` and the other verbs print."""

    schema: Annotated[str, "comind.review.decided/1; within one version fields are only added"] = "comind.review.decided/1"
    outcome: Annotated[str, "written, unchanged (an edit that changed nothing) or dry_run"]
    decisions: Annotated[tuple[DecisionShown, ...], "In the order of the ids"]
    store: Annotated[str, "Where it was written"]
