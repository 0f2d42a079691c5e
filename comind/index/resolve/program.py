"""The meaning of chains of names in one language: scopes, members, inheritance, types.

In: files and a dialect, which knows how the language imports and what it calls its own. Out: what a chain means, or None.
Every question is asked of the files alone; a question that leads back to itself has no answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from comind.index.resolve.files import FUNCTIONS, TYPES, VALUES
from comind.index.resolve.things import Form, Thing

if TYPE_CHECKING:
    from comind.index.resolve.files import File
    from comind.syntax.references import Reference

__all__ = ["Dialect", "Program"]

_DEEPEST = 24  # questions that one question may lead to, one within the other
_MOST_BASES = 64


class Dialect(Protocol):
    """What a language does its own way."""

    def imported(self, program: Program, file: File, reference: Reference) -> Thing | None:
        """Return what an import binds its name to."""

    def bound_name(self, reference: Reference) -> str | None:
        """Return the name that an import binds; None for one that binds nothing or everything."""

    def own(self, file: File, position: int, name: str) -> Thing | None:
        """Return what a word such as ``self`` means in a definition; None for any other word."""

    def type_named(self, text: str) -> tuple[str, Form] | None:
        """Return the chain that a type's text names, and whether a value of it is meant or the class itself; None where it is not one."""

    def submodule(self, file: File, name: str) -> Thing | None:
        """Return the module below a module."""


class Program:
    """All files that a resolver may look at."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._depth = 0

    def meaning(self, file: File, position: int, chain: str, line: int) -> Thing | None:
        """Return what a chain means where it stands.

        Args:
            file: where it stands.
            position: the definition around it, -1 for none.
            chain: such as ``a.b().c``.
            line: 1-based; of a name that is bound several times, the binding before it counts.
        """
        if self._depth >= _DEEPEST:
            return None
        self._depth += 1
        try:
            first, *others = chain.split(".")
            thing = self._first(file, position, first, line)
            for part in others:
                if thing is None:
                    return None
                name = part.rstrip("()")
                thing = self._called(self.member(thing, name), part.count("()"))
            return thing
        finally:
            self._depth -= 1

    def _first(self, file: File, position: int, part: str, line: int) -> Thing | None:
        name, calls = part.rstrip("()"), part.count("()")
        own = self.dialect.own(file, position, name + "()" * min(calls, 1)) if calls else None
        if own is not None:
            return self._called(own, calls - 1)
        return self._called(self.dialect.own(file, position, name) or self.name(file, position, name, line), calls)

    def name(self, file: File, position: int, name: str, line: int) -> Thing | None:
        """Return what a name means in a definition: its own, those of the functions around it, those of the module."""
        scope, inner = position, True
        while scope >= 0:
            kind = file.definitions[scope].kind
            if (kind in FUNCTIONS or (kind in TYPES and inner)) and self._is_bound(file, scope, name):
                return self._local(file, scope, name, line)
            inner = inner and kind in VALUES
            scope = file.definitions[scope].parent
        return self.export(file, name)

    def export(self, file: File, name: str) -> Thing | None:
        """Return what a name means in a module, seen from outside or inside."""
        if name not in file.exports:
            file.exports[name] = None  # what leads back here has no answer
            file.exports[name] = self._module_name(file, name)
        return file.exports[name]

    def _module_name(self, file: File, name: str) -> Thing | None:
        defined = file.members[-1].get(name) if -1 in file.members else None
        if defined:
            return Thing(Form.ITSELF, file, _best(file, defined))
        for reference in self.imports(file, -1).get(name, ()):
            if found := self.dialect.imported(self, file, reference):
                return found
        for reference in file.mentions.get(-1, ()):
            if reference.name == name and reference.kind in {"call", "value"}:
                return self._given(file, reference)
        for reference in self.imports(file, -1).get("*", ()):
            module = self.dialect.imported(self, file, reference)
            if module and not name.startswith("_") and (found := self.export(module.file, name)):
                return found
        return self.dialect.submodule(file, name)

    def imports(self, file: File, position: int) -> dict[str, list[Reference]]:
        """Return the imports that stand in a definition, by the name that they bind; ``*`` for those that bind all."""
        if file.imports is None:
            file.imports = {}
            for reference in file.references:
                if reference.kind == "import":
                    name = "*" if reference.member == "*" and not reference.name else self.dialect.bound_name(reference)
                    if name:
                        file.imports.setdefault(reference.definition, {}).setdefault(name, []).append(reference)
        return file.imports.get(position, {})

    def _is_bound(self, file: File, scope: int, name: str) -> bool:
        if name in file.members.get(scope, ()) or name in self.imports(file, scope):
            return True
        return any(reference.name == name and reference.kind != "import" for reference in file.mentions.get(scope, ()))

    def _local(self, file: File, scope: int, name: str, line: int) -> Thing | None:
        defined = file.members.get(scope, {}).get(name)
        if defined:
            return Thing(Form.ITSELF, file, _best(file, defined))
        for reference in self.imports(file, scope).get(name, ()):
            return self.dialect.imported(self, file, reference)
        bindings = [one for one in file.mentions[scope] if one.name == name and one.kind != "import"]
        declared = [one for one in bindings if one.kind == "type"]
        before = [one for one in bindings if one.line < line] or bindings
        return self._given(file, declared[0] if declared else before[-1])

    def _given(self, file: File, reference: Reference) -> Thing | None:
        """Return what a name is that has this type, or is given this."""
        if reference.kind == "type":
            return self.typed(file, reference.definition, reference.target, reference.line)
        if reference.kind == "local":
            return None
        chain = reference.target + ("()" if reference.kind == "call" else "")
        found = self.meaning(file, reference.definition, chain, reference.line)
        return found._replace(is_typed=True, is_held=True) if found else None

    def typed(self, file: File, position: int, text: str, line: int) -> Thing | None:
        """Return what has a type of this text."""
        named = self.dialect.type_named(text)
        if named is None:
            return None
        chain, form = named
        found = self.dialect.own(file, position, chain) or self.meaning(file, position, chain, line)
        if found is None or found.kind not in TYPES:
            return None
        return Thing(form, found.file, found.position, is_typed=True)

    def value(self, thing: Thing) -> Thing | None:
        """Return what a variable holds, or what stands in a property, so that its members can be asked for."""
        if thing.form is not Form.ITSELF or thing.kind in TYPES or thing.position < 0:
            return thing
        file, position = thing.file, thing.position
        if thing.kind in FUNCTIONS:
            return self.result(file, position)
        name = file.definitions[position].name
        bindings = [one for one in file.mentions.get(position, ()) if one.name == name]
        declared = [one for one in bindings if one.kind == "type"]
        return self._given(file, (declared or bindings)[0]) if bindings else None

    def result(self, file: File, position: int) -> Thing | None:
        """Return what a function returns, as far as it says so."""
        for reference in file.mentions.get(position, ()):
            if reference.kind == "type" and reference.name is None:
                return self.typed(file, position, reference.target, reference.line)
        return None

    def _called(self, thing: Thing | None, times: int) -> Thing | None:
        for _ in range(times):
            if thing is None or thing.position < 0 or thing.form is not Form.ITSELF:
                return None
            if thing.kind in TYPES:
                thing = Thing(Form.INSTANCE, thing.file, thing.position, is_typed=True)
            else:
                thing = self.result(thing.file, thing.position) if thing.kind in FUNCTIONS else None
        return thing

    def member(self, thing: Thing, name: str) -> Thing | None:
        """Return a member of a module, a class or a value."""
        if thing.position < 0:
            found = self.export(thing.file, name)
            return found._replace(is_typed=True) if found and thing.is_typed else found
        holder = self.value(thing)
        if holder is None or holder.kind not in TYPES:
            return None
        is_typed = thing.is_typed or holder.is_typed
        for base in self.bases(holder)[holder.form is Form.SUPER :]:
            defined = base.file.members.get(base.position, {}).get(name)
            if defined:
                return Thing(Form.ITSELF, base.file, _best(base.file, defined), is_typed)
            if holder.form is not Form.ITSELF and (given := self._attribute(base, name)):
                return given
        return None

    def inherited(self, file: File, position: int, name: str) -> Thing | None:
        """Return the member of a name that a class would have without its own."""
        return self.member(Thing(Form.SUPER, file, position), name) if len(self.bases(Thing(Form.ITSELF, file, position))) > 1 else None

    def _attribute(self, owner: Thing, name: str) -> Thing | None:
        """Return what an attribute of a value is, by what the methods of its class give it."""
        bindings = owner.file.attributes.get((owner.position, name), [])
        declared = [one for one in bindings if one.kind == "type"]
        for reference in (declared or bindings)[:1]:
            return self._given(owner.file, reference)
        return None

    def bases(self, thing: Thing) -> list[Thing]:
        """Return a class and what it inherits from, nearest first; of a base that is not known nothing."""
        known = thing.file.bases
        if thing.position not in known:
            found = [Thing(Form.ITSELF, thing.file, thing.position)]
            known[thing.position] = found[:]  # a class that inherits from itself ends here
            for reference in thing.file.mentions.get(thing.position, ()):
                base = self.base(thing.file, reference) if reference.kind == "extends" else None
                found += [one for one in self.bases(base) if one not in found] if base else []
            known[thing.position] = found[:_MOST_BASES]
        return known[thing.position]

    def base(self, file: File, reference: Reference) -> Thing | None:
        """Return the class that a reference names as a base; it is looked up outside of the class that has it."""
        named = self.dialect.type_named(reference.target)
        around = file.definitions[reference.definition].parent if reference.definition >= 0 else -1
        found = self.meaning(file, around, named[0], reference.line) if named else None
        return found if found and found.kind in TYPES else None


def _best(file: File, positions: list[int]) -> int:
    """Return the definition that a name means of several: the last that is a function or a type, which replaced the others."""
    return next((one for one in reversed(positions) if file.definitions[one].kind not in VALUES), positions[0])
