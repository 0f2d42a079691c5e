"""The commits behind one repository's refs: their texts, ancestors and changes.

In: an open repository. Out: texts, parents, changed paths and line diffs, read on demand and kept for a while.
Every answer about a commit depends on that commit and its ancestors alone, never on what was added later.
Never writes; a commit that a shallow clone left out is no parent of anything.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import DiffOption, SortMode

from comind.sources.git.errors import ObjectUnreadableError
from comind.sources.git.line_diffs import LineDiff, NoDiff, read_patch
from comind.sources.git.opening import last_words
from comind.sources.git.trees import escape_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.sources.git.line_diffs import FileDiff
    from comind.sources.git.repository import GitRepository

__all__ = ["CommitText", "History", "PathChange"]

MAX_FILES = 3_000  # of one commit; beyond, only ids are compared
MAX_PATCH_BYTES = 16_000_000
_KEPT_DIFFS = 4_096
_KEPT_CONTENTS = 32  # enough for the versions of a few files, one after the other


@dataclass(frozen=True, slots=True)
class CommitText:
    """What a commit says of itself, without any person."""

    id: str
    parents: tuple[str, ...]
    time: int  # committer time, seconds since 1970, UTC
    message: str

    @property
    def subject(self) -> str:
        """First paragraph of the message, on one line."""
        head = self.message.strip().split("\n\n", 1)[0]
        return " ".join(head.split())


@dataclass(frozen=True, slots=True)
class PathChange:
    """A path whose content differs between a commit and its first parent."""

    path: str
    old_blob: str | None
    new_blob: str | None


class History:
    """Reads the history of one repository; not safe to share between threads."""

    def __init__(self, repo: GitRepository) -> None:
        self._repo = repo
        self._git = repo.handle
        self._texts: dict[str, CommitText] = {}
        self._changes: dict[str, tuple[PathChange, ...]] = {}
        self._diff = lru_cache(_KEPT_DIFFS)(self._read_diff)
        self._content = lru_cache(_KEPT_CONTENTS)(self._read_content)

    def walk(self, tip: str, *, hide: Sequence[str] = ()) -> list[str]:
        """List the commits that can be reached from ``tip`` and not from ``hide``, newest first."""
        return self.walk_all([tip], hide=hide)

    def walk_all(self, tips: Sequence[str], *, hide: Sequence[str] = ()) -> list[str]:
        """List the commits that can be reached from any of the tips and not from ``hide``, newest first.

        Raises:
            ObjectUnreadableError: a commit of the history is missing or damaged.
        """
        try:
            walker = self._git.walk(tips[0], SortMode.TOPOLOGICAL | SortMode.TIME)
            for tip in tips[1:]:
                walker.push(tip)
            for known in hide:
                if self.holds(known):
                    walker.hide(known)
            return [self._remember(commit).id for commit in walker]
        except (KeyError, pygit2.GitError) as error:
            raise ObjectUnreadableError(self._repo.path, tips[0], f"{last_words(error)}; run `git fsck` there") from None

    def reachable(self, tip: str) -> frozenset[str]:
        """Return a commit and all that lead to it.

        Raises:
            ObjectUnreadableError: a commit of the history is missing or damaged.
        """
        try:
            return frozenset(str(commit.id) for commit in self._git.walk(tip, SortMode.NONE))
        except (KeyError, pygit2.GitError) as error:
            raise ObjectUnreadableError(self._repo.path, tip, f"{last_words(error)}; run `git fsck` there") from None

    def text(self, commit: str) -> CommitText:
        """Return what a commit says; raises KeyError when the repository does not hold it."""
        found = self._texts.get(commit)
        return found or self._remember(self._git[commit].peel(pygit2.Commit))

    def holds(self, commit: str) -> bool:
        """Whether the repository has this commit, reachable or not."""
        try:
            return commit in self._texts or isinstance(self._git[commit], pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError):
            return False

    def ancestors(self, commit: str) -> Iterator[CommitText]:
        """Yield what came before a commit, by committer time, newest first; every parent is met once."""
        queue: list[tuple[int, str]] = []
        seen = {commit}
        current = self.text(commit)
        while True:
            for parent in current.parents:
                if parent not in seen:
                    seen.add(parent)
                    heapq.heappush(queue, (-self.text(parent).time, parent))
            if not queue:
                return
            current = self.text(heapq.heappop(queue)[1])
            yield current

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether ``old`` came before ``new``; a commit does not come before itself."""
        return old in self._git and old != new and self._git.descendant_of(new, old)

    def changes(self, commit: str) -> tuple[PathChange, ...]:
        """List the paths that a commit changed against its first parent; none for a root, or where they cannot be read."""
        found = self._changes.get(commit)
        if found is None:
            found = self._changes[commit] = self._read_changes(commit)
        return found

    def line_diff(self, commit: str, parent: int = 0) -> LineDiff | NoDiff:
        """Return what a commit changed against one of its parents, or why that cannot be told."""
        return self._diff(commit, parent)

    def content(self, blob: str) -> bytes | None:
        """Return the bytes of a file by its blob id; None when this clone does not hold them, or they are no file."""
        return self._content(blob)

    def has_directory(self, commit: str, path: str) -> bool:
        """Whether a commit has a directory at a path."""
        try:
            return isinstance(self._git[commit].peel(pygit2.Tree)[path], pygit2.Tree)
        except (KeyError, ValueError, pygit2.GitError):
            return False

    def _read_content(self, blob: str) -> bytes | None:
        found = self._repo.read(blob)
        return found if isinstance(found, bytes) else None

    def _remember(self, commit: pygit2.Commit) -> CommitText:
        oid = str(commit.id)
        parents = tuple(str(parent) for parent in commit.parent_ids if parent in self._git)
        text = CommitText(oid, parents, commit.commit_time, _decode(commit))
        self._texts[oid] = text
        return text

    def _read_changes(self, commit: str) -> tuple[PathChange, ...]:
        text = self.text(commit)
        if not text.parents:
            return ()
        try:
            return tuple(_path_change(delta) for delta in self._tree_diff(text.parents[0], commit).deltas)
        except (KeyError, pygit2.GitError):  # a directory of this clone is missing or damaged
            return ()

    def _read_diff(self, commit: str, parent: int) -> LineDiff | NoDiff:
        try:
            diff = self._tree_diff(self.text(commit).parents[parent], commit)
            if len(diff) > MAX_FILES:
                return NoDiff("too_large", f"{commit[:12]} changes {len(diff)} files")
            return _read_files(commit, diff)
        except (pygit2.GitError, KeyError) as error:
            return NoDiff("missing_content", f"content of {commit[:12]} is not in this clone: {error}")

    def _tree_diff(self, old: str, new: str) -> pygit2.Diff:
        # FORCE_TEXT keeps .gitattributes, and with them the machine, out of what counts as a line.
        old_tree, new_tree = (self._git[side].peel(pygit2.Tree) for side in (old, new))
        return old_tree.diff_to_tree(new_tree, flags=DiffOption.FORCE_TEXT, context_lines=0)


def _read_files(commit: str, diff: pygit2.Diff) -> LineDiff | NoDiff:
    files: list[FileDiff] = []
    size = 0
    for patch in diff:
        if patch is None:  # nothing to tell, as for a directory that became a submodule
            continue
        size += len(patch.data)
        if size > MAX_PATCH_BYTES:
            return NoDiff("too_large", f"{commit[:12]} changes more than {MAX_PATCH_BYTES} bytes of lines")
        change = _path_change(patch.delta)
        files.append(read_patch(change.path, change.old_blob, change.new_blob, patch.data))
    return LineDiff(tuple(files))


def _path_change(delta: pygit2.DiffDelta) -> PathChange:
    path = escape_path(delta.new_file.raw_path or delta.old_file.raw_path)
    return PathChange(path, _blob(delta.old_file), _blob(delta.new_file))


def _blob(file: pygit2.DiffFile) -> str | None:
    return None if file.id.raw.count(0) == len(file.id.raw) else str(file.id)


def _decode(commit: pygit2.Commit) -> str:
    try:
        return commit.raw_message.decode(commit.message_encoding or "utf-8", "replace")
    except LookupError:  # an encoding that nobody knows
        return commit.raw_message.decode("utf-8", "replace")
