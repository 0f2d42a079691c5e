"""The code that a note of another tool speaks of, as it stood when the note was written.

In: paths, globs and `path#symbol` of a note, and its time. Out: places in the code at a commit, and what could not be found.
A note names no commit. It is attached at the commit that stood at its time on the first-parent history of the indexed ref; a path that
came only later, at the first commit that has it. So the same note finds the same commits in every clone, and in every later import.
"""

from __future__ import annotations

import posixpath
from bisect import bisect_right
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from comind.harvest.interop.losses import Loss
from comind.harvest.touched import Place, rank_of
from comind.records.vocabulary import Role, Scope
from comind.sources.git.errors import CommitNotFoundError
from comind.sources.git.history import History

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from comind.harvest.touched import SymbolAt, SymbolsAt
    from comind.sources.git.repository import GitRepository

__all__ = ["Code", "Places"]

MAX_PLACES = 8
_MAX_LOOKED_AT = 20_000  # commits, for a path that came later
_GLOB = frozenset("*?[")


@dataclass(frozen=True, slots=True)
class Places:
    """Where a note is attached, and what of it was not found."""

    commit: str  # that stood when the note was written
    found: tuple[Place, ...]
    missed: tuple[Loss, ...]  # `where` is the reference


class Code:
    """The history of the code that notes speak of."""

    def __init__(self, repo: GitRepository, symbols_at: SymbolsAt) -> None:
        self.repo, self._symbols_at = repo, symbols_at
        self.history = History(repo)
        self._resolved = lru_cache(50_000)(self._resolve)
        self._is_file = lru_cache(50_000)(lambda commit, path: self.repo.blob_at(commit, path) is not None)
        self._first_with = lru_cache(50_000)(self._find_first_with)
        self._files = lru_cache(4)(self._list_files)

    @property
    def repo_id(self) -> str:
        """Identity of the repository."""
        return self.repo.repo_id

    def commit_at(self, time: int) -> str:
        """Return the commit that stood at a time, seconds since 1970; the first one for an earlier time."""
        return self._trunk[self._position_at(time)]

    def resolve(self, text: str) -> str | None:
        """Return the commit that a text names; None when this repository holds none, or several."""
        return self._resolved(text)

    def has_file(self, commit: str, path: str) -> bool:
        """Whether a commit has a file at a path."""
        return self._is_file(commit, path)

    def is_on_ref(self, commit: str) -> bool:
        """Whether the indexed ref reaches a commit."""
        return commit in self._on_ref

    def find(self, references: Iterable[str], time: int) -> Places:
        """Return the places that a note's references mean, each once, in their order; a symbol comes before its file."""
        places: dict[Place, None] = {}
        missed: list[Loss] = []
        for reference in dict.fromkeys(references):
            found = self._find(reference, time)
            if isinstance(found, Loss):
                missed.append(found)
            else:
                places.update(dict.fromkeys(place for place in found if isinstance(place, Place)))
                missed += [loss for loss in found if isinstance(loss, Loss)]
        kept = tuple(places)[:MAX_PLACES]
        if len(places) > len(kept):
            why = f"a note is attached to {MAX_PLACES} places at most"
            missed.append(Loss(f"{len(places) - len(kept)} places", "too_many_places", why, refused=False))
        return Places(self.commit_at(time), kept, tuple(missed))

    def _find(self, reference: str, time: int) -> list[Place | Loss] | Loss:
        path, _, symbol = reference.partition("#")
        path = posixpath.normpath(path.strip()) if path.strip() else ""
        if not path or path.startswith(("/", "..")) or path == ".":
            return Loss(reference, "bad_path", "is no path within the repository", refused=False)
        if _GLOB.intersection(path):
            return self._matching(reference, path, time)
        found = self._first_with(path, self._position_at(time))
        if found is None:
            return Loss(reference, "place_not_found", "no commit since the note was written has it", refused=False)
        commit, is_file = found
        if not is_file:
            return [Place(scope=Scope.MODULE, commit=commit, path=path, name=f"{path}/")]
        file = Place(scope=Scope.FILE, commit=commit, path=path, name=path, rank=rank_of(path))
        return [self._symbol(reference, symbol.strip(), file), file] if symbol.strip() else [file]

    def _symbol(self, reference: str, name: str, file: Place) -> Place | Loss:
        dotted = f".{name.replace('::', '.').replace('#', '.').removesuffix('()')}"
        found = [one for one in self._symbols_at(file.commit, file.path) if f".{one.qualified_name}".endswith(dotted)]
        if len(found) != 1:
            why = "its file defines several of that name" if found else "its file does not define it"
            return Loss(reference, "symbol_not_found", f"{why}; the note is attached to the file", refused=False)
        return _symbol_place(found[0], file)

    def _matching(self, reference: str, pattern: str, time: int) -> list[Place | Loss] | Loss:
        commit = self.commit_at(time)
        found = [path for path in self._files(commit) if fnmatchcase(path, pattern)]
        if not found:
            return Loss(reference, "place_not_found", "no file of that time matches", refused=False)
        if len(found) <= MAX_PLACES:
            return [Place(scope=Scope.FILE, commit=commit, path=path, name=path, rank=rank_of(path)) for path in found]
        folder = posixpath.commonpath([posixpath.dirname(path) or "." for path in found])
        if folder in {"", "."}:
            return Loss(reference, "too_many_places", f"{len(found)} files in no common folder match", refused=False)
        return [Place(scope=Scope.MODULE, commit=commit, path=folder, name=f"{folder}/")]

    @cached_property
    def _on_ref(self) -> frozenset[str]:
        return frozenset(self.history.walk(self.repo.head))

    @cached_property
    def _trunk(self) -> Sequence[str]:
        """First-parent history, oldest first."""
        commits = [self.repo.head]
        while parents := self.history.text(commits[-1]).parents:
            commits.append(parents[0])
        return commits[::-1]

    @cached_property
    def _times(self) -> Sequence[int]:
        """The latest time up to each commit: clocks of committers disagree, and order must not."""
        times: list[int] = []
        for commit in self._trunk:
            times.append(max(self.history.text(commit).time, times[-1] if times else 0))
        return times

    def _position_at(self, time: int) -> int:
        return max(0, bisect_right(self._times, time) - 1)

    def _resolve(self, text: str) -> str | None:
        try:
            return self.repo.resolve(text)
        except CommitNotFoundError:
            return None

    def _find_first_with(self, path: str, position: int) -> tuple[str, bool] | None:
        for commit in self._trunk[position : position + _MAX_LOOKED_AT]:
            if self.repo.blob_at(commit, path) is not None:
                return commit, True
            if self.history.has_directory(commit, path):
                return commit, False
        return None

    def _list_files(self, commit: str) -> Sequence[str]:
        return [file.path for file in self.repo.files(commit)]


def _symbol_place(one: SymbolAt, file: Place) -> Place:
    # What a note decides about a definition does not end when its body changes: it leads to the note and is no subject.
    return Place(
        scope=Scope.SYMBOL, role=Role.CONTEXT, commit=file.commit, path=file.path, name=one.qualified_name, symbol=one.symbol,
        start_line=one.start_line, end_line=one.end_line, rank=file.rank,
    )  # fmt: skip
