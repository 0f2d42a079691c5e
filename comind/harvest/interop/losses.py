"""What an import of another tool's store took, what it left and why: nothing is dropped silently.

In: losses, one per thing that was not taken. Out: `Found`, groups of losses for a report, rows for `harvest_refusals`.
A loss is *refused* when something is wrong with it, and *left* when it is no reason or belongs elsewhere. Its words repeat nothing of
the store but names of files, ids and fields.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from comind.errors import ComindError
from comind.harvest.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.harvest.interop.origins import Origin
    from comind.records.record import AnyRecord

__all__ = ["Found", "Loss", "LossGroup", "NotTakenError", "grouped", "refusals_of"]

_PLACES_SHOWN = 3


class NotTakenError(ComindError):
    """One thing of a store does not become a record."""

    def __init__(self, code: str, why: str, *, refused: bool = True) -> None:
        self.code, self.why, self.refused = code, why, refused
        super().__init__(why)

    def at(self, where: str) -> Loss:
        """Return the loss, now that it is known where it stands."""
        return Loss(where, self.code, self.why, refused=self.refused)


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing that was not taken."""

    where: str  # within the store
    code: str
    why: str
    refused: bool = True  # False: nothing is wrong with it


@dataclass(frozen=True, slots=True, kw_only=True)
class LossGroup:
    """The losses with one code."""

    code: str
    refused: bool
    count: int
    why: str  # of the first
    first: tuple[str, ...]  # places


@dataclass(slots=True)
class Found:
    """What one store holds."""

    source: str  # such as `memcontinuum`
    version: str  # of the rules, such as `memcontinuum/1`
    read: int = 0  # things that could have become something
    records: list[AnyRecord] = field(default_factory=list)
    origins: list[Origin] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)


def grouped(losses: Iterable[Loss]) -> list[LossGroup]:
    """Return one group per code, refused ones first, larger ones before smaller ones."""
    groups: dict[tuple[bool, str], list[Loss]] = {}
    for loss in losses:
        groups.setdefault((loss.refused, loss.code), []).append(loss)
    told = [
        LossGroup(code=code, refused=refused, count=len(some), why=some[0].why, first=tuple(loss.where for loss in some[:_PLACES_SHOWN]))
        for (refused, code), some in groups.items()
    ]
    return sorted(told, key=lambda group: (not group.refused, -group.count, group.code))


def refusals_of(found: Found, repo_id: str) -> list[Refusal]:
    """Return a row for everything that was refused."""
    return [
        Refusal(
            repo_id=repo_id, source=found.source, source_id=loss.where, code=loss.code, detail=loss.why, harvester_version=found.version
        )
        for loss in found.losses
        if loss.refused
    ]
