"""What one commit changed in the files of one language: which declarations stayed, which went, which came.

In: the changed files of a commit and their outlines. Out: a `Change`. Knows no anchor, so every anchor can share it.
A file that cannot be compared is left out and named; what stood in it neither went nor came.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz.distance import Indel, Levenshtein

from comind.anchors.outlines import UnreadableError
from comind.anchors.renamed_files import renamed_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from comind.anchors.outlines import Declaration, Outline
    from comind.sources.git.trees import FileChange

__all__ = ["SAME_BODY", "SMALL", "Change", "Place", "gave_up_its_name", "lives_on", "may_have_left", "read_change", "resembles"]

SAME_BODY = 0.6  # share of equal tokens from which a body under an unchanged name is the same body
SMALL = 8  # tokens of a body; fewer say nothing
_LONG = 20  # tokens of a body; it is known by itself
_ALL_BUT_EQUAL, _NEARLY = 0.88, 0.80  # share of equal tokens: the same body under another name; too like it to have left
_AS_LIKE = 0.1  # less than the likeness of what stands at the old place
_MAX_TABLE = 60_000_000  # cells of one alignment


class Place(NamedTuple):
    """A declaration on one side of a change."""

    path: str
    descriptors: str
    ordinal: int


@dataclass(frozen=True)
class Change:
    """One commit's change; places are of the old side or the new side, never mixed."""

    old: Mapping[str, Outline]  # by path: the changed files only
    new: Mapping[str, Outline]
    moved: Mapping[str, str]  # old path -> new path of files that were renamed
    unread: Mapping[str, str]  # path -> why it could not be compared
    named_in: Callable[[str], tuple[str, ...]]  # the words of a string literal, as characters
    gone: list[Place] = field(default_factory=list)  # no longer there
    came: list[Place] = field(default_factory=list)
    weak: dict[Place, Place] = field(default_factory=dict)  # there with another body: kept, unless a better home is found

    def without(self, came: Place) -> Change:
        """Return the same change in which one declaration had not come, nor what stands within it."""
        kept = [place for place in self.came if place.path != came.path or not place.descriptors.startswith(came.descriptors)]
        weak = {place: new for place, new in self.weak.items() if new != came}
        return replace(self, came=kept, weak=weak)

    def before(self, place: Place) -> Declaration:
        """Return the declaration at a place of the old side."""
        return self.old[place.path].by_key[place.descriptors, place.ordinal]

    def after(self, place: Place) -> Declaration:
        """Return the declaration at a place of the new side."""
        return self.new[place.path].by_key[place.descriptors, place.ordinal]

    @cached_property
    def substitutions(self) -> Counter[tuple[str, str]]:
        """How often an identifier stands where another one stood, by their characters."""
        counted: Counter[tuple[str, str]] = Counter()
        for path, old in self.old.items():
            new = self.new.get(self.moved.get(path, path))
            if new is not None:
                _count_substitutions(old.text, new.text, counted)
        for (was, now), times in list(counted.items()):
            olds, news = self.named_in(was), self.named_in(now)
            if len(olds) == len(news):
                counted.update({pair: times for pair in zip(olds, news, strict=True) if pair[0] != pair[1]})
        return counted

    @cached_property
    def from_old(self) -> Counter[str]:
        """How often an identifier was replaced by any other."""
        return _sums(self.substitutions, 0)

    @cached_property
    def to_new(self) -> Counter[str]:
        """How often an identifier replaced any other."""
        return _sums(self.substitutions, 1)

    def uses(self, character: str) -> tuple[int, int]:
        """How often an identifier stands in the changed files before and after."""
        found = self._uses.get(character)
        if found is None:
            found = self._uses[character] = _count(self.old.values(), character), _count(self.new.values(), character)
        return found

    @cached_property
    def _uses(self) -> dict[str, tuple[int, int]]:
        return {}


def read_change(
    files: Sequence[FileChange], outline: Callable[[str, str], Outline], named_in: Callable[[str], tuple[str, ...]] = lambda _: ()
) -> Change:
    """Read the changed files of one language and tell what stayed from what went and came.

    Args:
        files: those that a commit changed.
        outline: reads a file, by blob and path.
        named_in: returns the words of a string literal, as characters of the outlines.
    """
    unread: dict[str, str] = {}
    old = _outlines(((file.old_path, file.old_blob) for file in files), outline, unread)
    new = _outlines(((file.path, file.blob) for file in files), outline, unread)
    old = {path: one for path, one in old.items() if path not in unread or path not in new}
    blobs_old = {file.old_path: file.old_blob for file in files if file.old_path in old and file.blob is None}
    blobs_new = {file.path: file.blob for file in files if file.path in new and file.old_blob is None}
    change = Change(old, new, renamed_files(blobs_old, blobs_new, old, new), unread, named_in)
    for path in sorted(old.keys() | new.keys()):
        _compare(change, path)
    return change


def resembles(old: Declaration, new: Declaration) -> bool:
    """Tell whether two declarations of one name have so much in common that one is the other, edited."""
    if old.group != "method" and min(old.size, new.size) < SMALL:
        return True
    if not old.size or not new.size:
        return old.size == new.size or old.header == new.header
    return Indel.normalized_similarity(old.body, new.body, score_cutoff=SAME_BODY) > 0


def gave_up_its_name(old: Declaration, new: Declaration) -> bool:
    """Tell whether a long body lives on under a name that is new in the file, while its old name has a body much less like it."""
    if old.size < _LONG or old.body == new.body:
        return False
    others = [one for one in new.outline.declarations if one.group == old.group and one.key not in old.outline.by_key]
    if any(one.size == old.size and one.body == old.body for one in others):
        return True
    if Indel.normalized_similarity(old.body, new.body) >= _NEARLY:
        return False
    return any(lives_on(old, one) for one in others)


def may_have_left(old: Declaration, new: Declaration) -> bool:
    """Tell whether so much was edited that a declaration which is new in the file may rather be the old one."""
    if old.size < _LONG or not new.size:
        return False
    kept = Indel.normalized_similarity(old.body, new.body)
    if kept >= _NEARLY:
        return False
    others = (one for one in new.outline.declarations if one.group == old.group and one.key not in old.outline.by_key and one.size)
    return any(Indel.normalized_similarity(old.body, one.body) >= kept - _AS_LIKE for one in others)


def lives_on(old: Declaration, new: Declaration) -> bool:
    """Tell whether two long bodies are all but equal, whatever they are called."""
    if old.size < _LONG or not new.size or abs(old.size - new.size) > old.size * (1 - _ALL_BUT_EQUAL) * 2:
        return False
    return Indel.normalized_similarity(old.body, new.body, score_cutoff=_ALL_BUT_EQUAL) > 0


def _outlines(
    files: Iterable[tuple[str | None, str | None]], outline: Callable[[str, str], Outline], unread: dict[str, str]
) -> dict[str, Outline]:
    found: dict[str, Outline] = {}
    for path, blob in files:
        if path and blob:
            try:
                found[path] = outline(blob, path)
            except UnreadableError as error:
                unread[path] = str(error)
    return found


def _compare(change: Change, path: str) -> None:
    old, new = change.old.get(path), change.new.get(path)
    if (old is None or new is None) and path in change.unread:
        return
    there = new.by_key if new else {}
    for key, was in old.by_key.items() if old else ():
        now = there.get(key)
        place = Place(path, *key)
        if now is None or now.group != was.group:
            change.gone.append(place)
        elif not resembles(was, now) or gave_up_its_name(was, now):
            change.weak[place] = place
    for key, now in there.items():
        was_there = old.by_key.get(key) if old else None
        if was_there is None or was_there.group != now.group:
            change.came.append(Place(path, *key))


def _count_substitutions(old: str, new: str, counted: Counter[tuple[str, str]]) -> None:
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if not old or not new or len(old) * len(new) > _MAX_TABLE:
        return
    for block in Levenshtein.opcodes(old, new):
        if block.tag == "replace":
            counted.update(zip(old[block.src_start : block.src_end], new[block.dest_start : block.dest_end], strict=True))


def _sums(pairs: Counter[tuple[str, str]], side: int) -> Counter[str]:
    sums: Counter[str] = Counter()
    for pair, times in pairs.items():
        sums[pair[side]] += times
    return sums


def _count(outlines: Iterable[Outline], character: str) -> int:
    return sum(outline.text.count(character) for outline in outlines)
