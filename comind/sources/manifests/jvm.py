"""Gradle's lockfile and version catalog.

In: bytes. Out: `Dependency` of ecosystem ``maven``; the aliases of a catalog's versions as ``gradle-catalog``. Never runs Gradle.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from comind.sources.manifests.model import Dependency, Scope, Use, refuse
from comind.sources.manifests.plain import decoded, from_toml, section, texts

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["read_gradle_lock", "read_version_catalog"]

_MODULE_PARTS = 3  # group, name, version


def read_gradle_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``gradle.lockfile``: what only configurations of tests use is for development."""
    for number, line in enumerate(decoded(content).splitlines(), start=1):
        if not line.strip() or line.startswith(("#", "empty=")):
            continue
        module, equals, configurations = line.strip().partition("=")
        parts = module.split(":")
        if not equals or len(parts) != _MODULE_PARTS:
            refuse(f"line {number} is no module with its configurations")
        tests = all(name.lower().startswith(("test", "androidtest", "integrationtest")) for name in configurations.split(","))
        yield _module(":".join(parts[:2]), texts(parts[2]), scope=Scope.DEV if tests else Scope.RUNTIME)


def read_version_catalog(content: bytes) -> Iterable[Dependency]:
    """Read ``libs.versions.toml``: libraries, plugins by their marker artifact, and each version under its alias."""
    catalog = from_toml(content)
    versions = section(catalog, "versions")
    for alias, told in versions.items():
        pinned, declared = _stated(told, versions)
        yield Dependency(ecosystem="gradle-catalog", package=alias, versions=pinned, declared=declared, use=Use.DIRECT)
    for told in section(catalog, "libraries").values():
        yield _entry(told, versions, marker=False)
    for told in section(catalog, "plugins").values():
        yield _entry(told, versions, marker=True)


def _entry(told: Any, versions: dict[str, Any], *, marker: bool) -> Dependency:  # noqa: ANN401 - a text or a table
    if isinstance(told, str):
        name, _, version = told.rpartition(":")
        table: dict[str, Any] = {"module": name or told, "version": version if name else None}
    else:
        table = told
    name = table.get("id") or table.get("module") or f"{table['group']}:{table['name']}"
    pinned, declared = _stated(table.get("version"), versions)
    return _module(f"{name}:{name}.gradle.plugin" if marker else name, pinned, declared=declared)


def _stated(told: Any, versions: dict[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:  # noqa: ANN401
    """Return (versions, ranges); a rich version is a range, and only a plain text that is none is a version."""
    if isinstance(told, dict):
        if "ref" in told:
            return _stated(versions.get(told["ref"]), {})
        strict, required = texts(told.get("strictly")), texts(told.get("require"))
        return (), strict or required or texts(told.get("prefer"))
    return _split(texts(told))


def _split(found: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    dynamic = any(text[0] in "[(]" or text.endswith("+") or text.startswith("latest.") for text in found)
    return ((), found) if dynamic else (found, found)


def _module(
    name: str, versions: tuple[str, ...], *, declared: tuple[str, ...] = (), scope: Scope | None = None
) -> Dependency:  # fmt: skip
    use = Use.DIRECT if declared else Use.UNKNOWN
    return Dependency(ecosystem="maven", package=name, versions=versions, declared=declared, use=use, scope=scope)
