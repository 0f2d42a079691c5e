"""Merge and pull requests as every forge has them, without anybody's name.

In: nothing. Out: frozen values, and the protocol of a client. Texts in them are clean: `comind.sources.forges.texts` has seen each.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

__all__ = ["FileChange", "Forge", "ForgeKind", "ForgeProject", "MergeRequest", "Note", "Position", "State", "Text", "Thread", "Writer"]


class ForgeKind(StrEnum):
    """Which interface a forge speaks."""

    GITLAB = "gitlab"
    GITHUB = "github"


class Writer(StrEnum):
    """Who wrote a text, as far as it matters; never who it was."""

    AUTHOR = "author"  # whoever opened the request
    REVIEWER = "reviewer"  # asked to review it, or a member of the project as far as the forge says so
    OTHER = "other"  # anybody: on a public forge, a stranger
    BOT = "bot"
    GONE = "gone"  # the account was deleted


class State(StrEnum):
    """How far a request has come."""

    OPEN = "open"
    CLOSED = "closed"  # without having been merged
    MERGED = "merged"


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgeProject:
    """One project of one forge, and where to ask for it."""

    kind: ForgeKind
    host: str  # as in the identity of a repository: no scheme, no port
    path: str  # such as `group/shop`
    url: str  # of the interface, without a slash at its end
    token_variable: str  # of the environment

    @property
    def origin(self) -> str:
        """What a clone of it has as normalised origin."""
        return f"{self.host}/{self.path}"


@dataclass(frozen=True, slots=True)
class Text:
    """A text that may be stored."""

    words: str
    withheld: str | None = None  # why the words are missing: what the text carried


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One comment."""

    id: str
    writer: Writer
    text: Text
    written: datetime
    edited: bool = False
    url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where in the code a thread hangs."""

    path: str
    line: int | None  # 1-based; None where it hangs on the whole file, or is outdated
    commit: str | None  # at which the line holds
    removed: bool = False  # the line is one that the request takes away


@dataclass(frozen=True, slots=True, kw_only=True)
class Thread:
    """Comments that answer each other; a comment alone is a thread of one."""

    id: str
    notes: tuple[Note, ...]
    resolvable: bool = False
    resolved: bool = False
    position: Position | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One file that a request changes, by the lines it had before."""

    path: str
    path_before: str | None  # None: the request adds the file
    spans: tuple[tuple[int, int], ...] = ()  # first and last line that goes, or around which something is added; 1-based


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRequest:
    """One merge or pull request."""

    host: str
    project: str
    iid: int  # its number within the project
    url: str
    title: Text
    description: Text
    writer: Writer  # AUTHOR, BOT or GONE
    state: State
    created: datetime
    updated: datetime
    merged: datetime | None = None
    closed: datetime | None = None
    merge_commit: str | None = None  # that brought it to the target branch
    head_commit: str | None = None
    base_commit: str | None = None  # where it began; known of closed requests
    threads: tuple[Thread, ...] = ()
    changes: tuple[FileChange, ...] = ()  # of closed requests; a merged one is told by its commit
    incomplete: str | None = None  # what could not be read, in words


class Forge(Protocol):
    """A client for one project; reads, never writes."""

    def updated(self, since: datetime | None) -> Iterator[list[MergeRequest]]:
        """Yield requests in batches, those first that were updated longest ago.

        Args:
            since: only what was updated then or later; None for everything.

        Raises:
            ForgeError: it cannot be read on; every batch before it is complete.
        """
