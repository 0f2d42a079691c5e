"""Open the repository that a path belongs to, choose the commit to index, and tell which repository it is.

In: a path and what the configuration says. Out: an open handle, a ref with its commit, an identity.
Every way in which this can go wrong is an error of its own, with the next step.
"""

from __future__ import annotations

from pathlib import Path

import pygit2
from pygit2.enums import FileMode

from comind.sources.git.errors import (
    EmptyRepositoryError,
    NotARepositoryError,
    ObjectUnreadableError,
    RefNotFoundError,
    RepositoryUnreadableError,
    ShallowHistoryError,
)
from comind.sources.git.identity import IdentifiedBy, RepositoryIdentity, find_origin, find_root_commit
from comind.sources.git.trees import find_entry

__all__ = ["discover", "identify", "indexed_commit", "is_shallow", "last_words", "open_handle"]

_ORIGIN_HEAD = "refs/remotes/origin/HEAD"


def discover(path: Path) -> Path:
    """Return the git directory of the repository at or above a path; raises `NotARepositoryError`."""
    if path.is_file():
        raise NotARepositoryError(path, "is a file; a bundle must be cloned first, with `git clone FILE DIRECTORY`")
    if not path.is_dir():
        raise NotARepositoryError(path, "is not a directory; name an existing clone")
    found = pygit2.discover_repository(str(path))
    if found is None:
        raise NotARepositoryError(path)
    return Path(found)


def open_handle(path: Path, git_dir: Path) -> pygit2.Repository:
    """Open a git directory; raises `RepositoryUnreadableError`, or `NotARepositoryError` inside an empty submodule."""
    try:
        handle = pygit2.Repository(str(git_dir))
    except (pygit2.GitError, ValueError, KeyError) as error:
        raise RepositoryUnreadableError(path, _what_to_do(error, path)) from None
    if (submodule := _submodule_not_checked_out(handle, path)) is not None:
        raise NotARepositoryError(path, f"is the submodule {submodule!r} and not checked out; run `git submodule update --init` there")
    return handle


def _what_to_do(error: Exception, path: Path) -> str:
    words = last_words(error)
    if "not owned by" in words:
        return f"another user owns it; if you trust it, run `git config --global --add safe.directory {str(path.resolve())!r}`"
    if "object format" in words or "extension" in words:
        return f"{words.partition(';')[0]}; only repositories with SHA-1 object ids and loose or packed refs can be read"
    return words


def last_words(error: Exception) -> str:
    """Return what git says is wrong and what to do, without the path or id that it begins with."""
    if isinstance(error, KeyError):
        return "it is missing; a partial clone does not hold it, run `git fetch --refetch` there"
    return f"{str(error).rpartition(': ')[2].strip() or type(error).__name__}; run `git fsck` there"


def _submodule_not_checked_out(handle: pygit2.Repository, path: Path) -> str | None:
    """Return the submodule that a path is in although git found the repository around it."""
    if not handle.workdir or handle.head_is_unborn:
        return None
    inside = path.resolve()
    work_tree = Path(handle.workdir).resolve()
    if inside == work_tree or not inside.is_relative_to(work_tree):
        return None
    parts = inside.relative_to(work_tree).parts
    tree = handle.head.peel(pygit2.Tree)
    for length in range(1, len(parts) + 1):
        found = find_entry(tree, "/".join(parts[:length]))
        if found is None:
            return None
        if found[0].filemode == FileMode.COMMIT:
            return "/".join(parts[:length])
    return None


def indexed_commit(handle: pygit2.Repository, path: Path, ref: str | None) -> tuple[str, pygit2.Commit]:
    """Return the ref to index and its commit: the configured one, else origin/HEAD, else HEAD.

    Raises:
        EmptyRepositoryError: there is no ref at all.
        RefNotFoundError: the ref does not lead to a commit.
    """
    if handle.head_is_unborn and next(iter(handle.references), None) is None:
        raise EmptyRepositoryError(path)
    if ref is not None:
        found = _lookup(handle, ref) or _lookup(handle, f"refs/remotes/origin/{ref}")
    else:
        found = _lookup(handle, _ORIGIN_HEAD) or _lookup(handle, "HEAD")
    if found is None:
        raise RefNotFoundError(path, ref or "HEAD")
    return found


def _lookup(handle: pygit2.Repository, text: str) -> tuple[str, pygit2.Commit] | None:
    try:
        found: tuple[pygit2.Object, pygit2.Reference | None] = handle.revparse_ext(text)
        commit = found[0].peel(pygit2.Commit)
        return (found[1].resolve().name if found[1] is not None else text), commit
    except (KeyError, ValueError, pygit2.GitError):
        return None


def identify(handle: pygit2.Repository, path: Path, head: pygit2.Commit, name: str | None) -> RepositoryIdentity:
    """Tell which repository this is: by its configured name, else its origin, else its first commit.

    Raises:
        ShallowHistoryError: none of the three is known.
        ObjectUnreadableError: a commit of its history is missing or damaged.
    """
    origin = find_origin(handle)
    try:
        root = None if is_shallow(handle) else find_root_commit(handle, _trunk(handle, head))
    except (KeyError, pygit2.GitError) as error:
        raise ObjectUnreadableError(path, str(head.id), f"in its history, {last_words(error)}") from None
    known = ((name, IdentifiedBy.CONFIGURED), (origin, IdentifiedBy.ORIGIN), (root, IdentifiedBy.ROOT_COMMIT))
    for repo_id, how in known:
        if repo_id:
            return RepositoryIdentity(repo_id=repo_id, identified_by=how, origin=origin, root_commit=root)
    raise ShallowHistoryError(path)


def is_shallow(handle: pygit2.Repository) -> bool:
    """Tell whether history is cut off, also in a worktree of a shallow clone, of which libgit2 does not know it."""
    boundary = _common_directory(handle) / "shallow"
    return boundary.is_file() and boundary.stat().st_size > 0


def _trunk(handle: pygit2.Repository, head: pygit2.Commit) -> pygit2.Commit:
    """Return a commit whose history begins where the repository does: not that of a worktree on an orphan branch."""
    found = _lookup(handle, _ORIGIN_HEAD) or _lookup(pygit2.Repository(str(_common_directory(handle))), "HEAD")
    return found[1] if found else head


def _common_directory(handle: pygit2.Repository) -> Path:
    """Return the git directory that all worktrees of a repository share."""
    link = Path(handle.path, "commondir")
    return Path(handle.path, link.read_text().strip()).resolve() if link.is_file() else Path(handle.path)
