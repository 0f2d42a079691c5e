"""Lines that name a person: `Signed-off-by:` and its kin, in git's form and in that of older systems.

In: text. Out: findings, each a whole line. A line whose value is a URL, an id, a path or plain words names no one and stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from comind.safety.findings import Finding
from comind.safety.names import HANDLE, NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["ANNOTATIONS", "trailer_findings"]

_DEEDS = (
    "acked", "analyzed", "approved", "authored", "bisected", "co[- ]authored", "co[- ]developed", "committed", "confirmed", "contributed",
    "debugged", "diagnosed", "found", "helped", "improved", "inspired", "mentored", "merged", "noticed", "patched", "pointed[- ]out",
    "proposed", "provided", "reported", "requested", "reviewed", "signed[- ]off", "spotted", "submitted", "suggested", "tested", "verified",
    "based[- ]on[- ]patch", "patch(?:es)?",
)  # fmt: skip
_TITLES = r"cc|author|committer|original[- ]author|credits?(?:[- ]to)?|thanks[- ]to|patch(?:es)?[- ]from"
_KEYS = rf"(?:{'|'.join(_DEEDS)})(?:[- ]and[- ][a-z]{{2,12}})?[- ]by|{_TITLES}"
_TRAILER = re.compile(
    rf"^[ \t>*-]{{0,6}}+(?P<key>{_KEYS})[ \t]{{0,3}}:[ \t]{{0,4}}+(?P<value>[^\n]{{1,400}}+)\n?", re.IGNORECASE | re.MULTILINE
)
_PROSE_KEY = re.compile(r"(?:cc|author|committer|credits?)\Z| ", re.IGNORECASE)  # these begin sentences, too
_NO_PERSON = re.compile(r"https?://\S+|[#!]?\d+|[0-9a-f]{7,64}|[\w.-]+/[\w./-]+", re.IGNORECASE)
_ONE_HANDLE = re.compile(HANDLE)
_NAME = re.compile(NAME)
ANNOTATIONS: Final = frozenset({
    "author", "classmethod", "code", "dataclass", "deprecated", "example", "exception", "experimental", "ignore", "inheritdoc", "link",
    "literal", "module", "nullable", "override", "param", "params", "property", "return", "returns", "see", "since", "staticmethod", "test",
    "throws", "type", "types", "value", "version",
})  # fmt: skip
"""Words after an `@` that mark up code in comments; a person of that handle is rarer than they are."""


def trailer_findings(text: str) -> Iterator[Finding]:
    r"""Find every line that names a person by what they did.

    >>> [finding.where for finding in trailer_findings("Reviewed-by: Ada\nReviewed-on: https://review.uk/1")]
    [(0, 17)]
    """
    for match in _TRAILER.finditer(text):
        if _names_someone(match["key"].strip(), match["value"].strip()):
            yield Finding("person_trailer", "a line that names a person", match.span(), instead="")


def _names_someone(key: str, value: str) -> bool:
    if _ONE_HANDLE.fullmatch(value):
        return value[1:].lower() not in ANNOTATIONS
    if "@" in value or _NAME.match(value):
        return True
    if _PROSE_KEY.search(key):
        return False  # `Reviewed by: the build`; only two words in title case are a name here
    return any(map(str.isalpha, value)) and not _NO_PERSON.fullmatch(value)
