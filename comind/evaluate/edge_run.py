"""Index the repositories of an organisation, resolve their calls and compare them with SCIP indexes.

In: paths of indexes and of clones. Out: `EdgeFigures`.
Everything is computed anew and nothing is kept: no store is read or written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import polars as pl

from comind.errors import UsageError
from comind.evaluate.edge_truth import OrganisationCode, read_truth
from comind.evaluate.edges import judge_calls
from comind.index.blobs import MemoryParseCache, cache_key
from comind.index.resolve.organisation import Organisation
from comind.index.scip.stream import ScipSource
from comind.index.tree import index_tree
from comind.sources.git import GitRepository

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from comind.evaluate.edges import EdgeFigures

__all__ = ["evaluate_edges", "index_organisation"]

_MAX_FILE_BYTES = 1_000_000


def evaluate_edges(
    indexes: Sequence[Path], clones: Sequence[Path], *, workers: int = 0, progress: Callable[[int, int], None] | None = None
) -> EdgeFigures:
    """Measure the calls that are resolved in the heads of some repositories.

    Args:
        indexes: SCIP indexes; the first was made of the first clone, and so on.
        clones: the repositories of the organisation; those without an index are there to be called.
        workers: processes that parse.
        progress: told how many repositories are indexed, and of how many.

    Raises:
        UsageError: there are more indexes than clones, or one repository comes twice.
        ScipIndexError: an index cannot be read whole.
    """
    if not 0 < len(indexes) <= len(clones):
        message = f"{len(indexes)} indexes for {len(clones)} repositories; give an index for each, in the same order"
        raise UsageError(message)
    cache = MemoryParseCache()
    code = index_organisation(clones, cache, workers=workers, progress=progress)
    truth = read_truth(code, [(ScipSource.of_file(path), one) for path, one in zip(indexes, code.repositories, strict=False)])
    organisation = Organisation(code.files, lambda _, requests: cache.lookup([cache_key(one.blob, one.language) for one in requests]))
    places = pl.concat([organisation.places(one.repo_id) for one in code.repositories])
    return judge_calls(places, truth, code)


def index_organisation(
    clones: Sequence[Path], cache: MemoryParseCache, *, workers: int = 0, progress: Callable[[int, int], None] | None = None
) -> OrganisationCode:
    """Index the heads of repositories.

    Raises:
        UsageError: one repository comes twice.
    """
    repositories = tuple(GitRepository.open(path) for path in clones)
    if len({one.repo_id for one in repositories}) < len(repositories):
        message = "two of the clones are of one repository; give each once"
        raise UsageError(message)
    trees = []
    for done, one in enumerate(repositories, start=1):
        trees.append(index_tree(one, one.head, cache, workers=workers, max_file_bytes=_MAX_FILE_BYTES))
        if progress:
            progress(done, len(repositories))
    symbols = pl.concat([cast("pl.DataFrame", pl.from_arrow(tree.symbols())) for tree in trees])
    return OrganisationCode(
        repositories=repositories,
        symbols=symbols,
        files=pl.concat([cast("pl.DataFrame", pl.from_arrow(tree.code_files)) for tree in trees]),
    )
