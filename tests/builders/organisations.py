"""Organisations of real repositories, and what their code refers to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.index.blobs import MemoryParseCache, cache_key
from comind.index.resolve.organisation import Organisation
from comind.index.tree import index_tree
from comind.sources.git import GitRepository
from tests.builders.git import make_repository

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Mentions", "mentions_of"]


class Mentions:
    """Every place of an organisation, with names in place of numbers."""

    def __init__(self, places: pl.DataFrame, symbols: pl.DataFrame) -> None:
        named = dict(symbols.select("sid", "qualified_name").iter_rows())
        self.rows = [row | {"src": named.get(row["src"], ""), "dst": named.get(row["dst"], "")} for row in places.to_dicts()]

    def said(self, kind: str, path: str | None = None) -> set[tuple[str, str, str]]:
        """Return source, destination and how it is known of all places of a kind; nothing for a module or what is not known."""
        rows = [row for row in self.rows if row["kind"] == kind and path in {None, row["path"]}]
        return {(row["src"], row["dst"], row["resolved_by"] or "") for row in rows}


def mentions_of(folder: Path, *repositories: dict[str, str]) -> Mentions:
    """Commit each set of files as a repository of its own and resolve all of them."""
    cache, trees = MemoryParseCache(), []
    for number, files in enumerate(repositories):
        builder = make_repository(folder / f"repository{number}")
        for path, text in files.items():
            builder.write(path, text)
        builder.commit()
        repository = GitRepository.open(builder.path, name=f"r{number}")
        trees.append(index_tree(repository, repository.head, cache, workers=0, max_file_bytes=1_000_000))
    files = pl.concat([pl.DataFrame(pl.from_arrow(tree.code_files)) for tree in trees])
    symbols = pl.concat([pl.DataFrame(pl.from_arrow(tree.symbols())) for tree in trees])
    organisation = Organisation(files, lambda _, requests: cache.lookup([cache_key(one.blob, one.language) for one in requests]))
    return Mentions(pl.concat([organisation.places(f"r{number}") for number in range(len(repositories))]), symbols)
