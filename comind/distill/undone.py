"""The change that a commit undid, as its message names it and its diff shows.

In: a history. Out: the id of one commit that came before, or None. Looks only at what the message names: the harvest of reverts searches
further, and records what it finds without a model.
"""

from __future__ import annotations

from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from comind.errors import ComindError
from comind.harvest.message_index import MessageIndex
from comind.harvest.revert_finder import Precision, is_undone
from comind.harvest.revert_words import MentionKind, read_words
from comind.sources.git.line_diffs import NoDiff, inverse_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from comind.harvest.revert_words import Mention
    from comind.sources.git.history import History

__all__ = ["UndoneFinder"]

_CANDIDATES = 4


class UndoneFinder:
    """Finds what commits undid; reads the messages of the history when the first is named by something else than its id."""

    def __init__(self, history: History, head: str) -> None:
        self._history, self._head = history, head

    def find(self, commit: str) -> str | None:
        """Return the commit that another names and undoes; None where it names none, or its diff does something else."""
        words = read_words(self._history.text(commit).message)
        diff = self._history.line_diff(commit)
        if isinstance(diff, NoDiff):
            return None
        for mention in words.mentions:
            precision = Precision.ID if mention.kind is MentionKind.SHA else Precision.NAME
            for other in islice(self._earlier(mention, commit), _CANDIDATES):
                undone = self._history.line_diff(other) if self._history.text(other).parents else None
                if undone is not None and not isinstance(undone, NoDiff) and is_undone(inverse_of(undone, diff), precision, words.claim):
                    return other
        return None

    def _earlier(self, mention: Mention, commit: str) -> Iterator[str]:
        if mention.kind is MentionKind.SHA and self._history.holds(mention.text):
            named = [self._history.text(mention.text).id]
        elif mention.kind in {MentionKind.SHA, MentionKind.SUBJECT, MentionKind.REQUEST}:
            named = list(self._index.find(mention))
        else:
            named = []
        return (other for other in named if self._history.is_ancestor(other, commit))

    @cached_property
    def _index(self) -> MessageIndex:
        try:
            return MessageIndex(map(self._history.text, self._history.walk(self._head)))
        except ComindError:  # a part of the history is damaged: then nothing is found by its name
            return MessageIndex(())
