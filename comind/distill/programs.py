"""Commits that a program made: no one weighed anything when they were written.

In: the signature of an author, paths. Out: yes or no. An agent that writes code is no such program: it gives reasons.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.harvest.touched import Rank, rank_of
from comind.index.exclusions import ExclusionRules, content_exclusion
from comind.syntax.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from comind.sources.git.history import PathChange
    from comind.sources.git.signatures import Signature

__all__ = ["is_program", "is_vendored", "only_documents", "only_made_by_programs"]

_AGENT = re.compile(r"copilot|claude|codex|cursor|devin|jules|gemini|aider|openhands", re.IGNORECASE)
_PROGRAM = re.compile(
    r"\[bot\]|\b(?:dependabot|renovate|greenkeeper|pyup|snyk|imgbot|allcontributors|weblate|transifex|github-actions|mergify|semantic-release"
    r"|pre-commit-ci|codecov|crowdin|zuul|jenkins|travis|buildbot|gobot|bors|release-please|autoroll\w*|copybara)\b"
    r"|(?:^|[\s_.-])(?:bot|robot|autobuild|ci)(?:$|[\s@])|\b(?:proposal|release|build|merge|sync|translation)[ -]?bot\b",
    re.IGNORECASE,
)
_MADE = re.compile(r"\.(?:po|pot|snap|map|min\.css)$", re.IGNORECASE)
_LOOKED_INTO = 12  # files; a change of more is looked at by its paths alone
_RULES = ExclusionRules()


def is_program(author: Signature) -> bool:
    """Whether a program signs like this.

    >>> from comind.sources.git.signatures import Signature
    >>> is_program(Signature("renovate[bot]", "1+renovate[bot]@users.noreply.github.com")), is_program(Signature("Abbot Lee", "a@lee.uk"))
    (True, False)
    """
    both = f"{author.name} {author.address.partition('@')[0]}"
    return _PROGRAM.search(both) is not None and not _AGENT.search(both)


def only_made_by_programs(changes: Sequence[PathChange], content: Callable[[str], bytes | None]) -> bool:
    """Whether a change touches nothing that somebody here writes: all of it is vendored or generated.

    Args:
        changes: its files; at least one.
        content: returns a file by its blob.
    """
    left = [change for change in changes if not _MADE.search(change.path) and not is_vendored(change.path)]
    return len(left) <= _LOOKED_INTO and all(_says_it_is_generated(change, content) for change in left)


def is_vendored(path: str) -> bool:
    """Whether a path is that of something nobody here wrote.

    >>> is_vendored("vendor/lib/README.md"), is_vendored("README.md")
    (True, False)
    """
    return _RULES.reason(path) is not None


def only_documents(changes: Sequence[PathChange]) -> bool:
    """Whether a change touches documents, change logs and lock files alone."""
    return all(rank_of(change.path) is Rank.PAPER for change in changes)


def _says_it_is_generated(change: PathChange, content: Callable[[str], bytes | None]) -> bool:
    language, blob = language_of(change.path), change.new_blob or change.old_blob
    source = content(blob) if language and blob else None
    return source is not None and content_exclusion(source, str(language)) is not None
