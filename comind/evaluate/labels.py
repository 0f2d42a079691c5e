"""Files of labels, one JSON object per line, and the files that labels speak of.

In: a path. Out: its lines with their numbers, or the error that says what is wrong with them; the bytes of a labelled file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from comind.errors import UsageError
from comind.sources.git.errors import CommitNotFoundError
from comind.sources.git.objects import Unreadable
from comind.sources.git.repository import GitRepository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = ["Contents", "LabelsUnreadableError", "contents_in_clone", "contents_in_folder", "labelled_lines"]

Contents: TypeAlias = "Callable[[str, str], bytes | None]"
"""(revision, path) -> the bytes of a file, or None where it is not there."""


class LabelsUnreadableError(UsageError):
    """A file of labels is missing, or a line of it is not a label."""

    def __init__(self, path: Path, problem: str, fields: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{str(path)!r} {problem}; give one JSON object per line with {fields}")


def labelled_lines(path: Path, fields: str) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that hold something, with their numbers; `fields` are what each must name.

    Raises:
        LabelsUnreadableError: the file cannot be read.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise LabelsUnreadableError(path, f"cannot be read ({error.strerror})", fields) from None
    return ((number, line) for number, line in enumerate(lines, start=1) if line.strip())


def contents_in_folder(directory: Path, repo: str) -> Contents:
    """Read labelled files laid out as ``<owner>+<name>/<commit>/<path>``; those of a parent under ``<commit>.parent``."""

    def contents(revision: str, path: str) -> bytes | None:
        file = directory / repo.replace("/", "+") / revision.replace("^", ".parent") / path
        return file.read_bytes() if file.is_file() else None

    return contents


def contents_in_clone(directory: Path, repo: str) -> Contents:
    """Read labelled files from a clone, ``<owner>+<name>`` or ``<owner>+<name>/repo``; without one there are none."""
    joined = directory / repo.replace("/", "+")
    path = next((place for place in (joined / "repo", joined) if (place / "HEAD").is_file() or (place / ".git").exists()), None)
    if path is None:
        return lambda _revision, _path: None
    repository = GitRepository.open(path, name=repo)

    def contents(revision: str, path: str) -> bytes | None:
        try:
            commit = repository.resolve(revision)
        except CommitNotFoundError:
            return None
        blob = repository.blob_at(commit, path)
        content = repository.read(blob) if blob else None
        return None if isinstance(content, Unreadable) else content

    return contents
