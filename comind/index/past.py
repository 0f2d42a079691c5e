"""Definitions as they were at any commit: all at once for anchors, one file after the other for harvest.

In: commits and paths, the parse cache. Out: named definitions with lines and fingerprints, or why there are none.
Reads only the files asked for and the manifests above them; each content is parsed once.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, cast

import polars as pl

from comind.index.blobs import BufferedParseCache, MemoryParseCache, parse_missing
from comind.index.files import FileRow, FileStatus, classify_file, parse_outcomes, with_parse
from comind.index.names import canonical_key, qualified_name, scip_symbol, sid_of
from comind.index.packages import ManifestReader, PackageFinder
from comind.index.publish import name_definitions
from comind.index.worker import ParserTask
from comind.sources.git.errors import CommitNotFoundError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.index.blobs import ParseCache
    from comind.sources.git import GitRepository

__all__ = ["SymbolAt", "SymbolsAt", "definitions_at", "symbols_at"]

_MAX_FILE_BYTES = 1_000_000
_REMEMBERED = 1_024  # files, and the packages of a sixteenth as many commits


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolAt:
    """One definition as it was at one commit."""

    path: str
    symbol: str  # SCIP
    canonical_key: str
    sid: int
    name: str
    qualified_name: str
    kind: str
    ordinal: int
    start_line: int  # 1-based
    end_line: int  # inclusive


def definitions_at(
    repository: GitRepository, places: Iterable[tuple[str, str]], cache: ParseCache, *, workers: int, max_file_bytes: int = _MAX_FILE_BYTES
) -> pl.DataFrame:  # fmt: skip
    """Return the definitions in files as they were at commits.

    Args:
        repository: where the commits are.
        places: (commit id, path) of each file.
        cache: asked first; gets what had to be parsed.
        workers: processes that parse; 0 for none.
        max_file_bytes: a larger source file is not parsed, and says so.

    Returns:
        ``repo_id, commit, path``, the columns of `symbols` without ``head_commit``, and ``problem``. A file that gave nothing, or not
        all, has a row without ``canonical_key`` whose ``problem`` says why.
    """
    files = _Files(repository, max_file_bytes)
    rows = {place: files.row(*place) for place in dict.fromkeys(places)}
    requests = [row.request for row in rows.values() if row.request is not None]
    parses, _ = parse_missing(ParserTask(repository.git_dir), requests, cache, workers=workers)
    outcomes = parse_outcomes(parses)
    final = [(commit, with_parse(row, outcomes)) for (commit, _), row in rows.items()]
    code = name_definitions(_frame(final), cast("pl.DataFrame", pl.from_arrow(parses)))
    problems = _frame([pair for pair in final if pair[1].problem]).select("repo_id", "commit", "path", "problem")
    return pl.concat([code.drop("package", "module"), problems], how="diagonal").sort(
        "commit", "path", "start_line", "canonical_key", "ordinal"
    )


class SymbolsAt:
    """Answers which definitions stand in a file at a commit, one file after the other.

    What had to be parsed goes to the cache in batches; use it as a context manager, so that the last batch is not lost.
    """

    def __init__(self, repository: GitRepository, cache: ParseCache | None = None, *, max_file_bytes: int = _MAX_FILE_BYTES) -> None:
        self._files = _Files(repository, max_file_bytes)
        self._task = ParserTask(repository.git_dir)
        self._cache = BufferedParseCache(cache or MemoryParseCache())
        self._definitions: OrderedDict[tuple[str, str], list[dict[str, Any]]] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._cache.flush()

    def __call__(self, commit: str, path: str) -> list[SymbolAt]:
        """Return the definitions in a file at a commit, in source order; none where the file is missing or is not code."""
        row = self._files.row(commit, path)
        package = (row.package or "").split(" ", 1)
        return [_symbol(row, package, definition) for definition in self._parsed(row)]

    def _parsed(self, row: FileRow) -> list[dict[str, Any]]:
        request = row.request
        if request is None:
            return []
        found = self._definitions.pop((request.blob, request.language), None)
        if found is None:
            parses, _ = parse_missing(self._task, [request], self._cache, workers=1)
            found = parses["definitions"][0].as_py() or []
        self._definitions[request.blob, request.language] = found
        if len(self._definitions) > _REMEMBERED:
            self._definitions.popitem(last=False)
        return found


def symbols_at(repository: GitRepository, commit: str, path: str, cache: ParseCache | None = None) -> list[SymbolAt]:
    """Return the definitions in one file at one commit; for many files, keep a `SymbolsAt`."""
    with SymbolsAt(repository, cache) as ask:
        return ask(commit, path)


class _Files:
    """The rows of single files at any commit, with the packages of the commits looked at last."""

    def __init__(self, repository: GitRepository, max_file_bytes: int) -> None:
        self._repository, self._max_file_bytes = repository, max_file_bytes
        self._manifests = ManifestReader(repository)
        self._packages: OrderedDict[str, PackageFinder] = OrderedDict()

    def row(self, commit: str, path: str) -> FileRow:
        """Return the row of a file, before its parse; one that is not there is unreadable."""
        try:
            file = self._repository.file_at(commit, path)
        except CommitNotFoundError:
            return self._missing(path, "the commit is not in this clone")
        if file is None:
            return self._missing(path, "there is no such file at that commit")
        return classify_file(self._repository.repo_id, file, self._packages_at(commit), max_file_bytes=self._max_file_bytes)

    def _missing(self, path: str, problem: str) -> FileRow:
        return FileRow(repo_id=self._repository.repo_id, path=path, blob="", status=FileStatus.UNREADABLE, problem=problem)

    def _packages_at(self, commit: str) -> PackageFinder:
        found = self._packages.pop(commit, None)
        if found is None:
            found = PackageFinder(self._repository.repo_id, lambda place: self._repository.blob_at(commit, place), self._manifests)
        self._packages[commit] = found
        if len(self._packages) > _REMEMBERED // 16:
            self._packages.popitem(last=False)
        return found


def _symbol(row: FileRow, package: list[str], definition: dict[str, Any]) -> SymbolAt:
    key = canonical_key(package[0], package[-1], row.module or "", definition["descriptors"])
    return SymbolAt(
        path=row.path, symbol=scip_symbol(key), canonical_key=key, sid=sid_of(key), name=definition["name"],
        qualified_name=qualified_name(definition["descriptors"]), kind=definition["kind"], ordinal=definition["ordinal"],
        start_line=definition["start_line"], end_line=definition["end_line"],
    )  # fmt: skip


def _frame(rows: Iterable[tuple[str, FileRow]]) -> pl.DataFrame:
    names = ("repo_id", "path", "blob", "language", "status", "problem", "package", "module")
    values = [(commit, *(getattr(row, name) for name in names)) for commit, row in rows]
    return pl.DataFrame(values, schema=dict.fromkeys(("commit", *names), pl.String), orient="row")
