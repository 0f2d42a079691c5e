"""The commit in which a file came to say what it says: back through changes that keep its meaning, and through renames.

In: a repository, paths at its head, what counts as the same. Out: for each the commit, path and blob where it began.
The answer depends on the head's ancestors alone, and merges that came later do not move it: of a merge it follows, as `git log` of one
path does, a parent that has the same content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2
from pygit2.enums import SortMode

from comind.sources.git.errors import ObjectUnreadableError
from comind.sources.git.opening import last_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from comind.sources.git.history import History
    from comind.sources.git.repository import GitRepository

__all__ = ["Arrival", "Trail", "find_arrivals"]


@dataclass(frozen=True, slots=True)
class Trail:
    """A file at the head, and which of its earlier contents count as the same."""

    path: str
    blob: str
    same: Callable[[str, str], bool]  # of an earlier path and its blob


@dataclass(frozen=True, slots=True)
class Arrival:
    """Where a trail begins."""

    path: str
    blob: str
    commit: str
    time: int  # committer time, seconds since 1970, UTC
    cut_off: bool = False  # the history ends here because the clone is shallow


@dataclass(slots=True)
class _Open:
    """A trail that is being followed."""

    number: int
    trail: Trail
    path: str
    blob: str

    @property
    def directory(self) -> str:
        return self.path.rpartition("/")[0]


def find_arrivals(repo: GitRepository, history: History, trails: Sequence[Trail]) -> list[Arrival]:
    """Follow trails from the head back to where they begin, all in one walk.

    Returns:
        One arrival per trail, in their order.

    Raises:
        ObjectUnreadableError: a commit or a directory of the history is missing or damaged.
    """
    try:
        return _Walk(repo.handle, history).run(repo.head, trails)
    except (KeyError, pygit2.GitError) as error:
        raise ObjectUnreadableError(repo.path, repo.head, f"{last_words(error)}; run `git fsck` there") from None


class _Walk:
    def __init__(self, git: pygit2.Repository, history: History) -> None:
        self._git, self._history = git, history
        self._carried: dict[str, list[_Open]] = {}
        self._found: dict[int, Arrival] = {}

    def run(self, head: str, trails: Sequence[Trail]) -> list[Arrival]:
        if trails:
            self._carried[head] = [_Open(number, trail, trail.path, trail.blob) for number, trail in enumerate(trails)]
        for commit in self._git.walk(head, SortMode.TOPOLOGICAL | SortMode.TIME) if trails else ():
            if here := self._carried.pop(str(commit.id), None):
                self._pass(commit, here)
            if not self._carried:
                break
        return [self._found[number] for number in range(len(trails))]

    def _pass(self, commit: pygit2.Commit, here: Iterable[_Open]) -> None:
        parents = [self._git[parent].peel(pygit2.Commit) for parent in commit.parent_ids if parent in self._git]
        directories: dict[str, pygit2.Commit | None] = {}
        for one in here:
            directory = one.directory
            if directory not in directories:
                mine = _id_at(commit, directory)
                directories[directory] = next((parent for parent in parents if _id_at(parent, directory) == mine), None)
            parent = directories[directory]
            if parent is None:
                parent = next((other for other in parents if _id_at(other, one.path) == one.blob), None)
            self._carry(one, parent or self._before(commit, parents, one), commit)

    def _carry(self, one: _Open, parent: pygit2.Commit | None, commit: pygit2.Commit) -> None:
        if parent is not None:
            self._carried.setdefault(str(parent.id), []).append(one)
            return
        self._found[one.number] = Arrival(one.path, one.blob, str(commit.id), commit.commit_time, self._is_cut_off(commit))

    def _is_cut_off(self, commit: pygit2.Commit) -> bool:
        """Whether a parent is not in this clone; of a commit at the end of a shallow history libgit2 says that it has none."""
        written = commit.read_raw().split(b"\n\n", 1)[0].count(b"\nparent ")
        return written > sum(parent in self._git for parent in commit.parent_ids)

    def _before(self, commit: pygit2.Commit, parents: Sequence[pygit2.Commit], one: _Open) -> pygit2.Commit | None:
        """Return the parent that has an earlier content which counts as the same, and turn the trail to it."""
        earlier = [(parent, one.path, blob) for parent in parents if (blob := _id_at(parent, one.path))]
        if not earlier and parents:
            earlier = [(parents[0], *old) for old in self._renamed(str(commit.id), one)]
        for parent, path, blob in earlier:
            if one.trail.same(path, blob):
                one.path, one.blob = path, blob
                return parent
        return None

    def _renamed(self, commit: str, one: _Open) -> list[tuple[str, str]]:
        """List the files that went in the commit that brought this one, with its content or at least its name."""
        gone = [(change.path, change.old_blob) for change in self._history.changes(commit) if change.old_blob and not change.new_blob]
        name = one.path.rpartition("/")[2]
        return [(path, blob) for path, blob in gone if blob == one.blob] or [old for old in gone if old[0].rpartition("/")[2] == name]


def _id_at(commit: pygit2.Commit, path: str) -> str | None:
    """Return the object id of what stands at a path of a commit, the root for an empty path."""
    if not path:
        return str(commit.tree_id)
    try:
        return str(commit.tree[path].id)
    except KeyError:
        return None
