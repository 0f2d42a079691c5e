"""Symbols of the index by name, pattern or place.

In: a view, what a person typed, a limit. Out: `SymbolsAnswer`. Never touches a repository; finds what is indexed, and says what is not.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import polars as pl

from comind.query.answer import Coverage, Outcome
from comind.query.coverage import certify
from comind.query.names import spelled
from comind.query.shape import Shape
from comind.query.where import any_of, below, equal

if TYPE_CHECKING:
    from comind.query.checkouts import Checkouts
    from comind.query.view import LedgerView

__all__ = ["SymbolListed", "SymbolsAnswer", "ask_symbols"]

_COLUMNS = ("repo_id", "path", "start_line", "end_line", "qualified_name", "kind", "language", "symbol", "canonical_key")


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolListed(Shape):
    """One definition."""

    qualified_name: Annotated[str, "Containers within the file, and the name"]
    kind: Annotated[str, "class, function, method, ..."]
    repo_id: Annotated[str, "Repository"]
    path: Annotated[str, "File"]
    start_line: Annotated[int, "First line, from 1"]
    end_line: Annotated[int, "Last line"]
    language: Annotated[str, "Language of the file"]
    symbol: Annotated[str, "SCIP symbol"]
    canonical_key: Annotated[str, "The same without version: what joins it to records"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolsAnswer(Shape):
    """Definitions that match: what `comind symbols --json` prints."""

    schema: Annotated[str, "comind.symbols/1; within one version fields are only added"] = "comind.symbols/1"
    outcome: Annotated[str, "answered, nothing or could_not_find_out"]
    symbols: Annotated[tuple[SymbolListed, ...], "By repository, file and line"]
    over_limit: Annotated[int, "Definitions that match and are not listed"]
    coverage: Annotated[Coverage, "What was looked at"]


def ask_symbols(  # noqa: PLR0913 - three of them narrow the list
    view: LedgerView, text: str, checkouts: Checkouts, *, kind: str | None = None, repo: str | None = None, limit: int = 50
) -> SymbolsAnswer:
    """List the definitions that a text names.

    Args:
        view: what a reader sees now.
        text: a path or directory of the index, a pattern with ``*`` over qualified names, or part of a name in any case.
        checkouts: to compare the index with the heads on this machine.
        kind: only this kind of definition.
        repo: only this repository: its identity or the end of it.
        limit: definitions to list at most.
    """
    found = _in_place(view, text) if "/" in text or not text.strip("*") else pl.DataFrame()
    if found.is_empty():
        found = _named(view, text)
    wanted = found.filter(
        pl.lit(value=True) if kind is None else pl.col("kind") == kind,
        pl.lit(value=True) if repo is None else pl.format("/{}", "repo_id").str.ends_with(f"/{repo}"),
    )
    listed = wanted.sort("repo_id", "path", "start_line", "qualified_name").head(limit)
    coverage = certify(view, checkouts, subject=None)
    nothing = Outcome.COULD_NOT_FIND_OUT if coverage.gaps else Outcome.NOTHING
    return SymbolsAnswer(
        outcome=Outcome.ANSWERED if listed.height else nothing,
        symbols=tuple(SymbolListed(**row) for row in listed.iter_rows(named=True)),
        over_limit=wanted.height - listed.height,
        coverage=coverage,
    )


def _in_place(view: LedgerView, text: str) -> pl.DataFrame:
    path = text.strip("*").removeprefix("./").rstrip("/")
    return _rows(view, any_of(equal("path", path), below("path", path)))


def _named(view: LedgerView, text: str) -> pl.DataFrame:
    wanted = spelled(text).strip()
    parts = re.split(r"(\*)", wanted) if "*" in wanted else ["*", wanted, "*"]
    pattern = "".join(".*" if part == "*" else re.escape(part) for part in parts)
    return _rows(view, None).filter(pl.col("qualified_name").str.contains(f"(?i)^{pattern}$"))


def _rows(view: LedgerView, where: str | None) -> pl.DataFrame:
    return view.read("symbols", columns=_COLUMNS, where=where).filter(pl.col("path") != "")
