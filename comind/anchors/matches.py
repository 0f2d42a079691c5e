"""The match of one commit, computed once for all declarations that ask for it.

In: a repository's commits and outlines. Out: what became of each declaration that a commit removed.
In a commit that changes very many files only some are read, and the match is that of one declaration.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from functools import lru_cache
from posixpath import basename, dirname
from typing import TYPE_CHECKING

from comind.anchors.assignment import Verdict, assign
from comind.anchors.changes import Place, read_change
from comind.anchors.outlines import Outline, Outliner, UnreadableError
from comind.syntax import language_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.anchors.assignment import Observer
    from comind.sources.git.lineage import Lineage
    from comind.sources.git.trees import FileChange

__all__ = ["CommitMatches"]

_MANY_FILES, _NEIGHBOURS = 80, 20
_MOST = 0.7  # of a declaration's words
_KEPT_MATCHES = 512
_KEPT_WORDS = 4_096
_WORD = re.compile(rb"[A-Za-z_$][\w$]{2,}")
_FAMILIES = {"tsx": "typescript", "javascript": "typescript"}


class CommitMatches:
    """Matches commits of one repository, each once while it is remembered."""

    def __init__(self, lineage: Lineage, outliner: Outliner) -> None:
        self._lineage, self._outliner = lineage, outliner
        self._kept: OrderedDict[tuple[str, str, str, Place | None], dict[Place, Verdict]] = OrderedDict()
        self._file_words = lru_cache(_KEPT_WORDS)(self._read_words)

    def match(self, place: Place, before: str, after: str) -> dict[Place, Verdict]:
        """Return what became of the declarations that one commit removed: all of them, or that at a place if the commit is huge.

        Raises:
            UnreadableError: the file of the place cannot be compared.
        """
        files = self._files(place, before, after)
        near = place if len(files) > _MANY_FILES else None
        key = before, after, _family(place.path), near
        found = self._kept.pop(key, None)
        if found is None:
            change = read_change(self._relevant(files, near, before) if near else files, self._outline, self._outliner.characters.named_in)
            if place.path in change.unread:
                raise UnreadableError(change.unread[place.path])
            found = assign(change, self._outliner.characters)
        self._kept[key] = found
        if len(self._kept) > _KEPT_MATCHES:
            self._kept.popitem(last=False)
        return found

    def without(self, place: Place, target: Place, before: str, after: str) -> Verdict:
        """Return what would have become of a declaration if its new place had not come: a measure of how much is guessed.

        Raises:
            UnreadableError: the file of the place cannot be compared.
        """
        files = self._files(place, before, after)
        near = self._relevant(files, place, before) if len(files) > _MANY_FILES else files
        change = read_change(near, self._outline, self._outliner.characters.named_in)
        if place.path in change.unread:
            raise UnreadableError(change.unread[place.path])
        return assign(change.without(target), self._outliner.characters).get(place, Verdict("same", place))

    def score(self, place: Place, before: str, after: str, observe: Observer) -> None:
        """Match one commit anew, and tell the features of every pair that is scored there."""
        files = self._files(place, before, after)
        near = self._relevant(files, place, before) if len(files) > _MANY_FILES else files
        assign(read_change(near, self._outline, self._outliner.characters.named_in), self._outliner.characters, observe)

    def _files(self, place: Place, before: str, after: str) -> list[FileChange]:
        family = _family(place.path)
        return [file for file in self._lineage.changes(before, after) if _family(file.path) == family]

    def _outline(self, blob: str, path: str) -> Outline:
        return self._outliner(blob, language_of(path) or "")

    def _relevant(self, files: Sequence[FileChange], place: Place, commit: str) -> list[FileChange]:
        """Of a mass of files, take those that a declaration may have gone to: near by path, or with most of its words in them."""
        there = {file.old_blob for file in files if file.old_path == place.path}
        name = basename(place.path)
        close = [file for file in files if place.path in {file.path, file.old_path} or file.blob in there or basename(file.path) == name]
        beside = [file for file in files if dirname(file.path) == dirname(place.path) and file not in close]
        words = self._words(place, commit)
        shares = [(len(words & self._file_words(file.blob)) / max(len(words), 1), file) for file in files if file.blob]
        alike = sorted(((share, file.path, file) for share, file in shares if share >= _MOST), reverse=True)
        return list(dict.fromkeys([*close[:_NEIGHBOURS], *beside[:_NEIGHBOURS], *(file for _, _, file in alike[:_NEIGHBOURS])]))

    def _words(self, place: Place, commit: str) -> set[bytes]:
        """Return the words of a declaration."""
        blob = self._lineage.blob(commit, place.path)
        source = self._lineage.read(blob) if blob else None
        declared = self._outline(blob, place.path).by_key.get((place.descriptors, place.ordinal)) if blob else None
        if declared is None or not isinstance(source, bytes):
            return set()
        return set(_WORD.findall(b"\n".join(source.split(b"\n")[declared.first_line - 1 : declared.last_line])))

    def _read_words(self, blob: str) -> frozenset[bytes]:
        source = self._lineage.read(blob)
        return frozenset(_WORD.findall(source)) if isinstance(source, bytes) else frozenset()


def _family(path: str) -> str:
    language = language_of(path) or ""
    return _FAMILIES.get(language, language)
