"""What a language does its own way, and how most of them do it.

In: files. Out: the `Dialect` that a `Program` asks. Looks nothing up by itself: what needs a look-up gets the program.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.index.resolve.files import File
    from comind.index.resolve.program import Program
    from comind.index.resolve.things import Form, Thing
    from comind.syntax.references import Reference

__all__ = ["Dialect", "Sight"]


class Sight(Enum):
    """Which members a name with nothing before it may mean."""

    NONE = auto()
    BODY = auto()  # in the body of a type, outside of its functions, the members that stand there
    INHERITED = auto()  # anywhere in a type its members, inherited ones too, then those of the types around it


class Dialect(Protocol):
    """What a language does its own way; what is not said here is as in Python."""

    has_blocks: bool = False
    """A name may be declared anew further down, and means that only from there on."""
    parts_calls: bool = False
    """What is called and what is not have names of their own: a method and a field may be called alike."""
    parts_names: bool = False
    """The same for a name with nothing before it: a call never means a local name."""
    hides_imports: bool = False
    """What has the name of an import stands in a block, where it means something else than outside of that."""
    binds_again: bool = False
    """A name may be declared anew in the same block."""
    of_wrappers: frozenset[str] = frozenset()
    """The members of what may hold a value or none."""
    sight: Sight = Sight.BODY

    def imported(self, program: Program, file: File, reference: Reference) -> Thing | None:
        """Return what an import binds its name to."""

    def bound_name(self, reference: Reference) -> str | None:
        """Return the name that an import binds; None for one that binds nothing or everything."""

    def own(self, program: Program, file: File, position: int, name: str) -> Thing | None:
        """Return what a word such as ``self`` means in a definition; None for any other word."""

    def type_named(self, text: str) -> tuple[str, Form] | None:
        """Return the chain that a type's text names, and whether a value of it is meant or the class itself; None where it is not one."""

    def submodule(self, file: File, name: str) -> Thing | None:  # noqa: ARG002 - most languages have none
        """Return the module below a module."""
        return None

    def given(self, program: Program, file: File, name: str) -> Thing | None:  # noqa: ARG002 - in most languages names stay as they are
        """Return what others know under a name that means nothing in the file itself."""
        return None

    def starred(self, program: Program, file: File, reference: Reference, name: str) -> Thing | None:
        """Return what a name means of all the names that an import takes."""
        module = self.imported(program, file, reference)
        return program.export(module.file, name) if module and not name.startswith("_") else None

    def whole(self, program: Program, file: File, steps: list[str]) -> tuple[Thing | None, int]:  # noqa: ARG002 - most languages know no such chains
        """Return what a chain means that begins with the name of a module that nothing imports, and how many steps say so."""
        return None, 1

    def part(self, program: Program, owner: Thing, name: str) -> Thing | None:  # noqa: ARG002 - most languages have none
        """Return what a value of a type has in it under a name that no definition gives."""
        return None

    def stops_at_namespaces(self, name: str) -> bool:  # noqa: ARG002 - in most languages a namespace sees everything
        """Tell whether a name in a namespace means nothing that is around it."""
        return False

    def leads_on(self, thing: Thing, step: str) -> bool:  # noqa: ARG002 - most languages have one sign for all
        """Tell whether what follows a step of a chain can be a member of what the step means."""
        return True

    def opened(self, program: Program, namespace: Thing) -> Thing:  # noqa: ARG002 - in most languages it stands where its name does
        """Return where the members of a namespace are."""
        return namespace

    def added(self, program: Program, owner: Thing, name: str) -> list[tuple[File, int]]:  # noqa: ARG002 - most languages add nothing
        """Return the members of a type that stand outside of it."""
        return []

    def blocks(self, program: Program, owner: Thing) -> Sequence[Thing]:  # noqa: ARG002 - most languages add nothing
        """Return the blocks outside of a type that name bases of it."""
        return ()

    def together(self, file: File) -> Sequence[File]:
        """Return the files that share their names with a file, itself among them."""
        return [file]

    def overrides(self, own: str, inherited: str) -> bool:
        """Tell by their descriptors whether a method stands for an inherited one of its name, and is no overload of it."""
        return own == inherited

    def steps(self, chain: str) -> list[str]:
        """Return the names of a chain, each with the calls behind it."""
        return chain.split(".")
