"""Which files a commit renamed: the deleted and added ones that are each other's most similar.

In: the files of one language that a commit deleted and added, with their outlines. Out: new paths by old path.
Never decides between files that are as similar: what one path decides, it may decide for several.
"""

from __future__ import annotations

from collections import defaultdict
from posixpath import basename
from typing import TYPE_CHECKING

from rapidfuzz.distance import Indel

if TYPE_CHECKING:
    from collections.abc import Mapping

    from comind.anchors.outlines import Outline

__all__ = ["renamed_files"]

_SAME_FILE = 0.5  # as git's rename detection
_MAX_FILE_PAIRS = 2_000
_MAX_TWINS = 50
_AS_SIMILAR, _AS_NEAR = 0.02, 0.04  # twins: of contents, of paths


def renamed_files(
    old_blobs: Mapping[str, str | None], new_blobs: Mapping[str, str | None], old: Mapping[str, Outline], new: Mapping[str, Outline]
) -> dict[str, str]:
    """Pair deleted with added files: equal contents first, then the most similar ones, those of one base name if there are many."""
    moved: dict[str, str] = {}
    olds, news = _by_blob(old_blobs), _by_blob(new_blobs)
    for blob, equal in olds.items():
        if blob in news:
            moved |= _mutual(
                {
                    (path, other): (1.0, basename(path) == basename(other))
                    for path in equal[:_MAX_TWINS]
                    for other in news[blob][:_MAX_TWINS]
                }
            )
    taken = set(moved.values())
    lost, found = [path for path in sorted(old_blobs) if path not in moved], [path for path in sorted(new_blobs) if path not in taken]
    return moved | _mutual({(path, other): likeness for likeness, path, other in _similar_files(lost, found, old, new)})


def _by_blob(blobs: Mapping[str, str | None]) -> dict[str | None, list[str]]:
    found: defaultdict[str | None, list[str]] = defaultdict(list)
    for path in sorted(blobs):
        found[blobs[path]].append(path)
    return found


def _mutual(likenesses: Mapping[tuple[str, str], tuple[float, bool]]) -> dict[str, str]:
    """Pair files that are each other's most similar one, again and again among those that are left."""
    moved: dict[str, str] = {}
    open_ = dict(likenesses)
    while open_:
        forth: defaultdict[str, list[tuple[tuple[float, bool], str]]] = defaultdict(list)
        back: defaultdict[str, list[tuple[tuple[float, bool], str]]] = defaultdict(list)
        for (path, other), likeness in open_.items():
            forth[path].append((likeness, other))
            back[other].append((likeness, path))
        homes = ((path, _clearest(path, similar)) for path, similar in forth.items())
        new = {path: home for path, home in homes if home is not None and _clearest(home, back[home]) == path}
        if not new:
            break
        moved |= new
        taken = set(new.values())
        open_ = {pair: likeness for pair, likeness in open_.items() if pair[0] not in new and pair[1] not in taken}
    return moved


def _clearest(path: str, homes: list[tuple[tuple[float, bool], str]]) -> str | None:
    """Return the most similar file; of those as similar the one with the most similar path, None where that is not clear either."""
    if not homes:
        return None
    best = max(likeness for likeness, _ in homes)
    close = [other for likeness, other in homes if likeness[1] == best[1] and best[0] - likeness[0] < _AS_SIMILAR]
    ranked = sorted(((Indel.normalized_similarity(path, other), other) for other in close), reverse=True)
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < _AS_NEAR:
        return None
    return ranked[0][1]


def _similar_files(
    lost: list[str], found: list[str], old: Mapping[str, Outline], new: Mapping[str, Outline]
) -> list[tuple[tuple[float, bool], str, str]]:
    by_name: defaultdict[str, list[str]] = defaultdict(list)
    for path in found:
        by_name[basename(path)].append(path)
    few = len(lost) * len(found) <= _MAX_FILE_PAIRS
    pairs = [(path, other) for path in lost for other in (found if few else by_name[basename(path)][:_MAX_FILE_PAIRS])]
    scored = []
    for path, other in pairs[: _MAX_FILE_PAIRS * 10]:
        one, two = old[path].text, new[other].text
        if one and two and min(len(one), len(two)) * 3 >= max(len(one), len(two)):
            score = Indel.normalized_similarity(one, two, score_cutoff=_SAME_FILE)
            if score:
                scored.append(((score, basename(path) == basename(other)), path, other))
    return scored
