"""What the code was at the commits that anchors name, read from the repositories at hand.

In: (repository, commit, path) triples. Out: the definitions there, or why there are none.
Each blob is parsed once for ever: the parse cache that comes in is asked first and filled after.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.frames import FINGERPRINTS, conform
from comind.index.past import definitions_at as index_past

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.index.blobs import ParseCache
    from comind.sources.git import GitRepository

__all__ = ["definitions_at"]


def definitions_at(files: pl.DataFrame, opened: Iterable[GitRepository], cache: ParseCache) -> pl.DataFrame:
    """Return `FINGERPRINTS` of the files: every definition of each, or one row with its problem.

    Files of repositories that are not at hand are left out: what was not looked at shows nothing.
    """
    at_hand = {one.repo_id: one for one in opened}
    read = [
        index_past(at_hand[str(repo_id)], wanted.select("commit", "path").iter_rows(), cache, workers=0)
        for (repo_id,), wanted in files.group_by("repo_id", maintain_order=True)
        if repo_id in at_hand
    ]
    return pl.concat([pl.DataFrame(schema=FINGERPRINTS), *(conform(found, FINGERPRINTS) for found in read)])
