"""Rows of tables as the parts of an answer: records, anchors, evidence, relations, and how to check them.

In: a view, record ids, rows. Out: the dataclasses of `comind.query.answer`.
Never chooses or orders records; texts of a record pass through as they are, and rendering makes them harmless.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, cast

import orjson
import polars as pl

from comind.query.answer import AnchorShown, CheckShown, EvidenceShown, PlaceNow, PlaceThen, RecordShown, RelationShown
from comind.query.where import among, any_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from comind.query.view import TableReader

__all__ = ["Row", "anchor_shown", "records_shown", "relation_title", "rfc3339", "verify_commands"]

Row = dict[str, Any]
_REASON_FIELDS = ("reason", "label", "at_commit")


def records_shown(tables: TableReader, ids: Iterable[str]) -> dict[str, RecordShown]:
    """Read everything about some records that can be read; an id that no table holds is left out."""
    wanted = among("id", ids)
    written = tables.read("ledger_records", where=wanted)
    current = {row["id"]: row for row in tables.read("ledger_current", where=wanted).iter_rows(named=True)}
    checks = tables.read("evidence_checks", where=among("record_id", written["id"]))
    ends = among("subject_id", written["id"]), among("successor_id", written["id"])
    about = among("record_id", written["id"])
    causes = [tables.read(name, columns=["record_id", "rule", "detail"], where=about) for name in ("drift_cascade", "dependency_findings")]
    cascade = pl.concat(causes).sort("detail")
    relations = tables.read("ledger_records", where=any_of(*ends)).sort("recorded_at", "id", descending=True)
    return {
        row["id"]: _record(row, current.get(row["id"], {}), checks.filter(record_id=row["id"]), _about(relations, row["id"]), cascade)
        for row in written.iter_rows(named=True)
    }


def anchor_shown(row: Row) -> AnchorShown:
    """Turn a row of `comind.query.governing.anchors_with_places` into an anchor of an answer."""
    then = PlaceThen(
        symbol=row["symbol"] or " ".join(filter(None, (row["package"], row["version_range"]))) or None,
        **{name: row[name] for name in ("repo_id", "path", "start_line", "end_line", "commit")},
    )
    return AnchorShown(scope=row["scope"], role=row["role"], then=then, now=_now(row) if row["now_matched_by"] else None)


def relation_title(kind: str, fields: Mapping[str, Any]) -> str:
    """Say a relation in a line, since it has no title of its own.

    >>> relation_title("retracts", {"id": "0193", "reason": "the cache is gone"})
    'retracts 0193: the cache is gone'
    """
    ends = [str(fields[name]) for name in ("id", "old", "a", "new", "b") if fields.get(name)]
    joined = {"supersedes": f"{ends[-1]} supersedes {ends[0]}", "relates": f"{ends[0]} relates to {ends[-1]}"}.get(
        kind, f"{kind} {ends[0]}"
    )
    reason = next((str(fields[name]) for name in _REASON_FIELDS if fields.get(name)), "")
    return f"{joined}: {reason}" if reason else joined


def rfc3339(moment: datetime) -> str:
    """Write a UTC time as text, to the second.

    >>> from datetime import UTC, datetime
    >>> rfc3339(datetime(2026, 11, 30, 8, 15, tzinfo=UTC))
    '2026-11-30T08:15:00Z'
    """
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def verify_commands(
    evidence: Iterable[EvidenceShown], commit: str | None, path: str | None, start_line: int | None, end_line: int | None
) -> tuple[str, ...]:
    """List commands that show the evidence of a claim and the code it is about, in the checkout of the repository."""
    commands = [f"git show {shlex.quote(f'{one.commit}:{one.path}') if one.path else one.commit}" for one in evidence if one.commit]
    if commit and path and start_line:
        commands.append(f"git show {shlex.quote(f'{commit}:{path}')} | sed -n {start_line},{end_line or start_line}p")
    return tuple(commands)


def _record(written: Row, current: Row, checks: pl.DataFrame, relations: pl.DataFrame, cascade: pl.DataFrame) -> RecordShown:
    record = cast("Row", orjson.loads(written["record"]))
    evidence = tuple(_evidence(one, checks, position) for position, one in enumerate(record.get("evidence", [])))
    confirmed, flags = current.get("confirmed_at"), current.get("flags", ())
    held = cascade.filter((pl.col("record_id") == written["id"]) & pl.col("rule").is_in(list(flags)))
    return RecordShown(
        **{name: written[name] for name in ("id", "kind", "author_kind", "source", "repo_id")},
        status=current.get("status"),
        status_reason=current.get("status_reason"),
        trust=current.get("trust"),
        trust_reason=current.get("trust_reason"),
        enforcement=current.get("enforcement"),
        title=written["title"] or relation_title(written["kind"], record["fields"]),
        trigger=written["trigger"] or "",
        body=written["body"] or "",
        fields=record["fields"],
        authority=record.get("authority", {}),
        status_from=current.get("where_from"),
        flags=tuple(flags),
        cascade=tuple(held["detail"]),
        recorded_at=rfc3339(written["recorded_at"]),
        confirmed_at=rfc3339(confirmed) if confirmed else None,
        evidence=evidence,
        relations=tuple(map(_relation, relations.iter_rows(named=True))),
        verify=verify_commands(evidence, *(current.get(name) for name in ("located_commit", "path", "start_line", "end_line"))),
    )


def _about(relations: pl.DataFrame, record_id: str) -> pl.DataFrame:
    return relations.filter((pl.col("subject_id") == record_id) | (pl.col("successor_id") == record_id))


def _evidence(one: Row, checks: pl.DataFrame, position: int) -> EvidenceShown:
    mine = checks.filter(pl.col("check_id").str.contains(f"#{position} ", literal=True)).sort("check_id")
    shown = tuple(CheckShown(check=row["check"], result=row["result"], detail=row["detail"]) for row in mine.iter_rows(named=True))
    return EvidenceShown(kind=one["kind"], checks=shown, **{name: one.get(name) for name in ("repo", "commit", "url", "path", "quote")})


def _relation(row: Row) -> RelationShown:
    fields = cast("Row", orjson.loads(row["record"]))["fields"]
    return RelationShown(
        id=row["id"],
        kind=row["kind"],
        subject_id=row["subject_id"],
        other_id=row["successor_id"],
        reason=next((str(fields[name]) for name in _REASON_FIELDS if fields.get(name)), None),
        author_kind=row["author_kind"],
        recorded_at=rfc3339(row["recorded_at"]),
    )


def _now(row: Row) -> PlaceNow:
    names = ("path", "qualified_name", "canonical_key", "start_line", "end_line", "commit", "matched_by", "level", "detail")
    return PlaceNow(
        **{name: row[f"now_{name}"] for name in names},
        candidates=tuple(row["now_candidates"] or ()),
        drift=row["drift"] or "unknown",
        drift_detail=row["drift_detail"] or "",
    )
