"""The meaning of chains of names in one language: scopes, members, inheritance, types.

In: files and a dialect, which knows how the language imports and what it calls its own. Out: what a chain means, or None.
Every question is asked of the files alone; a question that leads back to itself has no answer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.index.resolve.dialect import Sight
from comind.index.resolve.files import FUNCTIONS, TYPES, VALUES, last_descriptor
from comind.index.resolve.things import Form, Thing
from comind.index.resolve.units import Unit

if TYPE_CHECKING:
    from collections.abc import Callable

    from comind.index.resolve.dialect import Dialect
    from comind.index.resolve.files import File
    from comind.syntax.references import Reference

__all__ = ["Program"]

_DECLARING = frozenset({"type", "local"})
_IMPORTING = frozenset({"import", "reexport"})
_MODULES = frozenset({"module", "namespace"})
_GIVING = _IMPORTING | {"export"}
_CALLED = (FUNCTIONS | TYPES | {"enum_member", "macro"}) - {"constructor"}
_NAMED = VALUES | TYPES
_DEEPEST = 24  # questions that one question may lead to, one within the other
_MOST_BASES = 64
_MOST_PASSED = 64  # modules that one name is followed through


class Program:
    """All files that a resolver may look at."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self._depth = self._passed = 0

    def meaning(self, file: File, position: int, chain: str, line: int, *, is_called: bool = False) -> Thing | None:
        """Return what a chain means where it stands.

        Args:
            file: where it stands.
            position: the definition around it, -1 for none.
            chain: such as ``a.b().c``.
            line: 1-based; of a name that is bound several times, the binding before it counts.
            is_called: what it means is called there.
        """
        if self._depth >= _DEEPEST:
            return None
        self._depth += 1
        try:
            steps = self.dialect.steps(chain)
            thing, taken = self._first(file, position, steps, line, is_called)
            for number, part in enumerate(steps[taken:], taken + 1):
                if thing is None or not self.dialect.leads_on(thing, steps[number - 2]):
                    return None
                name, calls = part.rstrip("():"), part.count("()")
                member = self.member(thing, name, is_called=calls > 0 or (is_called and number == len(steps)))
                thing = self._called(member, calls)
            return thing
        finally:
            self._depth -= 1

    def _first(self, file: File, position: int, steps: list[str], line: int, is_called: bool) -> tuple[Thing | None, int]:  # noqa: FBT001 - as in `meaning`
        """Return what a chain begins with, and how many of its steps that takes."""
        name, calls = steps[0].rstrip("()"), steps[0].count("()")
        own = self.dialect.own(self, file, position, name + "()" * min(calls, 1)) if calls else None
        if own is not None:
            return self._called(own, calls - 1), 1
        own = self.dialect.own(self, file, position, name)
        found = own or self.name(file, position, name.rstrip(":"), line, is_called=calls > 0 or (is_called and len(steps) == 1))
        return (self._called(found, calls), 1) if found else self.dialect.whole(self, file, steps)

    def name(self, file: File, position: int, name: str, line: int, *, is_called: bool = False) -> Thing | None:
        """Return what a name means in a definition: its own, those of the functions around it, those of the module."""
        scope, inner = position, True
        sight = self.dialect.sight
        while scope >= 0:
            kind = file.definitions[scope].kind
            is_around = kind in TYPES and sight is Sight.INHERITED
            if is_around and (found := self.member(Thing(Form.ITSELF, file, scope), name, is_called=is_called)):
                return found
            is_seen = kind in FUNCTIONS or (kind in TYPES and inner and sight is Sight.BODY)
            if is_seen and self._is_bound(file, scope, name, line, is_called):
                return self._local(file, scope, name, line)
            if kind == "namespace":
                found = self._beside(file, name, scope, is_called=is_called)
                if found or self.dialect.stops_at_namespaces(name):
                    return found
            inner = inner and kind in VALUES
            scope = file.definitions[scope].parent
        return self._loose(file, name, line) or self._beside(file, name, -1, is_called=is_called)

    def _loose(self, file: File, name: str, line: int) -> Thing | None:
        """Return what a block outside of all definitions, such as a function without a name, gives to a name."""
        if not self.dialect.has_blocks:
            return None
        bindings = [one for one in file.mentions.get(-1, ()) if one.name == name and one.kind not in _GIVING and one.line <= line]
        before = [one for one in bindings if one.line < line or one.target.partition(".")[0] != name]
        return self._given(file, before[-1]) if before else None

    def export(self, file: File, name: str, position: int = -1) -> Thing | None:
        """Return what a name means in a module, or in a namespace in it, seen from outside or inside."""
        read = self._module_name if position < 0 else self._namespace_name
        return self._kept(file, name, position, lambda: read(file, name, position))

    def _kept(self, file: File, name: str, position: int, read: Callable[[], Thing | None]) -> Thing | None:
        known = file.exports
        if (name, position) not in known and self._passed < _MOST_PASSED:
            self._passed += 1
            known[name, position] = None  # what leads back here has no answer
            known[name, position] = read()
            self._passed -= 1
        return known.get((name, position))

    def unit(self, file: File) -> Unit:
        """Return the files that share their names with a file."""
        if file.unit is None:
            unit = Unit(self.dialect.together(file))
            for one in unit.files:
                one.unit = unit
            file.unit = unit
        return file.unit

    def _beside(self, file: File, name: str, position: int, *, is_called: bool) -> Thing | None:
        """Return what a name means in a module; where a module in it has that name too, and something is called, the other."""
        found = self.export(file, name, position)
        if found is None or not is_called or found.kind != "namespace":
            return found
        imports = (self.dialect.imported(self, file, one) for one in self.imports(file, position).get(name, ()))
        return self._kept(file, f"{name}()", position, lambda: next((one for one in imports if one and one.kind not in _MODULES), None))

    def _module_name(self, file: File, name: str, _: int) -> Thing | None:
        own = file.members.get(-1, {}).get(name)
        if own and self.dialect.hides_imports and name in self.imports(file, -1):
            return None
        if own:
            best = _best([(file, position) for position in own])
            return self._required(best, name) or best
        return self._brought(file, name) or self._around(file, name)

    def _namespace_name(self, file: File, name: str, position: int) -> Thing | None:
        own = file.members.get(position, {}).get(name)
        if own:
            return _best([(file, one) for one in own])
        return self._imported(file, name, position) or self.starred(file, name, position)

    def _brought(self, file: File, name: str) -> Thing | None:
        """Return what an import binds a name to, else what the files beside this one define."""
        if name in self.imports(file, -1):
            return self._imported(file, name, -1)
        shared = self.unit(file).names.get(name)
        return _best(shared) if shared else None

    def _imported(self, file: File, name: str, position: int) -> Thing | None:
        found = (self.dialect.imported(self, file, one) for one in self.imports(file, position).get(name, ()))
        return next((one for one in found if one), None)

    def starred(self, file: File, name: str, position: int = -1) -> Thing | None:
        """Return what a name means of all the names that a module, or a namespace in it, takes from others."""
        found = (self.dialect.starred(self, file, one, name) for one in self.imports(file, position).get("*", ()))
        return next((one for one in found if one), None)

    def _around(self, file: File, name: str) -> Thing | None:
        if found := self.dialect.given(self, file, name):
            return found
        for reference in file.mentions.get(-1, ()):
            if reference.name == name and reference.kind in {"call", "value"}:
                return self._given(file, reference)
        return self.starred(file, name, -1) or self.dialect.submodule(file, name)

    def _required(self, variable: Thing, name: str) -> Thing | None:
        """Return what a variable holds that is given what an import returns."""
        mentions = variable.file.mentions.get(variable.position, ()) if variable.kind in VALUES else ()
        imports = (one for one in mentions if one.kind == "import" and one.name == name)
        return next((self.dialect.imported(self, variable.file, one) for one in imports), None)

    def imports(self, file: File, position: int) -> dict[str, list[Reference]]:
        """Return the imports that stand in a definition, by the name that they bind; ``*`` for those that bind all."""
        if file.imports is None:
            file.imports = {}
            for reference in file.references:
                if reference.kind in _IMPORTING:
                    name = "*" if reference.member == "*" and not reference.name else self.dialect.bound_name(reference)
                    if name:
                        file.imports.setdefault(reference.definition, {}).setdefault(name, []).append(reference)
        return file.imports.get(position, {})

    def _is_bound(self, file: File, scope: int, name: str, line: int, is_called: bool) -> bool:  # noqa: FBT001 - as in `meaning`
        if self._defined_in(file, scope, name) or name in self.imports(file, scope):
            return True
        return not (is_called and self.dialect.parts_names) and bool(self._bindings(file, scope, name, line))

    def _defined_in(self, file: File, scope: int, name: str) -> list[int]:
        """Return what is defined within a function, or the body of a type, under a name."""
        defined = file.members.get(scope, {}).get(name, [])
        if self.dialect.parts_names:  # methods that stand in a function are those of a value without a name
            return [one for one in defined if file.definitions[one].kind in TYPES]
        if file.definitions[scope].kind in FUNCTIONS:  # nor is a method of an object that a function makes a name in it
            return [one for one in defined if file.definitions[one].kind != "method"]
        return defined

    def _bindings(self, file: File, scope: int, name: str, line: int) -> list[Reference]:
        """Return what binds a name in a definition, that which counts last."""
        bindings = [one for one in file.mentions.get(scope, ()) if one.name == name and one.kind not in _GIVING]
        declared = [one for one in bindings if one.kind in _DECLARING]
        if self.dialect.has_blocks:
            before = [one for one in bindings if one.line < line or (one.line == line and one.target.partition(".")[0] != name)]
            return (not self.dialect.binds_again and [one for one in declared if one.line <= line]) or before
        return declared[:1] or [one for one in bindings if one.line < line] or bindings

    def _local(self, file: File, scope: int, name: str, line: int) -> Thing | None:
        defined = self._defined_in(file, scope, name)
        if defined:
            return _best([(file, position) for position in defined])
        for reference in self.imports(file, scope).get(name, ()):
            return self.dialect.imported(self, file, reference)
        return self._given(file, self._bindings(file, scope, name, line)[-1])

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
        found = self.dialect.own(self, file, position, chain) or self.meaning(file, position, chain, line)
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
        bindings = [one for one in file.mentions.get(position, ()) if one.name == name and one.kind not in _GIVING]
        holder = file.definitions[position].parent
        if thing.kind == "enum_member" and holder >= 0:
            return Thing(Form.INSTANCE, file, holder, is_typed=True)
        if holder >= 0:  # a type that stands before the name
            bindings += [one for one in file.mentions.get(holder, ()) if one.name == name and one.kind == "type"]
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
            if thing.kind == "enum_member":
                thing = self.value(thing)
            elif thing.kind in TYPES:
                thing = Thing(Form.INSTANCE, thing.file, thing.position, is_typed=True)
            else:
                thing = self.returned(thing) if thing.kind in FUNCTIONS else None
        return thing

    def returned(self, thing: Thing) -> Thing | None:
        """Return what a function returns; one of several overloads, if all of them return the same."""
        results = {self.result(thing.file, one) for one in (self.overloads(thing) if thing.is_open else [thing.position])}
        return results.pop() if len(results) == 1 else None

    def overloads(self, thing: Thing) -> list[int]:
        """Return a function with those beside it that have its name."""
        definitions = thing.file.definitions
        named = thing.file.members[definitions[thing.position].parent][definitions[thing.position].name]
        return [one for one in named if definitions[one].kind in FUNCTIONS]

    def member(self, thing: Thing, name: str, *, is_called: bool = False) -> Thing | None:
        """Return a member of a module, a class or a value."""
        if thing.kind == "namespace":
            thing = self.dialect.opened(self, thing)
        if thing.kind in _MODULES:
            found = self._beside(thing.file, name, thing.position, is_called=is_called)
            return found._replace(is_typed=True) if found and thing.is_typed else found
        holder = self.value(thing)
        if holder and holder.position < 0:
            return self.member(holder, name)
        if holder is None or holder.kind not in TYPES or (holder.form is Form.WRAPPED and name in self.dialect.of_wrappers):
            return None
        is_typed = thing.is_typed or holder.is_typed
        bases = self.bases(holder)[holder.form is Form.SUPER :]
        for number, base in enumerate(bases):
            defined = self._members(base, name, is_called)
            if defined:
                is_open = self.dialect.parts_calls and self._is_open(defined, bases[number + 1 :], name)
                return _best(defined)._replace(is_typed=is_typed, is_open=is_open)
            if holder.form is not Form.ITSELF and (given := self._attribute(base, name)):
                return given
        return None

    def overridden(self, file: File, position: int) -> Thing | None:
        """Return the method that the class of a method would have without it."""
        one = file.definitions[position]
        if not any(reference.kind == "extends" for reference in file.mentions.get(one.parent, ())):
            return None
        bases = self.bases(Thing(Form.ITSELF, file, one.parent))[1:]
        if not self.dialect.parts_calls:
            return self.member(Thing(Form.SUPER, file, one.parent), one.name)
        every = (Thing(Form.ITSELF, *other) for base in bases for other in self._members(base, one.name, is_called=True))
        return next((other for other in every if self._overrides((file, position), (other.file, other.position))), None)

    def _members(self, base: Thing, name: str, is_called: bool) -> list[tuple[File, int]]:  # noqa: FBT001 - as in `meaning`
        defined = self.unit(base.file).members(base.file, base.position, name) or self.dialect.added(self, base, name)
        if not self.dialect.parts_calls:
            return defined
        return [(file, one) for file, one in defined if file.definitions[one].kind in (_CALLED if is_called else _NAMED)]

    def _is_open(self, defined: list[tuple[File, int]], bases: list[Thing], name: str) -> bool:
        """Tell whether a method has overloads, in its class or in those from which that inherits."""
        inherited = (one for base in bases for one in self._members(base, name, is_called=True))
        return _has_several(defined) or not all(self._overrides(defined[0], one) for one in inherited)

    def _overrides(self, own: tuple[File, int], inherited: tuple[File, int]) -> bool:
        return self.dialect.overrides(*(last_descriptor(file.definitions[one].descriptors) for file, one in (own, inherited)))

    def _attribute(self, owner: Thing, name: str) -> Thing | None:
        """Return what an attribute of a value is, by what the methods of its class give it."""
        bindings = owner.file.attributes.get((owner.position, name), [])
        declared = [one for one in bindings if one.kind == "type"]
        for reference in (declared or bindings)[:1]:
            return self._given(owner.file, reference)
        return self.dialect.part(self, owner, name)

    def bases(self, thing: Thing) -> list[Thing]:
        """Return a class and what it inherits from, nearest first; of a base that is not known nothing."""
        known = thing.file.bases
        if thing.position not in known:
            own = Thing(Form.ITSELF, thing.file, thing.position)
            known[thing.position] = [own]  # a class that inherits from itself ends here
            found, waiting = list[Thing](), [own]
            while waiting and len(found) < _MOST_BASES:
                one = waiting.pop()
                if one not in found:
                    found.append(one)
                    waiting += reversed(self._parents(one))
            known[thing.position] = found
        return known[thing.position]

    def _parents(self, thing: Thing) -> list[Thing]:
        """Return what a class names as its bases."""
        known = thing.file.parents
        if thing.position not in known:
            known[thing.position] = []
            blocks = [thing, *self.dialect.blocks(self, thing)]
            named = ((block.file, one) for block in blocks for one in block.file.mentions.get(block.position, ()) if one.kind == "extends")
            found = [self.base(*one) for one in named]
            known[thing.position] = [Thing(Form.ITSELF, base.file, base.position) for base in found if base]
        return known[thing.position]

    def base(self, file: File, reference: Reference) -> Thing | None:
        """Return the class that a reference names as a base; it is looked up outside of the class that has it."""
        named = self.dialect.type_named(reference.target)
        around = file.definitions[reference.definition].parent if reference.definition >= 0 else -1
        found = self.meaning(file, around, named[0], reference.line) if named else None
        return found if found and found.kind in TYPES else None


def _has_several(defined: list[tuple[File, int]]) -> bool:
    return len({file.sid(one) for file, one in defined}) > 1


def _best(defined: list[tuple[File, int]]) -> Thing:
    """Return the definition that a name means of several: the last that is a function or a type, which replaced the others."""
    best = next((one for one in reversed(defined) if one[0].definitions[one[1]].kind not in VALUES), defined[0])
    return Thing(Form.ITSELF, *best)
