"""A store on a local path: plain system calls to read and list, an atomic create-only write.

In: a directory that need not exist. Out: what `ObjectStore` promises.
Reading creates nothing. Temporary files that a killed writer left (`name#1`) are nobody's business and are skipped.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from functools import cached_property
from typing import TYPE_CHECKING

import obstore
from obstore.store import LocalStore

from comind.store.failures import StoreUnreadableError, StoreUnwritableError, explain, translated
from comind.store.layout import BadName, printable
from comind.store.objects import MAX_OBJECT_BYTES, Level, Missing, Names, ReadFailure

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["LocalObjects"]

_LEFT_BY_A_WRITER = re.compile(r".*#\d+", re.DOTALL)
# A name in the inbox may be a pipe or a link to anywhere: neither wait for the one nor follow the other.
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class LocalObjects:
    """The objects under one directory."""

    parallel = 1  # threads only make local reads slower

    def __init__(self, root: Path, *, where: str) -> None:
        self.root, self.where = root, where

    def create(self, key: str, content: bytes) -> bool:
        """Write through a temporary file and a hard link, so that exactly one writer of a key wins."""
        with translated(StoreUnwritableError, where=self.where, scheme="file"):
            try:
                obstore.put(self._writer, key, content, mode="create", use_multipart=False)
            except obstore.exceptions.AlreadyExistsError:
                return False
            return True

    def read(self, key: str, *, limit: int = MAX_OBJECT_BYTES) -> bytes | ReadFailure:
        """Read one regular file; never waits for a pipe, never follows a link."""
        try:
            with open(os.open(self.root / key, _OPEN_FLAGS), "rb") as file:  # noqa: PTH123 - only `open` takes a descriptor
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    return ReadFailure(key, "is not a regular file")
                content = file.read(limit + 1)
        except FileNotFoundError:
            return Missing(key)
        except OSError as error:
            return _refused(key, error)
        return content if len(content) <= limit else ReadFailure(key, f"is larger than {limit} bytes")

    def names(self, folder: str, *, beginning: str = "") -> Names:
        """List one directory; what is neither a regular file nor a writer's leftover is odd."""
        return self._sort(folder, [entry for entry in self._entries(folder) if entry.name.startswith(beginning)])

    def level(self, folder: str) -> Level:
        """List one directory with its sub-directories and when each last gained or lost a name."""
        entries = self._entries(folder)
        folders = {entry.name: _modified(entry) for entry in entries if entry.is_dir(follow_symlinks=False)}
        rest = self._sort(folder, [entry for entry in entries if entry.name not in folders])
        return Level(names=rest.names, odd=rest.odd, folders=folders)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        with translated(StoreUnreadableError, where=self.where, scheme="file"):
            try:
                with os.scandir(self.root / folder) as entries:
                    return list(entries)
            except FileNotFoundError:
                return []

    def _sort(self, folder: str, entries: list[os.DirEntry[str]]) -> Names:
        # Runs over a million entries: comprehensions, and no second look where all are files.
        files = [entry.name for entry in entries if entry.is_file(follow_symlinks=False)]
        found = Names(names=[name for name in files if "#" not in name or not _LEFT_BY_A_WRITER.fullmatch(name)])
        if len(files) < len(entries):
            names = (entry.name for entry in entries if not entry.is_file(follow_symlinks=False))
            found.odd += [BadName(printable(f"{folder}/{name}"), "is not a regular file") for name in names]
        return found

    @cached_property
    def _writer(self) -> LocalStore:
        return LocalStore(self.root, mkdir=True)


def _refused(key: str, error: OSError) -> ReadFailure:
    if error.errno in {errno.ELOOP, errno.EISDIR}:  # a link, which we do not follow
        return ReadFailure(key, "is not a regular file")
    why = explain(error, scheme="file")
    return ReadFailure(key, why.reason, why)


def _modified(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat(follow_symlinks=False).st_mtime_ns
    except FileNotFoundError:  # removed since
        return 0
