"""One entry of the log, whole: what it says, why the ledger believes what it does, and how to check it.

In: a view, an id or the beginning of one. Out: `ShowAnswer`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import orjson

from comind.errors import UsageError
from comind.query.answer import AnchorShown, RecordShown
from comind.query.facts import anchor_shown, records_shown
from comind.query.governing import anchors_with_places
from comind.query.shape import Shape
from comind.query.where import equal, starts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.query.view import LedgerView

__all__ = ["AmbiguousIdError", "NoSuchRecordError", "ShowAnswer", "ask_show", "complete_id"]

_BEGINNING = re.compile(r"^[0-9a-f-]{4,36}$")


class NoSuchRecordError(UsageError):
    """No entry of the ledger has an id."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"no record has the id {text[:60]!r}; `comind log` lists ids")


class AmbiguousIdError(UsageError):
    """The beginning of an id is the beginning of several."""

    def __init__(self, text: str, ids: Sequence[str]) -> None:
        self.text, self.ids = text, tuple(ids)
        listed = ", ".join(self.ids[:3]) + (", …" if len(self.ids) > 3 else "")  # noqa: PLR2004 - enough to see where they part
        super().__init__(f"{len(self.ids)} records have an id that begins with {text}: {listed}; write more of it")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowAnswer(Shape):
    """One entry of the log, whole: what `comind show --json` prints."""

    schema: Annotated[str, "comind.show/1; within one version fields are only added"] = "comind.show/1"
    record: Annotated[RecordShown, "The record and what the ledger believes about it"]
    anchors: Annotated[tuple[AnchorShown, ...], "Every anchor, in the order of the record"]
    provenance: Annotated[dict[str, Any], "Where it came from, as in `comind schema`"]
    lamport: Annotated[int, "Causal order: 1 + the largest among the records it cites"]
    valid_from: Annotated[str | None, "Commit from which it holds"]
    status_rule: Annotated[str | None, "The row of the status table that decided"]
    object_key: Annotated[str, "Where it lies in the store"]
    content_hash: Annotated[str, "BLAKE3 of its canonical bytes"]
    folded: Annotated[bool, "Whether the tables hold it; false: it was read from the inbox"]


def complete_id(view: LedgerView, text: str) -> str:
    """Return the id of the one entry whose id begins with a text.

    Raises:
        NoSuchRecordError: there is none.
        AmbiguousIdError: there are several.
    """
    written = text.strip().lower()
    if not _BEGINNING.match(written):
        raise NoSuchRecordError(text)
    ids = view.read("ledger_records", columns=["id"], where=starts("id", written))["id"].sort().to_list()
    if not ids:
        raise NoSuchRecordError(text)
    if len(ids) > 1:
        raise AmbiguousIdError(written, ids)
    return str(ids[0])


def ask_show(view: LedgerView, text: str) -> ShowAnswer:
    """Read one entry, named by its id or the beginning of it; raises what `complete_id` raises."""
    record_id = complete_id(view, text)
    row = view.read("ledger_records", where=equal("id", record_id)).row(0, named=True)
    rule = view.read("ledger_current", columns=["status_rule"], where=equal("id", record_id))
    anchors = anchors_with_places(view, equal("record_id", record_id)).sort("position")
    return ShowAnswer(
        record=records_shown(view, [record_id])[record_id],
        anchors=tuple(map(anchor_shown, anchors.iter_rows(named=True))),
        provenance=orjson.loads(row["record"])["provenance"],
        lamport=row["lamport"],
        valid_from=row["valid_from"],
        status_rule=rule["status_rule"][0] if rule.height else None,
        object_key=row["object_key"],
        content_hash=row["content_hash"],
        folded=record_id not in view.inbox.unfolded,
    )
