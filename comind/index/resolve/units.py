"""Files that share their names: a package of Go or Java is one unit, a module of Python is one by itself.

In: the files. Out: what is defined in all of them together, by name. Knows nothing of what a name means to others.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from comind.index.resolve.files import ELSEWHERE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.index.resolve.files import File

__all__ = ["Unit"]


class Unit:
    """The names of some files.

    Args:
        files: all of them; each file is in one unit.
    """

    def __init__(self, files: Sequence[File]) -> None:
        self.files = files

    @cached_property
    def names(self) -> dict[str, list[tuple[File, int]]]:
        """The definitions that are members of nothing, by name."""
        found: dict[str, list[tuple[File, int]]] = defaultdict(list)
        for file in self.files:
            for name, positions in file.members.get(-1, {}).items():
                found[name] += [(file, position) for position in positions]
        return found

    @cached_property
    def strays(self) -> dict[tuple[str, str], list[tuple[File, int]]]:
        """The members of a type that stand in another file than the type, by its descriptors and their name."""
        found: dict[tuple[str, str], list[tuple[File, int]]] = defaultdict(list)
        for file in self.files:
            for name, positions in file.members.get(ELSEWHERE, {}).items():
                for position in positions:
                    found[file.holder(position), name].append((file, position))
        return found

    def members(self, file: File, position: int, name: str) -> list[tuple[File, int]]:
        """Return the members of a type that have a name."""
        own = [(file, one) for one in file.members.get(position, {}).get(name, ())]
        return own + self.strays.get((file.definitions[position].descriptors, name), [])
