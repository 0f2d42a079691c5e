"""The way from one commit to another, one parent-child step at a time, and what stands at a path on the way.

In: two commits of a repository. Out: the commits between them, blobs, changed files; each remembered while the object lives.
Follows first parents, and another parent only where the first one does not lead there. Never guesses a way: without one there is None.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import pygit2

from comind.sources.git.errors import ObjectUnreadableError
from comind.sources.git.opening import last_words
from comind.sources.git.trees import diff_trees, find_entry

if TYPE_CHECKING:
    from comind.sources.git.objects import Unreadable
    from comind.sources.git.repository import GitRepository
    from comind.sources.git.trees import FileChange

__all__ = ["Lineage"]

_KEPT_BLOBS = 65_536
_KEPT_DIFFS = 64
_KEPT_WAYS = 256


class Lineage:
    """Walks between commits of one repository; not safe to share between threads."""

    def __init__(self, repo: GitRepository) -> None:
        self._repo = repo
        self._git = repo.handle
        self._parents: dict[str, tuple[str, ...]] = {}
        self._trees: dict[str, pygit2.Tree] = {}
        self.blob = lru_cache(_KEPT_BLOBS)(self._blob)
        self.changes = lru_cache(_KEPT_DIFFS)(self._changes)
        self.way = lru_cache(_KEPT_WAYS)(self._way)

    @property
    def is_shallow(self) -> bool:
        """Whether the clone was cut off, so that a way may be missing."""
        return self._repo.is_shallow

    def holds(self, commit: str) -> bool:
        """Whether the clone has this commit."""
        return commit in self._parents or isinstance(self._git.get(commit), pygit2.Commit)

    def parents(self, commit: str) -> tuple[str, ...]:
        """Return the parents of a commit that the clone has."""
        found = self._parents.get(commit)
        if found is None:
            ids = self._git[commit].peel(pygit2.Commit).parent_ids
            found = self._parents[commit] = tuple(str(parent) for parent in ids if not self._repo.is_shallow or parent in self._git)
        return found

    def base(self, one: str, other: str) -> str | None:
        """Return the best common ancestor of two commits."""
        try:
            found = self._git.merge_base(one, other)
        except (KeyError, pygit2.GitError) as error:
            raise ObjectUnreadableError(self._repo.path, other, last_words(error)) from None
        return str(found) if found else None

    def read(self, blob: str) -> bytes | Unreadable:
        """Return the content of a blob."""
        return self._repo.read(blob)

    def _way(self, start: str, end: str) -> tuple[str, ...] | None:
        """Return the commits from start to end, both included: up to the common ancestor and down again; None if there is no way."""
        base = self.base(start, end)
        if base is None:
            return None
        try:
            return (*reversed(self._descent(base, start)), *self._descent(base, end)[1:])
        except (KeyError, pygit2.GitError) as error:
            raise ObjectUnreadableError(self._repo.path, end, last_words(error)) from None

    def _descent(self, old: str, new: str) -> list[str]:
        """Return the commits from an ancestor to a descendant."""
        line = self._first_parents(new, old)
        if line[-1] == old:
            return line[::-1]
        # On the first parents' line everything after the merge that brought the ancestor in descends from it, nothing before does.
        low, high = 0, len(line) - 1
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._descends(line[middle], old) else (low, middle - 1)
        side = next(parent for parent in self.parents(line[low])[1:] if self._descends(parent, old))
        return [*self._descent(old, side), *line[low::-1]]

    def _first_parents(self, commit: str, until: str) -> list[str]:
        line = [commit]
        while line[-1] != until and (parents := self.parents(line[-1])):
            line.append(parents[0])
        return line

    def _descends(self, commit: str, ancestor: str) -> bool:
        return commit == ancestor or self._git.descendant_of(commit, ancestor)

    def _tree(self, commit: str) -> pygit2.Tree:
        found = self._trees.get(commit)
        if found is None:
            found = self._trees[commit] = self._git[commit].peel(pygit2.Commit).tree
        return found

    def _blob(self, commit: str, path: str) -> str | None:
        """Return the id of the file at a path; None when there is none."""
        try:
            found = find_entry(self._tree(commit), path)
        except (KeyError, pygit2.GitError) as error:
            raise ObjectUnreadableError(self._repo.path, commit, last_words(error)) from None
        return str(found[0].id) if found is not None and found[0].type_str == "blob" else None

    def _changes(self, old: str, new: str) -> tuple[FileChange, ...]:
        """List the files that differ between two commits; a renamed one is deleted and added."""
        try:
            return tuple(diff_trees(self._tree(old), self._tree(new), renames=False))
        except (KeyError, pygit2.GitError) as error:
            raise ObjectUnreadableError(self._repo.path, new, last_words(error)) from None
