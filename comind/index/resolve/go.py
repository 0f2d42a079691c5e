"""How Go names things: packages by their import path, whose files share all names; methods by the type of their receiver.

In: files of Go and where packages are found. Out: the `Dialect` of Go.
A receiver is a parameter with a type like any other, and an embedded struct a base: its members are those of the struct.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.index.resolve.dialect import Dialect, Sight
from comind.index.resolve.things import Form, Thing, module_thing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.index.resolve.files import File
    from comind.index.resolve.modules import Modules
    from comind.index.resolve.program import Program
    from comind.syntax.references import Reference

__all__ = ["GoDialect", "import_path"]

_TYPE = re.compile(r"(?:\w+(?=\*))?[*&]*(?P<chain>[^\W\d]\w*(?:\.[^\W\d]\w*)?)(?:\[[^\]].*\])?", re.DOTALL)
_NOT_NAMED = frozenset({"map", "chan", "func", "struct", "interface"})
_VERSION = re.compile(r"v\d+")
_AFFIXES = re.compile(r"^go-|(?:[-.]go|\.v\d+)$")


class GoDialect(Dialect):
    """The `Dialect` of Go."""

    has_blocks = True
    sight = Sight.NONE

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def imported(self, program: Program, file: File, reference: Reference) -> Thing | None:  # noqa: ARG002 - a path says it all
        """Find the package at a path; any of its files stands for it."""
        found = self.modules.near(reference.target, file)
        return module_thing(found[0]) if found else None

    def bound_name(self, reference: Reference) -> str | None:
        """Read the name that a package most likely has from its path, where the import gives it none.

        The clause that says it stands in the files of the package; paths differ from it by a version or by saying that it is Go.
        """
        if reference.name:
            return reference.name if reference.name != "_" else None
        parts = reference.target.split("/")
        if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
            parts.pop()
        return _AFFIXES.sub("", parts[-1])

    def own(self, program: Program, file: File, position: int, name: str) -> Thing | None:  # noqa: ARG002 - no word is special
        """Know nothing: a receiver has a name that the method gives it."""
        return None

    def type_named(self, text: str) -> tuple[str, Form] | None:
        """Read the name of a type, through pointers; of several results the first. What maps, slices and functions hold is not known."""
        found = _TYPE.fullmatch(_first(text).rpartition(" ")[2])
        return (found["chain"], Form.INSTANCE) if found and found["chain"] not in _NOT_NAMED else None

    def part(self, program: Program, owner: Thing, name: str) -> Thing | None:
        """Return what is embedded in a struct: it goes by the name of its type."""
        for reference in owner.file.mentions.get(owner.position, ()):
            if reference.kind == "extends" and reference.target.rpartition(".")[2] == name:
                return program.typed(owner.file, owner.position, reference.target, reference.line)
        return None

    def together(self, file: File) -> Sequence[File]:
        """Return the files of the package."""
        return [one for one in self.modules.near(import_path(file.module), file) if one.module == file.module] or [file]


def import_path(descriptors: str) -> str:
    """Return the path that a package is imported by.

    >>> import_path("`github.com/a/b`/"), import_path("cmd/tool/")
    ('github.com/a/b', 'cmd/tool')
    """
    return descriptors.rstrip("/").replace("`", "")


def _first(text: str) -> str:
    """Return what stands before the first comma that is in no brackets."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character in "[(") - (character in "])")
        if character == "," and not depth:
            return text[:place]
    return text
