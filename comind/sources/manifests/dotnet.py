"""NuGet: central package versions, projects and their lockfile.

In: bytes. Out: `Dependency` of ecosystem ``nuget``. Never evaluates a condition: all that a file may mean is told.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.sources.manifests.model import Dependency, Scope, Use, canonical_name
from comind.sources.manifests.plain import from_json, from_xml, section, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from xml.etree import ElementTree as ET

__all__ = ["read_central_versions", "read_nuget_lock", "read_project"]

_PROPERTY = re.compile(r"\$\(([A-Za-z0-9_.]+)\)")
_USES = {"Direct": Use.DIRECT, "Transitive": Use.TRANSITIVE, "CentralTransitive": Use.TRANSITIVE, "Project": Use.OWN}


def read_central_versions(content: bytes) -> Iterable[Dependency]:
    """Read ``Directory.Packages.props``: a plain version is what is restored, a range is not."""
    return _declared(from_xml(content), ("PackageVersion", "GlobalPackageReference"), pinned=True, use=Use.UNKNOWN)


def read_project(content: bytes) -> Iterable[Dependency]:
    """Read the references of a project file."""
    return _declared(from_xml(content), ("PackageReference",), pinned=False, use=Use.DIRECT)


def read_nuget_lock(content: bytes) -> Iterable[Dependency]:
    """Read ``packages.lock.json``, which lists the packages of each target framework."""
    frameworks = section(from_json(content), "dependencies")
    for framework in frameworks:
        for name in section(frameworks, framework):
            entry = section(frameworks, framework, name)
            use = _USES.get(entry.get("type", ""), Use.UNKNOWN)
            yield _nuget(name, texts(entry.get("resolved")), texts(entry.get("requested")), use, None)


def _declared(project: ET.Element, tags: tuple[str, ...], *, pinned: bool, use: Use) -> Iterable[Dependency]:
    properties = {one.tag: (one.text or "").strip() for group in project.iter("PropertyGroup") for one in group}
    for element in project.iter():
        name = element.get("Include") or element.get("Update")
        if element.tag not in tags or not name:
            continue
        told = element.get("Version") or element.findtext("Version") or element.get("VersionOverride") or ""
        declared = texts(_PROPERTY.sub(lambda found: properties.get(found[1], found[0]), told))
        plain = tuple(text for text in declared if pinned and re.fullmatch(r"[0-9][0-9A-Za-z.+-]*", text))
        scope = Scope.DEV if _attributes(element).get("PrivateAssets", "").lower() == "all" else None
        yield _nuget(name, plain, declared, use, scope)


def _attributes(element: ET.Element) -> Mapping[str, str]:
    return {one.tag: (one.text or "").strip() for one in element} | element.attrib


def _nuget(name: str, versions: tuple[str, ...], declared: tuple[str, ...], use: Use, scope: Scope | None) -> Dependency:
    return Dependency(
        ecosystem="nuget", package=canonical_name("nuget", name.strip()), versions=versions, declared=declared, use=use, scope=scope
    )  # fmt: skip
