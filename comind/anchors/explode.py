"""Take the anchors out of the records and give each the fingerprints of the code it was anchored to.

In: rows of `ledger_records`; definitions at the anchored commits, which the caller read. Out: rows of `ledger_anchors`.
Never reads a repository: `anchored_files` says what has to be read, and what could not be is a `problem` in words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl
from pydantic import BaseModel, ConfigDict, TypeAdapter

from comind.anchors.frames import FINGERPRINTS, HASHES, conform, schema_of
from comind.anchors.naming import names_of
from comind.index.names import sid_of
from comind.records.parts import Anchor
from comind.records.vocabulary import Kind, Scope

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["anchored_files", "explode_anchors", "list_anchors"]

_FILE = ("repo_id", "commit", "path")
_CODE = ("start_line", "end_line", *HASHES, "n_tokens", "fingerprint_version", "grammar_probe")
_NAMED = ("sid", "ordinal", "name", "qualified_name")
_KINDS = [str(kind) for kind in Kind]


class _Anchored(BaseModel):
    """The anchors of a record, and nothing else of it: a row of the log was read whole when it was folded."""

    model_config = ConfigDict(strict=True)

    anchors: tuple[Anchor, ...] = ()


_ANCHORED = TypeAdapter(_Anchored)


def list_anchors(records: pl.DataFrame) -> pl.DataFrame:
    """Return one row per anchor, as the records state it: no row has looked at any code yet.

    Args:
        records: `ledger_records`; only ``id``, ``kind`` and ``record`` are read. Relations have no anchors.

    Returns:
        `ledger_anchors`, by ``anchor_id``; hashes only where a record carries its own.
    """
    reasons = records.filter(pl.col("kind").is_in(_KINDS)).select("id", "record")
    rows = [row for record_id, text in reasons.iter_rows() for row in _rows(record_id, text)]
    return pl.DataFrame(rows, schema=schema_of("ledger_anchors"), orient="row").sort("anchor_id")


def anchored_files(records: pl.DataFrame) -> pl.DataFrame:
    """Return the distinct ``(repo_id, commit, path)`` whose definitions `explode_anchors` wants to see."""
    return _with_code(list_anchors(records)).select(_FILE).unique().sort(_FILE)


def explode_anchors(records: pl.DataFrame, fingerprints: pl.DataFrame) -> pl.DataFrame:
    """Return one row per anchor of the records, with the fingerprints of the code it was anchored to.

    Where an anchor's code could not be read, ``problem`` says why, and the hashes are the record's own if it carries any.
    Of several definitions under one key, the one that starts nearest to the recorded line is the anchored one.

    Args:
        records: `ledger_records`.
        fingerprints: `FINGERPRINTS` of the files that `anchored_files` names, every definition of each.

    Returns:
        `ledger_anchors`, by ``anchor_id``; whatever the order of the rows that came in.
    """
    listed = list_anchors(records)
    wanted = _with_code(listed).select("anchor_id", *_FILE, "canonical_key", recorded_line="start_line")
    code = conform(fingerprints, FINGERPRINTS)
    exact = _nearest(wanted, code)
    problems = _problems(wanted.join(exact, on="anchor_id", how="anti"), code)
    told = listed.join(exact, on="anchor_id", how="left", suffix="_read").join(problems, on="anchor_id", how="left", suffix="_told")
    read = pl.col("fingerprint_version_read").is_not_null()
    filled = told.with_columns(
        *(pl.when(read).then(pl.col(f"{name}_read")).otherwise(pl.col(name)).alias(name) for name in (*_CODE, *_NAMED)),
        n_twins=pl.col("n_twins_read"),
        problem=pl.coalesce("problem", "problem_told"),
    )
    return conform(filled, schema_of("ledger_anchors")).sort("anchor_id")


def _rows(record_id: str, text: str) -> Iterator[dict[str, object]]:
    for position, anchor in enumerate(_ANCHORED.validate_json(text).anchors):
        row: dict[str, object] = {
            "anchor_id": f"{record_id}#{position}", "record_id": record_id, "position": position, "role": anchor.role,
            "scope": anchor.scope, "repo_id": anchor.repo, "path": anchor.path, "symbol": anchor.symbol, "commit": anchor.commit,
            "package": anchor.package, "version_range": anchor.version_range, "start_line": anchor.start_line, "end_line": anchor.end_line,
        }  # fmt: skip
        yield row | _names(anchor) | _own_fingerprints(anchor)


def _names(anchor: Anchor) -> dict[str, object]:
    if anchor.scope != Scope.SYMBOL:
        return {}
    names = names_of(anchor.symbol or "")
    if names is None:
        return {"problem": "the anchor names no symbol that can be looked up"}
    key = names.canonical_key
    return {"canonical_key": key, "sid": sid_of(key), "name": names.name, "qualified_name": names.qualified_name}


def _own_fingerprints(anchor: Anchor) -> dict[str, object]:
    """Return the hashes that the record carries for when its commit is gone."""
    own = anchor.fingerprints
    if own is None:
        return {}
    hashes = {"sig_hash": own.sig_hash, "body_hash": own.body_hash, "shape_hash": own.shape_hash}
    stamps = {"fingerprint_version": own.fingerprint_version, "grammar_probe": own.grammar_probe}
    return stamps | {name: bytes.fromhex(digits) if digits else None for name, digits in hashes.items()}


def _with_code(anchors: pl.DataFrame) -> pl.DataFrame:
    complete = pl.all_horizontal(pl.col(*_FILE, "canonical_key").is_not_null())
    return anchors.filter((pl.col("scope") == Scope.SYMBOL) & complete)


def _nearest(wanted: pl.DataFrame, code: pl.DataFrame) -> pl.DataFrame:
    """Return one definition per anchor: of those under its key in its file, the one that starts nearest to the recorded line."""
    body = pl.col("body_hash").is_not_null()
    twins = pl.when(body).then(pl.len().over(*_FILE, "body_hash", "fingerprint_version", "grammar_probe") - 1)
    once = code.filter(pl.col("canonical_key").is_not_null()).unique([*_FILE, "canonical_key", "ordinal"])
    definitions = once.with_columns(n_twins=twins)
    return (
        wanted.join(definitions, on=[*_FILE, "canonical_key"])
        .with_columns(distance=(pl.col("start_line") - pl.col("recorded_line")).abs())
        .sort("anchor_id", "distance", "ordinal")
        .unique("anchor_id", keep="first", maintain_order=True)
        .select("anchor_id", *_NAMED, *_CODE, "n_twins")
    )


def _problems(unread: pl.DataFrame, code: pl.DataFrame) -> pl.DataFrame:
    """Return, per anchor whose code was not found, why: its file was not read, had no parse, or has no such definition."""
    files = code.group_by(_FILE).agg(file_problem=pl.col("problem").drop_nulls().sort().first())
    where = pl.format("{} at {}", "path", pl.col("commit").str.head(12))
    read = unread.join(files.with_columns(was_read=True), on=_FILE, how="left")
    return read.select(
        "anchor_id",
        problem=pl.when(pl.col("was_read").is_null())
        .then(pl.format("{} was not read", where))
        .when(pl.col("file_problem").is_not_null())
        .then(pl.format("{}: {}", where, "file_problem"))
        .otherwise(pl.format("{} has no definition of {}", where, "canonical_key")),
    )
