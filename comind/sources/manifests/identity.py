"""What a manifest says about the package it belongs to: manager, name, version, and what it leaves to others.

In: the path and bytes of one manifest. Out: `Identity`. Never evaluates a build script: what is computed there is not known.
"""

from __future__ import annotations

import ast
import configparser
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, TypeAlias
from xml.etree import ElementTree as ET

import yaml

from comind.errors import ComindError
from comind.sources.manifests.model import UnreadableManifestError, canonical_name
from comind.sources.manifests.plain import decoded, from_json, from_toml, from_xml, from_yaml, section, texts, words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Identity", "is_identity_file", "read_identity"]

# A value that is computed is an empty one: what the builds above say does not hold there.
_ASSIGNED: Final = re.compile(
    r"""^\s*(?:project\.)?(group|version)(?:\s*=\s*|\.set\(\s*|\s+(?=['"]))(?:['"]([^'"$#{}]+)['"]\s*\)?\s*;?\s*$)?"""
)
_FOR_MODULES: Final = re.compile(r"^\s*(?:allprojects|subprojects)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """One manifest; empty texts are what it does not say."""

    manager: str  # pypi | npm | gomod | cargo | maven | gradle | gem | composer | nuget
    name: str = ""
    version: str = ""
    inherits_version: bool = False  # from the workspace that it is a member of
    parent: str = ""  # manifest that it inherits from, relative to its own directory
    properties: Mapping[str, str] = field(default_factory=dict)  # what its texts, and those of its children, may name
    members: tuple[str, ...] = ()  # globs of the directories of its workspace; ``!`` leaves some out
    problem: str | None = None


def is_identity_file(path: str) -> bool:
    """Say whether `read_identity` knows a file."""
    return _reader_of(path) is not None


def read_identity(path: str, content: bytes) -> Identity:
    r"""Read one manifest; a broken one has a problem in words.

    >>> read_identity("web/package.json", b'{"name": "@shop/web", "version": "2.1.0", "workspaces": ["packages/*"]}').members
    ('packages/*',)
    """
    found = _reader_of(path)
    file_name = path.rpartition("/")[2]
    if found is None:
        return Identity(manager="", problem=f"{file_name} is no manifest that is known")
    manager, read = found
    try:
        return Identity(manager=manager, **read(content))
    except UnreadableManifestError as error:
        reason = error.reason
    except (ValueError, SyntaxError, LookupError, TypeError, AttributeError, RecursionError, configparser.Error, ET.ParseError,
            yaml.YAMLError, ComindError) as error:  # fmt: skip
        reason = f"{type(error).__name__}: {error}"
    words_ = " ".join("".join(letter if letter.isprintable() else " " for letter in reason).split())
    return Identity(manager=manager, problem=f"not a readable {file_name}: {words_[:160]}")


def _one(*values: object) -> str:
    return next(iter(texts(*values)), "")


def _pyproject(content: bytes) -> dict[str, Any]:
    tables = from_toml(content)
    project, poetry = section(tables, "project"), section(tables, "tool", "poetry")
    name = _one(project.get("name"), poetry.get("name"))
    return {"name": canonical_name("pypi", name), "version": _one(project.get("version"), poetry.get("version"))}


def _setup_cfg(content: bytes) -> dict[str, Any]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    parser.read_string(decoded(content))
    version = parser.get("metadata", "version", fallback="")
    name = parser.get("metadata", "name", fallback="")
    return {"name": canonical_name("pypi", name), "version": "" if version.startswith(("attr:", "file:")) else version}


def _setup_py(content: bytes) -> dict[str, Any]:
    calls = (node for node in ast.walk(ast.parse(decoded(content))) if isinstance(node, ast.Call))
    setup = next((call for call in calls if getattr(call.func, "id", getattr(call.func, "attr", "")) == "setup"), None)
    told = {one.arg: one.value.value for one in (setup.keywords if setup else ()) if isinstance(one.value, ast.Constant)}
    return {"name": canonical_name("pypi", _one(told.get("name"))), "version": _one(told.get("version"))}


def _package_json(content: bytes) -> dict[str, Any]:
    manifest = from_json(content)
    workspaces = manifest.get("workspaces")
    members = words(workspaces.get("packages")) if isinstance(workspaces, dict) else words(workspaces)
    return {"name": _one(manifest.get("name")), "version": _one(manifest.get("version")), "members": tuple(members)}


def _pnpm_workspace(content: bytes) -> dict[str, Any]:
    return {"members": tuple(words(from_yaml(content).get("packages")))}


def _go_mod(content: bytes) -> dict[str, Any]:
    found = re.search(r"^\s*module\s+(?:\(\s*)?[\"`]?([^\s\"`()]+)", re.sub(r"//.*", "", decoded(content)), re.MULTILINE)
    return {"name": found[1] if found else ""}


def _cargo(content: bytes) -> dict[str, Any]:
    manifest = from_toml(content)
    package, workspace = section(manifest, "package"), section(manifest, "workspace")
    version = package.get("version")
    left_out = tuple(f"!{one}" for one in words(workspace.get("exclude")))
    return {
        "name": _one(package.get("name")),
        "version": _one(version),
        "inherits_version": isinstance(version, dict) and version.get("workspace") is True,
        "properties": {"version": _one(section(workspace, "package").get("version"))},
        "members": (*words(workspace.get("members")), *left_out),
    }


def _pom(content: bytes) -> dict[str, Any]:
    project = from_xml(content)

    def text(path: str) -> str:
        return (project.findtext(path) or "").strip()

    properties = {one.tag: (one.text or "").strip() for group in project.findall("properties") for one in group}
    group, version = text("groupId") or text("parent/groupId"), text("version") or text("parent/version")
    relative = project.find("parent/relativePath")
    parent = "../pom.xml" if relative is None and project.find("parent") is not None else (relative is not None and relative.text) or ""
    artifact = text("artifactId")
    return {
        "name": f"{group}:{artifact}" if group and artifact else "",
        "version": version,
        "parent": parent.strip(),
        "properties": properties | {"project.version": version, "project.groupId": group, "project.parent.version": text("parent/version")},
        "members": tuple(one.text.strip() for one in project.findall("modules/module") if one.text),
    }


def _gradle(content: bytes) -> dict[str, Any]:
    """Read group and version where they are the module's: not within a task, a publication or an exclusion."""
    text = re.sub(r"//.*", "", re.sub(r"/\*.*?\*/", "", decoded(content), flags=re.DOTALL))
    said: dict[str, str] = {}
    blocks: list[bool] = []  # those that are open, and whether they speak of modules
    for line in text.splitlines():
        found = _ASSIGNED.match(line) if all(blocks) and "==" not in line else None
        if found:
            said[found[1]] = found[2] or ""
        for brace in re.findall(r"[{}]", line):
            if brace == "{":
                blocks.append(_FOR_MODULES.match(line) is not None)
            elif blocks:
                blocks.pop()
    return {"properties": said}


def _gradle_settings(content: bytes) -> dict[str, Any]:
    text = decoded(content)
    found = re.search(r"rootProject\.name\s*=\s*['\"]([^'\"$]+)['\"]", text)
    calls = re.findall(r"\binclude\b\s*\(?((?:\s*['\"][^'\"]+['\"],?)+)", text)
    included = [one.strip(":").replace(":", "/") for call in calls for one in re.findall(r"['\"]([^'\",]+)['\"]", call)]
    return {"name": found[1] if found else "", "members": tuple(one for one in included if one)}


def _gradle_properties(content: bytes) -> dict[str, Any]:
    found = re.findall(r"^\s*(group|GROUP|version|VERSION_NAME)\s*[=:]\s*(\S+)", decoded(content), re.MULTILINE)
    return {"properties": {{"GROUP": "group", "VERSION_NAME": "version"}.get(name, name): value for name, value in found}}


def _gemspec(content: bytes) -> dict[str, Any]:
    text = decoded(content)
    found = {name: re.search(rf"^\s*\w+\.{name}\s*=\s*['\"]([^'\"#]+)['\"]", text, re.MULTILINE) for name in ("name", "version")}
    return {name: match[1] for name, match in found.items() if match}


def _composer(content: bytes) -> dict[str, Any]:
    manifest = from_json(content)
    return {"name": canonical_name("composer", _one(manifest.get("name"))), "version": _one(manifest.get("version"))}


def _project(content: bytes) -> dict[str, Any]:
    project = from_xml(content)
    told = {one.tag: (one.text or "").strip() for group in project.iter("PropertyGroup") for one in group}
    version = told.get("Version") or told.get("VersionPrefix", "")
    name = told.get("PackageId") or told.get("AssemblyName", "")
    return {"name": "" if "$(" in name else canonical_name("nuget", name), "version": "" if "$(" in version else version}


_Reader: TypeAlias = "tuple[str, Callable[[bytes], dict[str, Any]]]"
_BY_NAME: Final[dict[str, _Reader]] = {
    "pyproject.toml": ("pypi", _pyproject), "setup.cfg": ("pypi", _setup_cfg), "setup.py": ("pypi", _setup_py),
    "package.json": ("npm", _package_json), "pnpm-workspace.yaml": ("npm", _pnpm_workspace), "go.mod": ("gomod", _go_mod),
    "Cargo.toml": ("cargo", _cargo), "pom.xml": ("maven", _pom), "composer.json": ("composer", _composer),
    "build.gradle": ("gradle", _gradle), "build.gradle.kts": ("gradle", _gradle), "gradle.properties": ("gradle", _gradle_properties),
    "settings.gradle": ("gradle", _gradle_settings), "settings.gradle.kts": ("gradle", _gradle_settings),
}  # fmt: skip
_BY_ENDING: Final[dict[str, _Reader]] = {
    ".gemspec": ("gem", _gemspec), ".csproj": ("nuget", _project), ".fsproj": ("nuget", _project), ".vbproj": ("nuget", _project),
}  # fmt: skip


def _reader_of(path: str) -> _Reader | None:
    file_name = path.rpartition("/")[2]
    ending = file_name[file_name.rfind(".") :] if "." in file_name else ""
    return _BY_NAME.get(file_name) or _BY_ENDING.get(ending)
