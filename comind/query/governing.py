"""Which records govern a piece of code, through which anchor, and in which order they are read.

In: a view and one subject. Out: one row per record: the nearest of its anchors with where it is now, and what the ledger believes.
Never answers from where an anchor once was when it is known to be somewhere else now.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import polars as pl

from comind.query.answer import Via
from comind.query.names import container_keys
from comind.query.where import all_of, among, any_of, below, equal, starts
from comind.records.vocabulary import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.query.answer import SubjectShown
    from comind.query.view import TableReader

__all__ = ["anchors_with_places", "count_records", "governing_anchors", "in_reading_order"]

# For somebody about to edit: what must hold, what failed, what surprises, what was chosen, what it is for, what nobody knows.
_KINDS = [Kind.CONSTRAINT, Kind.ATTEMPT, Kind.GOTCHA, Kind.DECISION, Kind.INTENT, Kind.QUESTION]
_ROLES = ["subject", "context", "evidence"]


def governing_anchors(tables: TableReader, subject: SubjectShown) -> pl.DataFrame:
    """Find every anchor through which a record governs a subject.

    Returns:
        One row per anchor, as `anchors_with_places` makes them, and ``via``.
    """
    anchors = _anchors(tables, located=_touches(subject, located=True), recorded=_touches(subject, located=False))
    return anchors.with_columns(via=_via(subject)).filter(pl.col("via").is_not_null())


def count_records(tables: TableReader, subjects: Sequence[SubjectShown]) -> list[int]:
    """Count the records anchored to each subject itself."""
    keys = {subject.canonical_key for subject in subjects if subject.canonical_key}
    paths = {subject.path for subject in subjects if subject.path and not subject.canonical_key}
    condition = any_of(among("canonical_key", keys), among("path", paths))
    anchors = _anchors(tables, located=condition, recorded=condition)
    return [anchors.filter(_via(subject) == str(Via.OWN))["record_id"].n_unique() for subject in subjects]


def anchors_with_places(tables: TableReader, where: str) -> pl.DataFrame:
    """Read anchors with where they are now and what happened to the code under them.

    Returns:
        The columns of ``ledger_anchors``; those of ``anchor_locations`` as ``now_…``; ``drift`` and ``drift_detail``;
        and ``place_repo``, ``place_path``, ``place_key``: now where that is known, else as recorded.
    """
    anchors = tables.read("ledger_anchors", where=where)
    ids = among("anchor_id", anchors["anchor_id"])
    places = (
        tables.read("anchor_locations", where=ids).drop("record_id").rename(lambda name: name if name == "anchor_id" else f"now_{name}")
    )
    drift = tables.read("anchor_drift", columns=["anchor_id", "drift", "detail"], where=ids).rename({"detail": "drift_detail"})
    joined = anchors.join(places, on="anchor_id", how="left").join(drift, on="anchor_id", how="left")
    # An anchor that was located in a file has left the name it had, even when the symbol there is unknown.
    elsewhere = pl.col("now_path").is_not_null()
    return joined.with_columns(
        place_repo=pl.coalesce("now_repo_id", "repo_id"),
        place_path=pl.coalesce("now_path", "path"),
        place_key=pl.when(elsewhere).then("now_canonical_key").otherwise("canonical_key"),
    )


def in_reading_order(governing: pl.DataFrame, current: pl.DataFrame) -> pl.DataFrame:
    """Keep the nearest anchor of each record and sort records for a reader.

    Args:
        governing: rows of `governing_anchors`.
        current: the rows of ``ledger_current`` for these records.

    Returns:
        One row per record with the columns of both and ``more_anchors``: active before others, then trust, kind, nearness, newest first.
    """
    nearness = [pl.col("via").cast(pl.Enum([str(via) for via in Via])), pl.col("role").cast(pl.Enum(_ROLES)), pl.col("position")]
    nearest = (
        governing.sort("record_id", *nearness)
        .group_by("record_id", maintain_order=True)
        .agg(pl.all().first())
        .join(governing.group_by("record_id").agg(more_anchors=pl.len() - 1), on="record_id")
    )
    believed = current.select("id", "kind", "status", "trust", "recorded_at").rename({"id": "record_id"})
    return (
        nearest.join(believed, on="record_id")
        .sort(
            pl.col("status") != "active",
            pl.col("trust"),
            pl.col("kind").cast(pl.Enum([str(kind) for kind in _KINDS])),
            *nearness[:2],
            pl.col("recorded_at"),
            pl.col("record_id"),
            descending=[False, True, False, False, False, True, True],
        )
    )  # fmt: skip


def _anchors(tables: TableReader, *, located: str, recorded: str) -> pl.DataFrame:
    by_place = tables.read("anchor_locations", columns=["anchor_id"], where=located)
    by_record = tables.read("ledger_anchors", columns=["anchor_id"], where=recorded)
    return anchors_with_places(tables, among("anchor_id", [*by_place["anchor_id"], *by_record["anchor_id"]]))


def _touches(subject: SubjectShown, *, located: bool) -> str:
    """Select a superset of the anchors that can govern a subject; `_via` decides."""
    repo, path, key = subject.repo_id or "", subject.path or "", subject.canonical_key
    in_repo = equal("repo_id", repo)
    conditions = [all_of(in_repo, among("path", [path, *_folders(path)]))]
    if key:
        conditions += [among("canonical_key", container_keys(key)), starts("canonical_key", key)]
    elif subject.kind in {"directory", "repository"}:
        conditions += [all_of(in_repo, below("path", path))]
    if not located:
        conditions += [equal("scope", "org"), all_of(in_repo, equal("scope", "repo"))]
    return any_of(*conditions)


def _folders(path: str) -> list[str]:
    return [str(folder) for folder in PurePosixPath(path).parents if str(folder) != "."]


def _via(subject: SubjectShown) -> pl.Expr:
    path, key = subject.path or "", subject.canonical_key or ""
    symbol = pl.col("scope") == "symbol"
    at_path = pl.col("path" if subject.kind == "gone" else "place_path") == path  # who asks for a file of old means what was in it
    in_repo = pl.col("place_repo") == (subject.repo_id or "")
    is_place = subject.kind in {"file", "directory", "repository", "gone"} and not key
    inside = pl.col("place_path").str.starts_with(f"{path}/" if path else "")
    rules: list[tuple[Via, pl.Expr]] = [
        (Via.OWN, symbol & (pl.col("place_key") == key) if key else pl.col("scope").is_in(["file", "module"]) & at_path & in_repo),
        (Via.OWN, (pl.col("scope") == "repo") & in_repo & (subject.kind == "repository")),
        (Via.CONTAINER, symbol & pl.col("place_key").is_in(list(container_keys(key)) if key else [])),
        (Via.FILE, (pl.col("scope") == "file") & at_path & in_repo & (not is_place)),
        (Via.MODULE, (pl.col("scope") == "module") & pl.col("place_path").is_in(_folders(path)) & in_repo),
        (Via.REPO, (pl.col("scope") == "repo") & in_repo),
        (Via.ORG, pl.col("scope") == "org"),
        (Via.INSIDE, symbol & pl.col("place_key").str.starts_with(key) & bool(key)),
        (Via.INSIDE, symbol & at_path & in_repo & is_place),
        (Via.INSIDE, inside & in_repo & (subject.kind in {"directory", "repository"})),
    ]
    # The first rule that holds; every operand is a boolean column or a plain bool that switches a rule on.
    return pl.coalesce([pl.when(rule).then(pl.lit(str(via))) for via, rule in rules])
