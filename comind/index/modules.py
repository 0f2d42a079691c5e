"""The module that a file is, named the way the indexers of its language name it.

In: a path within a package, its language, the package. Out: SCIP descriptors of the module, source root stripped.
Never looks into a file; a language that names modules by files needs no more.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.index.names import namespace

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["DEFAULT_ROOTS", "module_descriptors"]

_JVM = frozenset({"java", "kotlin", "scala"})
_JVM_ROOT = re.compile(r"^(?:.*/)?src/(?:[^/]+/(?:java|kotlin|scala|groovy)|java|main|test)/")
DEFAULT_ROOTS = {
    "python": ("src", "lib"),
    "javascript": ("src", "lib"),
    "typescript": ("src", "lib"),
    "tsx": ("src", "lib"),
    "rust": ("src",),
    "c": ("src", "include", "lib"),
    "cpp": ("src", "include", "lib"),
    "csharp": ("src",),
    "ruby": ("lib",),
    "php": ("src", "lib"),
    "kotlin": ("src",),
    "scala": ("src",),
    "swift": ("Sources",),
    "lua": ("src", "lua", "lib"),
}  # fmt: skip


def module_descriptors(path: str, language: str | None, *, package: str, roots: Sequence[str]) -> str:
    """Return the descriptors of a file's module; empty where the language adds nothing to the package.

    Args:
        path: the file, relative to the directory of its package.
        language: as `language_of` names it; None for what is not code.
        package: `<manager> <name>`; Go names a module by its import path.
        roots: directories, relative to the package, that modules are named from; the longest that fits is stripped.

    >>> module_descriptors("src/flask/json/__init__.py", "python", package="pypi flask", roots=["src"])
    '`flask.json`/'
    >>> module_descriptors("src/router/reg-exp.ts", "typescript", package="npm hono", roots=["src"])
    'router/`reg-exp.ts`/'
    >>> module_descriptors("binding/json.go", "go", package="gomod github.com/gin-gonic/gin", roots=[])
    '`github.com/gin-gonic/gin/binding`/'
    >>> module_descriptors("src/main/java/org/apache/Text.java", "java", package="maven org.apache:text", roots=[])
    'org/apache/'
    >>> module_descriptors("include/store/key.h", "c", package="repo x", roots=["src", "include"])
    'store/`key.h`/'
    >>> module_descriptors("Sources/Store/Key.swift", "swift", package="repo x", roots=["Sources"])
    'Store/'
    >>> module_descriptors("src/runtime/mod.rs", "rust", package="cargo tokio", roots=["src"])
    'runtime/'
    """
    inside, rooted = _strip_root(path, language, roots)
    directory, _, file_name = inside.rpartition("/")
    return _NAMING.get(language or "", _by_file)(_Inside(directory, file_name, package, rooted))


@dataclass(frozen=True, slots=True)
class _Inside:
    """A file within its source root."""

    directory: str
    file_name: str
    package: str
    rooted: bool  # a source root was stripped

    @property
    def stem(self) -> str:
        return self.file_name.rpartition(".")[0] or self.file_name

    @property
    def directories(self) -> str:
        return "".join(namespace(part) for part in self.directory.split("/") if part)


def _strip_root(path: str, language: str | None, roots: Sequence[str]) -> tuple[str, bool]:
    if language in _JVM and (found := _JVM_ROOT.match(path)):
        return path[found.end() :], True
    for root in sorted(roots, key=len, reverse=True):
        if path.startswith(f"{root}/"):
            return path[len(root) + 1 :], True
    return path, False


def _by_file(file: _Inside) -> str:
    return file.directories + namespace(file.file_name)


def _python(file: _Inside) -> str:
    parts = [part for part in file.directory.split("/") if part] + ([] if file.stem == "__init__" else [file.stem])
    return namespace(".".join(parts)) if parts else ""


def _go(file: _Inside) -> str:
    manager, _, name = file.package.partition(" ")
    return namespace(f"{name}/{file.directory}".rstrip("/")) if manager == "gomod" else file.directories


def _jvm(file: _Inside) -> str:
    return file.directories  # a class is named by its package, whatever its file is called


def _rust(file: _Inside) -> str:
    is_directory = file.stem == "mod" or (file.rooted and not file.directory and file.stem in {"lib", "main"})
    return file.directories + ("" if is_directory else namespace(file.stem))


# A class of C#, and any name of Swift, is named by its directory, whatever its file is called.
_NAMING = {"python": _python, "go": _go, "java": _jvm, "kotlin": _jvm, "scala": _jvm, "csharp": _jvm, "swift": _jvm, "rust": _rust}
