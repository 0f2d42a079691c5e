"""Which records fell asleep: nobody wrote or confirmed them for long, and no machine has proven their evidence.

In: when a record was written and confirmed, whether its evidence is proven, a moment. Out: whether it is dormant.
The moment is an argument; nothing here reads a clock. A dormant record is still found, it is no longer shown unasked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

if TYPE_CHECKING:
    from datetime import datetime, timedelta

__all__ = ["with_decay"]


def with_decay(reasons: pl.DataFrame, *, as_of: datetime, dormant_after: timedelta) -> pl.DataFrame:
    """Add ``last_sign`` (UTC, when it was last written or confirmed) and ``is_dormant``.

    Args:
        reasons: records with ``recorded_at``, ``confirmed_at``, ``evidence_proven``.
        as_of: the moment that is asked about, with a time zone.
        dormant_after: how long a record stays awake.
    """
    last_sign = pl.max_horizontal("recorded_at", "confirmed_at")
    long_ago = pl.lit(as_of) - pl.col("last_sign") > dormant_after
    return reasons.with_columns(last_sign=last_sign).with_columns(is_dormant=long_ago & ~pl.col("evidence_proven"))
