"""What can be wrong with a repository, a commit or an object, each said in one line with the next step.

In: paths, ids and git's own words. Out: exceptions only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.errors import ComindError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "CommitNotFoundError", "EmptyRepositoryError", "NotARepositoryError", "ObjectUnreadableError", "RefNotFoundError",
    "RepositoryUnreadableError", "ShallowHistoryError",
]  # fmt: skip


class NotARepositoryError(UsageError):
    """A path is not inside a git repository, or is no directory at all."""

    def __init__(self, path: Path, problem: str = "is not inside a git repository; name a clone, or run `git init` there") -> None:
        self.path, self.problem = path, problem
        super().__init__(f"{str(path)!r} {problem}")


class EmptyRepositoryError(UsageError):
    """A repository has no commit yet."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(f"{str(path)!r} has no commit yet; commit something, then run again")


class RefNotFoundError(UsageError):
    """The ref to index does not lead to a commit."""

    def __init__(self, path: Path, ref: str) -> None:
        self.path, self.ref = path, ref
        super().__init__(f"{str(path)!r} has no commit at the ref {ref!r}; `git -C PATH branch -a` lists what can be indexed")


class CommitNotFoundError(UsageError):
    """A text does not name a commit of the repository."""

    def __init__(self, path: Path, commit: str, problem: str | None = None) -> None:
        self.path, self.commit = path, commit
        super().__init__(f"no commit {commit[:80]!r} in {str(path)!r}; {problem or 'check the id, or run `git fetch` there'}")


class ShallowHistoryError(UsageError):
    """A shallow clone without a network origin does not know which repository it is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        super().__init__(
            f"{str(path)!r} is a shallow clone without an origin URL, so its first commit is unknown and nothing identifies it; "
            "run `git fetch --unshallow` there, or give it a name in comind.toml"
        )


class RepositoryUnreadableError(ComindError):
    """A repository is there and cannot be opened: its owner, its format, damage."""

    def __init__(self, path: Path, problem: str) -> None:
        self.path, self.problem = path, problem
        super().__init__(f"cannot read the repository {str(path)!r}: {problem}")


class ObjectUnreadableError(ComindError):
    """A commit or a directory that the answer depends on is missing or damaged."""

    def __init__(self, path: Path, object_id: str, problem: str) -> None:
        self.path, self.object_id, self.problem = path, object_id, problem
        super().__init__(f"cannot read the object {object_id} in {str(path)!r}: {problem}")
