"""Who refers to a definition, and what it refers to: callers, callees, and the ripple of a change.

In: a view, a question, which way and how far. Out: `NeighboursAnswer`. "Nothing" is said only where the edges of the language are known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import polars as pl

from comind.index.resolve.dialects import FAMILIES
from comind.index.resolve.files import FUNCTIONS, TYPES
from comind.query.answer import Candidate, Coverage, Outcome, SubjectShown
from comind.query.coverage import certify
from comind.query.reach import TO_CALLEES, TO_CALLERS, Reach, walk_edges
from comind.query.resolve import Asked, nearest_names, question_for, resolve
from comind.query.shape import Shape
from comind.query.where import all_of, among, equal, starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.query.checkouts import Checkouts
    from comind.query.view import LedgerView

__all__ = ["Neighbour", "NeighboursAnswer", "ask_neighbours"]

_SYMBOL = ("sid", "repo_id", "path", "qualified_name", "kind", "canonical_key", "start_line")
_MAX_CANDIDATES = 20
_MOST_BASES = 20  # methods of methods of … that one overrides


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour(Shape):
    """One definition that was reached, and the reference that led there."""

    qualified_name: Annotated[str | None, "Containers and name; null for code at the top level of a file"]
    kind: Annotated[str, "function, method, class, ...; module for code at the top level of a file"]
    repo_id: Annotated[str, "Repository that defines it"]
    path: Annotated[str, "File that defines it"]
    start_line: Annotated[int | None, "First line of the definition, 1-based"]
    canonical_key: Annotated[str | None, "The symbol without version and source root"]
    hop: Annotated[int, "References between it and the subject"]
    via: Annotated[int | None, "Position in this list of the one before it; null for the subject itself"]
    does: Annotated[str, "What the reference does: calls, extends or references"]
    resolved_by: Annotated[str, "How it is known: scip, import or typed"]
    place: Annotated[str, "First reference: path:line"]
    places: Annotated[int, "References in that file"]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighboursAnswer(Shape):
    """What `comind callers`, `callees` and `ripple` print with `--json`."""

    schema: Annotated[str, "comind.neighbours/1; within one version fields are only added"] = "comind.neighbours/1"
    outcome: Annotated[str, "answered, nothing, ambiguous, unknown or could_not_find_out"]
    asked: Annotated[str, "The question"]
    subject: Annotated[SubjectShown | None, "What it is about"]
    overrides: Annotated[tuple[str, ...], "Methods that the subject overrides, by whose name it may be called too"]
    neighbours: Annotated[tuple[Neighbour, ...], "Nearest first; each after the one that led to it"]
    reached: Annotated[int, "Definitions that were reached, listed or not"]
    repositories: Annotated[int, "Repositories that define them"]
    not_followed: Annotated[int, "Definitions from which the walk did not go on, because a hop reached too many"]
    not_read: Annotated[int, "References to hubs, at most, that the walk left unread"]
    candidates: Annotated[tuple[Candidate, ...], "Where the question names several things or none: what to ask"]
    candidates_left_out: Annotated[int, "Things that the question names and that are not listed"]
    gaps: Annotated[tuple[str, ...], "What may have been missed"]
    coverage: Annotated[Coverage, "What was looked at"]


def ask_neighbours(view: LedgerView, asked: Asked, checkouts: Checkouts, reach: Reach, *, verb: str) -> NeighboursAnswer:
    """Walk from what was asked for.

    Args:
        view: what a reader sees now.
        asked: the question; its limit is how many definitions are listed.
        checkouts: to compare the index with the heads on this machine.
        reach: which way, along what, how far.
        verb: what to suggest where the question is not clear.
    """
    subjects = [one for one in resolve(view, asked) if one.kind in {"symbol", "file"}]
    if len(subjects) != 1:
        return _unclear(view, asked, checkouts, subjects, verb)
    subject = subjects[0]
    begun = _starts(view, subject)
    overridden = _overridden(view, subject, begun) if reach.direction is TO_CALLERS else []
    steps = walk_edges(view, [*begun, *overridden], reach)
    shown, repositories = _shown(view, steps.rows, asked.limit)
    coverage = certify(view, checkouts, subject=None)
    gaps = (*_edge_gaps(view), *coverage.gaps)
    nothing = Outcome.COULD_NOT_FIND_OUT if gaps else Outcome.NOTHING
    return NeighboursAnswer(
        outcome=Outcome.ANSWERED if shown else nothing,
        asked=asked.text,
        subject=subject,
        overrides=_names(view, overridden),
        neighbours=shown,
        reached=steps.rows.height,
        repositories=repositories,
        not_followed=steps.not_followed,
        not_read=steps.not_read,
        candidates=(),
        candidates_left_out=0,
        gaps=gaps,
        coverage=coverage,
    )


def _starts(view: LedgerView, subject: SubjectShown) -> list[int]:
    """Return the sids of a definition, of a type with its members, of all definitions of a file."""
    here = all_of(equal("repo_id", subject.repo_id or ""), equal("path", subject.path or ""))
    if subject.kind == "file":
        return view.read("symbols", columns=["sid"], where=here)["sid"].to_list()
    key = subject.canonical_key or ""
    found = view.read("symbols", columns=["sid"], where=equal("canonical_key", key))["sid"].to_list()
    if subject.code_kind in TYPES:
        return found + view.read("symbols", columns=["sid"], where=starts("canonical_key", key))["sid"].to_list()
    return found


def _overridden(view: LedgerView, subject: SubjectShown, begun: Sequence[int]) -> list[int]:
    """Return the methods that a method overrides: who calls one of them may run it."""
    if subject.code_kind not in FUNCTIONS:
        return []
    steps = walk_edges(view, begun, Reach(direction=TO_CALLEES, kinds=("extends",), hops=_MOST_BASES))
    return steps.rows["sid"].to_list()


def _names(view: LedgerView, sids: Sequence[int]) -> tuple[str, ...]:
    return tuple(view.read("symbols", columns=["qualified_name"], where=among("sid", sids))["qualified_name"].unique().sort())


def _shown(view: LedgerView, steps: pl.DataFrame, limit: int) -> tuple[tuple[Neighbour, ...], int]:
    named = view.read("symbols", columns=_SYMBOL, where=among("sid", steps["sid"]))
    found = named.sort("sid", "repo_id", "path", "start_line").unique("sid", keep="first", maintain_order=True)
    whole = steps.join(found, on="sid", how="left", suffix="_of_symbol", maintain_order="left")
    positions = {sid: position for position, sid in enumerate(whole["sid"].to_list()[:limit])}
    listed = tuple(_neighbour(row, positions) for row in whole.head(limit).iter_rows(named=True))
    return listed, whole.select(pl.coalesce("repo_id_of_symbol", "repo_id")).to_series().n_unique()


def _neighbour(row: dict[str, Any], positions: dict[int, int]) -> Neighbour:
    is_symbol = row["qualified_name"] is not None
    return Neighbour(
        kind=row["kind_of_symbol"] if is_symbol else "module",
        repo_id=row["repo_id_of_symbol"] if is_symbol else row["repo_id"],
        path=row["path_of_symbol"] if is_symbol else row["path"],
        via=positions.get(row["parent"]),
        does=row["kind"],
        place=f"{row['path']}:{row['line']}",
        places=row["n_places"],
        **{name: row[name] for name in ("qualified_name", "start_line", "canonical_key", "hop", "resolved_by")},
    )


def _edge_gaps(view: LedgerView) -> Iterator[str]:
    """Say whose references are not known."""
    files = view.read("code_files", columns=["repo_id", "path", "language", "status", "head_commit"])
    resolved = dict(view.read("edges", columns=["repo_id", "head_commit"], where=equal("path", "")).iter_rows())
    for repo_id, head in files.filter(pl.col("path") == "").select("repo_id", "head_commit").sort("repo_id").iter_rows():
        if resolved.get(repo_id) != head:
            yield f"the references of {repo_id} are not resolved at {(head or '')[:12]}; `comind run` resolves them"
    parsed = files.filter(pl.col("status").is_in(["parsed", "partial"]) & ~pl.col("language").is_in(list(FAMILIES)))
    for language, count in parsed["language"].value_counts().sort("count", "language", descending=[True, False]).iter_rows():
        yield f"what {count:,} file{'s' * (count != 1)} of {language} refer to is not resolved"


def _unclear(view: LedgerView, asked: Asked, checkouts: Checkouts, subjects: Sequence[SubjectShown], verb: str) -> NeighboursAnswer:
    coverage = certify(view, checkouts, subject=None)
    outcome = Outcome.AMBIGUOUS if subjects else Outcome.UNKNOWN if coverage.complete else Outcome.COULD_NOT_FIND_OUT
    named = subjects or [one for name in nearest_names(view, asked.text) for one in resolve(view, Asked(text=name, repo=asked.repo))]
    asks = [Candidate(subject=one, records=0, ask=question_for(one, named, verb)) for one in named]
    return NeighboursAnswer(
        outcome=outcome,
        asked=asked.text,
        subject=None,
        overrides=(),
        neighbours=(),
        reached=0,
        repositories=0,
        not_followed=0,
        not_read=0,
        candidates=tuple(asks[:_MAX_CANDIDATES]),
        candidates_left_out=len(asks[_MAX_CANDIDATES:]),
        gaps=coverage.gaps,
        coverage=coverage,
    )
