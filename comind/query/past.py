"""The ledger as of a commit: what a run at that commit would show, of one repository.

In: a `PastReader` that knows the store, a repository at the commit. Out: a `PastView`, which answers as the view of now does.
The log is taken as of the commit (`comind.query.past_log`), the code as it stood there, and dormancy is counted to the commit's time.
Other repositories are not looked at. Never writes to the store; what had to be parsed goes to the cache that comes in.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.anchored_code import definitions_at
from comind.anchors.explode import anchored_files, explode_anchors
from comind.anchors.frames import conform, schema_of
from comind.anchors.with_git import Code, locate_with_git
from comind.drift.classify import classify_drift
from comind.harvest.evidence import reachable_again
from comind.index.tree import index_tree
from comind.query.past_beside import cascade_then, findings_then
from comind.query.past_log import Moment, log_as_of
from comind.query.pending import connected_entries, underived_records
from comind.query.view import FrameTables, Inbox, LedgerView
from comind.query.where import among, any_of, equal
from comind.records.vocabulary import Kind, Scope
from comind.sources.git.history import History
from comind.status.cascading import with_cascade
from comind.status.derive import derive_current
from comind.status.revisiting import with_dependencies
from comind.tables.compact import unfolded

if TYPE_CHECKING:
    from datetime import datetime

    from comind.index.exclusions import ExclusionRules
    from comind.query.past_cache import PastCache
    from comind.sources.git import GitRepository
    from comind.status.policy import Policy
    from comind.store.inbox import Inbox as StoreInbox
    from comind.tables.lake import Lake

__all__ = ["PastReader", "PastView"]

_IS_RECORD = pl.col("kind").is_in([str(kind) for kind in Kind])


@dataclass(frozen=True, slots=True, kw_only=True)
class PastView:
    """What a reader would have seen at a commit."""

    view: LedgerView
    repository: GitRepository  # its head is the commit
    records_later: int  # records about the repository that the log did not hold yet

    def find(self, repo_id: str) -> GitRepository | None:
        """Return the repository at the commit, in place of a checkout: an answer about the past is not behind its head."""
        return self.repository if repo_id == self.repository.repo_id else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PastReader:
    """Where the past is read from, and how a commit is indexed: as the runs index theirs."""

    lake: Lake
    inbox: StoreInbox
    cache: PastCache
    policy: Policy
    rules: ExclusionRules
    max_file_bytes: int
    workers: int

    def open(self, repository: GitRepository, *, now: datetime) -> PastView:
        """Return the ledger as of the head of a repository, which may be any commit.

        Args:
            repository: at the commit.
            now: the present; says which part of the inbox may not be folded.

        Raises:
            ObjectUnreadableError: a directory of the commit, or of its history, cannot be read.
            StoreUnreadableError: the store cannot be read.
        """
        new = unfolded(self.lake, self.inbox, now=now)
        entries = _entries(self.lake, repository, new.records, new.erased)
        moment = _moment(repository)
        log = log_as_of(entries, moment)
        code = self._code(repository)
        tables = {"ledger_records": log, "code_files": code.files, "symbols": code.symbols} | self._derived(log, code, repository, moment)
        tables |= {"repositories": _at_commit(self.lake, repository), "unreadable_objects": self.lake.read("unreadable_objects")}
        unreadable = {key: f"{code}: {detail}" for key, code, detail in new.unreadable.sort("object_key").iter_rows()}
        waiting = Inbox(unfolded=tuple(sorted(set(new.records["id"]) & set(log["id"]))), unreadable=unreadable)
        later = entries.filter(_IS_RECORD).height - log.filter(_IS_RECORD).height
        return PastView(view=LedgerView(tables=FrameTables(tables), inbox=waiting), repository=repository, records_later=later)

    def _code(self, repository: GitRepository) -> Code:
        parses, most = self.cache.parses(self.lake), self.max_file_bytes
        tree = index_tree(repository, repository.head, parses, rules=self.rules, workers=self.workers, max_file_bytes=most)
        return Code(
            symbols=_frame(tree.symbols(), "symbols"),
            files=_frame(tree.code_files, "code_files"),
            heads={repository.repo_id: repository.head},
            at_hand={repository.repo_id: repository},
            cache=parses,
        )

    def _derived(self, log: pl.DataFrame, code: Code, repository: GitRepository, moment: Moment) -> dict[str, pl.DataFrame]:
        anchors = _anchors(self.lake, log, code)
        place = f"{repository.repo_id} {repository.head} {self.rules} {self.max_file_bytes}"
        locations = self.cache.located(place, anchors, partial(locate_with_git, code=code))
        drift = classify_drift(anchors, locations, code.symbols)
        checks = reachable_again(self.lake.read("evidence_checks", where=among("record_id", log["id"])), log, repository, moment.history)
        current = derive_current(log, anchors, locations, drift, checks, policy=self.policy, as_of=repository.head_time)
        cascade = cascade_then(log, anchors, locations, drift, code)
        located = {"ledger_anchors": anchors, "anchor_locations": locations, "anchor_drift": drift, "drift_cascade": cascade}
        findings = findings_then(log, anchors, code)
        current = with_dependencies(with_cascade(current, cascade), findings)
        return located | {"dependency_findings": findings, "evidence_checks": checks, "ledger_current": current}


def _at_commit(lake: Lake, repository: GitRepository) -> pl.DataFrame:
    known = lake.read("repositories", where=equal("repo_id", repository.repo_id))
    return known.with_columns(ref=pl.lit(repository.head), head_commit=pl.lit(repository.head))


def _entries(lake: Lake, repository: GitRepository, new: pl.DataFrame, erased: frozenset[str]) -> pl.DataFrame:
    """Return every record that may be about the repository, folded or not, with the relations that bear on them."""
    unplaced = any_of(equal("scope", Scope.ORG), equal("scope", Scope.DEPENDENCY))
    about = lake.read("ledger_anchors", columns=["record_id"], where=any_of(equal("repo_id", repository.repo_id), unplaced))
    stored = lake.read("ledger_records", where=among("id", {*about["record_id"], *underived_records(lake)}))
    listed = pl.concat([new, stored]).unique("id", keep="first").filter(~pl.col("id").is_in(list(erased)))
    return connected_entries(lake, listed).filter(~pl.col("id").is_in(list(erased))).sort("id")


def _moment(repository: GitRepository) -> Moment:
    history = History(repository)
    return Moment(repo_id=repository.repo_id, time=repository.head_time, history=history.reachable(repository.head), holds=history.holds)


def _anchors(lake: Lake, log: pl.DataFrame, code: Code) -> pl.DataFrame:
    """Return the anchors of the log; the fingerprints of those that no run has read are read here."""
    stored = lake.read("ledger_anchors", where=among("record_id", log["id"]))
    fresh = log.join(stored.select(id="record_id").unique(), on="id", how="anti")
    read = definitions_at(anchored_files(fresh), code.at_hand.values(), code.cache)
    return pl.concat([stored, explode_anchors(fresh, read)]).sort("anchor_id")


def _frame(table: object, name: str) -> pl.DataFrame:
    frame = pl.from_arrow(table)  # type: ignore[arg-type]
    assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table never becomes a Series; this tells mypy
    return conform(frame, schema_of(name))
