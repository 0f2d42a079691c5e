"""People in prose: addresses, trailers, handles, names. The ledger is about code.

In: text. Out: findings that say what kind of mark it is and where, never whose. Only what is sure is refused: a word after an `@` is
more often an annotation or a package than a person. Names after words of thanks are flagged, and harvest takes them out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.safety.addresses import address_findings
from comind.safety.findings import Finding, Level, without_nested
from comind.safety.names import HANDLE, NAME, NAMES, SENTENCE_BEGINS, is_tool
from comind.safety.trailers import ANNOTATIONS, trailer_findings

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["people_findings"]

_PERSON = "[person]"
_THINGS = "patch(?:es)?|fix(?:es)?|code|tests?|ideas?|reports?|suggestions?|contributions?|implementation|improvements|review"
_DEEDS = (
    "approved|contributed|diagnosed|discovered|found|noticed|pointed out|proposed|provided|raised|recommended|reported|requested|reviewed"
    "|spotted|submitted|suggested|supplied|written"
)
_THANKS = (
    "thanks?(?: goes?)?(?: (?:go|also|again|especially|you))?(?: to)?|thx(?: to)?|kudos(?: to)?|props(?: to)?"
    "|credits?(?: goes?)?(?: to)?|courtesy of|hat tip to|h/t"
)
_CUE = rf"(?i:{_THANKS}|(?:{_THINGS})(?: (?:supplied|submitted|provided|contributed|written))? (?:by|from)|(?:{_DEEDS}) by)"
_THANKED = re.compile(rf"\b{_CUE}:?[ \n](?P<who>{NAMES})")
_OWNED = re.compile(rf"(?<![\w.])(?!{SENTENCE_BEGINS})(?P<who>{NAME})['\u2019]s? (?:{_THINGS}|comments?|proposal|feedback)\b")
_HANDLES = rf"{HANDLE}(?:(?:,? (?:and|&) |, | ){HANDLE}){{0,5}}"
_NAMED_HANDLE = re.compile(rf"(?:\b{_CUE}|\b[Cc][Cc]|\b[Pp]er|\b(?:human|maintainer|reviewer) -):? (?P<who>{_HANDLES})")
_ACTS = "review|suggest|report|point|request|propos|recommend|mention|notic|comment|said|says|wrote|asked"
_ACTING_HANDLE = re.compile(rf"(?<![\w`{{])(?P<who>{HANDLE})(?='s\b| (?:{_ACTS})\w{{0,5}}\b)")
_BRANCH = re.compile(r"^Merge pull request #\d{1,9}(?P<who> from [\w.-]{1,60}/\S{1,200})", re.MULTILINE)
_URL_USER = re.compile(r"https?://(?P<who>(?!git@)[A-Za-z0-9._%+-]{1,64}+@)(?=[A-Za-z0-9])")


def people_findings(text: str) -> list[Finding]:
    """Return every mark of a person in a text, without saying whose it is.

    >>> [(finding.code, finding.instead) for finding in people_findings("Fix it (thanks to Ada Lovelace <ada@lovelace.uk>)")]
    [('person_address', '[person]')]
    """
    return without_nested([*trailer_findings(text), *address_findings(text), *_names(text), *_owners(text), *_handles(text)])


def _names(text: str) -> Iterator[Finding]:
    for rule in (_THANKED, _OWNED):
        for match in rule.finditer(text):
            if not is_tool(match["who"]):
                yield Finding("person_name", "what looks like a person's name", match.span("who"), Level.FLAG, _PERSON)


def _owners(text: str) -> Iterator[Finding]:
    for what, rule in (("a user in a URL", _URL_USER), ("the owner of a branch", _BRANCH)):
        for match in rule.finditer(text):
            yield Finding("handle", what, match.span("who"), Level.FLAG, "")


def _handles(text: str) -> Iterator[Finding]:
    if "@" not in text:
        return
    for rule in (_NAMED_HANDLE, _ACTING_HANDLE):
        for match in rule.finditer(text):
            if match["who"][1:].lower() not in ANNOTATIONS:
                yield Finding("handle", "a person's handle", match.span("who"), instead=_PERSON)
