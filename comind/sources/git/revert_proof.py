"""Prove that a commit is what git itself makes of reverting others.

In: a repository, a commit, the commits it undid. Out: proven, or why not.
Git's merge needs to write trees, so it runs in a scratch repository that borrows the objects; the repository itself is never written to.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Self

import pygit2

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import TracebackType

    from comind.sources.git.repository import GitRepository

__all__ = ["GitVerdict", "RevertProof", "RevertProver"]


class GitVerdict(StrEnum):
    """What git's own revert said."""

    SAME_TREE = "same_tree"
    OTHER_TREE = "other_tree"
    CONFLICT = "conflict"
    MISSING = "missing"  # a commit or a content is not in this clone


@dataclass(frozen=True, slots=True)
class RevertProof:
    """The verdict and how it came about, in words."""

    verdict: GitVerdict
    detail: str


class RevertProver:
    """Runs git's revert beside a repository; use it as a context manager, so that the scratch space goes away."""

    def __init__(self, repo: GitRepository) -> None:
        self._objects = _objects_directory(repo.git_dir)
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        self._scratch = tempfile.TemporaryDirectory(prefix="comind-revert-")
        bare = Path(self._scratch.name, "scratch.git")
        pygit2.init_repository(str(bare), bare=True)
        (bare / "objects" / "info" / "alternates").write_bytes(bytes(self._objects) + b"\n")
        self._git = pygit2.Repository(str(bare))  # opened anew: alternates are read once
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._git.free()
        if self._scratch is not None:
            self._scratch.cleanup()

    def prove(self, revert: str, targets: Sequence[str]) -> RevertProof:
        """Undo the targets on top of the commit before ``revert``, the latest first, and compare the trees.

        A merge is undone against the parent that gives the same tree, if any does.
        """
        try:
            commit = self._commit(revert)
            ours = commit.parents[0]
            ordered = sorted(map(self._commit, targets), key=lambda target: (-target.commit_time, str(target.id)))
            return self._undo_all(commit, ours, ordered)
        except (KeyError, IndexError, ValueError, pygit2.GitError) as error:
            return RevertProof(GitVerdict.MISSING, f"git could not try: {_words(error)}")

    def _undo_all(self, commit: pygit2.Commit, ours: pygit2.Commit, targets: Sequence[pygit2.Commit]) -> RevertProof:
        *first, last = targets
        for target in first:
            outcome = self._undo(target, ours, None)
            if isinstance(outcome, RevertProof):
                return outcome
            ours = self._commit_of(outcome, ours)
        outcome = self._undo(last, ours, commit.tree_id)
        if isinstance(outcome, RevertProof):
            return outcome
        names = ", ".join(str(target.id)[:12] for target in targets)
        if outcome == commit.tree_id:
            return RevertProof(GitVerdict.SAME_TREE, f"git's own revert of {names} gives the same tree")
        return RevertProof(GitVerdict.OTHER_TREE, f"git's own revert of {names} gives another tree")

    def _undo(self, target: pygit2.Commit, ours: pygit2.Commit, wanted: pygit2.Oid | None) -> pygit2.Oid | RevertProof:
        """Return the tree after undoing one commit; of a merge, the wanted tree if one of its parents leads there."""
        mainlines = range(1, len(target.parents) + 1) if len(target.parents) > 1 else (0,)
        tree: pygit2.Oid | None = None
        for mainline in mainlines:
            index = self._git.revert_commit(target, ours, mainline)
            if index.conflicts is None:
                found = index.write_tree(self._git)
                tree = found if tree is None or found == wanted else tree
        return tree or RevertProof(GitVerdict.CONFLICT, f"git's own revert of {str(target.id)[:12]} conflicts with what came between")

    def _commit(self, commit: str) -> pygit2.Commit:
        return self._git[commit].peel(pygit2.Commit)

    def _commit_of(self, tree: pygit2.Oid, parent: pygit2.Commit) -> pygit2.Commit:
        nobody = pygit2.Signature("scratch", "scratch@comind.invalid", 0, 0)
        return self._commit(str(self._git.create_commit(None, nobody, nobody, "", tree, [parent.id])))


def _objects_directory(git_dir: Path) -> Path:
    """Return where a repository keeps its objects; a worktree borrows those of the repository it belongs to."""
    common = git_dir / "commondir"
    base = git_dir / common.read_text().strip() if common.is_file() else git_dir
    return (base / "objects").resolve()


def _words(error: Exception) -> str:
    return "a commit or a content is not in this clone" if isinstance(error, KeyError | IndexError) else str(error).rpartition(": ")[2]
