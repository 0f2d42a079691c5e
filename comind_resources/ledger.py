"""The one resource: settings to the ledger's tables, inbox and repositories.

In: what `comind run` was told, or nothing. Out: library objects, made new for each run.
Never computes anything.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import dagster as dg

from comind.config import RepositoryEntry, Settings, load_settings
from comind.errors import ComindError
from comind.sources.git import GitRepository
from comind.status.policy import Policy
from comind.store.inbox import Inbox
from comind.store.location import StoreLocation
from comind.tables.lake import Lake

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["LedgerResource", "RepositoryAtHand", "open_repositories"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryAtHand:
    """A configured repository: open, or the reason why not."""

    entry: RepositoryEntry
    repository: GitRepository | None
    problem: str | None


class LedgerResource(dg.ConfigurableResource[None]):
    """Where the ledger is and which repositories it reads; empty fields mean environment, `comind.toml`, defaults."""

    store: str = ""
    repositories: list[str] = []  # noqa: RUF012 - a field; every resource gets its own copy
    max_flip_share: float = 0.0  # of the anchors that stood; 0 means what `comind.toml` says

    def settings(self) -> Settings:
        """Resolve the settings as the command line does."""
        told = load_settings(cwd=Path.cwd(), env=os.environ, store=self.store or None, repositories=self.repositories)
        return replace(told, max_flip_share=self.max_flip_share) if self.max_flip_share else told

    def location(self) -> StoreLocation:
        """Locate the store."""
        return StoreLocation.parse(self.settings().store, os.environ)

    def lake(self) -> Lake:
        """Open the tables."""
        return Lake(self.location())

    def inbox(self) -> Inbox:
        """Open the inbox."""
        return Inbox(self.location())

    def policy(self) -> Policy:
        """Say what the statuses depend on besides the log and the code."""
        settings = self.settings()
        return Policy(
            dormant_after=timedelta(days=settings.dormant_after_days),
            trust_store_writers=settings.trust_store_writers,
            require_signatures=settings.require_signatures,
        )

    def at_hand(self) -> list[RepositoryAtHand]:
        """Open every watched repository."""
        return open_repositories(self.settings().watched)

    def opened(self) -> list[GitRepository]:
        """Return the watched repositories that open."""
        return [found.repository for found in self.at_hand() if found.repository]


def open_repositories(entries: Sequence[RepositoryEntry]) -> list[RepositoryAtHand]:
    """Open repositories; two checkouts of one repository count once, one that does not open says why."""
    opened: dict[str, RepositoryAtHand] = {}
    for entry in entries:
        found = _open(entry)
        key = found.repository.identity.repo_id if found.repository else str(entry.path)
        opened.setdefault(key, found)
    return list(opened.values())


def _open(entry: RepositoryEntry) -> RepositoryAtHand:
    try:
        return RepositoryAtHand(entry=entry, repository=GitRepository.open(entry.path, name=entry.name, ref=entry.ref), problem=None)
    except ComindError as error:
        return RepositoryAtHand(entry=entry, repository=None, problem=str(error))
