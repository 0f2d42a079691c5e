"""Which records wait for a person, and for what: drafts, challenged records, records whose code has moved on.

In: `ledger_current`. Out: the rows that wait, newest first. Pure over the table; reads no log and no clock.

A *draft* is what nobody vouches for yet: a record at T1, whoever wrote it. A *challenge* is a relation that speaks against a record and
that no machine may carry out. *Stale* is a record whose code changed, went or has several places, or whose lockfiles left its range.
What was retired waits for nobody, and what is quarantined no decision can lift.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import polars as pl

from comind.status.vocabulary import Flag, Status, Trust

__all__ = ["RETIRED", "Waits", "is_draft", "waiting_records"]

RETIRED: Final = tuple(str(status) for status in (Status.QUARANTINED, Status.RETRACTED, Status.SUPERSEDED))


_ASSERTED: Final = pl.col("trust") == Trust.ASSERTED


class Waits(StrEnum):
    """What a record waits for; a record may wait for several things at once."""

    DRAFT = "draft"  # for somebody to accept or reject it
    CHALLENGE = "challenge"  # for somebody to say which side is right
    STALE = "stale"  # for somebody to read it against the code of now


_HOLDS: Final[dict[Waits, pl.Expr]] = {
    Waits.DRAFT: _ASSERTED,
    Waits.CHALLENGE: pl.col("flags").list.contains(str(Flag.CHALLENGED)),
    Waits.STALE: pl.col("status").is_in([str(Status.STALE), str(Status.ORPHANED)])
    | pl.col("flags").list.contains(str(Flag.AMBIGUOUS))
    | pl.col("flags").list.contains(str(Flag.RE_CHECK)),
}


def is_draft() -> pl.Expr:
    """Return whether a row with ``trust`` and ``status`` is a draft."""
    return _ASSERTED & ~pl.col("status").is_in(list(RETIRED))


def waiting_records(current: pl.DataFrame) -> pl.DataFrame:
    """Return the rows of `ledger_current` that wait for a person, newest first, with ``waits``: a list of `Waits`.

    Of the table it needs ``id``, ``recorded_at``, ``status``, ``trust`` and ``flags``.

    >>> from comind.anchors.frames import empty
    >>> waiting_records(empty("ledger_current")).is_empty()
    True
    """
    alive = current.filter(~pl.col("status").is_in(list(RETIRED)))
    words = [pl.when(holds.fill_null(value=False)).then(pl.lit(str(what))) for what, holds in _HOLDS.items()]
    told = alive.with_columns(waits=pl.concat_list(words).list.drop_nulls())
    return told.filter(pl.col("waits").list.len() > 0).sort("recorded_at", "id", descending=True)
