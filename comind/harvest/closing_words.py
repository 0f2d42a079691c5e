"""What a discussion says decisively: why a request was closed without being merged, and what was decided in a thread.

In: texts of comments. Out: the sentences that say so, or why they do not count. Precision before recall: what is left, a model may read.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["closing_reason", "decision_in"]

_CLOSING: Final = re.compile(
    r"\b(?:clos(?:ing|ed|e)|abandon(?:ing|ed)?|dropp(?:ing|ed)|withdr(?:awing|awn|ew)|reject(?:ing|ed)|declin(?:ing|ed)|giving up on"
    r"|not going to (?:merge|pursue|do|take)|(?:won['\u2019]t|will not) (?:merge|pursue|do|take|land)"
    r"|(?:decided|chose|prefer) (?:against|not to|to not))\b",
    re.IGNORECASE,
)
_BECAUSE: Final = re.compile(
    r"\b(?:because|since|due to|given that|the reason|turn(?:s|ed) out|would (?:break|cause|make|mean|need|require)|breaks?|regress\w*)\b"
    r"|, as\b|:\s",
    re.IGNORECASE,
)
_NOT_ABOUT_CODE: Final = re.compile(
    r"\b(?:(?:as|is|being|marked|this) stale|stale (?:PR|MR|pull|merge|request|bot|for)"
    r"|inactiv\w+|no (?:recent )?(?:response|activity|reply|update)|duplicates?|by mistake|accident\w*"
    r"|wrong (?:branch|repo\w*|target|base)"
    r"|re-?open\w*|re-?trigger\w*|re-?start\w*|re-?run|re-?created?|CLA\b|spam|for now|hacktoberfest|too old|out of date|clean(?:ing)? up"
    r"|(?:merged|landed|pushed|applied|committed|included|cherry-picked|moved|done|fixed|implemented|addressed)\s(?:\w+\s){0,3}?(?:in|as|by|via|to|manually|with|already)"
    r"|already|in favou?r of|superseded|replaced|see (?:#|!|https?:)|time to|(?:been|too|am|['\u2019]m) busy|opened (?:a )?new"
    r"|new (?:PR|MR|pull request|merge request))\b",
    re.IGNORECASE,
)
_NOT_DONE: Final = re.compile(
    r"\?|\b(?:if|unless|until|should|could|can|may|might|please|shall|would you|feel free|do not close|don['\u2019]t close)\b[^.\n]{0,60}"
    r"\b(?:clos|abandon|drop|withdr|reject)|\b(?:not|never) (?:clos|abandon|reject)|\bclos(?:e[sd]?|ing)\s+(?:#|!|https?:)\S",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"(])|\n+")
_QUOTED: Final = re.compile(r"^[ ]{0,3}>.*$", re.MULTILINE)
_FENCED: Final = re.compile(r"(```|~~~).*?(?:\1|\Z)", re.DOTALL)
_DECISION: Final = re.compile(r"^[*_ ]{0,3}(?:Decision|Decided|We decided)[*_ ]{0,3}:[*_ ]{0,3}(?P<what>\S[^\n]{14,900})$", re.MULTILINE)
_GROUNDS: Final = re.compile(r"\b(?:because|since|so that|due to|given that|otherwise)\b", re.IGNORECASE)
_MOST: Final = 4_000  # characters of a comment that says something decisive; a longer one discusses


def closing_reason(text: str) -> str | None:
    """Return what a comment says about why something was closed; None unless it says so of the code, and for good.

    >>> closing_reason("Thanks! Closing this, because a second lock would deadlock with the scheduler.")
    'Closing this, because a second lock would deadlock with the scheduler.'
    >>> closing_reason("Closing in favour of #12."), closing_reason("Should we close this because it is slow?")
    (None, None)
    """
    prose = _prose(text)
    if len(prose) > _MOST or _NOT_ABOUT_CODE.search(prose):
        return None
    sentences = [sentence.strip() for sentence in _SENTENCE.split(prose) if sentence.strip()]
    said = [one for one in sentences if _CLOSING.search(one) and _BECAUSE.search(one) and not _NOT_DONE.search(one)]
    return " ".join(said) or None


def decision_in(text: str) -> str | None:
    """Return what a comment calls a decision and gives grounds for; None without either.

    >>> decision_in("Decision: keep the lock per table, because rows move between partitions.")
    'keep the lock per table, because rows move between partitions.'
    """
    found = list(_DECISION.finditer(_prose(text)))
    said = found[0]["what"].strip() if len(found) == 1 else ""
    return said if _GROUNDS.search(said) and "?" not in said else None


def _prose(text: str) -> str:
    return _QUOTED.sub("", _FENCED.sub("", text)).strip()
