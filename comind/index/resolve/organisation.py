"""The files of an organisation, loaded as a resolver asks for them.

In: rows of `code_files` and where their parses come from. Out: places of the files of one repository after the other.
A package that somebody imports is loaded whole and remembered for the others, until too much is; nothing else of a repository is loaded.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import polars as pl

from comind.index.edges import PLACES
from comind.index.files import FileStatus
from comind.index.parsing import BlobRequest
from comind.index.resolve.dialects import FAMILIES, dialect_of, module_names
from comind.index.resolve.files import read_files
from comind.index.resolve.modules import Modules
from comind.index.resolve.places import places_of
from comind.index.resolve.program import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

    import pyarrow as pa

    from comind.index.resolve.files import File

    ParsesOf: TypeAlias = Callable[[str, Sequence[BlobRequest]], pa.Table]

__all__ = ["Organisation"]

_COLUMNS = ["repo_id", "path", "language", "blob", "package", "module", "size_bytes"]
_PARSED = [str(FileStatus.PARSED), str(FileStatus.PARTIAL)]
_MOST_LOADED = 200_000  # definitions; about 300 MB with their references


class Organisation:
    """All files of code at the heads.

    Args:
        code_files: of all repositories.
        parses_of: returns the rows of `parse_cache` of some contents of a repository, as far as they can be had.
    """

    def __init__(self, code_files: pl.DataFrame, parses_of: ParsesOf) -> None:
        spoken = pl.col("language").replace_strict(FAMILIES, default=None, return_dtype=pl.String)
        code = code_files.filter(pl.col("status").is_in(_PARSED)).select(*_COLUMNS, family=spoken)
        self._code, self._parses_of = code.filter(pl.col("family").is_not_null()), parses_of
        self._files: dict[tuple[str, str], File] = {}
        self._packages = dict(self._code.group_by("repo_id", "package"))
        self._package_of = {
            (repo_id, path): package for repo_id, path, package in self._code.select("repo_id", "path", "package").iter_rows()
        }
        self._loaded: dict[tuple[str, str], int] = {}
        self._programs = {family: Program(dialect_of(family, Modules(self._modules(family), self.file))) for family in self._families()}

    def places(self, repo_id: str, paths: Iterable[str] | None = None) -> pl.DataFrame:
        """Return `PLACES` of files of one repository; of all of them without ``paths``."""
        if sum(self._loaded.values()) > _MOST_LOADED:
            self._files, self._loaded = {}, {}
        mine = self._code.filter(pl.col("repo_id") == repo_id)
        if paths is not None:
            mine = mine.filter(pl.col("path").is_in(list(paths)))
        found = [(family, self.file(repo_id, path)) for path, family in mine.select("path", "family").iter_rows()]
        rows = [place for family, file in found if file for place in places_of(self._programs[family], file)]
        return pl.DataFrame(rows, schema=PLACES, orient="row")

    def file(self, repo_id: str, path: str) -> File | None:
        """Return one file, loaded with its package; None when it has no parse."""
        package = self._package_of.get((repo_id, path))
        if package is not None and (repo_id, package) not in self._loaded:
            self._load(repo_id, package)
        return self._files.get((repo_id, path))

    def _load(self, repo_id: str, package: str) -> None:
        rows = self._packages[repo_id, package].to_dicts()
        parses = self._parses_of(repo_id, [BlobRequest(row["blob"], row["language"], row["size_bytes"]) for row in rows])
        files = list(read_files(rows, parses))
        self._files |= {(file.repo_id, file.path): file for file in files}
        self._loaded[repo_id, package] = sum(len(file.definitions) for file in files)

    def _families(self) -> list[str]:
        return sorted(self._code["family"].unique().to_list())

    def _modules(self, family: str) -> dict[str, list[tuple[str, str, str]]]:
        found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        rows = self._code.filter(pl.col("family") == family).select("repo_id", "package", "path", "module").iter_rows()
        for repo_id, package, path, module in rows:
            for name in module_names(family, package, path, module or ""):
                found[name].append((repo_id, package, path))
        return found
