"""Where anchors are that name a place and not a symbol: a file, a directory, a repository, the organisation, a dependency.

In: such anchors, the head. Out: one `FOUND` row each.
Content is never compared here: an anchor on a file stands for the file, not for each of its lines.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.cases import ALWAYS, Case, decide, words
from comind.anchors.frames import FOUND, conform
from comind.records.vocabulary import Scope

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from comind.anchors.head import Head

__all__ = ["PLACES", "dependencies", "files", "living_directories", "modules", "wholes"]


def files(anchors: pl.DataFrame, head: Head) -> pl.DataFrame:
    """Locate files: at their path, where git says they were renamed to, or `deleted`.

    `deleted` needs all of: git was asked about renames since the anchor's commit, it found none, and no file has that base name.
    """
    base = pl.col("path").str.extract(r"([^/]+)$")
    called = head.files.select("repo_id", base=base).unique().with_columns(base_lives=ALWAYS)
    known = _compared(anchors.with_columns(base=base), head).join(called, on=["repo_id", "base"], how="left")
    here = head.files.select("repo_id", "path").with_columns(here=ALWAYS)
    told = known.join(here, on=["repo_id", "path"], how="left").join(head.renames, on=["repo_id", "commit", "path"], how="left")
    cases = (
        Case(pl.col("here"), _located("same", pl.col("path"), "the same file")),
        Case(pl.col("new_path").is_not_null(), _located("file_moved", pl.col("new_path"), "it was {path}")),
        *_NOT_LOOKED_AT,
        Case(pl.col("base_lives"), _unknown("not followed yet: {path} is gone, other files are called {base}")),
        Case(ALWAYS, _deleted("{path} is gone, was not renamed since {commit:12}, and no file is called {base}")),
    )
    return _decided(told, cases)


def modules(anchors: pl.DataFrame, head: Head) -> pl.DataFrame:
    """Locate directories: there while any file is below them; `deleted` when none is and no file of theirs was renamed."""
    here = living_directories(anchors.select("repo_id", "path"), head).with_columns(here=ALWAYS)
    renames = head.renames.rename({"path": "old_path"})
    renamed = anchors.select("anchor_id", "repo_id", "commit", "path").join(renames, on=["repo_id", "commit"])
    was_below = renamed.filter(pl.col("old_path").str.starts_with(pl.col("path") + "/"))
    moved = was_below.group_by("anchor_id").agg(example=pl.col("new_path").min())
    told = _compared(anchors, head).join(here, on=["repo_id", "path"], how="left").join(moved, on="anchor_id", how="left")
    cases = (
        Case(pl.col("here"), _located("same", pl.col("path"), "files are below the same directory")),
        *_NOT_LOOKED_AT,
        Case(pl.col("example").is_not_null(), _unknown("not followed yet: no file is below {path}, one of its files is now {example}")),
        Case(ALWAYS, _deleted("no file is below {path}, and none of its files was renamed since {commit:12}")),
    )
    return _decided(told, cases)


def living_directories(places: pl.DataFrame, head: Head) -> pl.DataFrame:
    """Return the ``(repo_id, path)`` below which the head has a file."""
    wanted = places.unique().drop_nulls()
    files = head.files.join(wanted.select("repo_id").unique(), on="repo_id", how="semi").group_by("repo_id").agg(pl.col("path").sort())
    paths: dict[str, list[str]] = dict(files.iter_rows())
    alive = [(repo_id, path) for repo_id, path in wanted.select("repo_id", "path").iter_rows() if _any_below(paths.get(repo_id, []), path)]
    return pl.DataFrame(alive, schema={"repo_id": pl.String, "path": pl.String}, orient="row")


def _any_below(paths: list[str], directory: str) -> bool:
    first = bisect_left(paths, f"{directory}/")
    return first < len(paths) and paths[first].startswith(f"{directory}/")


def wholes(anchors: pl.DataFrame, _head: Head) -> pl.DataFrame:
    """Locate what is always there: a repository, the organisation."""
    return _decided(anchors, (Case(ALWAYS, _located("same", pl.lit(None, pl.String), "the whole {scope}")),))


def dependencies(anchors: pl.DataFrame, _head: Head) -> pl.DataFrame:
    """Say of dependencies that they stand in no place; their versions are compared elsewhere (`comind.drift.dependencies`)."""
    return _decided(
        anchors, (Case(ALWAYS, _located("same", pl.lit(None, pl.String), "{package} is no code of ours; its versions are compared")),)
    )


PLACES: Mapping[str, Callable[[pl.DataFrame, Head], pl.DataFrame]] = {
    Scope.FILE: files,
    Scope.MODULE: modules,
    Scope.REPO: wholes,
    Scope.ORG: wholes,
    Scope.DEPENDENCY: dependencies,
}


def _answer(matched_by: str, level: str | None, path: pl.Expr, detail: str) -> dict[str, pl.Expr]:
    return {"matched_by": pl.lit(matched_by), "level": pl.lit(level, pl.String), "now": path, "detail": words(detail)}


def _located(matched_by: str, path: pl.Expr, detail: str) -> dict[str, pl.Expr]:
    return _answer(matched_by, "sure", path, detail)


def _unknown(detail: str) -> dict[str, pl.Expr]:
    return _answer("unknown", None, pl.lit(None, pl.String), detail)


def _deleted(detail: str) -> dict[str, pl.Expr]:
    return _answer("deleted", None, pl.lit(None, pl.String), detail)


_NOT_LOOKED_AT = (
    Case(pl.col("indexed").is_null(), _unknown("{repo_id} is not indexed")),
    Case(pl.col("compared").is_null(), _unknown("not followed yet: {path} is gone, and renames since {commit:12} were not looked at")),
)


def _compared(anchors: pl.DataFrame, head: Head) -> pl.DataFrame:
    indexed = head.commits.select("repo_id").with_columns(indexed=ALWAYS)
    compared = head.compared.with_columns(compared=ALWAYS)
    return anchors.join(indexed, on="repo_id", how="left").join(compared, on=["repo_id", "commit"], how="left")


def _decided(anchors: pl.DataFrame, cases: tuple[Case, ...]) -> pl.DataFrame:
    decided = decide(anchors, cases).select("anchor_id", "matched_by", "level", "detail", path="now")
    return conform(decided.with_columns(candidates=pl.lit([], pl.List(pl.String))), FOUND)
