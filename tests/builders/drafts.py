"""Records that wait for a person, in a real ledger: drafts of a distiller, challenges, records whose code has changed.

``draft(ledger, 3)`` is what a distiller would write: its id hangs on its evidence, its quote stands in a commit.
"""

from __future__ import annotations

from comind.ids import derived_id
from comind.records.validate import build
from tests.builders.ledger import NAME

DISTILLED = {"author_kind": "distilled", "source": "git", "harvester": "distill/1", "source_time": "2026-11-14T22:13:20Z", "repo": NAME}
AGENT = {"author_kind": "agent", "source": "mcp", "repo": NAME}
METHODS = ("`shop.cart`/Cart#total().", "`shop.cart`/Cart#empty().", "`shop.cart`/checkout().")


def draft(ledger, number, **overrides):
    """One proposal of a distiller, about one of three definitions in turn."""
    commit = ledger.repository.head
    raw = {
        "schema": 1,
        "id": derived_id("distill", NAME, commit, str(number)),
        "lamport": 0,
        "kind": "attempt",
        "provenance": DISTILLED | {"source_time": f"2026-11-14T22:{number // 60:02}:{number % 60:02}Z"},
        "title": f"Caching totals served stale prices, try {number}",
        "trigger": "relevant when adding a cache to the cart",
        "body": f"Totals were cached for the length of a session (try {number}).",
        "anchors": [ledger.anchor(METHODS[number % len(METHODS)])],
        "evidence": [{"kind": "commit", "repo": NAME, "commit": commit, "quote": f"the cached total outlived the price change {number}"}],
        "fields": {"approach": f"Cache the totals of a cart, try {number}", "outcome": "reverted"},
    }
    return build(raw | overrides)


def drafts(ledger, count):
    return [draft(ledger, number) for number in range(count)]
