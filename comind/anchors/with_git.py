"""Where anchors are, with git asked for what the index alone leaves open.

In: `ledger_anchors`, the code at some commit of each repository, the repositories at hand. Out: `anchor_locations`.
Which commit that is does not matter here: the head of a run, or any other that a reader asks about.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.anchored_code import definitions_at
from comind.anchors.follow import Follower
from comind.anchors.followed import anchors_to_walk, walk_anchors
from comind.anchors.frames import NAMES
from comind.anchors.locate import commits_to_compare, files_to_compare, follow_anchors, names_to_search, settle_deleted
from comind.sources.git.errors import CommitNotFoundError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from comind.index.blobs import ParseCache
    from comind.sources.git import GitRepository

__all__ = ["NOT_AT_HAND", "Code", "locate_with_git"]

NOT_AT_HAND = "; no checkout was at hand to ask git"


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """The code side of the question, read once."""

    symbols: pl.DataFrame
    files: pl.DataFrame
    heads: Mapping[str, str]  # by repository, the commit that symbols and files describe
    at_hand: Mapping[str, GitRepository]
    cache: ParseCache


def _unwatched(_stage: str) -> Callable[[int, int], None]:
    return lambda _done, _total: None


def locate_with_git(anchors: pl.DataFrame, code: Code, *, watch: Callable[[str], Callable[[int, int], None]] = _unwatched) -> pl.DataFrame:
    """Return where every anchor is, asking the repositories at hand only for what the index leaves open.

    Args:
        anchors: `ledger_anchors`.
        code: what stands at the commits in question.
        watch: makes, for a stage, what is told how far it is: (done, total).

    Returns:
        `anchor_locations`, by ``anchor_id``.
    """
    renames = _renames(commits_to_compare(anchors, code.files, heads=code.heads), code, watch("renames"))
    first = follow_anchors(anchors, code.symbols, code.files, renames=renames, heads=code.heads)
    before = definitions_at(files_to_compare(anchors, first), code.at_hand.values(), code.cache)
    followed = follow_anchors(anchors, code.symbols, code.files, renames=renames, heads=code.heads, before=before)
    walked = _walk(anchors, followed, code, watch("histories"))
    located = settle_deleted(anchors, walked, _names_present(names_to_search(anchors, walked), code))
    unasked = (pl.col("matched_by") == "unknown") & pl.col("commit").is_not_null() & ~pl.col("repo_id").is_in(list(code.at_hand))
    return located.with_columns(detail=pl.when(unasked).then(pl.col("detail") + NOT_AT_HAND).otherwise("detail"))


def _walk(anchors: pl.DataFrame, followed: pl.DataFrame, code: Code, report: Callable[[int, int], None]) -> pl.DataFrame:
    """Walk the history of what the index alone leaves uncertain, each repository with what its anchors share."""
    uncertain = anchors_to_walk(anchors, followed, code.symbols)
    followers = {repo_id: Follower(code.at_hand[repo_id]) for repo_id in uncertain["repo_id"].unique().sort() if repo_id in code.at_hand}
    return walk_anchors(uncertain, followed, code.symbols, followers, progress=report)


def _renames(pairs: pl.DataFrame, code: Code, report: Callable[[int, int], None]) -> dict[tuple[str, str], dict[str, str]]:
    found = {}
    for done, (repo_id, commit) in enumerate(pairs.iter_rows(), start=1):
        report(done, pairs.height)
        with suppress(CommitNotFoundError):  # a commit that is not in this clone shows nothing
            if repository := code.at_hand.get(repo_id):
                found[repo_id, commit] = repository.renames(commit, code.heads[repo_id])
    return found


def _names_present(names: pl.DataFrame, code: Code) -> pl.DataFrame:
    """Search the heads for names; repositories that are not at hand show nothing."""
    parts = [pl.DataFrame(schema=NAMES)]
    for (repo_id,), wanted in names.group_by("repo_id"):
        if repository := code.at_hand.get(str(repo_id)):
            found = repository.names_in_tree(code.heads[repository.repo_id], wanted["name"].to_list())
            parts.append(wanted.select("repo_id", "name", present=pl.col("name").is_in(list(found))))
    return pl.concat(parts)
