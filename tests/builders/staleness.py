"""Where anchors are, for tables of `tests.builders.code_tables`."""

from __future__ import annotations

from comind.anchors.locate import locate_anchors
from tests.builders.code_tables import anchors, searched

__all__ = ["located", "location"]


def located(rows, now, *, renames=None, names=None, before=None, **limits):
    """The locations of some anchors, by anchor id."""
    names = searched() if names is None else names
    asked = {"renames": renames or {}, "names_present": names, "heads": now.heads, "before": before, **limits}
    return {row["anchor_id"]: row for row in locate_anchors(anchors(*rows), now.symbols, now.files, **asked).to_dicts()}


def location(anchor, now, **asked):
    """The location of one anchor."""
    (row,) = located([anchor], now, **asked).values()
    return row
