"""Lockfiles of the other JavaScript package managers: Yarn, pnpm, Bun, Deno.

In: bytes. Out: `Dependency` of ecosystem ``npm``, and ``jsr`` where Deno names it. Never runs any of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from comind.sources.manifests.model import Dependency, Scope, Use, refuse
from comind.sources.manifests.npm import GROUPS, npm
from comind.sources.manifests.plain import decoded, from_json, from_yaml, section, texts, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["read_bun_lock", "read_deno_lock", "read_pnpm_lock", "read_yarn_lock"]

_YARN_VERSION = re.compile(r'^  version:? "?([^"\s]+)"?\s*$', re.MULTILINE)
_PNPM_OLD = re.compile(r"^/?((?:@[^/]+/)?[^/@]+)[/@]([^/(_]+)(?:[(_].*)?$")


def read_yarn_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``yarn.lock``, classic or of Yarn 2 and later."""
    text = decoded(content)
    if re.search(r"^__metadata:", text, re.MULTILINE):
        return _berry(from_yaml(content))
    return _classic(text)


def _classic(text: str) -> Iterator[Dependency]:
    for block in re.split(r"\n(?=[^\s#])", "\n" + text):
        head, colon, body = block.strip("\n").partition(":\n")
        if not head or head.startswith("#"):
            continue
        version = _YARN_VERSION.search(body)
        if not colon or version is None:
            refuse(f"the entry {head[:60]!r} has no version")
        wanted = [_name_and_rest(one.strip().strip('"')) for one in head.split(",")]
        name, declared = wanted[0][0], texts(*(rest for _, rest in wanted))
        if declared and declared[0].startswith("npm:") and "@" in declared[0][5:]:  # an alias: what is installed is the other one
            name, declared = declared[0][4:].rpartition("@")[0], tuple(one.rpartition("@")[2] for one in declared)
        yield npm(name, versions=(version[1],), declared=declared)


def _berry(lock: dict[str, Any]) -> Iterator[Dependency]:
    entries = {key: section(lock, key) for key in lock if key != "__metadata"}
    own = [entry for entry in entries.values() if "@workspace:" in entry.get("resolution", "")]
    direct = {
        f"{name}@{text}" for entry in own for group in ("dependencies", "devDependencies") for name, text in section(entry, group).items()
    }
    for key, entry in entries.items():
        name, place = _name_and_rest(entry.get("resolution") or key)
        wanted = [one.strip() for one in key.split(",")]
        declared = tuple(_name_and_rest(one)[1].removeprefix("npm:") for one in wanted)
        use = Use.OWN if entry in own else Use.DIRECT if direct & set(wanted) else Use.TRANSITIVE
        version = entry["version"] if use is not Use.OWN or entry["version"] != "0.0.0-use.local" else None
        yield npm(name, versions=texts(version if not place.startswith("patch:") else entry["version"]), declared=declared, use=use)


def read_pnpm_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``pnpm-lock.yaml`` of lockfile version 5 to 9."""
    lock = from_yaml(content)
    importers = section(lock, "importers") or {".": lock}
    direct: dict[tuple[str, str], Scope] = {}
    for path in importers:
        for name, declared, version, scope in _pnpm_wanted(importers, path, lock):
            resolved = _pnpm_name(version) or (name, re.split(r"[(_]", version)[0])
            if not version.startswith(("link:", "file:")):
                direct.setdefault(resolved, scope)
                yield npm(resolved[0], declared=declared, use=Use.DIRECT, scope=scope)
    for key in section(lock, "packages"):
        found = _pnpm_name(key)
        if found is None:
            continue  # a directory of the workspace
        entry = section(lock, "packages", key)
        name, version = entry.get("name", found[0]), entry.get("version", found[1])
        use = Use.DIRECT if (name, version) in direct else Use.TRANSITIVE
        yield npm(name, versions=(version,), use=use, scope=direct.get((name, version)) or _pnpm_scope(entry))


def _pnpm_wanted(importers: dict[str, Any], path: str, lock: dict[str, Any]) -> Iterator[tuple[str, tuple[str, ...], str, Scope]]:
    importer = section(importers, path)
    old = section(importer, "specifiers")
    for group, scope in GROUPS[:3]:
        for name, told in section(importer, group).items():
            specifier, version = (told.get("specifier"), told.get("version")) if isinstance(told, dict) else (old.get(name), told)
            if isinstance(specifier, str) and specifier.startswith("catalog:"):
                specifier = section(lock, "catalogs", specifier.removeprefix("catalog:") or "default", name).get("specifier", specifier)
            yield name, texts(specifier), str(version or ""), scope


def _pnpm_scope(entry: dict[str, Any]) -> Scope | None:
    if "dev" not in entry:  # lockfiles of version 9 do not say
        return None
    return Scope.DEV if entry["dev"] == "true" else Scope.OPTIONAL if entry.get("optional") == "true" else Scope.RUNTIME


def _pnpm_name(key: str) -> tuple[str, str] | None:
    """Split a key of `packages`: ``name@1.0.0(peer@2)``, ``/name@1.0.0``, ``/name/1.0.0_peer@2``."""
    plain = key.partition("(")[0]
    if not plain.startswith("/"):
        name, _, version = plain.rpartition("@")
        if not name or name.startswith(("link:", "file:")):
            return None
        first = plain.index("@", 1)
        return (plain[:first], plain[first + 1 :]) if version else None
    found = _PNPM_OLD.match(plain)
    return (found[1], found[2]) if found else None


def read_bun_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``bun.lock``, which is JSON with trailing commas."""
    lock = from_json(content, trailing_commas=True)
    workspaces = {path: section(lock, "workspaces", path) for path in section(lock, "workspaces")}
    wanted = [
        (workspace.get("name", ""), name, text, scope)
        for workspace in workspaces.values() for group, scope in GROUPS for name, text in section(workspace, group).items()
    ]  # fmt: skip
    for _, name, text, scope in wanted:
        yield npm(name, declared=texts(text), use=Use.DIRECT, scope=scope)
    packages = section(lock, "packages")
    places = {f"{owner}/{name}" if f"{owner}/{name}" in packages else name: scope for owner, name, _, scope in reversed(wanted)}
    for place, entry in packages.items():
        name, version = _name_and_rest(entry[0])
        use = Use.OWN if version.startswith("workspace:") else Use.DIRECT if place in places else Use.TRANSITIVE
        yield npm(name, versions=() if use is Use.OWN else texts(version), use=use, scope=places.get(place))


def read_deno_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``deno.lock`` of version 3 and later; URLs it names are not packages."""
    lock = from_json(content)
    inside = section(lock, "packages") or lock
    wanted = set(words(section(lock, "workspace").get("dependencies"))) | set(
        words(section(lock, "workspace", "packageJson").get("dependencies"))
    )
    direct = {_resolved_in_deno(inside, text) for text in wanted}
    for ecosystem in ("jsr", "npm"):
        for key in section(inside, ecosystem):
            name, version = _name_and_rest(key.partition("_")[0] if ecosystem == "npm" else key)
            use = Use.DIRECT if (ecosystem, f"{name}@{version}") in direct else Use.TRANSITIVE if wanted else Use.UNKNOWN
            yield Dependency(ecosystem=ecosystem, package=name, versions=texts(version), use=use)
    for text in wanted:
        ecosystem, _, rest = text.partition(":")
        name, declared = _name_and_rest(rest)
        yield Dependency(ecosystem=ecosystem, package=name, declared=texts(declared), use=Use.DIRECT)


def _resolved_in_deno(inside: dict[str, Any], text: str) -> tuple[str, str]:
    ecosystem, _, rest = text.partition(":")
    found = str(section(inside, "specifiers").get(text, ""))
    version = found.rpartition("@")[2].partition("_")[0]  # version 3 writes `npm:name@1.0.0`
    return ecosystem, f"{_name_and_rest(rest)[0]}@{version}"


def _name_and_rest(text: str) -> tuple[str, str]:
    """Split ``@scope/name@rest``; the rest is empty where there is none.

    >>> _name_and_rest("@types/node@npm:^22")
    ('@types/node', 'npm:^22')
    """
    at = text.find("@", 1)
    return (text, "") if at < 0 else (text[:at], text[at + 1 :])
