"""Lockfiles of Composer, Mix, Nix and Swift.

In: bytes. Out: `Dependency` of ecosystem ``composer``, ``hex``, ``nix`` or ``swift``. Never evaluates an expression.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from comind.sources.manifests.model import Dependency, Scope, Use, canonical_name, refuse
from comind.sources.manifests.plain import decoded, from_json, items, section, texts

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["read_composer_json", "read_composer_lock", "read_flake_lock", "read_mix_lock", "read_package_resolved"]

_MIX_ENTRY = re.compile(r'^\s*"([^"]+)": \{:(hex|git|path), (?::"?([A-Za-z0-9_]+)"?|"[^"]*"), "([^"]*)"')
_COMPOSER_GROUPS = (("require", Scope.RUNTIME), ("require-dev", Scope.DEV))


def read_composer_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``composer.lock``."""
    lock = from_json(content)
    for group, scope in (("packages", Scope.RUNTIME), ("packages-dev", Scope.DEV)):
        for package in items(lock, group):
            name = canonical_name("composer", package["name"])
            yield Dependency(ecosystem="composer", package=name, versions=texts(package["version"]), scope=scope)


def read_composer_json(content: bytes) -> Iterable[Dependency]:
    """Read what ``composer.json`` declares; PHP itself and its extensions are no packages."""
    manifest = from_json(content)
    for group, scope in _COMPOSER_GROUPS:
        for name, text in section(manifest, group).items():
            if "/" in name:
                package = canonical_name("composer", name)
                yield Dependency(ecosystem="composer", package=package, declared=texts(text), use=Use.DIRECT, scope=scope)


def read_mix_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``mix.lock``, the literal of an Elixir map with one entry on each line."""
    text = decoded(content).strip()
    if not (text.startswith("%{") and text.endswith("}")):
        refuse("it is not a whole map")
    for line in text.removeprefix("%{").removesuffix("}").splitlines():
        found = _MIX_ENTRY.match(line)
        if found:
            yield Dependency(ecosystem="hex", package=found[3] or found[1], versions=texts(found[4]))
        elif line.strip():
            refuse(f"{line.strip()[:60]!r} is no entry of a lockfile")


def read_flake_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``flake.lock``: each input with the revision it is locked to."""
    lock = from_json(content)
    root = lock.get("root", "root")
    direct = {told for told in section(lock, "nodes", root, "inputs").values() if isinstance(told, str)}
    for name in section(lock, "nodes"):
        if name == root:
            continue
        locked, original = section(lock, "nodes", name, "locked"), section(lock, "nodes", name, "original")
        versions = texts(locked.get("rev")) or texts(locked.get("narHash"))
        use = Use.DIRECT if name in direct else Use.TRANSITIVE
        yield Dependency(ecosystem="nix", package=name, versions=versions, declared=texts(original.get("ref")), use=use)


def read_package_resolved(content: bytes) -> Iterable[Dependency]:
    """Read ``Package.resolved`` of any version; a pin without a version stands at its revision."""
    resolved = from_json(content)
    for pin in items(resolved if "pins" in resolved else section(resolved, "object"), "pins"):
        state = section(pin, "state")
        versions = texts(state.get("version")) or texts(state.get("revision"))
        yield Dependency(ecosystem="swift", package=canonical_name("swift", _identity(pin)), versions=versions)


def _identity(pin: dict[str, Any]) -> str:
    location = str(pin.get("identity") or pin["repositoryURL"])
    return location.rstrip("/").rpartition("/")[2].removesuffix(".git")
