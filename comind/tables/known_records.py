"""What is recorded already at the code that a source touched, so that a model says what is new and nothing twice.

In: the tables, a repository. Out: for places and a time, the records that stand there. Read once, however many sources are asked about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from comind.anchors.naming import names_of
from comind.distill.brief import MAX_KNOWN, KnownRecord
from comind.records.vocabulary import Kind, Scope
from comind.status.vocabulary import Status, Trust
from comind.tables.rows import in_list, quoted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.harvest.touched import Place
    from comind.tables.lake import Lake

__all__ = ["LakeKnownRecords"]

_KINDS: Final = [Kind.ATTEMPT, Kind.DECISION, Kind.CONSTRAINT, Kind.GOTCHA]
_GONE: Final = [Status.QUARANTINED, Status.RETRACTED, Status.SUPERSEDED]
_BACKED: Final = [Trust.CONFIRMED, Trust.ENFORCED]


class LakeKnownRecords:
    """The records of one repository, by the code that they are about."""

    def __init__(self, lake: Lake, repo_id: str) -> None:
        standing = lake.read("ledger_current", where=f"{in_list('kind', _KINDS)} AND NOT {in_list('status', _GONE)}")
        said = lake.read("ledger_records", columns=["id", "trigger"], where=in_list("kind", _KINDS))
        anchors = lake.read("ledger_anchors", where=f"repo_id = {quoted(repo_id)} AND role = 'subject'")
        now = lake.read("anchor_locations", columns=["anchor_id", "canonical_key", "path"], where=f"repo_id = {quoted(repo_id)}")
        places = anchors.join(now, on="anchor_id", how="left", suffix="_now")
        self._by_place = _index(places.join(standing.select(record_id="id"), on="record_id", how="semi"))
        self._records = {row["id"]: row for row in standing.join(said, on="id").iter_rows(named=True)}

    def __call__(self, places: Sequence[Place], *, before: int) -> tuple[KnownRecord, ...]:
        """Return the records at any of the places, the newest first, at most as many as a question has room for.

        Args:
            places: where the source made changes.
            before: time of the source, in seconds since 1970, UTC; what was recorded of later sources is not known to it.
        """
        found = {record_id for place in places for record_id in self._by_place.get(_name(place), ())}
        rows = [row for record_id in found if (row := self._records[record_id])["recorded_at"].timestamp() < before]
        newest = sorted(rows, key=lambda row: (row["recorded_at"], row["id"]), reverse=True)
        return tuple(_known(row) for row in newest[:MAX_KNOWN])


def _name(place: Place) -> str:
    names = names_of(place.symbol) if place.symbol else None
    return names.canonical_key if names else place.path


def _index(places: pl.DataFrame) -> dict[str, list[str]]:
    """Map what code is, and was, called to the records about it; a file's records are found under its path."""
    by_symbol = pl.col("scope") == Scope.SYMBOL
    named = pl.concat(
        [
            places.filter(by_symbol).select("record_id", name=column) for column in ("canonical_key", "canonical_key_now")
        ] + [places.filter(~by_symbol).select("record_id", name=column) for column in ("path", "path_now")]
    )  # fmt: skip
    grouped = named.drop_nulls().unique().group_by("name").agg("record_id")
    return dict(grouped.iter_rows())


def _known(row: dict[str, object]) -> KnownRecord:
    return KnownRecord(
        record_id=str(row["id"]), kind=Kind(str(row["kind"])), title=str(row["title"]), trigger=str(row["trigger"]),
        is_human_backed=row["trust"] in _BACKED,
    )  # fmt: skip
