"""What a store holds and how far it has come: tables, repositories against their heads, records by status, what cannot be read.

In: a view, the tables behind it, what is checked out. Out: `StatusAnswer`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Protocol

import polars as pl

from comind.query.coverage import ledger_gaps, repository_coverage, unreadable_objects
from comind.query.shape import Shape
from comind.schemas import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.query.checkouts import Checkouts
    from comind.query.view import LedgerView

__all__ = ["Counted", "RefusalCount", "RepositoryStatus", "StatusAnswer", "TableCatalog", "TableStatus", "UnreadableShown", "ask_status"]


class TableCatalog(Protocol):
    """Says how large a table is, 0 where there is none; `comind.tables.lake.Lake` does."""

    def count(self, name: str) -> int:
        """Return how many rows there are."""
        ...

    def version(self, name: str) -> int:
        """Return how many times it was changed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TableStatus(Shape):
    """One table of the lake."""

    name: Annotated[str, "Name"]
    rows: Annotated[int, "Rows"]
    version: Annotated[int, "Lance version; it grows with every commit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryStatus(Shape):
    """One repository, as the index and this machine know it."""

    repo_id: Annotated[str, "Repository"]
    ref: Annotated[str | None, "The indexed ref"]
    indexed_commit: Annotated[str | None, "Commit that the index describes"]
    head_commit: Annotated[str | None, "Commit at that ref in the checkout on this machine; null when none is known"]
    files: Annotated[int, "Source files of a known language"]
    files_not_parsed: Annotated[int, "Of these, files that were not parsed whole"]
    problem: Annotated[str | None, "Why the last run could not read it"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted(Shape):
    """How many records share a word."""

    word: Annotated[str, "A kind, status or trust tier"]
    records: Annotated[int, "Records"]


@dataclass(frozen=True, slots=True, kw_only=True)
class UnreadableShown(Shape):
    """One object of the inbox that cannot be trusted."""

    object_key: Annotated[str, "Where it lies"]
    problem: Annotated[str, "What is wrong with it"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusalCount(Shape):
    """How many findings a harvest refused for one reason."""

    repo_id: Annotated[str, "Repository"]
    source: Annotated[str, "What was harvested"]
    code: Annotated[str, "Why it was refused"]
    findings: Annotated[int, "Findings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusAnswer(Shape):
    """The state of a store: what `comind status --json` prints."""

    schema: Annotated[str, "comind.status/1; within one version fields are only added"] = "comind.status/1"
    store: Annotated[str, "Where the store is"]
    repositories: Annotated[tuple[RepositoryStatus, ...], "Indexed repositories"]
    kinds: Annotated[tuple[Counted, ...], "Records by kind"]
    statuses: Annotated[tuple[Counted, ...], "Records by status"]
    trusts: Annotated[tuple[Counted, ...], "Records by trust"]
    unfolded: Annotated[int, "Entries in the inbox that no table holds yet"]
    unreadable: Annotated[tuple[UnreadableShown, ...], "Objects of the inbox that cannot be trusted"]
    refusals: Annotated[tuple[RefusalCount, ...], "What harvests found and did not write, and why"]
    tables: Annotated[tuple[TableStatus, ...], "Tables that exist"]
    gaps: Annotated[tuple[str, ...], "What of the ledger could not be read"]


def ask_status(view: LedgerView, catalog: TableCatalog, checkouts: Checkouts, *, store: str) -> StatusAnswer:
    """Read the state of a store; `store` is what it is called."""
    current = view.read("ledger_current", columns=["kind", "status", "trust"])
    return StatusAnswer(
        store=store,
        repositories=tuple(_repositories(view, checkouts)),
        kinds=_counted(current["kind"]),
        statuses=_counted(current["status"]),
        trusts=_counted(current["trust"]),
        unfolded=len(view.inbox.unfolded),
        unreadable=tuple(UnreadableShown(object_key=key, problem=why) for key, why in sorted(unreadable_objects(view).items())),
        refusals=tuple(_refusals(view)),
        tables=tuple(
            TableStatus(name=name, rows=catalog.count(name), version=version)
            for name, spec in TABLES.items()
            if not spec.private and (version := catalog.version(name))  # a reader need not have the right to those
        ),
        gaps=tuple(ledger_gaps(view)),
    )


def _repositories(view: LedgerView, checkouts: Checkouts) -> Iterable[RepositoryStatus]:
    seen = {row["repo_id"]: row for row in view.read("repositories").iter_rows(named=True)}
    covered = {one.repo_id: one for one in repository_coverage(view, checkouts, None)}
    for repo_id in sorted(covered.keys() | seen.keys()):
        one, row = covered.get(repo_id), seen.get(repo_id, {})
        checkout = checkouts.find(repo_id)
        yield RepositoryStatus(
            repo_id=repo_id,
            ref=row.get("ref"),
            indexed_commit=one.indexed_commit if one else None,
            head_commit=checkout.head if checkout else None,
            files=one.files if one else 0,
            files_not_parsed=one.files_not_parsed if one else 0,
            problem=row.get("problem"),
        )


def _refusals(view: LedgerView) -> Iterable[RefusalCount]:
    rows = view.read("harvest_refusals", columns=["repo_id", "source", "code"])
    counts = rows.group_by("repo_id", "source", "code").agg(findings=pl.len()).sort("repo_id", "source", "code")
    return (RefusalCount(**row) for row in counts.iter_rows(named=True))


def _counted(words: pl.Series) -> tuple[Counted, ...]:
    counts = words.value_counts(name="records").sort("records", words.name, descending=[True, False])
    return tuple(Counted(word=word, records=records) for word, records in counts.iter_rows())
