"""How Java names things: types by package and name, methods apart from everything else, members of the types around.

In: files of Java and where types are found. Out: the `Dialect` of Java.
A method that has overloads is one of them, and which one the types of the arguments tell, of which references say nothing; so a call of
it means none, while a chain goes on behind it if all of them return the same. A reader of callers misses those calls; the other way each
overload would seem to be called by all. What is created with ``new`` is the class, whichever of its constructors does it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.index.resolve.dialect import Dialect, Sight
from comind.index.resolve.files import FUNCTIONS, TYPES
from comind.index.resolve.things import Form, Thing, module_thing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.index.resolve.files import File
    from comind.index.resolve.modules import Modules
    from comind.index.resolve.program import Program
    from comind.syntax.references import Reference

__all__ = ["JavaDialect", "type_names"]

_TYPE = re.compile(r"(?P<chain>[^\W\d][\w$]*(?:\.[^\W\d][\w$]*)*)(?:<.*>)?", re.DOTALL)
_PARAMETER = re.compile(r"[A-Z]\d?")  # by custom
_FORMS = {"this": Form.INSTANCE, "super": Form.SUPER}


class JavaDialect(Dialect):
    """The `Dialect` of Java."""

    has_blocks = True
    parts_calls = True
    parts_names = True
    sight = Sight.INHERITED

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def imported(self, program: Program, file: File, reference: Reference) -> Thing | None:
        """Find a type, a static member of one, or all of a package."""
        if reference.member == "*":
            package = self.modules.near(reference.target, file)
            return module_thing(package[0]) if package else self._type(program, file, reference.target)
        whole = f"{reference.target}.{reference.member}".lstrip(".")
        return self._type(program, file, whole) or self._static(program, file, reference.target, reference.member or "")

    def starred(self, program: Program, file: File, reference: Reference, name: str) -> Thing | None:
        """Look for a type in a package, for a static member in a type; an import of just that name stands above both."""
        if name in program.imports(file, -1):
            return None
        return self._type(program, file, f"{reference.target}.{name}") or self._static(program, file, reference.target, name)

    def whole(self, program: Program, file: File, steps: list[str]) -> tuple[Thing | None, int]:
        """Find a type that is named with its package."""
        for length in range(2, len(steps) + 1):
            found = self._type(program, file, ".".join(steps[:length])) if not steps[length - 1].endswith(")") else None
            if found is not None:
                return found, length
        return None, 1

    def bound_name(self, reference: Reference) -> str | None:
        """Return the name of the type or member."""
        return reference.name

    def own(self, program: Program, file: File, position: int, name: str) -> Thing | None:  # noqa: ARG002 - the words say it all
        """Know ``this`` and ``super``, but not those of a class without a name."""
        if name not in _FORMS:
            return None
        method = file.around(position, FUNCTIONS | TYPES)
        if method >= 0 and file.definitions[method].kind in FUNCTIONS:
            holder = file.definitions[method].parent
            method = holder if holder >= 0 and file.definitions[holder].kind in TYPES else -1
        return Thing(_FORMS[name], file, method, is_typed=True) if method >= 0 else None

    def type_named(self, text: str) -> tuple[str, Form] | None:
        """Read the name of a type without its arguments; an array has no members of its own."""
        found = _TYPE.fullmatch(text)
        return (found["chain"], Form.INSTANCE) if found else None

    def together(self, file: File) -> Sequence[File]:
        """Return the files of the package, tests of it too."""
        return [one for one in self.modules.near(_dotted(file.module), file) if one.module == file.module] or [file]

    def overrides(self, own: str, inherited: str) -> bool:
        """Compare the types of the parameters: for a type parameter of what is inherited any class may stand."""
        ours, theirs = (one[one.rfind("(") :].rstrip(").").lstrip("(").split("+") for one in (own, inherited))
        pairs = zip(ours, theirs, strict=False)
        return len(ours) == len(theirs) and all(mine == its or (_PARAMETER.fullmatch(its) and mine[:1].isupper()) for mine, its in pairs)

    def _type(self, program: Program, file: File, name: str) -> Thing | None:
        """Return a type by its whole name; one that is nested in the type of a file is a member of that."""
        parts = name.split(".")
        for length in range(len(parts), 0, -1):
            found = self.modules.find(".".join(parts[:length]), file)
            top = found.members[-1].get(parts[length - 1]) if found and -1 in found.members else None
            if found and top:
                thing: Thing | None = Thing(Form.ITSELF, found, top[0])
                for part in parts[length:]:
                    thing = program.member(thing, part) if thing else None
                return thing if thing and thing.kind in TYPES else None
        return None

    def _static(self, program: Program, file: File, owner: str, name: str) -> Thing | None:
        holder = self._type(program, file, owner)
        return (program.member(holder, name, is_called=True) or program.member(holder, name)) if holder else None


def type_names(path: str, module: str) -> Iterator[str]:
    """Return what a file is found by: its package, and the type that it is named for.

    >>> list(type_names("src/main/java/org/text/Word.java", "org/text/"))
    ['org.text', 'org.text.Word']
    """
    package = _dotted(module)
    yield package
    yield f"{package}.{path.rpartition('/')[2].removesuffix('.java')}".lstrip(".")


def _dotted(descriptors: str) -> str:
    return descriptors.rstrip("/").replace("`", "").replace("/", ".")
