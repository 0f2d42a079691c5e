"""Who signed a commit: for leaving them out of a text, and for telling programs from people. Nothing of it is ever stored.

In: a repository and a commit. Out: names and addresses as git has them; none for a commit that is not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pygit2

if TYPE_CHECKING:
    from comind.sources.git.repository import GitRepository

__all__ = ["Signature", "signatures_of"]


@dataclass(frozen=True, slots=True)
class Signature:
    """A name and an address, either of which may be empty or anything."""

    name: str
    address: str


def signatures_of(repo: GitRepository, commit: str) -> tuple[Signature, ...]:
    """Return author and committer of a commit, in this order."""
    try:
        found = repo.handle[commit].peel(pygit2.Commit)
    except (KeyError, ValueError, pygit2.GitError):
        return ()
    return tuple(Signature(_text(one.raw_name), _text(one.raw_email)) for one in (found.author, found.committer))


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "replace")
