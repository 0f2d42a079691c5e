r"""Read a Y-statement: a decision in one sentence, with what was neglected for it and at what price.

In: prose, plain. Out: `YStatement`, or None. English only, as the form itself is.
Source: the form of Zdun, Capilla, Tran, Zimmermann, "Sustainable Architectural Design Decisions", IEEE Software 30 (6), 2013.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["YStatement", "read_y_statement"]

_MOST = 20_000  # characters that are searched
_PART = r"[^.;]{3,400}?"
_FORM = re.compile(
    rf"\bin the context of (?P<context>{_PART}),?\s+facing (?P<facing>{_PART}),?\s+we (?:have )?decided (?:for|on|to)\s+(?P<chosen>{_PART})"
    rf"(?:,?\s+and (?:neglected|against|rejected)\s+(?P<neglected>{_PART}))?"
    rf",?\s+to achieve (?P<achieved>{_PART})(?:,?\s+accepting (?:that )?(?P<accepted>{_PART}))?(?:[.;]|$)",
    re.IGNORECASE,
)
_MARKS = re.compile(r"\*\*|__|[*_](?=\w)|(?<=\w)[*_]")
_BETWEEN = re.compile(r",\s+(?:and\s+|or\s+)?|\s+(?:and|or)\s+")


@dataclass(frozen=True, slots=True)
class YStatement:
    """A decision in one sentence."""

    chosen: str
    neglected: tuple[str, ...]  # what was not chosen
    achieved: str  # for what
    accepted: str | None  # at what price


def read_y_statement(text: str) -> YStatement | None:
    """Find the first Y-statement of a text.

    >>> read_y_statement(
    ...     "In the context of the shop, facing slow prices, we decided for a cache and neglected Redis, "
    ...     "to achieve quick answers, accepting stale ones."
    ... )
    YStatement(chosen='a cache', neglected=('Redis',), achieved='quick answers', accepted='stale ones')
    """
    found = _FORM.search(" ".join(_MARKS.sub("", text[:_MOST]).split()))
    if found is None:
        return None
    neglected = tuple(option.strip() for option in _BETWEEN.split(found["neglected"] or "") if option.strip())
    return YStatement(found["chosen"].strip(), neglected, found["achieved"].strip(), found["accepted"])
