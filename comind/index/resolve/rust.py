"""How Rust names things: crates by their manifest, modules by file or block, members by type and by the blocks that add them.

In: files of Rust and where crates are found. Out: the `Dialect` of Rust.
A block for a type is a type of its own kind: its members belong to the type that it is for, its base is the trait. What a pattern or a
closure binds is not known, nor what a type parameter stands for, nor what a macro makes.
"""

from __future__ import annotations

import re
from posixpath import join
from typing import TYPE_CHECKING

from comind.index.resolve.blocks import Blocks, block_of
from comind.index.resolve.dialect import Dialect, Sight
from comind.index.resolve.files import ELSEWHERE, FUNCTIONS, TYPES
from comind.index.resolve.things import Form, Thing, module_thing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.index.resolve.files import File
    from comind.index.resolve.modules import Modules
    from comind.index.resolve.program import Program
    from comind.syntax.references import Reference

__all__ = ["RustDialect", "crate_names"]

_STEPS = re.compile(r"(?<=::)|\.")
_ABOVE = re.compile(r"(?:(?:crate|self|super)::)+")
_SIGNS = re.compile(r"(?:[&*]|'\w+\s*|(?:mut|const|dyn|impl)\b\s*)+")
_TYPE = re.compile(r"(?P<chain>[^\W\d]\w*(?:::[^\W\d]\w*)*)(?:::)?(?:<(?P<inner>.*)>)?", re.DOTALL)
_POINTERS = frozenset({"Box", "Rc", "Arc", "Pin"})  # their members are those of what they point to
_WRAPPERS = frozenset({"Option", "Result"})
_OPENING = frozenset({"unwrap()", "expect()", "unwrap_or_default()", "as_ref()", "as_mut()", "clone()", "to_owned()"})
_OF_WRAPPERS = """
    and and_then as_deref as_deref_mut as_mut as_pin_mut as_pin_ref as_ref as_slice clone cloned contains copied eq err expect expect_err
    filter flatten get_or_insert get_or_insert_with hash insert inspect inspect_err into_err into_iter into_ok is_err is_err_and is_none
    is_none_or is_ok is_ok_and is_some is_some_and iter iter_mut map map_err map_or map_or_else ok ok_or ok_or_else or or_else replace take
    take_if transpose unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked xor zip fmt cmp partial_cmp context
    with_context
"""
_MARKERS = frozenset({"Send", "Sync", "Unpin", "Sized", "?Sized", "Copy", "Clone", ""})
_WORDS = frozenset({"crate", "self", "super"})
_NAMESPACE = frozenset({"namespace"})
_DIRECTORY = frozenset({"mod", "lib", "main"})  # files that are the module of their directory
_ROOTS = frozenset({"lib", "main"})


class RustDialect(Dialect):
    """The `Dialect` of Rust."""

    has_blocks = True
    parts_calls = True
    binds_again = True
    of_wrappers = frozenset(_OF_WRAPPERS.split())
    sight = Sight.NONE

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def imported(self, program: Program, file: File, reference: Reference) -> Thing | None:
        """Follow a path from the module that the import stands in."""
        chain = reference.target + "::" * (reference.target.rpartition("::")[2] in _WORDS)
        holder = program.meaning(file, file.around(reference.definition, _NAMESPACE), chain, reference.line)
        if holder is None or reference.member in {None, "*"}:
            return holder
        return program.member(holder, reference.member, is_called=True) or program.member(holder, reference.member)

    def starred(self, program: Program, file: File, reference: Reference, name: str) -> Thing | None:
        """Look for a name in a module or an enum; an import of just that name stands above it."""
        if name in program.imports(file, reference.definition):
            return None
        found = self.imported(program, file, reference)
        return program.member(found, name) if found else None

    def bound_name(self, reference: Reference) -> str | None:
        """Return the name that an import gives, or that of the crate."""
        name = reference.name or (reference.target if reference.member is None else None)
        return None if name == "_" else name

    def given(self, program: Program, file: File, name: str) -> Thing | None:
        """Look for a macro by the import of its name, else in the modules around: it is known below where it stands."""
        if not name.endswith("!"):
            return None
        for reference in program.imports(file, -1).get(name[:-1], ()):
            chain = f"{reference.target}::{reference.member}!"
            return program.meaning(file, -1, chain, reference.line)
        above = self._parent(file)
        return program.export(above, name) if above else None

    def whole(self, program: Program, file: File, steps: list[str]) -> tuple[Thing | None, int]:  # noqa: ARG002 - a crate's name says it all
        """Find a crate."""
        crate = self.modules.find(f"crate {steps[0].removesuffix('::')}", file) if not steps[0].endswith(")") else None
        return (module_thing(crate) if crate else None), 1

    def own(self, program: Program, file: File, position: int, name: str) -> Thing | None:
        """Know ``self`` and ``Self``, and the modules ``self``, ``super`` and ``crate``."""
        if _ABOVE.fullmatch(name):
            return self._module(file, position, name.removesuffix("::").split("::"))
        if name not in {"self", "Self", "Self::"}:
            return None
        holder = _holder(program, file, file.around(position, FUNCTIONS) if name == "self" else position)
        return holder._replace(form=Form.INSTANCE, is_typed=True) if holder and name == "self" else holder

    def type_named(self, text: str) -> tuple[str, Form] | None:
        """Read a type through references and pointers; what may be none is known to be wrapped. Of several traits nothing is known."""
        parts = [part for part in (_SIGNS.sub("", one, count=1).strip() for one in _split(text, "+")) if part not in _MARKERS]
        found = _TYPE.fullmatch(parts[0]) if len(parts) == 1 else None
        if found is None:
            return None
        last = found["chain"].rpartition("::")[2]
        if found["inner"] is not None and last in _POINTERS | _WRAPPERS:
            inner = self.type_named(_split(found["inner"], ",")[0])
            return (inner[0], Form.WRAPPED if last in _WRAPPERS else inner[1]) if inner else None
        return found["chain"], Form.INSTANCE

    def steps(self, chain: str) -> list[str]:
        """Return the names of a chain, each with the calls behind it, or with ``::``; what only opens what is wrapped is left out."""
        above = _ABOVE.match(chain)
        rest = chain[above.end() :] if above else chain
        steps = ([above.group()] if above else []) + [step for step in _STEPS.split(rest) if step]
        return steps[:1] + [step for step in steps[1:] if step not in _OPENING]

    def leads_on(self, thing: Thing, step: str) -> bool:
        """Tell members of modules and types, behind ``::``, from those of values."""
        is_path = thing.kind in {"module", "namespace"} or (thing.kind in TYPES and thing.form is Form.ITSELF)
        return step.endswith("::") == is_path

    def stops_at_namespaces(self, name: str) -> bool:
        """Tell macros from everything else: only they are known in the modules below."""
        return not name.endswith("!")

    def submodule(self, file: File, name: str) -> Thing | None:
        """Return the module in the file that a module would stand in: a macro may declare it."""
        child = self._child(file, -1, name)
        return module_thing(child) if child else None

    def opened(self, program: Program, namespace: Thing) -> Thing:  # noqa: ARG002 - a path says it all
        """Return the file of a module without a block."""
        file, position = namespace.file, namespace.position
        if file.members.get(position):
            return namespace
        one = file.definitions[position]
        child = self._child(file, one.parent, one.name)
        return module_thing(child) if child else namespace

    def added(self, program: Program, owner: Thing, name: str) -> list[tuple[File, int]]:
        """Return the members that ``impl`` blocks give a type."""
        return self._blocks(owner.file).members(program, owner, name)

    def blocks(self, program: Program, owner: Thing) -> Sequence[Thing]:
        """Return the blocks that implement traits for a type."""
        return [Thing(Form.ITSELF, block.file, block.position) for block in self._blocks(owner.file).bases(program, owner)]

    def _blocks(self, file: File) -> Blocks:
        """Return the blocks of the crates in a file's package."""
        if file.blocks is None:
            files = [one for one in self.modules.near(f"package {file.package}", file) if one.blocks is None]
            blocks = Blocks(files)
            for one in {file, *files}:
                one.blocks = blocks
            return blocks
        return file.blocks

    def _module(self, file: File, position: int, words: list[str]) -> Thing | None:
        """Go from the module around a definition to the one above, or to that of the crate."""
        found: File | None = file
        scope = file.around(position, _NAMESPACE)
        for word in words:
            if found is None:
                return None
            if word == "crate":
                found, scope = self._root(found), -1
            elif word == "super" and scope >= 0:
                scope = found.around(found.definitions[scope].parent, _NAMESPACE)
            elif word == "super":
                found = self._parent(found)
        return Thing(Form.ITSELF, found, scope) if found else None

    def _root(self, file: File) -> File:
        for _ in range(file.path.count("/") + 1):
            above = self._parent(file)
            if above is None:
                break
            file = above
        return file

    def _parent(self, file: File) -> File | None:
        """Return the file of the module around that of a file: the one that declares it, if several could."""
        folder, stem = _place(file)
        if stem in _ROOTS:
            return None
        name = stem
        if stem == "mod":
            folder, _, name = folder.rpartition("/")
        paths = [join(folder, f"{one}.rs") for one in ("mod", "lib", "main")] + [f"{folder}.rs"]
        found = [one for path in paths if (one := self.modules.at(file.repo_id, path)) and one.package == file.package]
        beside = (one for one in self.modules.near(f"folder {folder}", file) if one is not file)
        declaring = (one for ones in (found, beside) for one in ones if _declares(one, name))
        return next(declaring, found[0] if found else None)

    def _child(self, file: File, scope: int, name: str) -> File | None:
        """Return the file of a module that is declared in a file."""
        folder, stem = _place(file)
        inner = [file.definitions[scope].name] if scope >= 0 else []
        below = [] if stem in _DIRECTORY else [stem]
        folders = [join(folder, *below, *inner), join(folder, *inner)]  # the second where the file is the root of a crate
        paths = [join(one, path) for one in folders for path in (f"{name}.rs", f"{name}/mod.rs")]
        found = (self.modules.at(file.repo_id, path) for path in paths)
        return next((one for one in found if one and one is not file and one.package == file.package), None)


def crate_names(package: str, path: str) -> Iterator[str]:
    """Return what a file is found by: its package, its folder, and the crate whose root it is.

    >>> list(crate_names("cargo tokio-util", "tokio-util/src/lib.rs"))
    ['package cargo tokio-util', 'folder tokio-util/src', 'crate tokio_util']
    """
    folder, _, name = path.rpartition("/")
    yield f"package {package}"
    yield f"folder {folder}"
    if name == "lib.rs" and folder.rpartition("/")[2] == "src":
        yield f"crate {package.rpartition(' ')[2].replace('-', '_')}"


def _holder(program: Program, file: File, position: int) -> Thing | None:
    """Return the type that a definition is in, or is added to; of a type that is not known, the block that is for it."""
    while position >= 0:
        one = file.definitions[position]
        if one.kind == "implementation" or one.parent == ELSEWHERE:
            block = block_of(file, position)
            found = program.export(file, block.name, block.scope) if block else None
            if found and found.kind in TYPES:
                return Thing(Form.ITSELF, found.file, found.position)
            return Thing(Form.ITSELF, file, block.position) if block and block.position >= 0 else None
        if one.kind in TYPES and one.kind != "type":
            return Thing(Form.ITSELF, file, position)
        position = one.parent
    return None


def _place(file: File) -> tuple[str, str]:
    folder, _, name = file.path.rpartition("/")
    return folder, name.removesuffix(".rs")


def _declares(file: File, name: str) -> bool:
    return any(file.definitions[one].kind == "namespace" for one in file.members.get(-1, {}).get(name, ()))


def _split(text: str, separator: str) -> list[str]:
    """Split at separators that stand in no brackets."""
    parts, depth, before = [""], 0, ""
    for character in text:
        depth += (character in "[(<") - (character in "])" or (character == ">" and before != "-"))
        if character == separator and not depth:
            parts.append("")
        else:
            parts[-1] += character
        before = character
    return parts
