"""Which file is read how: the one list of lockfiles and manifests that are known.

In: a path and the bytes of a file. Out: a `Reading`; a file that is broken, huge or of another kind is a problem in words.
Never raises for what a file holds, never reads one that is too large.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from xml.etree import ElementTree as ET

import yaml

from comind.errors import ComindError
from comind.sources.manifests.compiled import read_cargo_lock, read_cargo_toml, read_go_mod, read_go_sum
from comind.sources.manifests.dotnet import read_central_versions, read_nuget_lock, read_project
from comind.sources.manifests.javascript import read_bun_lock, read_deno_lock, read_pnpm_lock, read_yarn_lock
from comind.sources.manifests.jvm import read_gradle_lock, read_version_catalog
from comind.sources.manifests.model import Dependency, Reading, UnreadableManifestError, merged
from comind.sources.manifests.npm import read_package_json, read_package_lock
from comind.sources.manifests.others import (
    read_composer_json,
    read_composer_lock,
    read_flake_lock,
    read_mix_lock,
    read_package_resolved,
)
from comind.sources.manifests.python import read_pipfile_lock, read_poetry_lock, read_pyproject, read_requirements, read_uv_lock
from comind.sources.manifests.ruby import read_gemfile_lock, read_podfile_lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    Reader: TypeAlias = Callable[[bytes], "Iterable[Dependency] | Reading"]

__all__ = ["MAX_LOCKFILE_BYTES", "READER_VERSION", "Format", "format_of", "is_vendored", "read_dependencies"]

MAX_LOCKFILE_BYTES: Final = 20_000_000
READER_VERSION: Final = "1"  # another one reads every file again
_VENDORED = frozenset({"node_modules", "vendor", "third_party", "testdata", "fixtures", "__fixtures__"})


@dataclass(frozen=True, slots=True)
class Format:
    """One kind of file."""

    name: str
    read: Reader
    is_lock: bool


_BY_NAME: Final = {
    "Cargo.lock": Format("cargo", read_cargo_lock, is_lock=True),
    "Cargo.toml": Format("cargo-manifest", read_cargo_toml, is_lock=False),
    "uv.lock": Format("uv", read_uv_lock, is_lock=True),
    "poetry.lock": Format("poetry", read_poetry_lock, is_lock=True),
    "Pipfile.lock": Format("pipenv", read_pipfile_lock, is_lock=True),
    "pyproject.toml": Format("pyproject", read_pyproject, is_lock=False),
    "package-lock.json": Format("npm", read_package_lock, is_lock=True),
    "npm-shrinkwrap.json": Format("npm", read_package_lock, is_lock=True),
    "package.json": Format("npm-manifest", read_package_json, is_lock=False),
    "yarn.lock": Format("yarn", read_yarn_lock, is_lock=True),
    "pnpm-lock.yaml": Format("pnpm", read_pnpm_lock, is_lock=True),
    "bun.lock": Format("bun", read_bun_lock, is_lock=True),
    "deno.lock": Format("deno", read_deno_lock, is_lock=True),
    "go.sum": Format("gosum", read_go_sum, is_lock=True),
    "go.mod": Format("gomod", read_go_mod, is_lock=True),
    "Gemfile.lock": Format("bundler", read_gemfile_lock, is_lock=True),
    "gems.locked": Format("bundler", read_gemfile_lock, is_lock=True),
    "Package.resolved": Format("swift", read_package_resolved, is_lock=True),
    "flake.lock": Format("nix-flake", read_flake_lock, is_lock=True),
    "Directory.Packages.props": Format("nuget-cpm", read_central_versions, is_lock=False),
    "packages.lock.json": Format("nuget", read_nuget_lock, is_lock=True),
    "composer.lock": Format("composer", read_composer_lock, is_lock=True),
    "composer.json": Format("composer-manifest", read_composer_json, is_lock=False),
    "mix.lock": Format("mix", read_mix_lock, is_lock=True),
    "Podfile.lock": Format("cocoapods", read_podfile_lock, is_lock=True),
    "gradle.lockfile": Format("gradle", read_gradle_lock, is_lock=True),
    "buildscript-gradle.lockfile": Format("gradle", read_gradle_lock, is_lock=True),
}
_BY_PATTERN: Final = (
    (re.compile(r"(?:^|/)(?:[\w.-]*requirements[\w.-]*\.txt|requirements/[\w.-]+\.txt)$", re.IGNORECASE),
     Format("pip-requirements", read_requirements, is_lock=False)),
    (re.compile(r"(?:^|/)[\w.-]+\.versions\.toml$"), Format("gradle-catalog", read_version_catalog, is_lock=False)),
    (re.compile(r"\.(?:cs|fs|vb)proj$"), Format("nuget-project", read_project, is_lock=False)),
)  # fmt: skip


def is_vendored(path: str) -> bool:
    """Say whether a file lies among vendored code or samples."""
    return not _VENDORED.isdisjoint(path.split("/")[:-1])


def format_of(path: str) -> Format | None:
    """Return how a file is read; None for every file that is no manifest, and for what lies among vendored code or samples.

    >>> format_of("web/yarn.lock").name, format_of("requirements/dev.txt").name, format_of("node_modules/a/package.json")
    ('yarn', 'pip-requirements', None)
    """
    if is_vendored(path):
        return None
    known = _BY_NAME.get(path.rpartition("/")[2])
    return known or next((kind for pattern, kind in _BY_PATTERN if pattern.search(path)), None)


def read_dependencies(path: str, content: bytes) -> Reading:
    r"""Read one file that `format_of` knows.

    >>> read_dependencies("go.sum", b"golang.org/x/net v0.57.0 h1:x=\n").dependencies[0].versions
    ('v0.57.0',)
    >>> read_dependencies("Cargo.lock", b"[[package]").problem.startswith("not a readable Cargo.lock: ")
    True
    """
    kind = format_of(path)
    if kind is None:
        return Reading(problem="it is no manifest or lockfile that is known")
    if len(content) > MAX_LOCKFILE_BYTES:
        return Reading(problem=f"{len(content):,} bytes are too many for a manifest")
    if kind.is_lock and not content.strip():
        return _broken(path, "it is empty")
    try:
        found = kind.read(content)
        reading = found if isinstance(found, Reading) else Reading(tuple(found))
        return Reading(merged(reading.dependencies), reading.problem)
    except UnreadableManifestError as error:
        return _broken(path, error.reason)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, yaml.YAMLError, ET.ParseError, ComindError) as error:
        return _broken(path, f"{type(error).__name__}: {error}")


def _broken(path: str, reason: str) -> Reading:
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in reason).split())
    return Reading(problem=f"not a readable {path.rpartition('/')[2]}: {words[:160]}")
