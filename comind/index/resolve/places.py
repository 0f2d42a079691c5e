"""Each mention of a name in a file, with what is meant: the rows from which edges are folded.

In: a file and the program that it is part of. Out: `PLACES`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from comind.index.edges import EdgeKind, ResolvedBy
from comind.index.resolve.files import FUNCTIONS, TYPES
from comind.index.resolve.things import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from comind.index.resolve.files import File
    from comind.index.resolve.program import Program
    from comind.index.resolve.things import Thing
    from comind.syntax.references import Reference

__all__ = ["Place", "places_of"]

Place: TypeAlias = "tuple[str, str, int, str, str, int, int | None, str | None]"  # the columns of `PLACES`


def places_of(program: Program, file: File) -> Iterator[Place]:
    """Return a row for each reference of a file that names something; without a destination where that is not known.

    A method also extends the one that it overrides: whoever calls that one may run it.
    """
    for reference in file.references:
        kind, found = _READERS.get(reference.kind, _nothing)(program, file, reference)
        if kind is not None:
            yield _place(file, reference, kind, found)
    for position, one in enumerate(file.definitions):
        if one.kind in FUNCTIONS and one.parent >= 0 and file.definitions[one.parent].kind in TYPES:
            yield from _overridden(program, file, position)


def _overridden(program: Program, file: File, position: int) -> Iterator[Place]:
    one = file.definitions[position]
    base = program.overridden(file, position)
    if base is not None and base.kind in FUNCTIONS:
        how = str(ResolvedBy.IMPORT)
        yield file.repo_id, file.path, one.line, one.name, str(EdgeKind.EXTENDS), file.sid(position), base.file.sid(base.position), how


def _place(file: File, reference: Reference, kind: EdgeKind, found: Thing | None) -> Place:
    name = (reference.member or reference.target).rpartition(".")[2].rpartition("::")[2].removesuffix("()").removesuffix("!")
    dst = found.file.sid(found.position) if found else None
    how = (ResolvedBy.TYPED if found.is_typed else ResolvedBy.IMPORT) if found else None
    return file.repo_id, file.path, reference.line, name, str(kind), file.sid(reference.definition), dst, str(how) if how else None


def _call(program: Program, file: File, reference: Reference) -> tuple[EdgeKind | None, Thing | None]:
    if reference.target.endswith(")"):
        return None, None  # what a call returned is called: there is no name for that
    found = program.meaning(file, reference.definition, reference.target, reference.line, is_called=True)
    if found and found.form is Form.SUPER:  # the constructor of what the class inherits from
        found = next(iter(program.bases(found)[1:]), None)
    is_sure = found and found.form is Form.ITSELF and found.position >= 0 and not found.is_held and not found.is_open
    return EdgeKind.CALLS, found if is_sure else None


def _import(program: Program, file: File, reference: Reference) -> tuple[EdgeKind, Thing | None]:
    return EdgeKind.IMPORTS, program.dialect.imported(program, file, reference)


def _base(program: Program, file: File, reference: Reference) -> tuple[EdgeKind, Thing | None]:
    return EdgeKind.EXTENDS, program.base(file, reference)


def _type(program: Program, file: File, reference: Reference) -> tuple[EdgeKind, Thing | None]:
    found = program.typed(file, reference.definition, reference.target, reference.line)
    return EdgeKind.REFERENCES, found._replace(form=Form.ITSELF, is_typed=False) if found else None


def _value(program: Program, file: File, reference: Reference) -> tuple[EdgeKind, Thing | None]:
    found = program.meaning(file, reference.definition, reference.target, reference.line)
    return EdgeKind.REFERENCES, found if found and found.form is Form.ITSELF and found.position >= 0 else None


def _nothing(_: Program, __: File, ___: Reference) -> tuple[None, None]:
    return None, None


_READERS = {"call": _call, "import": _import, "reexport": _import, "extends": _base, "type": _type, "value": _value}
