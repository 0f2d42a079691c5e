"""The records that a proposal may repeat: those at its places, whoever wrote them, and those that somebody took back.

In: the tables, proposals. Out: `StandingReason`s. Reads the anchors of the named code alone, not the ledger.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from comind.anchors.naming import names_of
from comind.distill.duplicates import StandingReason, quotes_of, said_in
from comind.distill.proposals import place_key
from comind.records.codec import decode
from comind.records.record import Reason
from comind.records.vocabulary import AuthorKind, Kind, Scope
from comind.status.vocabulary import Status
from comind.tables.rows import in_list

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.distill.checks import Proposal
    from comind.records.record import AnyRecord
    from comind.tables.lake import Lake

__all__ = ["standing_reasons"]

_ID: Final = 36  # characters of the retraction, at the end of where a status comes from
_KINDS: Final = [Kind.ATTEMPT, Kind.DECISION, Kind.CONSTRAINT, Kind.GOTCHA]


def standing_reasons(lake: Lake, proposals: Sequence[Proposal]) -> Iterator[StandingReason]:
    """Yield the records at the places of some proposals, under what these are called now and what they were called then."""
    keys = sorted({place_key(place) for one in proposals for place in one.places})
    places = pl.concat([_places(lake, keys), _without_anchors(lake, keys)])
    ids = in_list("id", places["record_id"].unique().sort())
    records = lake.read("ledger_records", columns=["id", "kind", "title", "body", "record"], where=ids)
    rejected = _rejected(lake, ids)
    at = dict(places.group_by("record_id").agg("place").iter_rows())
    for row in records.filter(pl.col("kind").is_in(_KINDS)).sort("id").iter_rows(named=True):
        record = decode(row["record"].encode())
        yield StandingReason(
            record_id=row["id"], kind=row["kind"], places=frozenset(at[row["id"]]), sources=frozenset(_sources(record)),
            text=said_in(row["title"] or "", row["body"] or ""), quotes=quotes_of(one.quote for one in record.evidence if one.quote),
            is_rejected=row["id"] in rejected,
        )  # fmt: skip


def _rejected(lake: Lake, ids: str) -> set[str]:
    """Return those of some records that a person took back; what a machine took back may come again, and is still said already."""
    told = lake.read("ledger_current", columns=["id", "where_from"], where=f"{ids} AND status = '{Status.RETRACTED}'")
    retracted = told.select("id", by=pl.col("where_from").str.tail(_ID))
    by = lake.read("ledger_records", columns=["id", "author_kind"], where=in_list("id", retracted["by"]))
    people = by.filter(pl.col("author_kind") == AuthorKind.HUMAN)["id"]
    return set(retracted.filter(pl.col("by").is_in(people.to_list()))["id"])


def _places(lake: Lake, keys: Sequence[str]) -> pl.DataFrame:
    """Return ``record_id, place``: one row per name that a record's anchor has, or has now, among those asked for."""
    named = f"{in_list('canonical_key', keys)} OR {in_list('path', keys)}"
    recorded = lake.read("ledger_anchors", columns=["record_id", "scope", "canonical_key", "path"], where=named)
    symbols = recorded.filter(pl.col("scope") == Scope.SYMBOL).select("record_id", place="canonical_key")
    files = recorded.filter(pl.col("scope") != Scope.SYMBOL).select("record_id", place="path")
    now = lake.read("anchor_locations", columns=["record_id", "canonical_key"], where=in_list("canonical_key", keys))
    found = pl.concat([symbols, files, now.select("record_id", place="canonical_key")])
    return found.filter(pl.col("place").is_in(list(keys))).unique()


def _without_anchors(lake: Lake, keys: Sequence[str]) -> pl.DataFrame:
    """Return ``record_id, place`` of records that were folded, and whose anchors nothing was derived of yet."""
    folded = lake.read("ledger_records", columns=["id"], where=in_list("kind", _KINDS))
    anchored = lake.read("ledger_anchors", columns=["record_id"]).unique()
    new = folded.join(anchored, left_on="id", right_on="record_id", how="anti")["id"]
    records = lake.read("ledger_records", columns=["id", "record"], where=in_list("id", new)) if new.len() else pl.DataFrame()
    found = [(record_id, name) for record_id, text in records.iter_rows() for name in _named(decode(text.encode())) if name in keys]
    return pl.DataFrame(found, schema={"record_id": pl.String, "place": pl.String}, orient="row").unique()


def _named(record: AnyRecord) -> Iterator[str]:
    for anchor in record.anchors if isinstance(record, Reason) else ():
        names = names_of(anchor.symbol) if anchor.symbol else None
        if name := names.canonical_key if names else anchor.path:
            yield name


def _sources(record: AnyRecord) -> Iterator[str]:
    for one in record.evidence:
        yield from (value for value in (one.commit, one.url) if value)
