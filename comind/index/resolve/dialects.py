"""Which languages are resolved, and by which dialect: languages of one family import each other's files.

In: the name of a language or family. Out: its dialect, and the names under which its files are found as modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.index.resolve.ecmascript import EcmaScriptDialect, import_names
from comind.index.resolve.go import GoDialect, import_path
from comind.index.resolve.java import JavaDialect, type_names
from comind.index.resolve.python import PythonDialect, dotted_module
from comind.index.resolve.rust import RustDialect, crate_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from comind.index.resolve.dialect import Dialect
    from comind.index.resolve.modules import Modules

__all__ = ["FAMILIES", "dialect_of", "module_names"]

FAMILIES = {  # language: family
    "python": "python",
    "go": "go",
    "java": "java",
    "rust": "rust",
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "tsx": "ecmascript",
}
_DIALECTS: Mapping[str, Callable[[Modules], Dialect]] = {
    "python": PythonDialect,
    "go": GoDialect,
    "java": JavaDialect,
    "rust": RustDialect,
    "ecmascript": EcmaScriptDialect,
}
_NAMES: Mapping[str, Callable[[str, str, str], Iterable[str]]] = {
    "python": lambda _, __, module: [dotted_module(module)],
    "go": lambda _, __, module: [import_path(module)],
    "java": lambda _, path, module: type_names(path, module),
    "rust": lambda package, path, _: crate_names(package, path),
    "ecmascript": import_names,
}


def dialect_of(family: str, modules: Modules) -> Dialect:
    """Return the dialect of a family of languages."""
    return _DIALECTS[family](modules)


def module_names(family: str, package: str, path: str, module: str) -> Iterable[str]:
    """Return the names that files of a family import a file by."""
    return _NAMES[family](package, path, module)
