"""Briefs about invented code."""

from __future__ import annotations

from comind.distill.brief import Brief, Span, SpanRole
from comind.harvest.touched import Place
from comind.records.vocabulary import Role, Scope, Source

REASON = "During a sale the worker that sets prices and the one that shows them run apart, so baskets were sold at an old price."


def brief(number=0, *, reason=REASON, subject="Revert the price cache", known=(), **changes):
    """Return a brief of a commit that took a price cache back."""
    commit = f"{number:040x}"
    place = Place(
        scope=Scope.SYMBOL, role=Role.SUBJECT, commit=commit, path="shop/prices.py", name="price_of",
        symbol="comind pypi shop . `shop.prices`/price_of().", start_line=3, end_line=9,
    )  # fmt: skip
    spans = (Span(SpanRole.SUBJECT, f"{subject} {number}" if number else subject), Span(SpanRole.PARAGRAPH, reason))
    made = {
        "source": Source.GIT, "source_id": commit, "repo_id": "example.com/shop", "commit": commit, "time": 1_700_000_000 + number,
        "spans": spans, "places": (place,), "known": tuple(known),
    }  # fmt: skip
    return Brief(**(made | changes))
