"""The view of a reader: the tables, and over them what was written since they were made.

In: the lake, the inbox, a policy, a moment. Out: `LedgerView`, whose layers hold what the pipeline would write for the new entries.
Three sorts of entries count as new: those in the inbox that are not folded, folded records that nothing is derived of yet, and
relations whose effect the derived tables do not show. The work grows with these, not with the ledger. Never writes anything.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

import polars as pl

from comind.anchors.explode import explode_anchors
from comind.anchors.frames import FINGERPRINTS, NAMES, conform, empty
from comind.anchors.head import heads_of
from comind.anchors.locate import locate_anchors
from comind.drift.classify import classify_drift
from comind.drift.dependencies import find_dependencies
from comind.query.view import Inbox, Layer, LedgerView
from comind.query.where import all_of, among, any_of, below, equal
from comind.records.vocabulary import Kind, RelationKind
from comind.status.cascading import with_cascade
from comind.status.derive import derive_current
from comind.status.policy import Policy
from comind.status.revisiting import with_dependencies
from comind.tables.compact import unfolded

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from comind.config import Settings
    from comind.query.view import TableReader
    from comind.store.inbox import Inbox as StoreInbox
    from comind.tables.lake import Lake

__all__ = ["connected_entries", "derive_layers", "open_view", "policy_of", "underived_records"]

_KINDS: Final = [str(kind) for kind in Kind]
_EFFECTIVE: Final = [str(kind) for kind in RelationKind if kind is not RelationKind.RELATES]  # the others change no status
_LAG: Final = timedelta(hours=24)  # between folding a relation and deriving what follows from it


def open_view(lake: Lake, inbox: StoreInbox, policy: Policy, *, now: datetime) -> LedgerView:
    """Return the ledger as a reader sees it now.

    Raises:
        StoreUnreadableError: the store cannot be read.
        NewerTableError, NewerStoreError: a newer version wrote it.
    """
    new = unfolded(lake, inbox, now=now)
    waiting = lake.read("ledger_records", where=among("id", [*underived_records(lake), *_underived_relations(lake, now=now)]))
    entries = pl.concat([new.records, waiting]).unique("id", keep="first").filter(~pl.col("id").is_in(list(new.erased)))
    seen = Inbox(
        unfolded=tuple(new.records["id"].sort()),
        unreadable={key: f"{code}: {detail}" for key, code, detail in new.unreadable.sort("object_key").iter_rows()},
    )
    layers = derive_layers(lake, entries, new.erased, policy=policy, as_of=now) if entries.height or new.erased else {}
    return LedgerView(tables=lake, layers=layers, inbox=seen)


def policy_of(settings: Settings) -> Policy:
    """Return what the settings say about whose word counts and for how long."""
    return Policy(
        dormant_after=timedelta(days=settings.dormant_after_days),
        trust_store_writers=settings.trust_store_writers,
        require_signatures=settings.require_signatures,
    )


def derive_layers(
    tables: TableReader, entries: pl.DataFrame, erased: Iterable[str], *, policy: Policy, as_of: datetime
) -> dict[str, Layer]:
    """Derive what the pipeline would write for some entries, and for the records that they speak of.

    Args:
        tables: what stands.
        entries: rows of ``ledger_records`` that the derived tables do not show yet.
        erased: ids of records that nobody is to see.
        policy: whose word counts, and how long a record stays awake.
        as_of: the moment that dormancy is counted to.
    """
    gone = frozenset(erased)
    reasons = entries.filter(pl.col("kind").is_in(_KINDS))
    records = connected_entries(tables, entries).filter(~pl.col("id").is_in(list(gone)))
    affected = frozenset(records.filter(pl.col("kind").is_in(_KINDS))["id"])  # a record far along the chain may come back to life
    anchors, locations, drift = _located(tables, reasons)
    known = among("record_id", set(records["id"]) - set(reasons["id"]))
    current = derive_current(
        records,
        pl.concat([anchors, tables.read("ledger_anchors", where=known)]),
        pl.concat([locations, tables.read("anchor_locations", where=known)]),
        pl.concat([drift, tables.read("anchor_drift", where=known)]),
        tables.read("evidence_checks", where=among("record_id", records["id"])),
        policy=policy,
        as_of=as_of,
    )
    current = with_cascade(current, tables.read("drift_cascade", where=among("record_id", current["id"])))
    findings = _compared(tables, reasons, anchors)
    standing = tables.read("dependency_findings", where=among("record_id", set(current["id"]) - set(reasons["id"])))
    current = with_dependencies(current, pl.concat([findings, standing]))
    new = frozenset(reasons["id"]) | gone
    return {
        "ledger_records": Layer(frozenset(entries["id"]) | gone, entries),
        "ledger_anchors": Layer(new, anchors),
        "anchor_locations": Layer(new, locations),
        "anchor_drift": Layer(new, drift),
        "dependency_findings": Layer(new, findings),
        "ledger_current": Layer(affected | gone, current),
    }


def _compared(tables: TableReader, reasons: pl.DataFrame, anchors: pl.DataFrame) -> pl.DataFrame:
    """Return what lockfiles say of new records that are about dependencies."""
    names = anchors["package"].drop_nulls()
    if names.is_empty():
        return empty("dependency_findings")
    named = among("ecosystem", {text.partition(" ")[0] for text in names})
    return find_dependencies(reasons, anchors, tables.read("dependencies", where=any_of(named, equal("path", ""))))


def underived_records(lake: Lake) -> list[str]:
    """List the records that are folded, and of which nothing is derived yet."""
    if lake.count("ledger_records", among("kind", _KINDS)) == lake.count("ledger_current"):
        return []
    written = lake.read("ledger_records", columns=["id"], where=among("kind", _KINDS))
    return written.join(lake.read("ledger_current", columns=["id"]), on="id", how="anti")["id"].to_list()


def _underived_relations(lake: Lake, *, now: datetime) -> list[str]:
    """Find recent relations that the record they are about does not show; one that is not seen to be shown counts as not shown."""
    relations = lake.read("ledger_records", columns=["id", "recorded_at", "subject_id"], where=among("kind", _EFFECTIVE))
    recent = relations.filter(pl.col("recorded_at") >= now - _LAG)
    about = lake.read("ledger_current", columns=["id", "where_from", "confirmed_at"], where=among("id", recent["subject_id"].drop_nulls()))
    told = recent.join(about, left_on="subject_id", right_on="id", how="left")
    shown = pl.col("where_from").str.ends_with(pl.col("id")) | (pl.col("confirmed_at") == pl.col("recorded_at"))
    return told.filter(~shown.fill_null(value=False))["id"].to_list()


def connected_entries(tables: TableReader, entries: pl.DataFrame) -> pl.DataFrame:
    """Return the entries with every record and relation that bears on them, however far along relations that is."""
    records, new = entries, _ends(entries)
    while new:
        reached = any_of(among("id", new), among("subject_id", new), among("successor_id", new))
        found = tables.read("ledger_records", where=all_of(reached, among("kind", [*_KINDS, *_EFFECTIVE])))
        found = found.join(records, on="id", how="anti")
        records = pl.concat([records, found])
        new = _ends(found)
    return records


def _ends(entries: pl.DataFrame) -> set[str]:
    effective = entries.filter(pl.col("kind").is_in([*_KINDS, *_EFFECTIVE]))
    return set(pl.concat([effective["id"], effective["subject_id"], effective["successor_id"]]).drop_nulls())


def _located(tables: TableReader, reasons: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return anchors, locations and drift of records, as far as the index alone shows them: git is not asked about renames here."""
    if not reasons.height:
        return empty("ledger_anchors"), empty("anchor_locations"), empty("anchor_drift")
    listed = explode_anchors(reasons, pl.DataFrame(schema=FINGERPRINTS))
    repositories = among("repo_id", listed["repo_id"].drop_nulls().unique())
    paths = listed["path"].drop_nulls().unique().to_list()
    files = tables.read(
        "code_files", where=all_of(repositories, any_of(among("path", ["", *paths]), *(below("path", path) for path in paths)))
    )
    keys = among("canonical_key", listed["canonical_key"].drop_nulls().unique())
    symbols = tables.read("symbols", where=any_of(all_of(repositories, among("path", paths)), keys, equal("path", "")))
    heads = heads_of(files)
    at_head = symbols.drop("head_commit").with_columns(commit=pl.col("repo_id").replace_strict(heads, default=None, return_dtype=pl.String))
    anchors = explode_anchors(reasons, conform(at_head.filter(pl.col("commit").is_not_null()), FINGERPRINTS))
    locations = locate_anchors(anchors, symbols, files, renames={}, names_present=pl.DataFrame(schema=NAMES), heads=heads)
    return anchors, locations, classify_drift(anchors, locations, symbols)
