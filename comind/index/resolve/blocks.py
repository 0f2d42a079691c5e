"""What blocks outside of a type add to it: the ``impl`` blocks of Rust.

In: the files of a package. Out: for a type, the members that blocks give it, and the blocks that say what it inherits from.
A block names its type by one word, which means what it means where the block stands.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from comind.index.resolve.files import ELSEWHERE, TYPES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from comind.index.resolve.files import File
    from comind.index.resolve.program import Program
    from comind.index.resolve.things import Thing

__all__ = ["Block", "Blocks", "block_of"]

_NAME = r"(?:[\w$+-]+|`(?:[^`]|``)+`)"
_OWNER = re.compile(rf"(?P<around>(?:{_NAME}/)*)(?P<name>[\w$]+)#")


class Block(NamedTuple):
    """Where a block stands, and which type it is for."""

    file: File
    scope: int  # the namespace around it, -1 for the file
    name: str  # of the type
    position: int  # of the definition that the block is; -1 for one that names no base


class Blocks:
    """The blocks of some files.

    Args:
        files: of one package.
    """

    def __init__(self, files: Sequence[File]) -> None:
        self._named: dict[str, dict[Block, dict[str, list[int]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
        self._known: dict[tuple[int, int], list[tuple[Block, dict[str, list[int]]]]] = {}
        for file in files:
            for position, one in enumerate(file.definitions):
                is_apart = one.parent == ELSEWHERE or (one.parent >= 0 and file.definitions[one.parent].kind == "implementation")
                block = block_of(file, position) if is_apart or one.kind == "implementation" else None
                if block:
                    members = self._named[block.name][block]
                    if is_apart:
                        members[one.name].append(position)

    def members(self, program: Program, owner: Thing, name: str) -> list[tuple[File, int]]:
        """Return the members of a type that blocks give a name, those of blocks without a base before the others."""
        found = [(block, position) for block, members in self._of(program, owner) for position in members.get(name, ())]
        own = [(block.file, position) for block, position in found if block.position < 0]
        return own or [(block.file, position) for block, position in found]

    def bases(self, program: Program, owner: Thing) -> Iterable[Block]:
        """Return the blocks that say what a type inherits from."""
        return [block for block, _ in self._of(program, owner) if block.position >= 0]

    def _of(self, program: Program, owner: Thing) -> list[tuple[Block, dict[str, list[int]]]]:
        key = id(owner.file), owner.position
        if key not in self._known:
            named = self._named.get(owner.file.definitions[owner.position].name, {})
            self._known[key] = []  # what leads back here has no answer
            self._known[key] = [(block, members) for block, members in named.items() if _is_for(program, block, owner)]
        return self._known[key]


def block_of(file: File, position: int) -> Block | None:
    """Return the block that a definition is, or that it stands in; None for one that stands in a function."""
    parent = file.definitions[position].parent
    place = parent if parent >= 0 and file.definitions[parent].kind == "implementation" else position
    owner = _OWNER.match(file.definitions[place].descriptors)
    if owner is None:
        return None
    is_block = file.definitions[place].kind == "implementation"
    return Block(file, file.places.get(owner["around"], -1), owner["name"], place if is_block else -1)


def _is_for(program: Program, block: Block, owner: Thing) -> bool:
    found = program.export(block.file, block.name, block.scope)
    return found is not None and found.kind in TYPES and (found.file, found.position) == (owner.file, owner.position)
