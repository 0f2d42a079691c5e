"""What is known of the code at the indexed heads, in the form that the rungs of the ladder ask for.

In: `symbols`, `code_files`, the heads and the renames that git found. Out: one `Head`.
Never looks at an anchor and never decides anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import polars as pl

from comind.anchors.frames import FINGERPRINTS, conform, schema_of

__all__ = ["Head", "Limits", "Renames", "heads_of", "look_at"]

Renames: TypeAlias = Mapping[tuple[str, str], Mapping[str, str]]
"""Old path -> new path, by (repository, anchored commit); an empty map says that git was asked and found none."""

_RENAMES = pl.Schema({"repo_id": pl.String(), "commit": pl.String(), "path": pl.String(), "new_path": pl.String()})
_PAIRS = pl.Schema({"repo_id": pl.String(), "commit": pl.String()})
_HEADS = pl.Schema({"repo_id": pl.String(), "head": pl.String()})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much code must agree before a rung speaks, in normalised tokens of a body."""

    named: int = 8  # identifies a symbol whose name and parameters are the same
    alone: int = 30  # identifies a symbol by itself
    candidates: int = 20  # how many candidates an ambiguous location lists


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The code now, and what is known of how it came from the anchored commits."""

    symbols: pl.DataFrame  # rows of `symbols`: definitions only
    files: pl.DataFrame  # rows of `code_files`: files only
    commits: pl.DataFrame  # repo_id, head: the repositories that are indexed
    renames: pl.DataFrame  # repo_id, commit, path, new_path: files with another name since that commit
    compared: pl.DataFrame  # repo_id, commit: pairs for which git was asked about renames
    before: pl.DataFrame  # repo_id, commit, path, canonical_key: what stood in some files at anchored commits


def heads_of(code_files: pl.DataFrame) -> dict[str, str]:
    """Return the commit that `code_files` describes, by repository; it stands in each repository's own row."""
    own = code_files.filter((pl.col("path") == "") & pl.col("head_commit").is_not_null())
    return dict(own.select("repo_id", "head_commit").sort("repo_id").iter_rows())


def look_at(
    symbols: pl.DataFrame, code_files: pl.DataFrame, *, renames: Renames, heads: Mapping[str, str], before: pl.DataFrame | None = None
) -> Head:
    """Gather what is known of the heads; rows of repositories that have no head are left out."""
    commits = pl.DataFrame(list(heads.items()), schema=_HEADS, orient="row")
    moved = [(*pair, old, new) for pair, paths in renames.items() for old, new in paths.items()]
    is_file = pl.col("path") != ""  # the repository's own row has no path
    return Head(
        symbols=conform(symbols, schema_of("symbols")).filter(is_file).join(commits, on="repo_id", how="semi"),
        files=conform(code_files, schema_of("code_files")).filter(is_file).join(commits, on="repo_id", how="semi"),
        commits=commits,
        renames=pl.DataFrame(moved, schema=_RENAMES, orient="row"),
        compared=pl.DataFrame(list(renames), schema=_PAIRS, orient="row"),
        before=conform(pl.DataFrame() if before is None else before, FINGERPRINTS).select("repo_id", "commit", "path", "canonical_key"),
    )
