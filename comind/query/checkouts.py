"""The checkouts on this machine: which commit each repository is at, and which file a path of the shell names.

In: the repositories of the settings, the working directory. Out: heads by repository identity; paths from a repository's root.
Opens a repository only when it is asked about; one that cannot be opened is as good as unknown here, `comind status` says why.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from comind.config import RepositoryEntry
from comind.errors import ComindError
from comind.sources.git import GitRepository

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Checkouts", "FindsRepositories"]


class FindsRepositories(Protocol):
    """Knows at which commit a repository is."""

    def find(self, repo_id: str) -> GitRepository | None:
        """Return a repository at its commit; None when none is known."""
        ...


@dataclass(frozen=True)
class Checkouts:
    """What is checked out on this machine, as far as the settings and the working directory tell."""

    cwd: Path
    entries: Sequence[RepositoryEntry] = ()
    _opened: dict[Path, GitRepository | None] = field(default_factory=dict, repr=False)

    @cached_property
    def here(self) -> GitRepository | None:
        """The repository that the working directory lies in."""
        root = self._root
        if root is None:
            return None
        return self._open(next((entry for entry in self.entries if entry.path == root), RepositoryEntry(path=root)))

    def find(self, repo_id: str) -> GitRepository | None:
        """Return the checkout of a repository; None when none is known."""
        if self.here is not None and self.here.repo_id == repo_id:
            return self.here
        opened = (self._open(entry) for entry in self.entries)
        return next((repo for repo in opened if repo is not None and repo.repo_id == repo_id), None)

    def named(self, text: str | None) -> GitRepository | None:
        """Return the checkout that a name means, an identity or the end of one; without a name that of the working directory."""
        if text is None:
            return self.here
        known = [self.here, *(self._open(entry) for entry in self.entries)]
        return next((repo for repo in known if repo is not None and f"/{repo.repo_id}".endswith(f"/{text}")), None)

    def path_of(self, text: str) -> str | None:
        """Return what a path of the shell is from the root of its checkout; None when there is no such file or directory in one."""
        path, colon, line = text.partition(":")
        target = Path(self.cwd, path)
        if self._root is None or not path or not _exists(target):
            return None
        inside = Path(_without_links(target))
        if not inside.is_relative_to(self._root):
            return None
        return inside.relative_to(self._root).as_posix() + colon + line

    @cached_property
    def _root(self) -> Path | None:
        return next((folder for folder in (self.cwd, *self.cwd.parents) if (folder / ".git").exists()), None)

    def _open(self, entry: RepositoryEntry) -> GitRepository | None:
        if entry.path not in self._opened:
            try:
                self._opened[entry.path] = GitRepository.open(entry.path, name=entry.name, ref=entry.ref)
            except ComindError:
                self._opened[entry.path] = None
        return self._opened[entry.path]


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # a name longer than a file system allows
        return False


def _without_links(path: Path) -> str:
    # Only `..` is taken out: a link inside a repository is a file of its own there.
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return str(Path(*parts))
