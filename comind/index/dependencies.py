"""The packages that a commit uses, as rows of `dependencies`: whole, or of the manifests that changed since another commit.

In: a repository and one or two commits. Out: rows, and the paths whose rows they take the place of.
A file that cannot be read whole has a row that says so, with neither ecosystem nor package. Writes no table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from comind.schemas import TABLES
from comind.sources.git import FileKind, Unreadable
from comind.sources.git.errors import CommitNotFoundError, ObjectUnreadableError
from comind.sources.manifests import MAX_LOCKFILE_BYTES, READER_VERSION, Reading, format_of, read_dependencies

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.sources.git import GitRepository, TreeFile
    from comind.sources.manifests import Dependency

__all__ = ["IndexedDependencies", "index_dependencies"]

_SCHEMA = TABLES["dependencies"].schema
_COLUMNS = ("ecosystem", "package", "use", "versions", "declared_ranges", "excluded_versions", "scope")


@dataclass(frozen=True, slots=True)
class IndexedDependencies:
    """Rows that describe a commit, or its difference from another."""

    rows: pa.Table  # of `dependencies`, the repository's own row included
    read_files: int  # manifests that were read now
    paths: tuple[str, ...] | None  # whose rows these take the place of, gone ones included; None for all of the repository's


def index_dependencies(repository: GitRepository, commit: str, *, old: str | None = None) -> IndexedDependencies:
    """Return what the manifests of a commit say; with `old`, of those alone that differ from that commit's.

    All of them are read when the old commit is gone.

    Raises:
        CommitNotFoundError: there is no such commit.
        ObjectUnreadableError: a directory cannot be read, so the rows would not be all.
    """
    paths = _changed_manifests(repository, old, commit) if old is not None else None
    if paths is None:
        files = [file for file in repository.files(commit) if format_of(file.path)]
    else:
        files = [file for path in paths if (file := repository.file_at(commit, path)) is not None]
    own = _row(repository.repo_id, "", None, None, commit=commit)
    rows = [own, *(row for file in files for row in _rows_of(repository, file))]
    return IndexedDependencies(_table(rows), len(files), None if paths is None else tuple(paths))


def _changed_manifests(repository: GitRepository, old: str, new: str) -> list[str] | None:
    try:
        changes = repository.changed_files(old, new, renames=False)
    except (CommitNotFoundError, ObjectUnreadableError):
        return None
    paths = {path for change in changes for path in (change.path, change.old_path) if path is not None}
    return sorted(path for path in paths if format_of(path))


def _rows_of(repository: GitRepository, file: TreeFile) -> Iterable[tuple[object, ...]]:
    reading = _read(repository, file)
    if reading.problem is not None:
        yield _row(repository.repo_id, file.path, file.blob, None, problem=reading.problem)
    yield from (_row(repository.repo_id, file.path, file.blob, one) for one in reading.dependencies)


def _read(repository: GitRepository, file: TreeFile) -> Reading:
    if file.kind not in {FileKind.FILE, FileKind.EXECUTABLE}:
        return Reading(problem="a link; what it leads to is not read")
    if file.size is not None and file.size > MAX_LOCKFILE_BYTES:
        return Reading(problem=f"{file.size:,} bytes are too many for a manifest")
    content = repository.read(file.blob)
    return Reading(problem=content.reason) if isinstance(content, Unreadable) else read_dependencies(file.path, content)


def _row(repo_id: str, path: str, blob: str | None, found: Dependency | None, **others: str | None) -> tuple[object, ...]:
    said = (
        (found.ecosystem, found.package, str(found.use), found.versions, found.declared, found.excluded, found.scope and str(found.scope))
        if found else ("", "", "", (), (), (), None)
    )  # fmt: skip
    return repo_id, path, *said, blob, others.get("problem"), READER_VERSION, others.get("commit")


def _table(rows: Iterable[tuple[object, ...]]) -> pa.Table:
    columns = ("repo_id", "path", *_COLUMNS, "blob", "problem", "reader_version", "head_commit")
    values = dict(zip(columns, zip(*rows, strict=True), strict=True))
    return pa.table({name: pa.array(values[name], _SCHEMA.field(name).type) for name in _SCHEMA.names}, schema=_SCHEMA)
