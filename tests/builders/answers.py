"""Answers of a model about the briefs of `tests.builders.briefs`."""

from __future__ import annotations

from comind.distill.contract import Distilled
from tests.builders.briefs import REASON

QUOTE = "the worker that sets prices and the one that shows them run apart"


def operation(**changes):
    """Return one operation that passes every check on a plain brief, as plain JSON."""
    return {
        "op": "new", "kind": "attempt", "title": "Baskets were sold at an old price while the workers run apart",
        "body": "The worker that shows prices does not see what the other sets.", "trigger": "Before caching prices",
        "outcome": "failed", "anchors": ["S1"], "evidence": [{"span": "E2", "quote": QUOTE}],
    } | changes  # fmt: skip


def answer(*operations):
    """Return a whole answer."""
    return Distilled.model_validate({"verdict": "record", "ops": list(operations) or [operation()]})


assert QUOTE in REASON
