"""What a decision is about: an entry of the log, what the ledger believes of it, what it waits for.

In: a view, ids as somebody types them. Out: `Target` values, and a problem for each id that names none. Writes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import orjson
import polars as pl

from comind.cli.anchoring import Anchoring
from comind.errors import UsageError
from comind.query.facts import relation_title
from comind.query.governing import anchors_with_places
from comind.query.show import complete_id
from comind.query.where import all_of, among, equal
from comind.records.problems import Problem
from comind.records.vocabulary import RelationKind
from comind.status.subjects import subject_identities
from comind.status.waiting import Waits, waiting_records

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.cli.context import Session
    from comind.query.view import LedgerView

__all__ = ["NoCommitError", "Target", "commit_read_against", "find_targets", "shares_subject"]


class NoCommitError(UsageError):
    """A record is about no commit that is known here."""

    def __init__(self) -> None:
        super().__init__("no commit of its repository is known here; say with --at which one you read it against")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One entry of the log, as a decision needs it."""

    text: str  # how it was named
    id: str
    kind: str
    title: str
    author_kind: str
    lamport: int
    repo_id: str | None  # where its subject is, else where it was written
    subject_id: str | None  # of a relation: the record that it is about
    successor_id: str | None  # of a supersession: the record that takes its place
    plain: dict[str, Any]  # the record as JSON
    waits: tuple[Waits, ...] = ()
    status: str | None = None
    status_reason: str | None = None

    @property
    def is_relation(self) -> bool:
        """Whether it is about other records."""
        return self.kind in set(RelationKind)

    @property
    def fields(self) -> dict[str, Any]:
        """What its kind says."""
        fields: dict[str, Any] = self.plain["fields"]
        return fields


def find_targets(view: LedgerView, texts: Sequence[str]) -> tuple[list[Target], list[Problem]]:
    """Find the entries whose ids begin with some texts, each once, in their order; and what is wrong with the others."""
    named: dict[str, str] = {}
    problems: list[Problem] = []
    for text in texts:
        try:
            named.setdefault(complete_id(view, text), text)
        except UsageError as error:
            problems.append(Problem(text[:60], "unclear", str(error)))
    written = {row["id"]: row for row in view.read("ledger_records", where=among("id", named)).iter_rows(named=True)}
    current = view.read("ledger_current", where=among("id", named))
    believed = {row["id"]: row for row in current.iter_rows(named=True)}
    waits = dict(waiting_records(current).select("id", "waits").iter_rows())
    return [_target(text, written[one], believed.get(one, {}), waits.get(one, ())) for one, text in named.items()], problems


def commit_read_against(session: Session, target: Target, at: str | None) -> str:
    """Return the commit whose code a person reads a record against: the one named, else the one that the index shows of it.

    Raises:
        NoCommitError: neither the index nor a checkout knows its repository.
        CommitNotFoundError, EvidenceTextError: the named one is not there, or cannot be completed here.
    """
    anchoring = Anchoring(session, repo=target.repo_id)
    if at:
        return anchoring.commit_of(at)
    subjects = anchors_with_places(session.view, equal("record_id", target.id)).filter(pl.col("role") == "subject")
    # What makes it stale comes first: to clear that, the code that changed has to be read.
    looked_at = subjects.sort(pl.col("drift") != "body", pl.col("now_path").is_null(), "position", nulls_last=True)["now_commit"]
    known = looked_at.drop_nulls().to_list()
    if known:
        return str(known[0])
    own_row = all_of(equal("repo_id", target.repo_id or ""), equal("path", ""))
    indexed = session.view.read("code_files", columns=["head_commit"], where=own_row)["head_commit"].drop_nulls().to_list()
    if indexed:
        return str(indexed[0])
    if anchoring.checkout is None:
        raise NoCommitError
    return anchoring.checkout.head


def shares_subject(view: LedgerView, old: Target, new: Target) -> bool:
    """Tell whether two records are about the same thing, as the fold of the log will."""
    both = among("record_id", [old.id, new.id])
    identities = subject_identities(view.read("ledger_anchors", where=both), view.read("anchor_locations", where=both))
    return not identities.filter(pl.col("id") == old.id).join(identities.filter(pl.col("id") == new.id), on="identity").is_empty()


def _target(text: str, written: dict[str, Any], current: dict[str, Any], waits: Sequence[str]) -> Target:
    plain = orjson.loads(written["record"])
    return Target(
        text=text,
        title=written["title"] or relation_title(written["kind"], plain["fields"]),
        plain=plain,
        repo_id=current.get("repo_id") or written["repo_id"],
        waits=tuple(map(Waits, waits)),
        status=current.get("status"),
        status_reason=current.get("status_reason"),
        **{name: written[name] for name in ("id", "kind", "author_kind", "lamport", "subject_id", "successor_id")},
    )
