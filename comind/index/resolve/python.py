"""How Python names things: dotted modules, ``self``, ``super()``, annotations.

In: files of Python and where modules are found. Out: the `Dialect` of Python.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.index.resolve.dialect import Dialect
from comind.index.resolve.files import FUNCTIONS, TYPES
from comind.index.resolve.things import Form, Thing, module_thing

if TYPE_CHECKING:
    from comind.index.resolve.files import File
    from comind.index.resolve.modules import Modules
    from comind.index.resolve.program import Program
    from comind.syntax.references import Reference

__all__ = ["PythonDialect", "dotted_module"]

_CHAIN = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
_GENERIC = re.compile(r"((?:[^\W\d]\w*\.)*[^\W\d]\w*)\[(.*)\]", re.DOTALL)
_TRANSPARENT = frozenset({"Optional", "Annotated", "Final", "ClassVar", "Required", "NotRequired", "ReadOnly"})
_OF_CLASSES = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
_CLASSES = frozenset({"type", "Type"})


class PythonDialect(Dialect):
    """The `Dialect` of Python."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def imported(self, program: Program, file: File, reference: Reference) -> Thing | None:
        """Follow ``import a.b`` to the module that it binds, ``from a import b`` to what ``b`` is there."""
        base = self._absolute(file, reference.target)
        if base is None:
            return None
        if reference.member is None and reference.name is None:
            base = base.partition(".")[0]
        module = self.find(base, file)
        if reference.member in {None, "*"}:
            return module_thing(module) if module else None
        found = program.export(module, reference.member) if module and module is not file else None
        if found is None and (below := self.find(f"{base}.{reference.member}", file)):
            return module_thing(below)
        return found

    def find(self, name: str, near: File) -> File | None:
        """Find a module by its whole name, or below a folder around the file that is no package: there its imports may begin."""
        found = self.modules.find(name, near)
        parts = dotted_module(near.module).split(".")
        for length in range(len(parts) - 1, 0, -1):
            root = ".".join(parts[:length])
            if found is None and self.modules.find(root, near) is None:
                found = self.modules.find(f"{root}.{name}", near)
        return found if found is not near else None

    def bound_name(self, reference: Reference) -> str | None:
        """``import a.b`` binds ``a``; an alias binds itself."""
        return reference.name or (reference.target.partition(".")[0] if reference.member is None else None)

    def own(self, program: Program, file: File, position: int, name: str) -> Thing | None:  # noqa: ARG002 - the words say it all
        """Know ``self``, ``cls``, ``super()`` and ``Self``."""
        if name not in {"self", "cls", "super()", "Self"}:
            return None
        method = file.around(position, FUNCTIONS)
        while method >= 0 and file.definitions[method].parent >= 0 and file.definitions[file.definitions[method].parent].kind in FUNCTIONS:
            method = file.definitions[method].parent  # a function in a method sees the method's self
        holder = file.definitions[method].parent if method >= 0 else -1
        if holder < 0 or file.definitions[holder].kind not in TYPES or (name == "cls" and not _is_class_method(file, method)):
            return None
        form = {"self": Form.INSTANCE, "super()": Form.SUPER}.get(name, Form.ITSELF)
        return Thing(form, file, holder, is_typed=name != "Self")

    def type_named(self, text: str) -> tuple[str, Form] | None:
        """Read an annotation: optional or not, quoted or not; of a union of several types nothing is known."""
        parts = [part for part in _union(text) if part not in {"None", ""}]
        if len(parts) != 1:
            return None
        generic = _GENERIC.fullmatch(parts[0])
        if generic is None:
            last = parts[0].rpartition(".")[2]
            return ("Self" if last == "Self" else parts[0], Form.INSTANCE) if _CHAIN.fullmatch(parts[0]) else None
        name = generic[1].rpartition(".")[2]
        inner = _split(generic[2], ",")
        if name in _TRANSPARENT or (name == "Union" and len([one for one in inner if one != "None"]) == 1):
            return self.type_named(next(one for one in inner if one != "None" or name != "Union"))
        if name in _CLASSES:
            found = self.type_named(generic[2])
            return (found[0], Form.ITSELF) if found else None
        return generic[1], Form.INSTANCE

    def submodule(self, file: File, name: str) -> Thing | None:
        """Return the module ``name`` of a package."""
        if not file.path.endswith(("__init__.py", "__init__.pyi")):
            return None
        dotted = dotted_module(file.module)
        found = self.modules.find(f"{dotted}.{name}" if dotted else name, file)
        return module_thing(found) if found else None

    def _absolute(self, file: File, target: str) -> str | None:
        name = target.lstrip(".")
        dots = len(target) - len(name)
        if not dots:
            return name
        parts = [part for part in dotted_module(file.module).split(".") if part]
        up = dots - file.path.endswith(("__init__.py", "__init__.pyi"))
        if up > len(parts):
            return None
        return ".".join([*parts[: len(parts) - up], *([name] if name else [])])


def dotted_module(descriptors: str) -> str:
    """Return the dotted name of a module.

    >>> dotted_module("`flask.app`/"), dotted_module("flask/"), dotted_module("")
    ('flask.app', 'flask', '')
    """
    return descriptors.rstrip("/").strip("`")


def _is_class_method(file: File, method: int) -> bool:
    """Tell whether ``cls`` in a method is its class: not where there is a ``self`` beside it."""
    name = file.definitions[method].name
    if name.startswith("__") and name.endswith("__") and name not in _OF_CLASSES:
        return False
    chains = [text for one in file.mentions.get(method, ()) for text in (one.target, one.name) if text and one.kind != "import"]
    return not any(chain == "self" or chain.startswith("self.") for chain in chains)


def _union(text: str) -> list[str]:
    return [part.strip("'\" ") for part in _split(text.strip("'\" "), "|")]


def _split(text: str, separator: str) -> list[str]:
    """Split at separators that stand in no brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "[(") - (character in "])")
        if character == separator and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts
