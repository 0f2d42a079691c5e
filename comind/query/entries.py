"""Entries of the log in a line each: what `comind log` and `comind search` list.

In: a view, ids of entries. Out: `EntryShown`, in the order of the ids.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import orjson

from comind.query.facts import relation_title, rfc3339
from comind.query.shape import Shape
from comind.query.where import among

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.query.view import LedgerView

__all__ = ["EntryShown", "entries_shown"]

_WRITTEN = ("id", "kind", "recorded_at", "author_kind", "repo_id", "title", "trigger", "record")
_BELIEVED = ("id", "status", "trust", "path", "qualified_name")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryShown(Shape):
    """One entry of the log, a record or a relation, in a line."""

    id: Annotated[str, "Id of the entry"]
    kind: Annotated[str, "intent, decision, attempt, constraint, gotcha, question, or a relation"]
    title: Annotated[str, "What it says, in a line"]
    trigger: Annotated[str, "When a reader would need it; empty for a relation"]
    status: Annotated[str | None, "What the ledger believes now; null for a relation"]
    trust: Annotated[str | None, "T0 … T4; null for a relation"]
    author_kind: Annotated[str, "human, agent, harvested or distilled"]
    recorded_at: Annotated[str, "RFC 3339 time in UTC"]
    repo_id: Annotated[str | None, "Repository that it was written in"]
    path: Annotated[str | None, "File that it is about, where that is now"]
    qualified_name: Annotated[str | None, "Symbol that it is about, as it is called now"]


def entries_shown(view: LedgerView, ids: Sequence[str]) -> tuple[EntryShown, ...]:
    """Read some entries, in the order of their ids."""
    written = {row["id"]: row for row in view.read("ledger_records", columns=_WRITTEN, where=among("id", ids)).iter_rows(named=True)}
    current = view.read("ledger_current", columns=_BELIEVED, where=among("id", ids))
    believed = {row["id"]: row for row in current.iter_rows(named=True)}
    entries = []
    for record_id in ids:
        row, now = written[record_id], believed.get(record_id, {})
        entries.append(
            EntryShown(
                id=record_id,
                kind=row["kind"],
                title=row["title"] or relation_title(row["kind"], orjson.loads(row["record"])["fields"]),
                trigger=row["trigger"] or "",
                status=now.get("status"),
                trust=now.get("trust"),
                author_kind=row["author_kind"],
                recorded_at=rfc3339(row["recorded_at"]),
                repo_id=row["repo_id"],
                path=now.get("path"),
                qualified_name=now.get("qualified_name"),
            )
        )
    return tuple(entries)
