"""What a person's name looks like in prose: two to five words in title case.

In: nothing. Out: pieces of regular expressions, and who is no one: tools, words that begin a sentence.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["HANDLE", "NAME", "NAMES", "SENTENCE_BEGINS", "WORD", "is_tool"]

_UPPER = r"A-ZÀ-ÖØ-ÞĀĂĄĆČĎĐĒĖĘĚĞĢĪĮİĶĹĻĽŁŃŅŇŌŐŒŔŘŚŞŠŢŤŪŮŰŲŹŻŽΑ-ΩА-Я"
_APOSTROPHE = r"['\u2019]"
_PARTICLE = r"de|van|von|der|den|da|dos|del|la|le|di"
_BEGINNINGS = (
    "Add", "Added", "Adding", "Also", "And", "Applied", "Apply", "Applying", "Attached", "Attaching", "Based", "By", "Cc", "Fix", "Fixed",
    "Fixing", "From", "Handle", "Handling", "Include", "Including", "Incorporate", "Incorporated", "Merge", "Merged", "Merging",
    "Per", "Revert", "Reverted", "Reverting", "See", "Thanks", "To", "Use", "Used", "Using", "Via", "With",
)  # fmt: skip
SENTENCE_BEGINS: Final = rf"(?:{'|'.join(_BEGINNINGS)})(?![\w\u2019'-])"  # a verb in title case begins the sentence, not the name
WORD: Final = rf"[{_UPPER}][^\W\d_]{{1,30}}(?:(?:-|{_APOSTROPHE})[^\W\d_]{{1,30}}){{0,2}}(?![\w(])"
_INITIAL = rf"[{_UPPER}]\."
NAME: Final = rf"{WORD}(?: (?:{_INITIAL}|{_PARTICLE}|{WORD})){{0,3}} {WORD}"
NAMES: Final = rf"{NAME}(?:(?:,? (?:and|&) |, |/){NAME}){{0,5}}"
HANDLE: Final = r"@[A-Za-z0-9](?:-?[A-Za-z0-9]){0,38}(?![\w/(@-]|[.:]\w)"  # neither a package, a decorator nor an address
_TOOLS = (
    "apache", "claude", "clover", "codeql", "codex", "commons", "copilot", "coverity", "checkstyle", "dependabot", "eclipse", "error prone",
    "find ?bugs", "gemini", "git ?hub", "google", "intellij", "java", "jenkins", "maven", "microsoft", "pull request", "python", "sonar",
    "spot ?bugs", "stack overflow", "static analysis", "the", "travis", "unit", "visual studio",
)  # fmt: skip
_TOOL = re.compile(rf"(?:{'|'.join(_TOOLS)})\b", re.IGNORECASE)


def is_tool(name: str) -> bool:
    """Whether a name in title case is that of something that finds and reports, rather than of someone.

    >>> is_tool("Error Prone"), is_tool("Ada Lovelace")
    (True, False)
    """
    return _TOOL.match(name) is not None
