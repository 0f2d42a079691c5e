"""How likely it is that a declaration that came is one that went: one probability per pair.

In: a pair, and what is known of its surroundings. Out: features by name, and their weighted sum as a probability.
The weights are data beside this module; nothing here knows a repository or a language.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from functools import cache, lru_cache
from importlib.resources import files
from posixpath import basename
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

from comind.anchors.changes import Place

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from comind.anchors.changes import Change
    from comind.anchors.outlines import Characters, Declaration

__all__ = ["Surroundings", "features", "logit", "name_likeness", "probability", "standing_weights"]

_FEW, _MANY = 12, 30  # tokens of a body: little to go by; enough by itself
_CLEAR_LEAD = 0.2
_DOUBT = 0.5  # replacements: one that was seen is no proof
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


class Surroundings:
    """What a pair is judged by besides itself: the change, and the homes that were found so far."""

    def __init__(
        self, change: Change, characters: Characters, homes: Mapping[Place, Place], container: Callable[[Place], tuple[str, str]]
    ) -> None:
        self.change, self.characters, self.homes, self.container = change, characters, homes, container


def features(old: Place, new: Place, body_likeness: float, lead: float, around: Surroundings) -> dict[str, float]:
    """Return the features of a pair by name; those that are zero may be missing.

    Args:
        old: a place before the change.
        new: a place after it.
        body_likeness: share of equal tokens of the bodies.
        lead: by how much that is more than for any other pair with one of the two; 0 where another pair is as like.
        around: what else is known.
    """
    change = around.change
    was, now = change.before(old), change.after(new)
    same_file = old.path == new.path
    paired = same_file or change.moved.get(old.path) == new.path
    outside = Indel.normalized_similarity(_bare_header(was, around), _bare_header(now, around))
    values = _bodies(was, now, body_likeness) | _names(was, now, around, paired=paired)
    values |= {
        "bias": 1.0,
        "sig_sim": outside,
        "nobody_sig": outside if not was.size and not now.size else 0.0,
        "lead": min(1.0, lead / _CLEAR_LEAD),
        "same_file": same_file,
        "file_pair": paired,
        "same_cont": was.container == now.container,
        "map_cont": around.container(old) == (new.path, now.container),
        "base_eq": basename(old.path) == basename(new.path),
        "near": _nearness(old.path, new.path),
        "variants": _holds_variants(was, new, now),
        "same_addr": same_file and was.descriptors == now.descriptors,
        "prev": _neighbour(old, new, -1, around),
        "next": _neighbour(old, new, 1, around),
    }
    if was.doc and now.doc:
        values |= {"doc": Indel.normalized_similarity(was.doc, now.doc), "doc_both": 1.0}
    if was.group == "class":
        values |= _members(old, new, change)
    return values


@cache
def standing_weights() -> dict[str, dict[str, float]]:
    """Return the weights that come with the package, by group and feature."""
    weights: dict[str, dict[str, float]] = json.loads(files("comind.anchors").joinpath("weights.json").read_text())
    return weights


def logit(group: str, values: Mapping[str, float]) -> float:
    """Return the weighted sum of features."""
    weights = standing_weights()[group]
    return sum(weights[name] * value for name, value in values.items())


def probability(score: float) -> float:
    """Return the probability that belongs to a weighted sum.

    >>> probability(0.0)
    0.5
    """
    return 1 / (1 + math.exp(-max(-60.0, min(60.0, score))))


@lru_cache(1 << 16)
def name_likeness(one: str, other: str) -> float:
    """Return how similar two names are: by their parts or by their letters, whichever says more.

    >>> name_likeness("readAll", "read_all"), round(name_likeness("getName", "fetchName"), 2)
    (1.0, 0.75)
    """
    parts, others = {part.lower() for part in _PART.findall(one)}, {part.lower() for part in _PART.findall(other)}
    shared = len(parts & others) / len(parts | others) if parts | others else 0.0
    return max(shared, Indel.normalized_similarity(one.lower(), other.lower()))


def _bodies(was: Declaration, now: Declaration, likeness: float) -> dict[str, float]:
    shorter, longer = sorted((was.size, now.size))
    if not longer:
        return {"nobody": 1.0, "small": 1.0, "len_ratio": 1.0}
    equal = likeness == 1 and shorter > 0
    return {
        "bsim": likeness, "beq": equal, "bseq_big": equal and shorter >= _MANY, "small": shorter < _FEW, "len_ratio": shorter / longer,
    }  # fmt: skip


def _names(was: Declaration, now: Declaration, around: Surroundings, *, paired: bool) -> dict[str, float]:
    equal_params = was.params == now.params
    values = {"par_eq": float(equal_params), "par_sim": 1.0 if equal_params else _dice(was.params.split("+"), now.params.split("+"))}
    if was.name == now.name:
        return values | {"name_eq": 1.0, "name_sim": 1.0}
    change, old, new = around.change, around.characters.of(was.name), around.characters.of(now.name)
    # Where both declarations may have been aligned, one replacement is their own and shows nothing.
    own = 1 if paired else 0
    times = max(0, change.substitutions[old, new] - own)
    old_before, old_after = change.uses(old)
    new_before, new_after = change.uses(new)
    return values | {
        "name_sim": name_likeness(was.name, now.name),
        "sub": times / (max(change.from_old[old], change.to_new[new]) - own + _DOUBT) if times else 0.0,
        "lsub": min(1.0, math.log1p(times) / 3),
        "old_lives": min(1.0, old_after / max(old_before, 1)),
        "new_old": min(1.0, new_before / max(new_after, 1)),
    }


def _dice(one: list[str], other: list[str]) -> float:
    shared = (Counter(one) & Counter(other)).total()
    return 2 * shared / (len(one) + len(other))


def _bare_header(one: Declaration, around: Surroundings) -> str:
    return one.header.replace(around.characters.of(one.name), "", 1)


def _nearness(old: str, new: str) -> float:
    """Return the share of directories that two paths have in common."""
    was, now = old.split("/")[:-1], new.split("/")[:-1]
    shared = next((depth for depth, (one, other) in enumerate(zip(was, now, strict=False)) if one != other), min(len(was), len(now)))
    return shared / max(len(was), len(now), 1)


def _holds_variants(was: Declaration, new: Place, now: Declaration) -> float:
    """Tell whether several of the old name stand within a function that came: it was made to choose one of them."""
    if was.group != "method" or was.name == now.name:
        return 0.0
    return float(sum(one.name == was.name for one in now.outline.by_container.get(new.descriptors, ())) > 1)


def _neighbour(old: Place, new: Place, step: int, around: Surroundings) -> float:
    """Tell whether the next sibling on one side of the pair is a pair too."""
    was, now = _sibling(around.change.before(old), step), _sibling(around.change.after(new), step)
    if was is None or now is None:
        return 0.5 if was is now else 0.0
    sibling = Place(old.path, *was.key)
    home = around.homes.get(sibling)
    if home == Place(new.path, *now.key):
        return 1.0
    if home is None and old.path == new.path and was.key == now.key:
        return 1.0
    return 0.7 if was.name == now.name and was.group == now.group else 0.0


def _sibling(one: Declaration, step: int) -> Declaration | None:
    siblings, place = one.outline.by_container[one.container], one.outline.places[one.key] + step
    return siblings[place] if 0 <= place < len(siblings) else None


def _members(old: Place, new: Place, change: Change) -> dict[str, float]:
    was = {one.name for one in change.old[old.path].by_container.get(old.descriptors, ())}
    now = {one.name for one in change.new[new.path].by_container.get(new.descriptors, ())}
    if not was and not now:
        return {"mem_eq": 1.0}
    shared = len(was & now)
    return {"mem": (shared / len(was | now) + shared / max(1, min(len(was), len(now)))) / 2}
