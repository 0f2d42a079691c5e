"""What a reader sees now: the tables, and over them what is in the inbox but not in the tables yet.

In: something that reads tables, and layers of rows that stand in for theirs. Out: frames, filtered.
Never derives anything; `comind.query.pending` makes the layers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import polars as pl

from comind.schemas import TABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["FrameTables", "Inbox", "Layer", "LedgerView", "TableReader"]

_OWNER = {"ledger_records": "id", "ledger_current": "id"}  # elsewhere the record is named by record_id


class TableReader(Protocol):
    """Reads one table; a table that was never written is an empty one."""

    def read(self, name: str, *, columns: Sequence[str] | None = None, where: str | None = None) -> pl.DataFrame:
        """Return the rows of a table for which a condition holds."""
        ...

    def count(self, name: str, where: str | None = None) -> int:
        """Return how many rows those are."""
        ...

    def first(self, name: str, most: int, *, columns: Sequence[str], where: str) -> pl.DataFrame:
        """Return so many of them at most, as they come."""
        ...


@dataclass(frozen=True, slots=True)
class FrameTables:
    """Tables that are frames in memory."""

    frames: Mapping[str, pl.DataFrame]

    def read(self, name: str, *, columns: Sequence[str] | None = None, where: str | None = None) -> pl.DataFrame:
        """Return the rows of a table for which a condition holds."""
        frame = self.frames.get(name)
        if frame is None:
            frame = empty_frame(name)
        chosen = frame.filter(pl.sql_expr(where)) if where else frame
        return chosen.select(columns) if columns else chosen

    def count(self, name: str, where: str | None = None) -> int:
        """Return how many rows those are."""
        return self.read(name, where=where).height

    def first(self, name: str, most: int, *, columns: Sequence[str], where: str) -> pl.DataFrame:
        """Return so many of them at most, as they come."""
        return self.read(name, columns=columns, where=where).head(most)


@dataclass(frozen=True, slots=True)
class Layer:
    """Every row that some records have in one table, in place of those that the table holds."""

    owners: frozenset[str]  # record ids
    rows: pl.DataFrame


@dataclass(frozen=True, slots=True, kw_only=True)
class Inbox:
    """What was learned from the inbox while the view was opened."""

    unfolded: tuple[str, ...] = ()  # ids of records that no table holds yet
    unreadable: Mapping[str, str] = field(default_factory=dict)  # object key -> why it cannot be trusted
    complete: bool = True  # false: part of it could not be listed, so there may be more


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerView:
    """Tables with layers over them; reads like a table reader."""

    tables: TableReader
    layers: Mapping[str, Layer] = field(default_factory=dict)
    inbox: Inbox = Inbox()

    def read(self, name: str, *, columns: Sequence[str] | None = None, where: str | None = None) -> pl.DataFrame:
        """Return the rows of a table for which a condition holds, layers included."""
        layer = self.layers.get(name)
        if layer is None:
            return self.tables.read(name, columns=columns, where=where)
        owner = _OWNER.get(name, "record_id")
        wanted = list(columns) if columns else TABLES[name].schema.names
        stored = self.tables.read(name, columns=sorted({*wanted, owner}), where=where)
        kept = stored.filter(~pl.col(owner).is_in(list(layer.owners))).select(wanted)
        fresh = FrameTables({name: layer.rows}).read(name, columns=wanted, where=where)
        return pl.concat([kept, fresh.cast(kept.schema)])

    def count(self, name: str, where: str | None = None) -> int:
        """Return how many rows those are."""
        return self.read(name, where=where).height if name in self.layers else self.tables.count(name, where)

    def first(self, name: str, most: int, *, columns: Sequence[str], where: str) -> pl.DataFrame:
        """Return so many of them at most, as they come."""
        if name in self.layers:
            return self.read(name, columns=columns, where=where).head(most)
        return self.tables.first(name, most, columns=columns, where=where)


def empty_frame(name: str) -> pl.DataFrame:
    """Return a table of ours without rows."""
    frame = pl.from_arrow(TABLES[name].schema.empty_table())
    assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table never becomes a Series; this tells mypy
    return frame
