"""Find commits by the names that other messages give them: ids, subjects, revisions, requests, issues.

In: the texts of a history. Out: for a mention, every commit that it could mean.
Built once per harvest. Which of the commits is meant, and whether it came before, is decided by whoever asks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from comind.harvest.revert_words import MentionKind, subject_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from comind.harvest.revert_words import Mention
    from comind.sources.git.history import CommitText

__all__ = ["MessageIndex"]

_SVN_ID = re.compile(r"^git-svn-id: \S+@(\d+) ", re.MULTILINE)
_REQUEST = re.compile(
    r"\((?:#|!)(\d+)\)\s*$|^Merge pull request #(\d+)|\(merge request !(\d+)\)|^See merge request \S*!(\d+)|^PR-URL: \S*/(\d+)\s*$",
    re.MULTILINE,
)
_CHANGE = re.compile(r"^Change-Id: (I[0-9a-f]{40})\s*$", re.MULTILINE)
_REVIEW = re.compile(r"^Reviewed-on: \S*?/(\d+)\s*$|^Differential Revision: (?:\S*/)?(D\d+)\s*$", re.MULTILINE)
_ISSUE = re.compile(r"(?<!\w)#(\d+)\b|\b([A-Z][A-Z0-9]{1,15}-\d{1,6})\b")
_REVERTED_BY = re.compile(r"\[[Rr]everted (?:by|in) r?([0-9a-f]{4,40})\]")
_SHORTEST_PREFIX = 20  # characters of a subject that was cut off before it still names one


class MessageIndex:
    """Commits by what other messages call them."""

    def __init__(self, texts: Iterable[CommitText]) -> None:
        self._texts = list(texts)
        self._ids = sorted(text.id for text in self._texts)

    @cached_property
    def _named(self) -> dict[tuple[MentionKind, str], list[str]]:
        """Every name, made when the first is asked for: most harvests of a few new commits ask for none."""
        named: defaultdict[tuple[MentionKind, str], list[str]] = defaultdict(list)
        for text in self._texts:
            for kind, name in _names(text):
                named[kind, name].append(text.id)
        return dict(named)

    @cached_property
    def _subjects(self) -> list[str]:
        return sorted(name for kind, name in self._named if kind is MentionKind.SUBJECT)

    def find(self, mention: Mention) -> Sequence[str]:
        """Return every commit that a mention could mean, in the order in which the texts came."""
        if mention.kind is MentionKind.SHA:
            return self._by_prefix(mention.text)
        found = self._named.get((mention.kind, mention.text), [])
        if not found and mention.kind is MentionKind.SUBJECT:
            return self._by_cut_subject(mention.text)
        if not found and mention.kind is MentionKind.REQUEST:
            return self._named.get((MentionKind.ISSUE, mention.text), [])
        return found

    def reverted_by(self) -> dict[str, list[str]]:
        """Return the victims by the commit that undid them, for messages to which that was added afterwards."""
        victims: defaultdict[str, list[str]] = defaultdict(list)
        for text in self._texts:
            for by in _REVERTED_BY.findall(text.message) if "everted " in text.message else ():
                reverts = self._named.get((MentionKind.SVN, by), []) if by.isdigit() else self._by_prefix(by)
                for revert in reverts:
                    victims[revert].append(text.id)
        return dict(victims)

    def _by_prefix(self, prefix: str) -> list[str]:
        found = []
        for position in range(bisect_left(self._ids, prefix), len(self._ids)):
            if not self._ids[position].startswith(prefix):
                break
            found.append(self._ids[position])
        return found

    def _by_cut_subject(self, start: str) -> list[str]:
        if len(start) < _SHORTEST_PREFIX:
            return []
        position = bisect_left(self._subjects, start)
        if position == len(self._subjects) or not self._subjects[position].startswith(start):
            return []
        return self._named[MentionKind.SUBJECT, self._subjects[position]]


def _names(text: CommitText) -> Iterator[tuple[MentionKind, str]]:
    """Yield every name of one commit, each once."""
    message = text.message
    yield MentionKind.SUBJECT, subject_key(text.subject)
    yield from dict.fromkeys((MentionKind.SVN, number) for number in _SVN_ID.findall(message))
    yield from dict.fromkeys((MentionKind.REQUEST, number) for match in _REQUEST.findall(message) for number in match if number)
    yield from dict.fromkeys((MentionKind.CHANGE, change) for change in _CHANGE.findall(message))
    yield from dict.fromkeys((MentionKind.REVIEW, number) for match in _REVIEW.findall(message) for number in match if number)
    yield from dict.fromkeys((MentionKind.ISSUE, name) for match in _ISSUE.findall(message) for name in match if name)
