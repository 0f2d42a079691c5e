"""What a derivation needs of a record and `ledger_records` has no column for, read off its canonical JSON.

In: rows of `ledger_records`. Out: the same rows with a few columns more. Decodes only the few records that may have to be quarantined.

Canonical JSON makes the rest exact. It has no white space, and every quote within a text is written with a backslash before it, so
`,"override":` or `{"override":` can only be a key. No other part of a record has keys of these names (`comind.records.parts`).
"""

from __future__ import annotations

import polars as pl

from comind.records.codec import decode
from comind.records.quarantine import QUARANTINE_PATTERN, quarantine_reason

__all__ = ["with_relation_claims", "with_trust_claims"]


def with_trust_claims(reasons: pl.DataFrame) -> pl.DataFrame:
    """Add ``quarantine`` (the code of what keeps a record at T0) and ``authority`` (JSON text of the claims); null where there is none.

    Whoever can write to a store can leave out the checks of a writer, so the texts are judged again here.
    """
    suspects = reasons.filter(pl.col("record").str.contains(QUARANTINE_PATTERN)).select("id", "record")
    codes = [(record_id, quarantine_reason(decode(text.encode()))) for record_id, text in suspects.iter_rows()]
    judged = pl.DataFrame(codes, schema={"id": pl.String, "quarantine": pl.String}, orient="row")
    return reasons.join(judged, on="id", how="left").with_columns(authority=_first('"authority":{', r'[{,]"authority":(\{[^}]*\})'))


def with_relation_claims(relations: pl.DataFrame) -> pl.DataFrame:
    """Add ``override`` (of a supersession) and ``at_commit`` (of a confirmation)."""
    return relations.with_columns(
        override=pl.col("record").str.contains(r'[{,]"override":true[,}]'),
        at_commit=_first('"at_commit":"', r'[{,]"at_commit":"([0-9a-f]+)"'),
    )


def _first(hint: str, pattern: str) -> pl.Expr:
    """Return the group of the first match; the plain search for the hint spares most rows the pattern."""
    text = pl.col("record")
    return pl.when(text.str.contains(hint, literal=True)).then(text).str.extract(pattern)
