"""What a package manifest says: the manager, the name of the package, the directories its modules start at.

In: the name and bytes of one manifest. Out: `Manifest`, with a problem in words where it cannot be read.
Never runs a manifest, never follows a reference to another file, never asks a registry.
"""

from __future__ import annotations

import ast
import configparser
import json
import re
import tomllib
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

__all__ = ["MANIFEST_FILES", "MAX_MANIFEST_BYTES", "Manifest", "read_manifest"]

MAX_MANIFEST_BYTES = 1_000_000
_MAVEN = "{http://maven.apache.org/POM/4.0.0}"


@dataclass(frozen=True, slots=True)
class Manifest:
    """One manifest, as far as identity needs it."""

    manager: str  # pypi | npm | gomod | cargo | maven
    name: str | None  # as the manager compares names; None when the manifest names no package
    source_roots: tuple[str, ...] = ()  # directories, relative to the manifest, that modules are named from
    problem: str | None = None  # why it could not be read, in words


def read_manifest(file_name: str, content: bytes) -> Manifest:
    r"""Read one manifest; a broken one is a `Manifest` without name and with a problem.

    >>> read_manifest("go.mod", b"module github.com/gin-gonic/gin // web\n")
    Manifest(manager='gomod', name='github.com/gin-gonic/gin', source_roots=(), problem=None)
    """
    manager, read = MANIFEST_FILES[file_name]
    try:
        name, roots = read(content)
        source_roots = tuple(dict.fromkeys(root for root in map(_directory, roots) if root))
    except (ValueError, SyntaxError, LookupError, TypeError, AttributeError, RecursionError, configparser.Error) as error:
        return Manifest(manager, None, (), f"not a readable {file_name}: {' '.join(str(error).split())[:120] or type(error).__name__}")
    return Manifest(manager, name or None, source_roots)


def _pyproject(content: bytes) -> tuple[str | None, Iterable[str]]:
    project = tomllib.loads(content.decode("utf-8-sig"))
    tool = project.get("tool", {})
    name = project.get("project", {}).get("name") or tool.get("poetry", {}).get("name")
    return _pypi_name(name), _build_roots(tool)


def _build_roots(tool: Mapping[str, Any]) -> Iterator[str]:
    """Yield the directories that the build backends call the root of the modules."""
    setuptools = tool.get("setuptools", {})
    packages = setuptools.get("packages", {})
    yield setuptools.get("package-dir", {}).get("", "")
    yield from _list(packages.get("find", {}).get("where") if isinstance(packages, dict) else None)
    yield from (package.get("from", "") for package in _list(tool.get("poetry", {}).get("packages")))
    yield tool.get("pdm", {}).get("build", {}).get("package-dir", "")
    wheel = tool.get("hatch", {}).get("build", {}).get("targets", {}).get("wheel", {})
    yield from (package.rpartition("/")[0] for package in _list(wheel.get("packages")))


def _setup_cfg(content: bytes) -> tuple[str | None, Iterable[str]]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(content.decode())
    package_dir = re.search(r"^\s*=\s*(\S+)", parser.get("options", "package_dir", fallback=""), re.MULTILINE)
    where = parser.get("options.packages.find", "where", fallback="")
    return _pypi_name(parser.get("metadata", "name", fallback=None)), [package_dir[1] if package_dir else "", where.strip()]


def _setup_py(content: bytes) -> tuple[str | None, Iterable[str]]:
    try:
        with warnings.catch_warnings(action="ignore"):  # about the style of somebody else's file
            tree = ast.parse(content)
    except (SyntaxError, ValueError, MemoryError):  # Python 2, in most cases; the call itself is written in the same way
        found = re.search(rb"\bsetup\s*\(.*?\bname\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']", content, re.DOTALL)
        return _pypi_name(found[1].decode() if found else None), ()
    arguments = next((_literals(node) for node in ast.walk(tree) if _calls_setup(node)), {})
    package_dir = arguments.get("package_dir")
    return _pypi_name(arguments.get("name")), [package_dir.get("", "")] if isinstance(package_dir, dict) else []


def _calls_setup(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", None)) == "setup"


def _literals(call: ast.AST) -> dict[str | None, object]:
    found: dict[str | None, object] = {}
    for keyword in getattr(call, "keywords", ()):
        try:
            found[keyword.arg] = ast.literal_eval(keyword.value)
        except (ValueError, TypeError):  # computed, so it is not known without running it
            continue
    return found


def _package_json(content: bytes) -> tuple[str | None, Iterable[str]]:
    return _text(json.loads(content.decode("utf-8-sig")).get("name")), ()


def _go_mod(content: bytes) -> tuple[str | None, Iterable[str]]:
    found = re.search(r"^\s*module\s+(?:\(\s*)?[\"`]?([^\s\"`()]+)", re.sub(r"//.*", "", content.decode()), re.MULTILINE)
    return found[1] if found else None, ()


def _cargo_toml(content: bytes) -> tuple[str | None, Iterable[str]]:
    return _text(tomllib.loads(content.decode("utf-8-sig")).get("package", {}).get("name")), ()


def _pom(content: bytes) -> tuple[str | None, Iterable[str]]:
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content or b"\0" in content:  # a NUL: UTF-16, where the others would not be seen
        raise ValueError("it declares a document type, or is not UTF-8")  # noqa: TRY003 - becomes the manifest's problem, never an error
    try:
        project = ET.fromstring(content)  # noqa: S314 - without a document type there is no entity to expand
    except ET.ParseError as error:
        raise ValueError(str(error)) from None

    def text(path: str) -> str:
        return _resolved((project.findtext(path, "", {"": _MAVEN[1:-1]}) or project.findtext(path, "")).strip(), properties)

    properties = {
        element.tag.removeprefix(_MAVEN): (element.text or "").strip()
        for parent in (project.find(f"{_MAVEN}properties"), project.find("properties")) if parent is not None for element in parent
    }  # fmt: skip
    group, artifact = text("groupId") or text("parent/groupId"), text("artifactId")
    roots = [text("build/sourceDirectory"), text("build/testSourceDirectory")]
    return f"{group}:{artifact}" if group and artifact else None, roots


def _resolved(text: str, properties: Mapping[str, str]) -> str:
    text = re.sub(r"\$\{(?:project\.basedir|basedir)\}/?", "", text)
    text = re.sub(r"\$\{([^}]+)\}", lambda found: properties.get(found[1], found[0]), text)
    return "" if "${" in text else text


def _pypi_name(name: object) -> str | None:
    """Return a name as PyPI compares it (PEP 503)."""
    text = _text(name)
    return re.sub(r"[-_.]+", "-", text).lower() if text else None


def _text(value: object) -> str | None:
    text = value.strip() if isinstance(value, str) else ""
    return text if text.isprintable() else None


def _list(value: Any) -> list[Any]:  # noqa: ANN401 - what TOML may hold at any place
    return value if isinstance(value, list) else []


def _directory(text: object) -> str:
    parts = [part for part in str(text or "").replace("\\", "/").split("/") if part not in {"", "."}]
    return "" if ".." in parts else "/".join(parts)


# In order of precedence within one directory and manager.
MANIFEST_FILES: dict[str, tuple[str, Callable[[bytes], tuple[str | None, Iterable[str]]]]] = {
    "pyproject.toml": ("pypi", _pyproject),
    "setup.cfg": ("pypi", _setup_cfg),
    "setup.py": ("pypi", _setup_py),
    "package.json": ("npm", _package_json),
    "go.mod": ("gomod", _go_mod),
    "Cargo.toml": ("cargo", _cargo_toml),
    "pom.xml": ("maven", _pom),
}
