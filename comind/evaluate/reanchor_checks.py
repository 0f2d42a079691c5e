"""What a right or wrong place does not show: whether it would be guessed, and whether label and design mean different things.

In: a follower and labelled declarations. Out: what is accepted when the true place is taken away, and which labels stay with a forwarder.
Never changes what is counted as right; that is the caller's business.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from comind.anchors.follow import SURE
from comind.anchors.outlines import UnreadableError

if TYPE_CHECKING:
    from comind.anchors.changes import Place
    from comind.anchors.follow import Follower

__all__ = ["Withheld", "stays_with_forwarder"]

_SHORT = 0.34  # of the anchored body's tokens


@dataclass(slots=True)
class Withheld:
    """What became of declarations that were found rightly, when the place they went to was taken away."""

    rows: int = 0
    accepted: int = 0  # something else was
    accepted_as_sure: int = 0
    wrong: list[str] = field(default_factory=list)  # ids

    def ask(self, follower: Follower, row: str, place: Place, target: Place, commits: tuple[str, str]) -> None:
        """Match a commit without a declaration's new place, and count whether something else is accepted.

        What stays in its place is not asked: nothing came that could be taken away.
        """
        if place == target:
            return
        try:
            verdict = follower.matches.without(place, target, *commits)
        except UnreadableError:
            return
        self.rows += 1
        if verdict.place is not None:
            self.accepted += 1
            self.accepted_as_sure += verdict.p >= SURE
            self.wrong.append(row)


def stays_with_forwarder(follower: Follower, anchored: tuple[Place, str], labelled: tuple[Place, str], found: Place) -> bool:
    """Tell whether a label stays with the old name while the body, which an anchor follows, is what that name now calls.

    Args:
        follower: knows the repository.
        anchored: the place and commit of the anchor.
        labelled: the place that the label names, and its commit.
        found: where the anchor was followed to, at the same commit.
    """
    (place, before), (label, after) = anchored, labelled
    was, left, moved = follower.at(place, before), follower.at(label, after), follower.at(found, after)
    if was is None or left is None or moved is None or left is moved or left.name != was.name:
        return False
    calls = follower.outliner.characters.of(moved.name) in left.body
    closer = Indel.normalized_similarity(was.body, moved.body) > Indel.normalized_similarity(was.body, left.body)
    return calls and closer and left.size <= _SHORT * was.size
