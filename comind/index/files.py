"""Files of a commit as rows of `code_files`: what each is, and whether it can be parsed.

In: files as git lists them, the packages of the commit, the parses of their contents. Out: rows of `code_files`.
Every file gets a row; one that cannot be read or parsed is a row that says why.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from comind.index.parsing import BINARY_CONTENT, CONTENT_LEFT_OUT, MAX_READ_BYTES, BlobRequest
from comind.schemas import TABLES
from comind.sources.git import FileKind
from comind.syntax import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from comind.index.packages import PackageFinder
    from comind.sources.git import GitRepository, TreeFile

__all__ = ["FileRow", "FileStatus", "classify_file", "file_table", "parse_outcomes", "repository_row", "with_parse"]

_SCHEMA = TABLES["code_files"].schema


class FileStatus(StrEnum):
    """What became of a file."""

    PARSED = "parsed"
    PARTIAL = "partial"  # parsed, with places where the parser gave up
    SKIPPED = "skipped"  # not read: a link, a submodule, too large, binary
    EXCLUDED = "excluded"  # left out by a rule that the user can change: vendored, generated, minified
    UNREADABLE = "unreadable"  # its content, or its parse, could not be had
    NOT_CODE = "not_code"  # no language is known for its name
    REPOSITORY = "repository"  # the row of the repository itself


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRow:
    """One row of `code_files`."""

    repo_id: str
    path: str
    blob: str
    language: str | None = None
    status: FileStatus | None = None  # None until its parse is known
    problem: str | None = None
    size_bytes: int | None = None
    n_symbols: int = 0
    package: str | None = None
    module: str | None = None
    head_commit: str | None = None
    selected_by: str | None = None

    @property
    def request(self) -> BlobRequest | None:
        """What has to be parsed; None when the file is not to be."""
        return BlobRequest(self.blob, self.language, self.size_bytes) if self.status is None and self.language else None


@dataclass(frozen=True, slots=True)
class ParseOutcome:
    """How the parse of one content ended."""

    status: FileStatus
    problem: str | None
    n_symbols: int


def classify_file(repo_id: str, file: TreeFile, packages: PackageFinder, *, max_file_bytes: int, excluded: str | None = None) -> FileRow:
    """Return the row of a file before its parse: with a status only when there is nothing to parse.

    Args:
        repo_id: the repository.
        file: the file.
        packages: those of the commit.
        max_file_bytes: a larger one is not parsed.
        excluded: why it is left out, where it is.
    """
    language = language_of(file.path) if file.kind in {FileKind.FILE, FileKind.EXECUTABLE} else None
    status, problem = _left_out(file, language, min(max_file_bytes, MAX_READ_BYTES), excluded)
    place = packages.place_of(file.path, language)
    if status is FileStatus.NOT_CODE:
        problem = packages.problem_of(file.path)
    if file.escaped:
        problem = _joined("the name is not UTF-8 and stands here with escapes", problem)
    return FileRow(
        repo_id=repo_id, path=file.path, blob=file.blob, language=language, status=status, problem=problem, size_bytes=file.size,
        package=place.package, module=place.module if language else None,
    )  # fmt: skip


def with_parse(row: FileRow, outcomes: Mapping[tuple[str, str], ParseOutcome]) -> FileRow:
    """Return the row of a file with what became of its parse."""
    if row.status is not None or row.language is None:
        return row
    outcome = outcomes[row.blob, row.language]
    return replace(row, status=outcome.status, problem=_joined(row.problem, outcome.problem), n_symbols=outcome.n_symbols)


def parse_outcomes(parses: pa.Table) -> dict[tuple[str, str], ParseOutcome]:
    """Return how each parse ended, by blob and language."""
    columns = [parses[name].to_pylist() for name in ("blob", "language", "problem", "error_nodes")]
    counts = pc.list_value_length(parses["definitions"]).to_pylist()
    rows = zip(*columns, counts, strict=True)
    return {
        (blob, language): ParseOutcome(_status(problem, errors), problem, count or 0) for blob, language, problem, errors, count in rows
    }


def repository_row(repository: GitRepository, commit: str, packages: PackageFinder, *, selected_by: str) -> FileRow:
    """Return the row of the repository itself, which says what commit the others describe, and by which rules."""
    return FileRow(
        repo_id=repository.repo_id, path="", blob=repository.tree_of(commit), status=FileStatus.REPOSITORY,
        package=packages.place_of("", None).package, head_commit=commit, selected_by=selected_by,
    )  # fmt: skip


def file_table(rows: Iterable[FileRow]) -> pa.Table:
    """Return rows as the table `code_files`, by path, each path once."""
    # Two paths can be one text only when one of them is escaped; git lists the one that is spelled so first.
    unique: dict[str, FileRow] = {}
    for row in rows:
        unique.setdefault(row.path, row)
    ordered = [unique[path] for path in sorted(unique)]
    return pa.table({name: [getattr(row, name) for row in ordered] for name in _SCHEMA.names}, schema=_SCHEMA)


def _left_out(file: TreeFile, language: str | None, max_bytes: int, excluded: str | None) -> tuple[FileStatus | None, str | None]:
    if file.kind is FileKind.SYMLINK:
        return FileStatus.SKIPPED, "a symbolic link; not followed"
    if file.kind is FileKind.SUBMODULE:
        return FileStatus.SKIPPED, "a submodule; a repository of its own"
    if language is None:
        return FileStatus.NOT_CODE, None
    if excluded:
        return FileStatus.EXCLUDED, excluded
    if file.size is not None and file.size > max_bytes:
        return FileStatus.SKIPPED, f"{file.size:,} bytes, more than the limit of {max_bytes:,}"
    return None, None


def _status(problem: str | None, error_nodes: int | None) -> FileStatus:
    if problem is None:
        return FileStatus.PARSED
    if problem == BINARY_CONTENT:
        return FileStatus.SKIPPED
    if problem.startswith(CONTENT_LEFT_OUT):
        return FileStatus.EXCLUDED
    return FileStatus.UNREADABLE if error_nodes is None else FileStatus.PARTIAL


def _joined(*problems: str | None) -> str | None:
    return "; ".join(problem for problem in problems if problem) or None
