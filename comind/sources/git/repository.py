"""One git repository, opened to be read.

In: a path of a clone, worktree, bare repository or subdirectory, and what the configuration says about it.
Out: `GitRepository`: its identity, the indexed ref and commit, the files and contents of any commit.
Never writes into the repository, never runs a hook or a filter, never asks the network.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

import pygit2

from comind.sources.git.errors import CommitNotFoundError, ObjectUnreadableError
from comind.sources.git.objects import ObjectReader, Unreadable
from comind.sources.git.opening import discover, identify, indexed_commit, is_shallow, last_words, open_handle
from comind.sources.git.trees import FileChange, NamesFound, TreeFile, diff_trees, find_entry, find_names, rename_map, tree_file, walk_tree

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from comind.sources.git.identity import RepositoryIdentity

__all__ = ["GitRepository"]

_T = TypeVar("_T")


@dataclass(frozen=True, eq=False)
class GitRepository:
    """A repository at one commit; `open` makes one."""

    path: Path  # as it was given
    git_dir: Path  # where git keeps it; what a worker process needs to read contents
    identity: RepositoryIdentity
    ref: str  # full name of the indexed ref, or a text that names one commit
    head: str  # id of the commit there, 40 hex digits
    head_time: datetime  # committer time, UTC
    is_shallow: bool
    handle: pygit2.Repository  # for the modules of this package only
    objects: ObjectReader

    @classmethod
    def open(cls, path: Path, *, name: str | None = None, ref: str | None = None) -> Self:
        """Open the repository that a path belongs to.

        Args:
            path: a work tree, a directory in it, a bare repository or a git directory.
            name: its configured identity, if any.
            ref: the configured ref to index: a branch, tag or commit; else origin/HEAD, else HEAD.

        Raises:
            NotARepositoryError: there is no repository at or above the path.
            RepositoryUnreadableError: git refuses it: another owner, an unknown format, damage.
            EmptyRepositoryError: it has no commit.
            RefNotFoundError: the ref does not lead to a commit.
            ShallowHistoryError: nothing identifies it.
        """
        git_dir = discover(path)
        handle = open_handle(path, git_dir)
        ref_name, commit = indexed_commit(handle, path, ref)
        return cls(
            path=path,
            git_dir=git_dir,
            identity=identify(handle, path, commit, name),
            ref=ref_name,
            head=str(commit.id),
            head_time=datetime.fromtimestamp(commit.commit_time, UTC),
            is_shallow=is_shallow(handle),
            handle=handle,
            objects=ObjectReader(git_dir),
        )

    @property
    def repo_id(self) -> str:
        """The identity of the repository, as it stands in every table."""
        return self.identity.repo_id

    @property
    def work_tree(self) -> Path | None:
        """The root of its work tree; None for a bare repository."""
        return Path(self.handle.workdir).resolve() if self.handle.workdir else None

    def at(self, commit: str) -> GitRepository:
        """Return the same repository with its head at another commit, given by its full id."""
        found = self._commit(commit)
        return replace(self, head=str(found.id), head_time=datetime.fromtimestamp(found.commit_time, UTC))

    def resolve(self, text: str) -> str:
        """Return the full id of the commit that a text names: an id, its beginning, a branch or a tag.

        Raises:
            CommitNotFoundError: nothing, several commits or something else has that name.
        """
        return str(self._commit(text).id)

    def files(self, commit: str, under: str = "") -> Iterator[TreeFile]:
        """Yield every file of a commit, symbolic links and submodules as what they are; `under` limits it to one directory.

        Raises:
            CommitNotFoundError: there is no such commit.
            ObjectUnreadableError: a directory is missing or damaged, so the list would not be whole.
        """
        tree = self._commit(commit).tree
        prefix = b""
        if under:
            found = self._whole(commit, lambda: find_entry(tree, under))
            if found is None or found[0].type_str != "tree":
                return
            tree, prefix = found[0].peel(pygit2.Tree), found[1] + b"/"
        walk = walk_tree(tree, self.size, prefix)
        while (file := self._whole(commit, lambda: next(walk, None))) is not None:
            yield file

    def file_at(self, commit: str, path: str) -> TreeFile | None:
        """Return one file of a commit; None when nothing, or a directory, stands at the path."""
        tree = self._commit(commit).tree
        found = self._whole(commit, lambda: find_entry(tree, path))
        return None if found is None else tree_file(*found, self.size)

    def blob_at(self, commit: str, path: str) -> str | None:
        """Return the object id of one file of a commit; None when no file stands at the path."""
        tree = self._commit(commit).tree
        found = self._whole(commit, lambda: find_entry(tree, path))
        return str(found[0].id) if found is not None and found[0].type_str == "blob" else None

    def tree_of(self, commit: str) -> str:
        """Return the object id of a commit's tree: equal ids, equal files."""
        return str(self._commit(commit).tree.id)

    def changed_files(self, old: str, new: str, *, renames: bool = True) -> list[FileChange]:
        """List the files that differ between two commits, renamed ones paired unless `renames` is false."""
        before, after = self._commit(old).tree, self._commit(new).tree
        return self._whole(new, lambda: diff_trees(before, after, renames=renames))

    def renames(self, old: str, new: str) -> dict[str, str]:
        """Map old path to new path of each file that git's rename detection finds between two commits, tree to tree."""
        return rename_map(self.changed_files(old, new))

    def read(self, blob: str) -> bytes | Unreadable:
        """Return the content of a blob, all of it; ask `size` first where it may be large."""
        return self.objects.read(blob)

    def size(self, blob: str) -> int | None:
        """Return the size of a blob in bytes without reading it; None when it cannot be told."""
        return self.objects.size(blob)

    def find_names(self, commit: str, names: Collection[str]) -> NamesFound:
        """Tell which names occur as whole words in the text files of a commit, and which files could not be searched."""
        return find_names(self.files(commit), names, self.read)

    def names_in_tree(self, commit: str, names: Collection[str]) -> set[str]:
        """Return the names that occur, or may occur, as whole words in a file of a commit.

        A name that is not returned is in no text file. While one file cannot be searched, every name may occur.
        """
        found = self.find_names(commit, names)
        return set(names) if found.unread else set(found.present)

    def _commit(self, text: str) -> pygit2.Commit:
        try:
            return self.handle.revparse_single(text).peel(pygit2.Commit)
        except (KeyError, ValueError, pygit2.GitError) as error:
            raise CommitNotFoundError(self.path, text, self._why_not_found(error)) from None

    def _why_not_found(self, error: Exception) -> str | None:
        if isinstance(error, KeyError):
            return "the clone is shallow, run `git fetch --unshallow` there" if self.is_shallow else None
        return "give more digits of its id" if "ambiguous" in str(error) else "what has that name is not a commit"

    def _whole(self, object_id: str, ask: Callable[[], _T]) -> _T:
        try:
            return ask()
        except (KeyError, pygit2.GitError) as error:
            raise ObjectUnreadableError(self.path, object_id, last_words(error)) from None
