"""What is known of one file that may be a decision record: a row of the table `documents`.

In: a document that was read, or rows. Out: `Document`, or rows. The state from which the next harvest goes on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

import pyarrow as pa

from comind.harvest.decision_records import HARVESTER_VERSION
from comind.harvest.document_texts import Verdict
from comind.schemas import TABLES
from comind.sources.git.arrivals import Arrival

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from comind.harvest.document_texts import DocumentText

__all__ = ["NONE", "Document", "document_rows", "known_documents"]

NONE = "none"
"""The verdict on a file that is no decision record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One file that may be a decision record."""

    path: str
    blob: str | None  # content that was read; None once the file is gone
    verdict: str = NONE
    title: str | None = None
    status: str | None = None
    date: str | None = None
    record_id: str | None = None
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    amends: tuple[str, ...] = ()
    amended_by: tuple[str, ...] = ()
    stated_path: str | None = None
    stated_commit: str | None = None
    stated_at: int | None = None
    read_at: int = 0  # committer time of the head at which it was read, seconds since 1970, UTC
    problem: str | None = None
    link_problem: str | None = None
    harvester_version: str = HARVESTER_VERSION

    @classmethod
    def of(cls, path: str, blob: str, text: DocumentText | None, *, problem: str | None) -> Self:
        """Return what is known of a file right after it was read; nothing of what it says where that is quarantined."""
        if text is None or text.quarantine:
            return cls(path=path, blob=blob, problem=problem)
        said = text.decision
        return cls(
            path=path, blob=blob, verdict=text.verdict, title=said.title, status=said.status_raw, date=said.date,
            supersedes=said.supersedes, superseded_by=said.superseded_by, amends=said.amends, amended_by=said.amended_by, problem=problem,
        )  # fmt: skip

    @property
    def holds(self) -> bool:
        """Whether it became a record of something that was chosen, whatever became of that later."""
        return self.record_id is not None and self.verdict != Verdict.REJECTED

    @property
    def statement(self) -> Arrival | None:
        """Where and when it came to say what it says of its standing."""
        if self.stated_path is None or self.stated_commit is None or self.stated_at is None:
            return None
        return Arrival(self.stated_path, self.blob or "", self.stated_commit, self.stated_at)

    def stated_in(self, arrival: Arrival) -> Self:
        """Return the same, knowing that."""
        return replace(self, stated_path=arrival.path, stated_commit=arrival.commit, stated_at=arrival.time)


def document_rows(documents: Iterable[Document], repo_id: str) -> pa.Table:
    """Return rows in the schema of `documents`."""
    schema = TABLES["documents"].schema
    beside = {"document_id", "repo_id"}
    rows: list[dict[str, Any]] = [
        {"document_id": f"{repo_id} {one.path}", "repo_id": repo_id}
        | {name: _plain(getattr(one, name)) for name in schema.names if name not in beside}
        for one in documents
    ]
    return pa.Table.from_pylist(rows, schema=schema)


def known_documents(rows: Iterable[Mapping[str, Any]]) -> dict[str, Document]:
    """Return what is known by path, from the rows of one repository."""
    names = Document.__dataclass_fields__
    known = (Document(**{name: _frozen(value) for name, value in row.items() if name in names}) for row in rows)
    return {one.path: one for one in known}


def _frozen(value: Any) -> Any:  # noqa: ANN401  (any cell)
    return tuple(value) if isinstance(value, list) else value


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
