"""Callers that took a helper in while both lost their names.

In: the pairs of what went and what came, with the likeness of their bodies. Out: the same, where a caller with its helper in it is more
like what came than the helper alone: the caller's pair instead of the helper's.
Knows bodies only; whether such a caller is what came is for the assignment to weigh.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from comind.anchors.changes import SAME_BODY, SMALL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.anchors.changes import Place
    from comind.anchors.likeness import Surroundings

__all__ = ["take_in"]

_MOST = 400  # declarations of a commit that are looked at
_CALLS = 3  # a name that is used more often is a common word, or no helper of this caller


def take_in(found: dict[tuple[Place, Place], tuple[float, float]], olds: Sequence[Place], around: Surroundings) -> None:
    """Give the pairs of helpers that were inlined to their callers.

    Args:
        found: likeness and lead of pairs of methods, by what went and what came; changed in place.
        olds: those of them that no other rung found.
        around: what they are judged by.
    """
    callers: defaultdict[Place, list[tuple[Place, str]]] = defaultdict(list)
    for helper, caller, together in _joined(olds, around):
        callers[helper].append((caller, together))
    for (helper, new), (likeness, _) in list(found.items()):
        now = around.change.after(new)
        for caller, together in callers.get(helper, ()) if now.size >= SMALL else ():
            alone, _ = found.get((caller, new), (0.0, 0.0))
            least = max(likeness, alone, SAME_BODY)
            share = Indel.normalized_similarity(together, now.body, score_cutoff=least)
            if share > least:
                found.pop((helper, new), None)
                found[caller, new] = share, share - least


def _joined(olds: Sequence[Place], around: Surroundings) -> Iterator[tuple[Place, Place, str]]:
    """Yield helper, caller in the same file, and the caller's body with the helper's where it was called."""
    by_path: defaultdict[str, list[tuple[Place, str]]] = defaultdict(list)
    for old in olds if len(olds) <= _MOST else ():
        by_path[old.path].append((old, around.change.before(old).body))
    for declared in by_path.values():
        for helper, inner in declared:
            name = around.characters.of(around.change.before(helper).name)
            if not inner or name in inner:
                continue
            for caller, body in declared:
                if 0 < body.count(name) <= _CALLS:
                    yield helper, caller, body.replace(name, inner)
