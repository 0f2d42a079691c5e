"""Where anchors are, what happened to their code and what the ledger believes, for tables of `tests.builders.code_tables`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import polars as pl

from comind.anchors.explode import explode_anchors
from comind.anchors.frames import conform, schema_of
from comind.anchors.locate import locate_anchors
from comind.drift.classify import classify_drift
from comind.status.derive import derive_current
from comind.status.policy import Policy
from tests.builders import records as build
from tests.builders.code_tables import anchors, code, definition, fingerprints, folded, searched

__all__ = ["CHECKED", "MACHINE", "SOON", "WRITTEN", "believed", "checks", "drift_of", "located", "location", "tables_of"]

CHECKED = definition("check_permission", path="authz/check.py", module="authz", line=40)  # what `tests.builders.records` anchors to
WRITTEN = datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)  # when its ids say that its records were written
SOON = WRITTEN + timedelta(days=1)
MACHINE = {"author_kind": "agent", "source": "mcp"}


def located(rows, now, *, renames=None, names=None, before=None, **limits):
    """The locations of some anchors, by anchor id."""
    names = searched() if names is None else names
    asked = {"renames": renames or {}, "names_present": names, "heads": now.heads, "before": before, **limits}
    return {row["anchor_id"]: row for row in locate_anchors(anchors(*rows), now.symbols, now.files, **asked).to_dicts()}


def location(anchor, now, **asked):
    """The location of one anchor."""
    (row,) = located([anchor], now, **asked).values()
    return row


def drift_of(anchor, now, **asked):
    """The drift of one anchor."""
    one, asked = anchors(anchor), {"renames": {}, "names_present": searched(), "heads": now.heads, **asked}
    (row,) = classify_drift(one, locate_anchors(one, now.symbols, now.files, **asked), now.symbols).to_dicts()
    return row


def checks(*rows):
    """Rows of `evidence_checks`: (record id, check, result)."""
    listed = [
        {"check_id": f"{record_id}#0 {check}", "record_id": record_id, "check": check, "result": result, "detail": f"{check} was {result}"}
        for record_id, check, result in rows
    ]
    return conform(pl.DataFrame(listed, schema=dict.fromkeys(schema_of("evidence_checks"), pl.String)), schema_of("evidence_checks"))


def tables_of(several, *, then=(CHECKED,), now=None, names=None, renames=None):
    """The tables that `derive_current` reads, for records over code as it was and as it is."""
    log = folded(*several)
    now = code(*then, repo=build.REPO) if now is None else now
    exploded = explode_anchors(log, fingerprints(*then, repo=build.REPO, commit=build.COMMIT))
    asked = {"renames": renames or {}, "names_present": searched() if names is None else names, "heads": now.heads}
    locations = locate_anchors(exploded, now.symbols, now.files, **asked)
    return log, exploded, locations, classify_drift(exploded, locations, now.symbols)


def believed(*several, checked=None, policy=None, as_of=SOON, **world):
    """What the ledger believes about some records, by id."""
    proven = checks() if checked is None else checked
    rows = derive_current(*tables_of(several, **world), proven, policy=policy or Policy(), as_of=as_of)
    return {row["id"]: row for row in rows.to_dicts()}
