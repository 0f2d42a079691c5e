"""The refs and notes that other tools keep beside the branches of a repository.

In: an open repository, the beginning or the name of a ref. Out: object ids; nothing where there is no such ref.
Never reads a content, never writes a ref or a note.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pygit2

from comind.sources.git.errors import CommitNotFoundError

if TYPE_CHECKING:
    from comind.sources.git.repository import GitRepository

__all__ = ["list_notes", "list_refs"]

_COMMIT = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})")


def list_refs(repo: GitRepository, prefix: str) -> dict[str, str]:
    """Return the object id that each ref below a prefix points at, by the ref's full name, in the order of the names."""
    found = {}
    for name in sorted(name for name in repo.handle.references if name.startswith(prefix)):
        try:
            found[name] = str(repo.handle.references[name].resolve().target)
        except (KeyError, ValueError, pygit2.GitError):  # a symbolic ref to nowhere
            continue
    return found


def list_notes(repo: GitRepository, ref: str) -> dict[str, str]:
    """Return the blob of the note on each commit, by the commit's id, however deep the notes are fanned out.

    Raises:
        ObjectUnreadableError: the notes are damaged, so the list would not be whole.
    """
    try:
        tip = repo.resolve(ref)
    except CommitNotFoundError:
        return {}
    notes = {file.path.replace("/", ""): file.blob for file in repo.files(tip)}
    return {commit: blob for commit, blob in notes.items() if _COMMIT.fullmatch(commit)}
