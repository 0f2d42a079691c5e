"""Where decision records lie, by paths alone: which files may be one, the log they belong to, what part of a repository it governs.

In: paths. Out: paths and numbers. Whether a file is a decision record says its text (`comind.harvest.decisions`).
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from comind.harvest.decision_words import stands_for_no_decision
from comind.harvest.touched import Rank, rank_of

__all__ = ["governed_folder", "is_archived", "is_in_a_log", "log_folder", "may_be_decision", "number_of"]

_SUFFIXES: Final = (".md", ".markdown")
_LOG = re.compile(
    r"m?adrs?|adr[-_ ].+|(?:architectur(?:e|al)|design|tech(?:nical)?)?[-_ ]?decisions?(?:[-_ ](?:records?|logs?))?|decision[-_ ]?logs?",
    re.IGNORECASE,
)
_PAPER = re.compile(r"docs?|documentation|design|arch(?:itecture)?|wiki|notes|\..+", re.IGNORECASE)
_ARCHIVE = re.compile(r"archived?|old|obsolete|deprecated|retired|attic", re.IGNORECASE)
_SAMPLES = re.compile(r"(?:adr[-_ ])?(?:templates?|examples?|samples?)|node_modules|vendor", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(?:[a-z]+[-_ ])*?(?:adr[-_ ]?)?(?P<number>\d{3,14})(?=[-_ .]|$)|adr[-_ ]?(?P<short>\d{1,2})(?=[-_ .]|$)", re.IGNORECASE
)


def may_be_decision(path: str) -> bool:
    """Tell whether a file may be a decision record: Markdown in a folder of that name, or numbered like one; no template, index, sample.

    >>> [may_be_decision(path) for path in ("docs/adr/use-redis.md", "doc/arch/0007-use-redis.md", "docs/adr/README.md", "README.md")]
    [True, True, False, False]
    """
    file = PurePosixPath(path)
    if file.suffix.lower() not in _SUFFIXES or stands_for_no_decision(file.name):
        return False
    if rank_of(path) is Rank.TEST or any(map(_SAMPLES.fullmatch, file.parent.parts)):
        return False
    return is_in_a_log(path) or _NUMBERED.match(file.name) is not None


def is_archived(path: str) -> bool:
    """Tell whether a file lies in a folder for what holds no more."""
    return any(map(_ARCHIVE.fullmatch, PurePosixPath(path).parent.parts))


def is_in_a_log(path: str) -> bool:
    """Tell whether a file lies in a folder that is called after decisions."""
    return any(map(_LOG.fullmatch, PurePosixPath(path).parent.parts))


def log_folder(path: str) -> str:
    """Return the folder of the log that a decision record belongs to; empty for the root of the repository.

    >>> log_folder("web/docs/adr/client/0001-use-redis.md"), log_folder("doc/arch/0007-use-redis.md"), log_folder("0001-use-redis.md")
    ('web/docs/adr', 'doc/arch', '')
    """
    parts = PurePosixPath(path).parent.parts
    last = next((place for place, part in enumerate(parts) if _LOG.fullmatch(part)), len(parts) - 1)
    return "/".join(parts[: last + 1])


def governed_folder(path: str) -> str:
    """Return the folder that the decisions of a log are about: the one whose documents they are; empty for the whole repository.

    >>> governed_folder("packages/web/docs/adr/0001-use-redis.md"), governed_folder("docs/adr/0001-use-redis.md")
    ('packages/web', '')
    """
    parts = PurePosixPath(path).parent.parts
    end = next((place for place, part in enumerate(parts) if _LOG.fullmatch(part) or _PAPER.fullmatch(part)), len(parts))
    return "/".join(parts[:end])


def number_of(path: str) -> int | None:
    """Return the number of a decision record, as its name gives it.

    >>> number_of("doc/adr/0012-keep-cents.md"), number_of("adr/SHOP-ADR-Operator-0007-scope.md"), number_of("adr/keep-cents.md")
    (12, 7, None)
    """
    found = _NUMBERED.match(PurePosixPath(path).name)
    return int(found["number"] or found["short"]) if found else None
