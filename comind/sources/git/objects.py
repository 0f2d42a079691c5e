"""Contents by object id: sizes without reading, bytes, and a reason where there are none.

In: the git directory of a repository. Out: bytes, or `Unreadable` with the reason in words.
Light enough for a worker process: it looks at no ref and no history.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ObjectReader", "Unreadable", "is_binary"]

_SNIFFED_BYTES = 8_000  # git calls a file binary when a NUL stands in this many first bytes
_MAX_NUL_SHARE = 0.1
_MISSING = "the object is missing; a partial clone does not hold it, run `git fetch --refetch`"
_DAMAGED = "the object is damaged ({}); run `git fsck`"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why there are no bytes, in words that end with what to do."""

    reason: str


class ObjectReader:
    """Reads the objects of one repository; never writes one."""

    def __init__(self, git_dir: Path) -> None:
        self._objects = pygit2.Repository(str(git_dir)).odb

    def read(self, blob: str) -> bytes | Unreadable:
        """Return the content of a blob, all of it; ask `size` first where it may be large."""
        try:
            return self._objects.read(blob)[1]
        except KeyError:
            return Unreadable(_MISSING)
        except (pygit2.GitError, ValueError) as error:
            return Unreadable(_DAMAGED.format(_last_words(error)))

    def size(self, blob: str) -> int | None:
        """Return the size of a blob in bytes without reading it; None when it cannot be told."""
        try:
            return self._objects.read_header(blob)[1]
        except (KeyError, pygit2.GitError, ValueError):
            return None


def is_binary(content: bytes) -> bool:
    r"""Tell whether content is no text: it has a NUL early, as git looks for, and is not UTF-8 with a NUL here and there.

    >>> is_binary(b"\x7fELF\0\xff"), is_binary(b'String fuzz = "a\0 test of a parser";')
    (True, False)
    """
    start = content[:_SNIFFED_BYTES]
    if b"\0" not in start:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return True
    return start.count(b"\0") > _MAX_NUL_SHARE * len(start)


def _last_words(error: Exception) -> str:
    # libgit2 begins with the object id, which stands elsewhere in the same line.
    return str(error).rpartition(": ")[2].strip()
