"""What a run left behind, in a few figures, and what is worth asking next.

In: a view. Out: `RunSummary`.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import polars as pl

from comind.query.overview import Counted
from comind.query.resolve import Asked, question_for, resolve
from comind.query.shape import Shape

if TYPE_CHECKING:
    from comind.query.view import LedgerView

__all__ = ["RepositorySummary", "RunSummary", "sum_up_run"]

_RECORD_COLUMNS = ("id", "title", "status", "trust", "repo_id", "path", "canonical_key", "qualified_name", "recorded_at")
_SHOWN_TRUSTS = ("T4", "T3", "T2")
_TELLING = pl.Enum(["active", "stale", "dormant", "orphaned"])  # what a reader should meet first; the rest no longer holds


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositorySummary(Shape):
    """One repository after a run."""

    repo_id: Annotated[str, "Repository"]
    head_commit: Annotated[str | None, "Commit that is indexed"]
    files: Annotated[int, "Source files of a known language"]
    files_not_parsed: Annotated[int, "Of these, files that were not parsed whole"]
    symbols: Annotated[int, "Definitions"]
    harvested: Annotated[int, "Records that its history and its documents gave, in this run and earlier ones; relations not counted"]
    refused: Annotated[int, "Findings that were not written, or not whole, each a row of harvest_refusals"]
    problem: Annotated[str | None, "Why it could not be read"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary(Shape):
    """What `comind run --json` prints."""

    schema: Annotated[str, "comind.run/1; within one version fields are only added"] = "comind.run/1"
    store: Annotated[str, "Where the store is"]
    run_id: Annotated[str, "Dagster run"]
    seconds: Annotated[float, "Wall time"]
    repositories: Annotated[tuple[RepositorySummary, ...], "Repositories of the store"]
    records: Annotated[int, "Records"]
    statuses: Annotated[tuple[Counted, ...], "Records by status"]
    unreadable: Annotated[int, "Objects of the inbox that cannot be trusted"]
    next: Annotated[tuple[str, ...], "Commands worth typing next"]


def sum_up_run(view: LedgerView, *, store: str, run_id: str, seconds: float) -> RunSummary:
    """Read back what stands; the figures are those of the tables, not of the run's own counters."""
    current = view.read("ledger_current", columns=_RECORD_COLUMNS)
    counts = current["status"].value_counts(name="records").sort("records", "status", descending=[True, False])
    return RunSummary(
        store=store,
        run_id=run_id,
        seconds=seconds,
        repositories=tuple(RepositorySummary(**row) for row in _repositories(view).iter_rows(named=True)),
        records=current.height,
        statuses=tuple(Counted(word=word, records=number) for word, number in counts.iter_rows()),
        unreadable=view.read("unreadable_objects", columns=["object_key"]).height,
        next=_worth_asking(view, current),
    )


def _repositories(view: LedgerView) -> pl.DataFrame:
    files = view.read("code_files", columns=["repo_id", "status", "n_symbols"])
    is_code = pl.col("status").is_in(["parsed", "partial", "skipped", "unreadable"])
    per_repository = files.group_by("repo_id").agg(
        files=is_code.sum(), files_not_parsed=(is_code & (pl.col("status") != "parsed")).sum(), symbols=pl.col("n_symbols").sum()
    )
    refusals = view.read("harvest_refusals", columns=["repo_id"]).group_by("repo_id").agg(refused=pl.len())
    written = view.read("ledger_records", columns=["repo_id", "kind"], where="author_kind = 'harvested' AND title IS NOT NULL")
    harvested = written.group_by("repo_id").agg(harvested=pl.len())
    known = view.read("repositories", columns=["repo_id", "head_commit", "problem"])
    numbers = ("files", "files_not_parsed", "symbols", "harvested", "refused")
    joined = known.join(per_repository, on="repo_id", how="left").join(refusals, on="repo_id", how="left")
    joined = joined.join(harvested, on="repo_id", how="left")
    return joined.with_columns(pl.col(numbers).fill_null(0)).select("repo_id", "head_commit", *numbers, "problem").sort("repo_id")


def _worth_asking(view: LedgerView, current: pl.DataFrame) -> tuple[str, ...]:
    """Name the newest record that a reader can trust and that stands on a symbol; else what works on any store."""
    symbols = current.filter(pl.col("qualified_name").is_not_null() & pl.col("trust").is_in(_SHOWN_TRUSTS))
    standing = symbols.filter(pl.col("status").is_in(_TELLING.categories.to_list())).with_columns(pl.col("status").cast(_TELLING))
    telling = standing.sort("status", "recorded_at", "id", descending=[False, True, False]).head(1)
    asked = [_question(view, row) for row in telling.iter_rows(named=True)]
    shown = [f"comind show {record_id[:8]}" for record_id in telling["id"]]
    return (*asked, *shown, "comind log", "comind status", "comind remember --help")[:3]


def _question(view: LedgerView, row: dict[str, str]) -> str:
    """Ask for the symbol of a record in a way that means it alone: a suggestion that is answered with a choice helps nobody."""
    subjects = resolve(view, Asked(text=row["qualified_name"]))
    meant = [subject for subject in subjects if (subject.repo_id, subject.canonical_key) == (row["repo_id"], row["canonical_key"])]
    return question_for(meant[0], subjects) if meant and len(subjects) > 1 else f"comind why {shlex.quote(row['qualified_name'])}"
