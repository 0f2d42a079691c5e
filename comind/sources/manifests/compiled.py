"""Lockfiles and manifests of Cargo and Go.

In: bytes. Out: `Dependency` of ecosystem ``cargo`` or ``gomod``. Never follows a replacement into another directory.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from comind.sources.manifests.model import Dependency, Scope, Use, refuse
from comind.sources.manifests.plain import decoded, from_toml, items, section, texts, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["read_cargo_lock", "read_cargo_toml", "read_go_mod", "read_go_sum"]

_CARGO_GROUPS = (("dependencies", Scope.RUNTIME), ("build-dependencies", Scope.RUNTIME), ("dev-dependencies", Scope.DEV))
_QUOTED = re.compile(r'["`]([^"`]*)["`]')


def read_cargo_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``Cargo.lock``: packages without a source are the workspace's own, what they name is direct."""
    packages = items(from_toml(content), "package")
    own = [package for package in packages if "source" not in package]
    direct = {tuple(text.split(" ")[:2]) for package in own for text in words(package.get("dependencies"))}
    for package in packages:
        name, version = package["name"], package["version"]
        use = Use.OWN if package in own else Use.DIRECT if {(name,), (name, version)} & direct else Use.TRANSITIVE
        yield Dependency(ecosystem="cargo", package=name, versions=texts(version), use=use)


def read_cargo_toml(content: bytes) -> Iterable[Dependency]:
    """Read what ``Cargo.toml`` declares, the tables of targets and of the workspace included."""
    manifest = from_toml(content)
    targets = [section(manifest, "target", name) for name in section(manifest, "target")]
    for table in (manifest, section(manifest, "workspace"), *targets):
        for group, scope in _CARGO_GROUPS:
            yield from (_crate(name, told, scope) for name, told in section(table, group).items())


def _crate(name: str, told: Any, scope: Scope) -> Dependency:  # noqa: ANN401 - what TOML may hold at any place
    table = told if isinstance(told, dict) else {"version": told}
    declared = texts(table.get("version")) or texts(table.get("git"))
    optional = table.get("optional") is True
    return Dependency(
        ecosystem="cargo", package=table.get("package", name), declared=declared, use=Use.DIRECT,
        scope=Scope.OPTIONAL if optional else scope,
    )  # fmt: skip


def read_go_mod(content: bytes) -> Iterable[Dependency]:
    """Read ``go.mod``: its requirements are the build list since Go 1.17; replacements by version are applied, exclusions told."""
    lines = list(_go_lines(decoded(content)))
    replaced = {old[0]: new for verb, words_, _ in lines if verb == "replace" for old, new in [_replacement(words_)]}
    for verb, found, comment in lines:
        if verb not in {"require", "exclude"}:
            continue
        if len(found) != 2:  # noqa: PLR2004 - a module and its version
            refuse(f"{' '.join(found)[:80]!r} names no module and version")
        module, version = found
        if verb == "exclude":
            yield Dependency(ecosystem="gomod", package=module, excluded=(version,), use=_use_in(lines, module))
            continue
        use = Use.TRANSITIVE if re.match(r"indirect\b", comment) else Use.DIRECT
        new = replaced.get(module, found)
        versions = (new[1],) if len(new) == 2 and new[0] == module else ()  # noqa: PLR2004 - another module, or a directory, has no version of this one
        yield Dependency(ecosystem="gomod", package=module, versions=versions, declared=(version,), use=use)
        if len(new) == 2 and new[0] != module:  # noqa: PLR2004
            yield Dependency(ecosystem="gomod", package=new[0], versions=(new[1],), use=use)


def _use_in(lines: list[tuple[str, list[str], str]], module: str) -> Use:
    comments = [comment for verb, found, comment in lines if verb == "require" and found[:1] == [module]]
    if not comments:
        return Use.UNKNOWN
    return Use.TRANSITIVE if all(re.match(r"indirect\b", comment) for comment in comments) else Use.DIRECT


def _replacement(found: list[str]) -> tuple[list[str], list[str]]:
    if "=>" not in found:
        refuse(f"{' '.join(found)[:80]!r} replaces nothing")
    arrow = found.index("=>")
    return found[:arrow] or [""], found[arrow + 1 :]


def _go_lines(text: str) -> Iterator[tuple[str, list[str], str]]:
    """Yield (directive, its words, the comment behind them) for each line inside a block or outside."""
    block = None
    for line in text.splitlines():
        code, _, comment = line.partition("//")
        found = _QUOTED.sub(r"\1", code).split()
        if not found:
            continue
        if block is not None and found == [")"]:
            block = None
        elif block is not None:
            yield block, found, comment.strip()
        elif found[-1] == "(" or found[0].endswith("("):
            block = found[0].rstrip("(")
        else:
            yield found[0], found[1:], comment.strip()
    if block is not None:
        refuse(f"the block {block!r} does not end")


def read_go_sum(content: bytes) -> Iterable[Dependency]:
    """Read ``go.sum``: modules whose content was needed once; which version is built stands in ``go.mod``."""
    for number, line in enumerate(decoded(content).splitlines(), start=1):
        found = line.split()
        if not found:
            continue
        if len(found) != 3:  # noqa: PLR2004 - module, version, hash
            refuse(f"line {number} is not a module, a version and a hash")
        if not found[1].endswith("/go.mod"):
            yield Dependency(ecosystem="gomod", package=found[0], versions=(found[1],))
