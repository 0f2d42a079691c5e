"""One record as trailers of Lore, for the message of a commit.

In: a view, an id or the beginning of one. Out: `TrailersAnswer`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from comind.errors import UsageError
from comind.harvest.emit import trailers_of
from comind.query.shape import Shape
from comind.query.show import complete_id
from comind.query.where import all_of, equal
from comind.records.codec import decode
from comind.records.record import Reason
from comind.records.vocabulary import RelationKind

if TYPE_CHECKING:
    from comind.query.view import LedgerView

__all__ = ["NoReasonError", "TrailerShown", "TrailersAnswer", "ask_trailers"]


class NoReasonError(UsageError):
    """An entry is a relation, and what is asked for only a record has."""

    def __init__(self, record_id: str, kind: str) -> None:
        self.record_id, self.kind = record_id, kind
        super().__init__(f"{record_id} says something about a record ({kind}); name the record itself")


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailerShown(Shape):
    """One trailer."""

    key: Annotated[str, "Lore-id, Rejected, Constraint, Directive, Not-tested, …, or Comind-Record"]
    value: Annotated[str, "On one line"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrailersAnswer(Shape):
    """A record as trailers: what `comind emit-trailers --json` prints."""

    schema: Annotated[str, "comind.trailers/1; within one version fields are only added"] = "comind.trailers/1"
    record_id: Annotated[str, "The record"]
    trailers: Annotated[tuple[TrailerShown, ...], "In the order in which they end a message"]


def ask_trailers(view: LedgerView, text: str) -> TrailersAnswer:
    """Read one record and write it as trailers.

    Raises:
        NoSuchRecordError, AmbiguousIdError: no one entry has that id.
        NoReasonError: the entry is a relation.
    """
    record_id = complete_id(view, text)
    record = decode(view.read("ledger_records", columns=["record"], where=equal("id", record_id))["record"][0].encode())
    if not isinstance(record, Reason):
        raise NoReasonError(record_id, record.kind)
    supersessions = all_of(equal("successor_id", record_id), equal("kind", RelationKind.SUPERSEDES))
    replaced = view.read("ledger_records", columns=["subject_id"], where=supersessions)["subject_id"].unique().sort()
    trailers = trailers_of(record, supersedes=replaced.to_list())
    return TrailersAnswer(record_id=record_id, trailers=tuple(TrailerShown(key=one.key, value=one.value) for one in trailers))
