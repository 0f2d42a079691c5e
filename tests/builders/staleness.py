"""Where anchors are and what happened to their code, for tables of `tests.builders.code_tables`."""

from __future__ import annotations

from comind.anchors.locate import locate_anchors
from comind.drift.classify import classify_drift
from tests.builders.code_tables import anchors, searched

__all__ = ["drift_of", "located", "location"]


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
