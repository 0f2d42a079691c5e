"""Take in the SCIP indexes of one repository: places, and a row for each index that says what became of it.

In: the indexes that were found, the rows of the organisation. Out: `TakenIn`.
An index that is broken gives a row with the reason, and no place.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, cast

import polars as pl

from comind.index.edges import PLACES
from comind.index.publish import to_table
from comind.index.scip.mapping import Outline, SymbolMap
from comind.index.scip.places import read_places
from comind.index.scip.stream import ScipIndexError
from comind.index.scip.symbols import read_symbol
from comind.schemas import TABLES
from comind.sources.git import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from comind.index.scip.finding import FoundIndex
    from comind.index.scip.places import ScipPlaces
    from comind.index.scip.stream import ScipSource
    from comind.sources.git import GitRepository

__all__ = ["TakenIn", "packages_named", "take_in"]

_PLACE: Final = ["path", "line", "name"]
_LOOKED_AT: Final = 50  # documents, to tell from which directory the paths start


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What the indexes of one repository gave."""

    places: pl.DataFrame  # `PLACES`
    rows: pa.Table  # of `scip_indexes`, the repository's own row included


def packages_named(indexes: Iterable[FoundIndex]) -> set[str]:
    """Return the packages that indexes mention, as `<manager> <name>`: whose symbols are needed to take them in."""
    found: set[str] = set()
    for one in indexes:
        try:
            texts = {text for document in _documents(one) for text in {occurrence.symbol for occurrence in document.occurrences}}
        except ScipIndexError:
            continue  # told when it is taken in
        found.update(symbol.package for text in texts if (symbol := read_symbol(text)) is not None)
    return found


def take_in(
    indexes: Sequence[FoundIndex], repository: GitRepository, symbols: pl.DataFrame, files: pl.DataFrame, *, ours: pl.DataFrame
) -> TakenIn:
    """Read the indexes of a repository.

    Args:
        indexes: where two say something of one place, the first counts.
        repository: at the indexed commit.
        symbols: rows of `symbols` of the repository, and of those whose packages the indexes mention.
        files: rows of `code_files` of the same.
        ours: `PLACES` of our own references in the repository.
    """
    mine = pl.col("repo_id") == repository.repo_id
    laid = _Laid(repository, Outline(symbols.filter(mine), files.filter(mine)), symbols, files, ours)
    places = pl.DataFrame(schema=PLACES)
    rows: list[dict[str, object]] = [{"repo_id": repository.repo_id, "path": "", "digest": "", "head_commit": repository.head}]
    for one in indexes:
        said: dict[str, object] = {"repo_id": repository.repo_id, "path": one.path, "digest": one.digest, "problem": one.problem}
        if one.source is not None:
            try:
                read = laid.read(one.source, one.directories)
            except ScipIndexError as error:
                said["problem"] = error.problem
            else:
                places = pl.concat([places, read.places.join(places, on=_PLACE, how="anti")])
                said |= _became(read)
        rows.append(said)
    return TakenIn(places, to_table("scip_indexes", pl.DataFrame(rows, schema=_schema())))


def _became(read: ScipPlaces) -> dict[str, object]:
    counts = {"current_documents": read.current, "stale_documents": len(read.stale), "missing_documents": len(read.missing)}
    return {"made_by": read.made_by, **counts}


def _schema() -> pl.Schema:
    return cast("pl.DataFrame", pl.from_arrow(TABLES["scip_indexes"].schema.empty_table())).schema


@dataclass(frozen=True, slots=True)
class _Laid:
    """What an index is laid over."""

    repository: GitRepository
    outline: Outline
    symbols: pl.DataFrame
    files: pl.DataFrame
    ours: pl.DataFrame

    def read(self, source: ScipSource, directories: Sequence[str]) -> ScipPlaces:
        """Read one index, from the directory that most of its paths are found from."""
        directory = max(directories, key=lambda one: self._found(source, one)) if len(directories) > 1 else directories[0]
        symbols = SymbolMap(self.symbols, self.files)  # what an index defines counts in it alone
        return read_places(
            source, self.contents, self.outline, symbols, repo_id=self.repository.repo_id, directory=directory, ours=self.ours
        )

    def contents(self, path: str) -> bytes | None:
        """Return the bytes of a file at the commit."""
        blob = self.repository.blob_at(self.repository.head, path) if path else None
        content = self.repository.read(blob) if blob else None
        return None if isinstance(content, Unreadable) else content

    def _found(self, source: ScipSource, directory: str) -> int:
        paths = (f"{directory}/{one.relative_path}".lstrip("/") for one in islice(source.documents(), _LOOKED_AT))
        return sum(bool(path and self.repository.blob_at(self.repository.head, path)) for path in paths)


def _documents(one: FoundIndex) -> Iterator[Any]:
    if one.source is not None:
        yield from one.source.documents()
