"""Which languages are resolved, and by which dialect: languages of one family import each other's files.

In: the name of a language or family. Out: its dialect, and the names under which its files are found as modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.index.resolve.ecmascript import EcmaScriptDialect, import_names
from comind.index.resolve.go import GoDialect, import_path
from comind.index.resolve.java import JavaDialect, type_names
from comind.index.resolve.python import PythonDialect, dotted_module

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from comind.index.resolve.dialect import Dialect
    from comind.index.resolve.modules import Modules

__all__ = ["FAMILIES", "dialect_of", "module_names"]

FAMILIES = {  # language: family
    "python": "python",
    "go": "go",
    "java": "java",
    "javascript": "ecmascript",
    "typescript": "ecmascript",
    "tsx": "ecmascript",
}
_DIALECTS: Mapping[str, Callable[[Modules], Dialect]] = {
    "python": PythonDialect,
    "go": GoDialect,
    "java": JavaDialect,
    "ecmascript": EcmaScriptDialect,
}
_NAMES: Mapping[str, Callable[[str, str], Iterable[str]]] = {
    "python": lambda _, module: [dotted_module(module)],
    "go": lambda _, module: [import_path(module)],
    "java": type_names,
}


def dialect_of(family: str, modules: Modules) -> Dialect:
    """Return the dialect of a family of languages."""
    return _DIALECTS[family](modules)


def module_names(family: str, package: str, path: str, module: str) -> Iterable[str]:
    """Return the names that files of a family import a file by."""
    if family == "ecmascript":
        return import_names(package, module)
    return _NAMES[family](path, module)
