"""What is indexed: repositories with their packages, and the code and its references in figures.

In: a view. Out: `ReposAnswer`, `StatsAnswer`. Counts what the tables hold; a repository that could not be read says why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import polars as pl

from comind.query.shape import Shape
from comind.query.where import equal

if TYPE_CHECKING:
    from comind.query.view import LedgerView

__all__ = ["LanguageCount", "ReposAnswer", "RepositoryListed", "Share", "StatsAnswer", "ask_repos", "ask_stats"]

_OWN_ROW = equal("path", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryListed(Shape):
    """One repository of the store."""

    repo_id: Annotated[str, "Repository"]
    ref: Annotated[str | None, "The indexed ref"]
    head_commit: Annotated[str | None, "Commit that is indexed"]
    packages: Annotated[tuple[str, ...], "`<manager> <name>` of each package that it defines"]
    files: Annotated[int, "Source files of a known language"]
    symbols: Annotated[int, "Definitions"]
    uses: Annotated[tuple[str, ...], "Other repositories whose definitions its code refers to"]
    problem: Annotated[str | None, "Why it could not be read"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReposAnswer(Shape):
    """What `comind repos --json` prints."""

    schema: Annotated[str, "comind.repos/1; within one version fields are only added"] = "comind.repos/1"
    repositories: Annotated[tuple[RepositoryListed, ...], "By identity"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguageCount(Shape):
    """One language in figures."""

    language: Annotated[str, "Language"]
    files: Annotated[int, "Files"]
    not_whole: Annotated[int, "Of these, files that were not parsed whole"]
    symbols: Annotated[int, "Definitions"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Share(Shape):
    """How many share a word."""

    word: Annotated[str, "A kind, or how something is known"]
    count: Annotated[int, "Definitions or references"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StatsAnswer(Shape):
    """What `comind stats --json` prints."""

    schema: Annotated[str, "comind.stats/1; within one version fields are only added"] = "comind.stats/1"
    repositories: Annotated[int, "Repositories"]
    files: Annotated[int, "Files, of code or not"]
    symbols: Annotated[int, "Definitions"]
    edges: Annotated[int, "References from one definition to another, those of one file counted once"]
    across: Annotated[int, "Of these, references into another repository"]
    contents: Annotated[int, "Contents whose parse is kept"]
    languages: Annotated[tuple[LanguageCount, ...], "Most definitions first"]
    kinds: Annotated[tuple[Share, ...], "Definitions by kind"]
    references: Annotated[tuple[Share, ...], "References by what they do"]
    resolved_by: Annotated[tuple[Share, ...], "References by how they are known"]


def ask_repos(view: LedgerView) -> ReposAnswer:
    """List the repositories of a store."""
    told = {
        repo_id: (ref, problem) for repo_id, ref, problem in view.read("repositories", columns=["repo_id", "ref", "problem"]).iter_rows()
    }
    files = view.read("code_files", columns=["repo_id", "path", "language", "package", "head_commit"])
    symbols = dict(view.read("symbols", columns=["repo_id"], where="path <> ''")["repo_id"].value_counts().iter_rows())
    uses, listed = _uses(view), []
    for repo_id in sorted({*told, *files["repo_id"].unique()}):
        mine = files.filter(pl.col("repo_id") == repo_id)
        code = mine.filter(pl.col("language").is_not_null())
        ref, problem = told.get(repo_id, (None, None))
        listed.append(
            RepositoryListed(
                repo_id=repo_id,
                ref=ref,
                head_commit=next(iter(mine["head_commit"].drop_nulls()), None),
                packages=tuple(code["package"].drop_nulls().unique().sort()),
                files=code.height,
                symbols=symbols.get(repo_id, 0),
                uses=uses.get(repo_id, ()),
                problem=problem,
            )
        )
    return ReposAnswer(repositories=tuple(listed))


def _uses(view: LedgerView) -> dict[str, tuple[str, ...]]:
    """Return the repositories that each one refers to; what two of them define, such as a fork and its origin, is told of neither."""
    across = _across(view).group_by("repo_id").agg(pl.col("home").unique().sort())
    return {repo_id: tuple(homes) for repo_id, homes in across.iter_rows()}


def _across(view: LedgerView) -> pl.DataFrame:
    """Return ``repo_id, dst, home`` of the references into another repository."""
    homes = view.read("symbols", columns=["repo_id", "sid"], where="path <> ''").unique()
    lone = homes.group_by("sid").agg(pl.col("repo_id").first().alias("home"), pl.len()).filter(pl.col("len") == 1)
    edges = view.read("edges", columns=["repo_id", "dst"], where="path <> ''").join(lone, left_on="dst", right_on="sid")
    return edges.filter(pl.col("home") != pl.col("repo_id"))


def ask_stats(view: LedgerView) -> StatsAnswer:
    """Count what is indexed."""
    files = view.read("code_files", columns=["repo_id", "path", "language", "status"])
    symbols = view.read("symbols", columns=["language", "kind"], where="path <> ''")
    edges = view.read("edges", columns=["kind", "resolved_by"], where="path <> ''")
    return StatsAnswer(
        repositories=files.filter(pl.col("path") == "").height,
        files=files.filter(pl.col("path") != "").height,
        symbols=symbols.height,
        edges=edges.height,
        across=_across(view).height,
        contents=view.read("parse_cache", columns=["key"])["key"].n_unique(),
        languages=_languages(files, symbols),
        kinds=_counted(symbols["kind"]),
        references=_counted(edges["kind"]),
        resolved_by=_counted(edges["resolved_by"]),
    )


def _languages(files: pl.DataFrame, symbols: pl.DataFrame) -> tuple[LanguageCount, ...]:
    missed = pl.col("status").is_in(["partial", "skipped", "unreadable"]).sum()
    by_file = files.filter(pl.col("language").is_not_null()).group_by("language").agg(files=pl.len(), not_whole=missed)
    by_symbol = symbols.group_by("language").agg(symbols=pl.len())
    rows = by_file.join(by_symbol, on="language", how="left").fill_null(0).sort("symbols", "language", descending=[True, False])
    return tuple(LanguageCount(**row) for row in rows.iter_rows(named=True))


def _counted(values: pl.Series) -> tuple[Share, ...]:
    counts = values.drop_nulls().value_counts().sort("count", values.name, descending=[True, False])
    return tuple(Share(word=word, count=count) for word, count in counts.iter_rows())
