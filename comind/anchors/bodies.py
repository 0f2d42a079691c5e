"""What became of a body when its name stayed, or of a name when its body went.

In: a `Change` and places on both sides of it. Out: one yes or no each. Scores nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from comind.anchors.changes import SMALL, gave_up_its_name, lives_on, resembles
from comind.anchors.likeness import name_likeness

if TYPE_CHECKING:
    from comind.anchors.changes import Change, Place
    from comind.anchors.outlines import Characters

__all__ = ["Bodies"]

_LONG = 40  # tokens of a body that is more than a helper of its caller
_FORWARDER = 0.34  # share of the old body's length
_STRANGE_BODY, _STRANGE_NAME = 0.4, 0.3  # likeness of what has nothing in common


class Bodies:
    """The bodies of one change."""

    def __init__(self, change: Change, characters: Characters) -> None:
        self._change, self._characters = change, characters

    def left_its_name(self, place: Place, home: Place) -> bool:
        """Tell whether the body that stood at a place is all but equal in its new home, and its name has another one."""
        was = self._change.before(place)
        return lives_on(was, self._change.after(home)) and gave_up_its_name(was, self._change.after(place))

    def is_taken_over(self, place: Place, by: Place) -> bool:
        """Tell whether another one's long body stands at a place now; what a caller took in stands nowhere."""
        was, rival, now = self._change.before(place), self._change.before(by), self._change.after(place)
        if not lives_on(rival, now):
            return False
        if self._characters.of(rival.name) not in was.body:
            return True
        # A caller that did little else was what its helper is now; a long one that is gone gave up its place.
        does_more = rival.size >= _LONG and was.size > _FORWARDER * rival.size
        return does_more and Indel.normalized_similarity(was.body, now.body) < _STRANGE_BODY

    def forwards(self, place: Place, home: Place) -> bool:
        """Tell whether what is left at a place only calls the new home of its body."""
        was, left, moved = self._change.before(place), self._change.after(place), self._change.after(home)
        calls = self._characters.of(moved.name) in left.body
        return calls and left.size <= _FORWARDER * was.size and moved.name != was.name and resembles(was, moved)

    def are_strangers(self, old: Place, home: Place) -> bool:
        """Tell whether only their place connects two bodies: neither the code nor the name is alike, and no call was changed to it."""
        was, now = self._change.before(old), self._change.after(home)
        if min(was.size, now.size) < SMALL or name_likeness(was.name, now.name) >= _STRANGE_NAME:
            return False
        # Where both were aligned, one replacement of the name is their own and shows nothing.
        own = old.path == home.path or self._change.moved.get(old.path) == home.path
        called = self._change.substitutions[self._characters.of(was.name), self._characters.of(now.name)] > own
        return not called and Indel.normalized_similarity(was.body, now.body) < _STRANGE_BODY
