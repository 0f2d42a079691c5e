"""What a verb works with: the settings, and from them the store, the tables and the checkouts, each opened when it is first needed.

In: the flags, this process's working directory and environment. Out: a `Session`.
The clock and the environment are read here and nowhere below.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from comind.config import Settings, load_settings
from comind.errors import ComindError, UsageError
from comind.query.checkouts import Checkouts
from comind.store.inbox import Inbox
from comind.store.location import StoreLocation

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from comind.query.past import PastView
    from comind.query.view import LedgerView
    from comind.tables.lake import Lake

__all__ = ["NoCheckoutError", "NoStoreError", "Session", "open_session"]


class NoStoreError(ComindError):
    """There is nothing yet where the store should be."""

    def __init__(self, uri: str) -> None:
        self.uri = uri
        super().__init__(f"there is no store at {uri} yet; `comind run --repo PATH` makes one, --store names another")


class NoCheckoutError(UsageError):
    """A question about a commit needs the repository, and none is here."""

    def __init__(self, repo: str | None) -> None:
        self.repo = repo
        what = f"no checkout of {repo} is known here" if repo else "--at needs a repository"
        super().__init__(f"{what}; ask inside a checkout, or name one that `comind run --repo PATH` has read with --repo")


@dataclass(frozen=True)
class Session:
    """One command at work."""

    settings: Settings
    cwd: Path
    now: datetime

    @cached_property
    def location(self) -> StoreLocation:
        """Where the store is."""
        return StoreLocation.parse(self.settings.store, os.environ)

    @cached_property
    def inbox(self) -> Inbox:
        """The inbox of the store."""
        return Inbox(self.location)

    @cached_property
    def lake(self) -> Lake:
        """The tables of the store."""
        from comind.tables.lake import Lake  # noqa: PLC0415 - whoever only writes needs no table, and Lance takes half a second

        return Lake(self.location)

    @cached_property
    def checkouts(self) -> Checkouts:
        """The repositories on this machine."""
        return Checkouts(self.cwd, self.settings.watched)

    @cached_property
    def view(self) -> LedgerView:
        """The ledger as a reader sees it now; raises `NoStoreError` where there is none."""
        from comind.query.pending import open_view, policy_of  # noqa: PLC0415 - it needs the tables

        self.require_store()
        return open_view(self.lake, self.inbox, policy_of(self.settings), now=self.now)

    def past(self, commit: str, repo: str | None) -> PastView:
        """The ledger as of a commit of a repository on this machine.

        Raises:
            NoCheckoutError: the repository is not known here.
            CommitNotFoundError: it has no such commit.
        """
        from comind.index.exclusions import ExclusionRules  # noqa: PLC0415 - a question about now needs none of these
        from comind.query.past import PastReader  # noqa: PLC0415
        from comind.query.past_cache import PastCache  # noqa: PLC0415
        from comind.query.pending import policy_of  # noqa: PLC0415

        self.require_store()
        repository = self.checkouts.named(repo)
        if repository is None:
            raise NoCheckoutError(repo)
        told = self.settings
        reader = PastReader(
            lake=self.lake, inbox=self.inbox, cache=PastCache(_cache_folder(os.environ)), policy=policy_of(told),
            rules=ExclusionRules(told.leave_out, told.keep), max_file_bytes=told.max_file_bytes, workers=told.workers,
        )  # fmt: skip
        return reader.open(repository.at(repository.resolve(commit)), now=self.now)

    def require_store(self) -> None:
        """Raise `NoStoreError` where there is none; a bucket says so itself when it is read."""
        if self.location.is_local and not Path(self.location.root).is_dir():
            raise NoStoreError(self.location.uri)


def _cache_folder(env: Mapping[str, str]) -> Path | None:
    base = env.get("XDG_CACHE_HOME") or (f"{env['HOME']}/.cache" if env.get("HOME") else None)
    return Path(base) / "comind" / "past" if base else None


def open_session(store: str | None, repositories: Sequence[str] = ()) -> Session:
    """Read the settings; opens nothing yet."""
    cwd = Path.cwd()
    return Session(settings=load_settings(cwd=cwd, env=os.environ, store=store, repositories=repositories), cwd=cwd, now=datetime.now(UTC))
