"""Examples that a model is shown before the first question: invented code, two answers of each sort.

In: nothing. Out: what is asked and what is answered. The none-answers are there because a model that is asked for reasons finds some.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from comind.distill.contract import Distilled, Operation, Quote

__all__ = ["EXAMPLES", "Example"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One question and its answer."""

    known: tuple[str, ...] = ()
    touched: tuple[str, ...]
    evidence: tuple[str, ...]
    answer: Distilled


_OLD_PRICES: Final = "the worker that sets prices and the one that shows them run apart, so baskets were sold at yesterday's price"
_SQUARE: Final = "on a header without a closing quote it takes time in the square of its length"

EXAMPLES: Final = (
    Example(
        touched=("S1 Basket.total in shop/basket.py",),
        evidence=(
            "E1 (subject line): Round totals in one place",
            "E2: Basket.total and Invoice.total both rounded. Move it to money.py, and add tests.",
        ),
        answer=Distilled(verdict="none"),
    ),
    Example(
        touched=("S1 PriceCache in shop/prices.py", "S2 price_of in shop/prices.py"),
        evidence=(
            'E1 (subject line): Revert "Cache prices for a minute"',
            f"E2: During a sale {_OLD_PRICES}.",
            "E3 (what the undone change said of itself): Cache prices for a minute. Saves a query on each page.",
        ),
        answer=Distilled(
            verdict="record",
            ops=(
                Operation(
                    op="new",
                    kind="attempt",
                    title="A price cache of a minute sold baskets at the old price during sales",
                    body="Prices are set by one worker and shown by another, so a cache in the second does not see the change.",
                    trigger="Before caching prices, or reading them from anywhere but the database",
                    outcome="reverted",
                    anchors=("S1", "S2"),
                    evidence=(Quote(span="E2", quote=_OLD_PRICES),),
                ),
            ),
        ),
    ),
    Example(
        known=("K1 gotcha: Sessions outlive a fork of the worker (Before forking a worker)",),
        touched=("S1 Worker.start in jobs/worker.py",),
        evidence=(
            "E1 (subject line): Bump jobs to 2.4",
            "E2: This brings the new scheduler and drops support for old brokers. See the change log.",
        ),
        answer=Distilled(verdict="none"),
    ),
    Example(
        touched=("S1 parse_header in net/headers.py",),
        evidence=(
            "E1 (subject line): Keep the slow path of parse_header",
            f"E2: A regular expression would be shorter, but {_SQUARE}, which a stranger can send us.",
        ),
        answer=Distilled(
            verdict="record",
            ops=(
                Operation(
                    op="new",
                    kind="constraint",
                    title="Quoted values in headers are not parsed by a regular expression",
                    body="On a header without a closing quote it takes quadratic time, and strangers send headers.",
                    trigger="Before rewriting parse_header",
                    anchors=("S1",),
                    evidence=(Quote(span="E2", quote=_SQUARE),),
                ),
            ),
        ),
    ),
)
