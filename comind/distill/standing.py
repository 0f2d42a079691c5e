"""Where a quote stands: the source decides it, not the number that a model wrote beside the right words.

In: a brief and an operation. Out: the operation with the spans that its quotes stand in. Changes no word, and finds no quote that is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, get_args

from comind.distill.brief import SpanRole
from comind.distill.contract import Quote, SpanId
from comind.distill.grounds import in_source

if TYPE_CHECKING:
    from comind.distill.brief import Brief
    from comind.distill.contract import Operation

__all__ = ["in_their_spans"]

_LAST: Final = {SpanRole.UNDONE: 2, SpanRole.SUBJECT: 1}  # weak as evidence


def in_their_spans(brief: Brief, operation: Operation) -> Operation:
    """Return an operation whose quotes name the spans that they stand in; what stands nowhere, or names no span, stays as it is."""
    return operation.model_copy(update={"evidence": tuple(_in_its_span(brief, quote) for quote in operation.evidence)})


def _in_its_span(brief: Brief, quote: Quote) -> Quote:
    named = brief.span(quote.span)
    if named is None or in_source(quote.quote, named.text) is not None:
        return quote
    spans = sorted(zip(get_args(SpanId), brief.spans, strict=False), key=lambda one: _LAST.get(one[1].role, 0))
    return next((Quote(span=name, quote=quote.quote) for name, span in spans if in_source(quote.quote, span.text) is not None), quote)
