"""Sum up what is known of the subject anchors of each record: only they decide its status.

In: anchors, locations, drift. Out: one row per record. Context and evidence anchors are left to the cascade.
"""

from __future__ import annotations

import polars as pl

from comind.records.vocabulary import Role

__all__ = ["DRIFT_ORDER", "subject_identities", "sum_up_subjects"]

DRIFT_ORDER = ("deleted", "body", "ambiguous", "unknown", "signature", "moved", "unchanged")
"""Worst first: what a record shows of its subjects' drift is the worst of them."""

_DRIFT, _LEVEL = pl.Enum(DRIFT_ORDER), pl.Enum(["sure", "likely"])
_PLACE = ("repo_id", "path", "canonical_key", "qualified_name", "start_line", "end_line", "matched_by", "located_commit")
_EXAMPLE = {"anchor": "anchor_id", "name": "was_name", "since": "since", "detail": "drift_detail", "commit": "located_commit"}


def sum_up_subjects(anchors: pl.DataFrame, locations: pl.DataFrame, drift: pl.DataFrame) -> pl.DataFrame:
    """Return one row per record that has subject anchors.

    Columns: ``id``; how many subjects there are (``n_subjects``) and how many are deleted, ambiguous, not followed, only likely
    located, changed in their signature, or located and not comparable (``n_…``); the worst ``drift``; the place of the first subject
    that is located, `sure` before `likely`; ``anchor``, ``name``, ``since``, ``detail`` and ``commit`` of the first deleted subject
    (``deleted_…``) and of the first whose body changed (``changed_…``), and the first and last of the heads at which bodies changed.
    A changed body counts only where the location is sure: at a likely place it may be another symbol's.
    """
    subjects = _subjects(anchors, locations, drift)
    state, row = pl.col("drift"), pl.col("row")
    changed = (state == "body") & (pl.col("level") == "sure")
    counted = subjects.group_by("id").agg(
        n_subjects=pl.len(),
        n_deleted=(state == "deleted").sum(),
        n_ambiguous=(state == "ambiguous").sum(),
        n_unknown=(pl.col("matched_by") == "unknown").sum(),
        n_likely=(pl.col("level") == "likely").sum(),
        n_signature=(state == "signature").sum(),
        n_uncompared=((state == "unknown") & (pl.col("matched_by") != "unknown")).sum(),
        drift=state.min(),
        place=row.min(),
        deleted=pl.when(state == "deleted").then(row).min(),
        changed=pl.when(changed).then(row).min(),
        changed_first_commit=pl.when(changed).then("located_commit").min(),
        changed_last_commit=pl.when(changed).then("located_commit").max(),
    )
    examples = [
        subjects.select(pl.col(old).gather(counted[word]).alias(f"{word}_{new}") for new, old in _EXAMPLE.items())
        for word in ("deleted", "changed")
    ]
    place = subjects.select(pl.col(_PLACE).gather(counted["place"]))
    told = counted.drop("place", "deleted", "changed").with_columns(pl.col("drift").cast(pl.String))
    return pl.concat([told, place, *examples], how="horizontal")


def subject_identities(anchors: pl.DataFrame, locations: pl.DataFrame) -> pl.DataFrame:
    """Return ``(id, identity)``: what the subjects of each record are, as they were recorded and where they are now.

    Two records are about the same thing when they share an identity, so that a record anchored before a move and one anchored
    after it still meet.
    """
    now = locations.select("anchor_id", now_path="path", now_key="canonical_key")
    subjects = anchors.filter(pl.col("role") == Role.SUBJECT).join(now, on="anchor_id", how="left")
    was = _identity(pl.coalesce("canonical_key", "path", "package"))
    stands = _identity(pl.coalesce("now_key", "now_path", "canonical_key", "path", "package"))
    both = pl.concat([subjects.select(id="record_id", identity=was), subjects.select(id="record_id", identity=stands)])
    return both.unique()


def _identity(thing: pl.Expr) -> pl.Expr:
    return pl.concat_str(pl.col("scope"), pl.col("repo_id").fill_null(""), thing.fill_null(""), separator=" ")


def _subjects(anchors: pl.DataFrame, locations: pl.DataFrame, drift: pl.DataFrame) -> pl.DataFrame:
    """Return the subject anchors with their location and drift, located ones first; ``row`` counts them."""
    places = locations.drop("record_id", "sid", "ordinal", "candidates", "detail").rename({"commit": "located_commit"})
    mine = anchors.select(
        "anchor_id", "position", "role", id="record_id", was_name=pl.coalesce("qualified_name", "path", "package", "scope"), since="commit"
    )
    beside = _beside(_beside(mine, places), drift.select("anchor_id", "drift", drift_detail="detail"))
    # As an enumeration a word has a rank, and 200,000 of them compare and sort as integers.
    ranked = beside.filter(pl.col("role") == Role.SUBJECT).with_columns(
        pl.col("matched_by").fill_null("unknown"),
        pl.col("level").cast(_LEVEL, strict=False),
        drift=pl.col("drift").cast(_DRIFT, strict=False).fill_null("unknown"),
    )
    return ranked.sort(pl.col("level").to_physical().fill_null(len(_LEVEL.categories)), "position").with_row_index("row")


def _beside(left: pl.DataFrame, right: pl.DataFrame) -> pl.DataFrame:
    """Join on ``anchor_id``; tables that were made of one another have the same rows in the same order, and need no join."""
    if left["anchor_id"].equals(right["anchor_id"]):
        return pl.concat([left, right.drop("anchor_id")], how="horizontal")
    return left.join(right, on="anchor_id", how="left")
