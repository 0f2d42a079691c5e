"""Files as a resolver reads them: definitions by address, references by the definition around them.

In: rows of `code_files` and `parse_cache`. Out: one `File` per row of code.
Knows nothing of other files and of what a name means.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyarrow.compute as pc

from comind.index.names import module_key, package_field, sid_of
from comind.syntax.references import Reference

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    import pyarrow as pa

    from comind.index.resolve.blocks import Blocks
    from comind.index.resolve.things import Thing
    from comind.index.resolve.units import Unit

__all__ = ["ELSEWHERE", "FUNCTIONS", "TYPES", "VALUES", "Defined", "File", "last_descriptor", "read_files"]

FUNCTIONS = frozenset({"function", "method", "constructor"})
TYPES = frozenset({"class", "interface", "trait", "struct", "union", "enum", "type", "implementation"})
VALUES = frozenset({"constant", "variable", "field", "enum_member"})
ELSEWHERE = -2  # where the type is whose member a definition is: in another file
_LAST = re.compile(r"(?:[A-Za-z0-9_+$-]+|`(?:[^`]|``)+`)(?:[/#.:!]|\([^()]*\)\.)$")


class Defined:
    """One definition of a file."""

    __slots__ = ("descriptors", "kind", "line", "name", "parent")

    def __init__(self, descriptors: str, name: str, kind: str, line: int) -> None:
        self.descriptors, self.name, self.kind, self.line = descriptors, name, kind, line
        self.parent = -1  # the definition that it is a member of, -1 for the file, `ELSEWHERE`


class File:
    """One file at a head."""

    def __init__(self, row: Mapping[str, Any], definitions: list[Defined], references: list[Reference]) -> None:
        self.repo_id: str = row["repo_id"]
        self.path: str = row["path"]
        self.language: str = row["language"]
        self.package: str = row["package"]  # `<manager> <name>`
        self.module: str = row["module"] or ""  # SCIP descriptors
        self.definitions, self.references = definitions, references
        self.exports: dict[tuple[str, int], Thing | None] = {}  # what a program found out about it, kept here to go with it
        self.imports: dict[int, dict[str, list[Reference]]] | None = None
        self.parents: dict[int, list[Thing]] = {}
        self.bases: dict[int, list[Thing]] = {}
        self.unit: Unit | None = None
        self.blocks: Blocks | None = None
        self.places: dict[str, int] = {}  # of definitions, by descriptors
        self._name_parents()

    def __repr__(self) -> str:
        return f"File({self.repo_id!r}, {self.path!r})"

    def _name_parents(self) -> None:
        places = self.places
        for position, one in enumerate(self.definitions):
            places.setdefault(one.descriptors, position)
            last = _LAST.search(one.descriptors)
            around = one.descriptors[: last.start()] if last else ""
            one.parent = places.get(around, ELSEWHERE) if around else -1

    def holder(self, position: int) -> str:
        """Return the descriptors of what a definition is a member of."""
        descriptors = self.definitions[position].descriptors
        last = _LAST.search(descriptors)
        return descriptors[: last.start()] if last else ""

    @cached_property
    def members(self) -> dict[int, dict[str, list[int]]]:
        """The definitions in each definition, by name, of a macro with ``!``; under -1 those of the file itself."""
        found: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        for position, one in enumerate(self.definitions):
            if one.kind != "implementation":
                found[one.parent][f"{one.name}!" if one.kind == "macro" else one.name].append(position)
        return found

    @cached_property
    def mentions(self) -> dict[int, list[Reference]]:
        """The references in each definition, without those of the definitions in it."""
        found: dict[int, list[Reference]] = defaultdict(list)
        for reference in self.references:
            found[reference.definition].append(reference)
        return found

    @cached_property
    def attributes(self) -> dict[tuple[int, str], list[Reference]]:
        """What the methods of a class give to its values' attributes, by class and attribute."""
        found: dict[tuple[int, str], list[Reference]] = defaultdict(list)
        for reference in self.references:
            owner, _, name = (reference.name or "").partition(".")
            if owner in {"self", "this"} and name and "." not in name:
                found[self.around(reference.definition, TYPES), name].append(reference)
        return found

    def around(self, position: int, kinds: frozenset[str]) -> int:
        """Return the innermost definition of some kinds around, or at, a definition; -1 for none."""
        while position >= 0 and self.definitions[position].kind not in kinds:
            position = self.definitions[position].parent
        return max(position, -1)

    def key(self, position: int) -> str:
        """Return the canonical key of a definition, of the module for -1."""
        manager, _, name = self.package.partition(" ")
        if position < 0:
            return module_key(manager, name, self.module)
        return f"{package_field(manager, name)} . {self.module}{self.definitions[position].descriptors}"

    def sid(self, position: int) -> int:
        """Return the sid of a definition, of the module for -1."""
        known = self._sids.get(position)
        if known is None:
            known = self._sids[position] = sid_of(self.key(position))
        return known

    @cached_property
    def _sids(self) -> dict[int, int]:
        return {}


def last_descriptor(descriptors: str) -> str:
    """Return the part of a definition's descriptors that is its own.

    >>> last_descriptor("A#run(int)."), last_descriptor("A#")
    ('run(int).', 'A#')
    """
    last = _LAST.search(descriptors)
    return last.group() if last else descriptors


def read_files(rows: Iterable[Mapping[str, Any]], parses: pa.Table) -> Iterator[File]:
    """Return the files of rows of `code_files`, each with the parse of its content; a row without one is left out.

    Args:
        rows: ``repo_id, path, language, blob, package, module``.
        parses: rows of `parse_cache`.
    """
    definitions, references = _structs(parses["definitions"]), _structs(parses["references"])
    blobs, languages = parses["blob"].to_pylist(), parses["language"].to_pylist()
    places = {key: position for position, key in enumerate(zip(blobs, languages, strict=True))}
    for row in rows:
        position = places.get((row["blob"], row["language"]))
        if position is not None:
            defined = [Defined(one[0], one[1], one[2], one[4]) for one in definitions(position)]
            yield File(row, defined, [Reference._make(one) for one in references(position)])


def _structs(column: pa.ChunkedArray[Any]) -> Callable[[int], list[tuple[Any, ...]]]:
    """Return a function from a row to its tuples; column by column, since a dictionary for each struct takes many times as long."""
    lists: Any = column.combine_chunks()
    ends = [0, *pc.cumulative_sum(pc.fill_null(pc.list_value_length(lists), 0)).to_pylist()]
    fields = [field.to_pylist() for field in lists.flatten().flatten()]
    tuples = list(zip(*fields, strict=True))
    spans = list(pairwise(ends))
    return lambda position: tuples[slice(*spans[position])]
