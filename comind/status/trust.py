"""How far each record is believed, and why: the tiers T0 to T3 as an ordered table.

In: records, what was proven of their evidence, who confirmed them, the policy. Out: trust, its reason, what the record may enforce.
Trust is earned mechanically or given by a person; it is never stored in a record, and no text of a record raises it. T4 (a compiled
check that passes on the code of now) has no row until checks are compiled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.cases import ALWAYS, Case, decide, words
from comind.records.authority import enforcement
from comind.records.codec import decode
from comind.records.vocabulary import AuthorKind, Kind
from comind.status.vocabulary import Trust

if TYPE_CHECKING:
    from comind.status.policy import Policy

__all__ = ["IS_QUARANTINED", "TRUST_TABLE", "judge_trust", "sum_up_checks", "with_enforcement"]

INVERSE, ON_REF = "revert_is_inverse", "on_indexed_ref"


def sum_up_checks(checks: pl.DataFrame) -> pl.DataFrame:
    """Return one row per checked record: ``id``, and the first check of each sort that decided something.

    ``inverse`` is the result of the strongest check, that a revert undoes what it says; ``proven_…`` and ``refuted_…`` name one check each.
    """
    ordered = checks.sort("check_id").with_columns(is_inverse=pl.col("check") == INVERSE)
    by_result = {
        "refuted": ordered.filter(pl.col("is_inverse") & (pl.col("result") == "refuted")),
        "inverse": ordered.filter(pl.col("is_inverse") & (pl.col("result") == "proven")),
        "on_ref": ordered.filter((pl.col("check") == ON_REF) & (pl.col("result") == "proven")),
    }
    every = ordered.group_by(id="record_id").agg(has_inverse=pl.col("is_inverse").any())
    for word, rows in by_result.items():
        first = rows.unique("record_id", keep="first", maintain_order=True)
        every = every.join(first.select(id="record_id", **{f"{word}_check": "check_id", f"{word}_detail": "detail"}), on="id", how="left")
    return every


IS_QUARANTINED = pl.col("quarantine").is_not_null() | pl.col("refuted_check").is_not_null()
"""Whether a record is at T0; nothing that other records say about it can change that."""

# That a revert undoes its target proves an attempt of whoever wrote it; a rule or a gotcha that a model read into the revert it does not.
_READ_INTO_IT = (pl.col("author_kind") == AuthorKind.DISTILLED) & (pl.col("kind") != Kind.ATTEMPT)
_PROVEN_INVERSE = pl.col("inverse_check").is_not_null() & ~_READ_INTO_IT
# That a commit is on the indexed ref proves what a harvester read off it, unless a stronger check was tried and left it open.
_PROVEN_COMMIT = (pl.col("author_kind") == AuthorKind.HARVESTED) & pl.col("on_ref_check").is_not_null() & ~pl.col("has_inverse")


def _tier(trust: Trust, reason: str) -> dict[str, pl.Expr]:
    return {"trust": pl.lit(str(trust)), "trust_reason": words(reason)}


TRUST_TABLE: tuple[Case, ...] = (
    Case(pl.col("quarantine").is_not_null(), _tier(Trust.QUARANTINED, "it carries {quarantine}")),
    Case(pl.col("refuted_check").is_not_null(), _tier(Trust.QUARANTINED, "its evidence was refuted: {refuted_detail}")),
    Case(pl.col("person_confirmed_by").is_not_null(), _tier(Trust.CONFIRMED, "a person confirmed it at {person_confirmed_at:12}")),
    Case(pl.col("by_person"), _tier(Trust.CONFIRMED, "a person wrote it, and whoever can write to the store is trusted")),
    Case(_PROVEN_INVERSE, _tier(Trust.EVIDENCED, "its evidence is proven: {inverse_detail}")),
    Case(_PROVEN_COMMIT, _tier(Trust.EVIDENCED, "its evidence is proven: {on_ref_detail}")),
    Case(
        pl.col("author_kind") == AuthorKind.HUMAN,
        _tier(Trust.ASSERTED, "it says that a person wrote it (through {source}), which the policy does not take for granted"),
    ),
    Case(pl.col("author_kind") == AuthorKind.HARVESTED, _tier(Trust.ASSERTED, "it was harvested, and its evidence is not proven")),
    Case(ALWAYS, _tier(Trust.ASSERTED, "a machine wrote it ({author_kind}), and nothing proves its evidence")),
)
"""Trust by the first condition that holds, over the columns that `judge_trust` gathers."""


def judge_trust(reasons: pl.DataFrame) -> pl.DataFrame:
    """Add ``trust``, ``trust_reason`` and ``evidence_proven`` to records that carry the columns of `TRUST_TABLE`."""
    proven = (_PROVEN_INVERSE | _PROVEN_COMMIT).fill_null(value=False) & pl.col("refuted_check").is_null()
    return decide(reasons, TRUST_TABLE).with_columns(evidence_proven=proven)


def with_enforcement(reasons: pl.DataFrame, *, policy: Policy) -> pl.DataFrame:
    """Add ``enforcement``: what the authority of a record's ruling lets it do while it is active.

    `comind.records.authority.enforcement` decides. It depends on four columns alone, so one record of each sort is decoded.
    """
    sort = ["kind", "author_kind", "authority", "evidence_proven"]
    sorts = reasons.group_by(sort).agg(record=pl.col("record").first())
    classes = [
        enforcement(
            decode(record.encode()),
            evidence_validated=proven,
            trust_store_writers=policy.trust_store_writers,
            require_signatures=policy.require_signatures,
        )
        for record, proven in sorts.select("record", "evidence_proven").iter_rows()
    ]
    decided = sorts.drop("record").with_columns(enforcement=pl.Series(map(str, classes), dtype=pl.String))
    return reasons.join(decided, on=sort, how="left", nulls_equal=True)
