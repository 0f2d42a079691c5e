"""The SCIP indexes of the repositories at hand: which have to be taken in, and what they say.

In: repositories at hand, the table `scip_indexes`. Out: places above our own, and the rows that say what became of each index.
An index is read again when it has changed, and when code has: a document counts only as long as it fits its file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.index.edges import with_scip
from comind.index.scip.finding import find_indexes
from comind.index.scip.taking_in import packages_named, take_in
from comind.tables.rows import in_list, quoted

if TYPE_CHECKING:
    from comind.index.scip.finding import FoundIndex
    from comind.sources.git import GitRepository
    from comind.tables.lake import Lake
    from comind_resources.ledger import RepositoryAtHand

__all__ = ["ScipAtHand"]

_SYMBOL_COLUMNS = ["repo_id", "path", "sid", "name", "qualified_name", "canonical_key", "start_line", "end_line"]


class ScipAtHand:
    """The indexes of the repositories at hand, each found once a run."""

    def __init__(self, lake: Lake, at_hand: list[RepositoryAtHand]) -> None:
        self._lake = lake
        self._repositories: dict[str, GitRepository] = {}
        self._found: dict[str, list[FoundIndex]] = {}
        for one in at_hand:
            if one.repository is not None:
                self._repositories[one.repository.repo_id] = one.repository
                self._found[one.repository.repo_id] = find_indexes(one.repository, one.entry.scip)

    def is_due(self, repo_id: str, paths: list[str] | None) -> bool:
        """Say whether the indexes of a repository have to be taken in: they, or files whose code they may or may not fit, have changed."""
        found = self._found.get(repo_id)
        if found is None:
            return False
        rows = self._lake.read("scip_indexes", columns=["path", "digest"], where=f"repo_id = {quoted(repo_id)} AND path != ''")
        return bool(found and paths) or set(rows.iter_rows()) != {(one.path, one.digest) for one in found}

    def put_above(self, repo_id: str, head: str, places: pl.DataFrame, files: pl.DataFrame) -> pl.DataFrame:
        """Take in the indexes of a repository, note what became of them, and return the places with theirs above.

        Args:
            repo_id: the repository.
            head: the commit that the places are of.
            places: `PLACES` of all of the repository.
            files: `code_files` of all repositories.
        """
        indexes = self._found.get(repo_id)
        if indexes is None or not (indexes or self._lake.count("scip_indexes", f"repo_id = {quoted(repo_id)}")):
            return places
        wanted = files.filter((pl.col("repo_id") == repo_id) | pl.col("package").is_in(list(packages_named(indexes))))
        repositories = wanted["repo_id"].unique().sort().to_list()
        files = files.filter(pl.col("repo_id").is_in(repositories))
        symbols = self._lake.read("symbols", columns=_SYMBOL_COLUMNS, where=in_list("repo_id", repositories))
        taken = take_in(indexes, self._repositories[repo_id].at(head), symbols, files, ours=places)
        self._lake.replace_repository_files("scip_indexes", repo_id, None, taken.rows)
        return with_scip(places, taken.places)
