"""What a repository's own `.gitattributes` say of files: generated, vendored, or neither.

In: a commit. Out: marks of its paths, read from the commit itself, never from a work tree.
Only files below a `.gitattributes` that speaks of it are looked up, so what a machine has configured decides nothing by itself.

Source: the attributes ``linguist-generated`` and ``linguist-vendored`` of github-linguist, which forges honour too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pygit2.enums import AttrCheck

from comind.sources.git.objects import Unreadable

if TYPE_CHECKING:
    from comind.sources.git.repository import GitRepository

__all__ = ["ATTRIBUTES_FILE", "NO_MARKS", "FileMarks", "MarksAt"]

ATTRIBUTES_FILE: Final = ".gitattributes"
_LOOK: Final = AttrCheck.INCLUDE_COMMIT | AttrCheck.INDEX_ONLY | AttrCheck.NO_SYSTEM


@dataclass(frozen=True, slots=True)
class FileMarks:
    """What is said of one file; None where nothing is."""

    is_generated: bool | None = None
    is_vendored: bool | None = None


NO_MARKS: Final = FileMarks()


class MarksAt:
    """Knows the marks of the files of one commit."""

    def __init__(self, repository: GitRepository, commit: str) -> None:
        self._repository, self._commit = repository, commit
        self._speaks = lru_cache(maxsize=None)(self._look)

    def of(self, path: str) -> FileMarks:
        """Return what is said of a path."""
        if not self._is_spoken_of(path.rpartition("/")[0]):
            return NO_MARKS
        return FileMarks(self._said(path, "linguist-generated"), self._said(path, "linguist-vendored"))

    def _is_spoken_of(self, directory: str) -> bool:
        return self._speaks(directory) or (bool(directory) and self._is_spoken_of(directory.rpartition("/")[0]))

    def _look(self, directory: str) -> bool:
        blob = self._repository.blob_at(self._commit, f"{directory}/{ATTRIBUTES_FILE}".lstrip("/"))
        content = self._repository.read(blob) if blob else b""
        return not isinstance(content, Unreadable) and b"linguist-" in content

    def _said(self, path: str, name: str) -> bool | None:
        value = self._repository.handle.get_attr(path, name, _LOOK, commit=self._commit)
        return value if value is None or isinstance(value, bool) else value.lower() == "true"
