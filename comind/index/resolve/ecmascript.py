"""How JavaScript and TypeScript name things: files by path, packages by their manifest's name, ``this``, ``super``, annotations.

In: files of JavaScript, TypeScript and TSX, which import each other. Out: their `Dialect`.
"""

from __future__ import annotations

import re
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from comind.index.resolve.dialect import Dialect, Sight
from comind.index.resolve.files import FUNCTIONS, TYPES
from comind.index.resolve.things import Form, Thing, module_thing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from comind.index.resolve.files import File
    from comind.index.resolve.modules import Modules
    from comind.index.resolve.program import Program
    from comind.syntax.references import Reference

__all__ = ["EcmaScriptDialect", "import_names"]

_SUFFIXES = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs")
_WRITTEN_AS = {".js": (".ts", ".tsx", ".d.ts"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}  # what a compiler makes of what
_SUFFIX = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_SOURCES = re.compile(r"(?:^|/)(?:src|lib)/$")
_BUILT = re.compile(r"^(?:dist|build|out|lib|src|esm|cjs|es)/")
_CHAIN = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
_GENERIC = re.compile(r"([A-Za-z_$][\w$.]*)<(.*)>", re.DOTALL)
_NOTHING = frozenset({"null", "undefined", "void", ""})
_TRANSPARENT = frozenset({"Readonly", "Partial", "Required", "NonNullable", "Promise", "PromiseLike", "Awaited"})
_EXPORTING = frozenset({"export", "value"})
_DEFAULT = "default"


class EcmaScriptDialect(Dialect):
    """The `Dialect` of JavaScript and TypeScript."""

    has_blocks = True
    hides_imports = True
    sight = Sight.NONE

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def imported(self, program: Program, file: File, reference: Reference) -> Thing | None:
        """Follow an import to the module that it binds whole, or to what its member is there."""
        module = self.find(reference.target, file)
        if module is None:
            return None
        if reference.member == "*":
            return module_thing(module)
        if reference.member is None:
            return self._assigned(program, module) or module_thing(module)
        found = self._offered(program, module, reference.member)
        if found is None and reference.member == _DEFAULT:
            return self._assigned(program, module)
        return found

    def find(self, name: str, near: File) -> File | None:
        """Find the file that an import names: by its path, else in the package of that name."""
        if name.startswith("."):
            base = normpath(join(dirname(near.path), name))
            return None if base.startswith("..") else self._at(near, base)
        if name.startswith(("@/", "~/")):  # no package may be called so: by custom it is the source root
            return self.modules.find(f"{near.package}/{_SUFFIX.sub('', name[2:])}", near)
        for candidate in _candidates(name):
            if found := self.modules.find(candidate, near):
                return found if found is not near else None
        return None

    def _at(self, near: File, base: str) -> File | None:
        suffix = base[base.rfind(".") :] if "." in base.rpartition("/")[2] else ""
        paths = [base.removesuffix(suffix) + other for other in _WRITTEN_AS.get(suffix, ())]
        paths += [base, *(base + other for other in _SUFFIXES), *(join(base, "index" + other) for other in _SUFFIXES)]
        return next((found for path in paths if (found := self.modules.at(near.repo_id, normpath(path)))), None)

    def _assigned(self, program: Program, module: File) -> Thing | None:
        """Return what is assigned to ``module.exports``, where that is one definition."""
        found = program.export(module, "module.exports")
        return found._replace(is_typed=False, is_held=False) if found and found.file is module and found.position >= 0 else None

    def bound_name(self, reference: Reference) -> str | None:
        """An import binds the name that it is given."""
        return reference.name

    def given(self, program: Program, file: File, name: str) -> Thing | None:
        """Return what a module exports under a name that is not its own: ``export { a as b }``, ``exports.b = a``."""
        for reference in file.mentions.get(-1, ()):
            is_export = reference.kind == "export" and reference.name == name and reference.target != name
            if is_export or (reference.kind == "value" and reference.name in {f"exports.{name}", f"module.exports.{name}"}):
                return program.meaning(file, -1, reference.target, reference.line)
        return None

    def starred(self, program: Program, file: File, reference: Reference, name: str) -> Thing | None:
        """Return what ``export *`` passes on; a default is not."""
        module = self.find(reference.target, file) if name != _DEFAULT and reference.kind == "reexport" else None
        return self._offered(program, module, name) if module else None

    def _offered(self, program: Program, module: File, name: str) -> Thing | None:
        """Return what a module offers others under a name: not what it imports and only uses itself."""
        imports = program.imports(module, -1).get(name, ())
        is_kept = bool(imports) and all(one.kind == "import" for one in imports) and name not in module.members.get(-1, {})
        if is_kept and not any(one.kind in _EXPORTING and one.name == name for one in module.mentions.get(-1, ())):
            return program.starred(module, name)
        return program.export(module, name)

    def own(self, program: Program, file: File, position: int, name: str) -> Thing | None:  # noqa: ARG002 - the words say it all
        """Know ``this`` and ``super``."""
        if name not in {"this", "super", "super()"}:
            return None
        holder = position
        while holder >= 0 and file.definitions[holder].kind not in TYPES:
            around = file.definitions[holder].parent
            if (
                file.definitions[holder].kind == "function"
                and around >= 0
                and file.definitions[around].kind in FUNCTIONS
                and name == "this"
            ):
                return None  # a function in a method has a `this` of its own
            holder = around
        if holder < 0:
            return None
        return Thing(Form.INSTANCE if name == "this" else Form.SUPER, file, holder, is_typed=True)

    def type_named(self, text: str) -> tuple[str, Form] | None:
        """Read an annotation: null or not, promised or not; of a union of several types nothing is known."""
        parts = [part for part in _split(text, "|") if part not in _NOTHING]
        if len(parts) != 1:
            return None
        if parts[0].startswith("typeof "):
            return (parts[0][7:], Form.ITSELF) if _CHAIN.fullmatch(parts[0][7:]) else None
        if _CHAIN.fullmatch(parts[0]):
            return parts[0], Form.INSTANCE
        generic = _GENERIC.fullmatch(parts[0])
        if generic is None:
            return None
        if generic[1] in _TRANSPARENT:
            return self.type_named(generic[2])
        return generic[1], Form.INSTANCE


def import_names(package: str, path: str, module: str) -> Iterator[str]:
    """Return the names that other packages may import a file by; behind ``**`` those that end alike.

    An index beside the directory of sources stands behind the one in it: as a rule it loads what is built of those.

    >>> list(import_names("npm hono", "src/middleware/cors/index.ts", "middleware/cors/`index.ts`/"))
    ['npm hono/middleware/cors', 'npm hono/**/cors', 'npm hono/**/middleware/cors']
    >>> list(import_names("npm hono", "src/index.ts", "`index.ts`/")), list(import_names("npm hono", "index.js", "`index.js`/"))
    (['npm hono'], ['npm hono/.'])
    """
    inside = module.replace("`", "").rstrip("/")
    parts = _SUFFIX.sub("", inside).split("/")
    if parts[-1] == "index":
        parts.pop()
    is_beside = not parts and not _SOURCES.search(path.removesuffix(inside))
    yield "/".join([package, *(["."] if is_beside else parts)])
    yield from (f"{package}/**/{'/'.join(parts[-length:])}" for length in range(1, len(parts) + 1))


def _candidates(name: str) -> Iterable[str]:
    parts = name.removeprefix("npm:").split("/")
    length = 2 if name.startswith("@") else 1
    package = f"npm {'/'.join(parts[:length])}"
    inside = _SUFFIX.sub("", _BUILT.sub("", "/".join(parts[length:]))).removesuffix("/index")
    if not inside:
        return package, f"{package}/.", f"{package}/main", f"{package}/{parts[length - 1]}"
    return f"{package}/{inside}", f"{package}/**/{inside}"


def _split(text: str, separator: str) -> list[str]:
    """Split at separators that stand in no brackets."""
    parts, depth, before = [""], 0, ""
    for character in text:
        depth += (character in "[(<{") - (character in "])}" or (character == ">" and before != "="))
        if character == separator and not depth:
            parts.append("")
        else:
            parts[-1] += character
        before = character
    return parts
