"""What npm itself writes and reads: `package-lock.json` in all versions, and `package.json`.

In: bytes. Out: `Dependency` of ecosystem ``npm``. Never looks into `node_modules`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from comind.sources.manifests.model import Dependency, Scope, Use, refuse
from comind.sources.manifests.plain import from_json, section, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["GROUPS", "npm", "read_package_json", "read_package_lock"]

_MODULES = "node_modules/"
GROUPS = (
    ("dependencies", Scope.RUNTIME), ("devDependencies", Scope.DEV),
    ("optionalDependencies", Scope.OPTIONAL), ("peerDependencies", Scope.OPTIONAL),
)  # fmt: skip


def npm(
    name: str, *, versions: tuple[str, ...] = (), declared: tuple[str, ...] = (), use: Use = Use.UNKNOWN, scope: Scope | None = None
) -> Dependency:
    """Return a dependency on an npm package; a range that renames (``npm:other@^1``) depends on the other one."""
    if not versions and len(declared) == 1 and declared[0].startswith("npm:") and "@" in declared[0][5:]:
        name, _, text = declared[0][4:].rpartition("@")
        declared = (text,)
    return Dependency(ecosystem="npm", package=name, versions=versions, declared=declared, use=use, scope=scope)


def read_package_json(content: bytes) -> Iterable[Dependency]:
    """Read what ``package.json`` declares."""
    manifest = from_json(content)
    for group, scope in GROUPS:
        for name, text in section(manifest, group).items():
            yield npm(name, declared=texts(text), use=Use.DIRECT, scope=scope)


def read_package_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``package-lock.json`` or ``npm-shrinkwrap.json`` of any lockfile version."""
    lock = from_json(content)
    if "packages" in lock:
        return _packages(section(lock, "packages"))
    if "dependencies" not in lock and "lockfileVersion" not in lock:
        refuse("it lists no packages")
    return _nested(section(lock, "dependencies"), Use.UNKNOWN)


def _packages(packages: dict[str, Any]) -> Iterator[Dependency]:
    own = {path for path in packages if _MODULES not in path}
    direct = {
        place
        for path in own
        for group, _ in GROUPS
        for name in section(packages, path, group)
        if (place := _resolved(packages, path, name)) is not None
    }
    for path in packages:
        entry = section(packages, path)
        name = entry.get("name") or path.rpartition(_MODULES)[2]
        if entry.get("link") is True or not name:
            continue
        use = Use.OWN if path in own else Use.DIRECT if path in direct else Use.TRANSITIVE
        yield npm(name, versions=texts(entry.get("version")), use=use, scope=_scope(entry) if use is not Use.OWN else None)
    for path in own:
        for group, scope in GROUPS:
            yield from (
                npm(name, declared=texts(text), use=Use.DIRECT, scope=scope) for name, text in section(packages, path, group).items()
            )


def _resolved(packages: Mapping[str, Any], path: str, name: str) -> str | None:
    """Return the place that a directory's import of a package ends at: the nearest `node_modules` upward."""
    while True:
        place = f"{path}/{_MODULES}{name}" if path else f"{_MODULES}{name}"
        if place in packages:
            return place
        if not path:
            return None
        path = path.rpartition("/")[0]


def _nested(table: dict[str, Any], use: Use) -> Iterator[Dependency]:
    for name in table:
        entry = section(table, name)
        yield npm(name, versions=texts(entry.get("version")), use=use, scope=_scope(entry))
        yield from _nested(section(entry, "dependencies"), Use.TRANSITIVE)  # only another package sees what lies there


def _scope(entry: Mapping[str, Any]) -> Scope:
    if entry.get("dev") is True:
        return Scope.DEV
    return Scope.OPTIONAL if entry.get("optional") is True or entry.get("devOptional") is True else Scope.RUNTIME
