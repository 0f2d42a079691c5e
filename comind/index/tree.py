"""One commit of a repository as rows: whole, or what changed since another commit.

In: a repository, a commit, the parse cache. Out: rows of `code_files`, with the parses that `publish_symbols` joins them to.
A commit costs the blobs that were never parsed; nothing here writes a table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.index.blobs import parse_missing
from comind.index.exclusions import ExclusionRules
from comind.index.files import classify_file, file_table, parse_outcomes, repository_row, with_parse
from comind.index.packages import ManifestReader, PackageFinder, is_package_file
from comind.index.publish import publish_symbols
from comind.index.worker import ParserTask
from comind.sources.git.attributes import ATTRIBUTES_FILE, NO_MARKS, MarksAt
from comind.sources.git.errors import CommitNotFoundError, ObjectUnreadableError
from comind.syntax import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import pyarrow as pa

    from comind.index.blobs import ParseCache, Progress
    from comind.sources.git import GitRepository, TreeFile

__all__ = ["IndexedTree", "index_changes", "index_tree"]

_NO_RULES = ExclusionRules()


@dataclass(frozen=True, slots=True)
class IndexedTree:
    """Rows that describe a commit, or its difference from another."""

    code_files: pa.Table  # the row of the repository included
    parses: pa.Table  # rows of `parse_cache` for every file that is code
    parsed_blobs: int  # how many of them had to be parsed now
    paths: tuple[str, ...] | None  # whose rows these take the place of, gone ones included; None for all of the repository's

    def symbols(self) -> pa.Table:
        """Return the rows of `symbols` for these files."""
        return publish_symbols(self.code_files, self.parses)


def index_tree(  # noqa: PLR0913 - three of them are limits that a caller names
    repository: GitRepository,
    commit: str,
    cache: ParseCache,
    *,
    workers: int,
    max_file_bytes: int,
    progress: Progress | None = None,
    rules: ExclusionRules = _NO_RULES,
) -> IndexedTree:
    """Return the rows of every file of a commit.

    Args:
        repository: where the commit is.
        commit: its full id.
        cache: asked first; gets what had to be parsed.
        workers: processes that parse; 0 for none.
        max_file_bytes: a larger source file is not parsed, and says so.
        progress: called with (blobs parsed, blobs to parse).
        rules: which paths are left out.

    Raises:
        CommitNotFoundError: there is no such commit.
        ObjectUnreadableError: a directory cannot be read, so the rows would not be all.
    """
    files = list(repository.files(commit))
    blobs: dict[str, str] = {}
    for file in files:
        blobs.setdefault(file.path, file.blob)
    packages = PackageFinder(repository.repo_id, blobs.get, ManifestReader(repository))
    run = _Run(repository, commit, packages, cache, workers, max_file_bytes, progress, rules)
    return run.index(files, paths=None)


def index_changes(  # noqa: PLR0913 - three of them are limits that a caller names
    repository: GitRepository,
    old: str,
    new: str,
    cache: ParseCache,
    *,
    workers: int,
    max_file_bytes: int,
    progress: Progress | None = None,
    rules: ExclusionRules = _NO_RULES,
) -> IndexedTree:
    """Return the rows of the files that differ between two commits, and of those that a changed manifest names anew.

    Put in the place of the old commit's rows at `paths`, they give the rows of the new commit. All files are returned when
    the old commit is gone, or the packages of the whole repository changed. The limits must be those the old rows were made with.

    Raises:
        CommitNotFoundError: there is no such new commit.
        ObjectUnreadableError: a directory cannot be read.
    """
    paths = _changed_paths(repository, old, new)
    if paths is None:
        return index_tree(repository, new, cache, workers=workers, max_file_bytes=max_file_bytes, progress=progress, rules=rules)
    packages = _packages_at(repository, new)
    files = [file for path in paths if (file := repository.file_at(new, path)) is not None]
    run = _Run(repository, new, packages, cache, workers, max_file_bytes, progress, rules)
    return run.index(files, paths=tuple(paths))


@dataclass(frozen=True, slots=True)
class _Run:
    """What indexing needs beside the files."""

    repository: GitRepository
    commit: str
    packages: PackageFinder
    cache: ParseCache
    workers: int
    max_file_bytes: int
    progress: Progress | None
    rules: ExclusionRules

    def index(self, files: Iterable[TreeFile], paths: tuple[str, ...] | None) -> IndexedTree:
        repo_id = self.repository.repo_id
        reason_of, limit = self._reason_of(MarksAt(self.repository, self.commit)), self.max_file_bytes
        rows = [classify_file(repo_id, file, self.packages, max_file_bytes=limit, excluded=reason_of(file)) for file in files]
        requests = [row.request for row in rows if row.request is not None]
        task = ParserTask(self.repository.git_dir)
        parses, parsed_blobs = parse_missing(task, requests, self.cache, workers=self.workers, progress=self.progress)
        outcomes = parse_outcomes(parses)
        own = repository_row(self.repository, self.commit, self.packages, selected_by=self.rules.digest(self.max_file_bytes))
        whole = [own, *(with_parse(row, outcomes) for row in rows)]
        return IndexedTree(file_table(whole), parses, parsed_blobs, paths)

    def _reason_of(self, marks: MarksAt) -> Callable[[TreeFile], str | None]:
        def reason(file: TreeFile) -> str | None:
            if language_of(file.path) is None:
                return None
            return self.rules.reason(file.path, NO_MARKS if file.escaped else marks.of(file.path))

        return reason


def _changed_paths(repository: GitRepository, old: str, new: str) -> list[str] | None:
    """Return the paths whose rows may differ, in order; None for all of them."""
    repository.resolve(new)
    try:
        changes = repository.changed_files(old, new, renames=False)
    except (CommitNotFoundError, ObjectUnreadableError):  # the old one is gone, or its directories are
        return None
    paths = {path for change in changes for path in (change.path, change.old_path) if path is not None}
    if any(path.endswith(ATTRIBUTES_FILE) for path in paths):
        return None
    directories = {directory for path in paths if (directory := is_package_file(path)) is not None}
    before, after = _packages_at(repository, old), _packages_at(repository, new)
    renamed = [directory for directory in directories if before.meaning_of(directory) != after.meaning_of(directory)]
    if "" in renamed:
        return None
    for directory in renamed:
        paths.update(file.path for file in repository.files(new, directory))
    return sorted(paths)


def _packages_at(repository: GitRepository, commit: str) -> PackageFinder:
    return PackageFinder(repository.repo_id, lambda path: repository.blob_at(commit, path), ManifestReader(repository))
