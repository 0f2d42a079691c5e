"""The packages of a commit, as rows of `packages`: each manifest with the name and version it has once all is inherited.

In: a repository and a commit. Out: rows. A manifest that cannot be read has a row that says so.
Writes no table. What symbols are named by is `comind.index.packages`' business; this lists what there is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

import pyarrow as pa

from comind.index.manifests import MANIFEST_FILES, MAX_MANIFEST_BYTES, read_manifest
from comind.schemas import TABLES
from comind.sources.git import FileKind, Unreadable
from comind.sources.git.errors import CommitNotFoundError, ObjectUnreadableError
from comind.sources.manifests import is_vendored
from comind.sources.manifests.identity import Identity, is_identity_file, read_identity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from comind.sources.git import GitRepository, TreeFile

__all__ = ["IndexedPackages", "index_packages"]

_SCHEMA = TABLES["packages"].schema
_DEEPEST = 20  # parents of parents
_COMPANIONS = frozenset({"pnpm-workspace.yaml", "settings.gradle", "settings.gradle.kts", "gradle.properties"})  # they name no package


@dataclass(frozen=True, slots=True)
class IndexedPackages:
    """Rows that describe a commit, or say that another one's still do."""

    rows: pa.Table  # of `packages`, the repository's own row included
    paths: tuple[str, ...] | None  # whose rows these take the place of, beside the own one; None for all of the repository's


def index_packages(repository: GitRepository, commit: str, *, old: str | None = None) -> IndexedPackages:
    """Return one row per manifest of a commit; with `old`, the own row alone where no manifest differs from that commit's.

    One manifest may rename what others inherit, so a change of any means all of them.

    Raises:
        CommitNotFoundError: there is no such commit.
        ObjectUnreadableError: a directory cannot be read, so the rows would not be all.
    """
    own = (repository.repo_id, "", None, None, None, None, (), None, commit)
    if old is not None and not _changed(repository, old, commit):
        return IndexedPackages(_table([own]), ())
    files = [file for file in repository.files(commit) if _counts(file)]
    contents = {file.path: _content(repository, file) for file in files}
    family = _Family({path: _identity(path, content) for path, content in contents.items()})
    rows = [
        (repository.repo_id, *family.row(path), _roots(path, contents[path]), family.identities[path].problem, None)
        for path in sorted(contents) if path.rpartition("/")[2] not in _COMPANIONS or family.identities[path].problem
    ]  # fmt: skip
    return IndexedPackages(_table([own, *rows]), None)


def _table(rows: list[tuple[object, ...]]) -> pa.Table:
    names = ("repo_id", "path", "manager", "name", "version", "workspace", "source_roots", "problem", "head_commit")
    columns = dict(zip(names, zip(*rows, strict=True), strict=True))
    return pa.table({name: pa.array(columns[name], _SCHEMA.field(name).type) for name in _SCHEMA.names}, schema=_SCHEMA)


def _changed(repository: GitRepository, old: str, new: str) -> bool:
    try:
        changes = repository.changed_files(old, new, renames=False)
    except (CommitNotFoundError, ObjectUnreadableError):  # it cannot be told
        return True
    return any(is_identity_file(path) for change in changes for path in (change.path, change.old_path) if path)


def _counts(file: TreeFile) -> bool:
    return is_identity_file(file.path) and not is_vendored(file.path) and file.kind in {FileKind.FILE, FileKind.EXECUTABLE}


def _content(repository: GitRepository, file: TreeFile) -> bytes | str:
    """Return the bytes of a manifest, or why there are none."""
    if file.size is not None and file.size > MAX_MANIFEST_BYTES:
        return f"{file.size:,} bytes are too many for a manifest"
    content = repository.read(file.blob)
    return content.reason if isinstance(content, Unreadable) else content


def _identity(path: str, content: bytes | str) -> Identity:
    if isinstance(content, bytes):
        return read_identity(path, content)
    return Identity(manager=read_identity(path, b"").manager, problem=content)


def _roots(path: str, content: bytes | str) -> tuple[str, ...]:
    file_name = path.rpartition("/")[2]
    return read_manifest(file_name, content).source_roots if file_name in MANIFEST_FILES and isinstance(content, bytes) else ()


@dataclass(frozen=True, slots=True)
class _Family:
    """The manifests of a commit, which inherit from each other."""

    identities: dict[str, Identity]  # by path

    def row(self, path: str) -> tuple[str, str, str | None, str | None, str | None]:
        """Return path, manager, name, version and the workspace's manifest."""
        identity = self.identities[path]
        if identity.manager == "gradle":
            return (path, "maven", *self._gradle(path), self._workspace(path))
        workspace = self._workspace(path)
        version = self.identities[workspace].properties.get("version", "") if identity.inherits_version and workspace else identity.version
        name = self._resolved(path, identity.name)
        if identity.manager == "nuget" and not name and identity.problem is None:
            name = path.rpartition("/")[2].rpartition(".")[0].lower()  # what it is called unless it says otherwise
        return path, identity.manager, name or None, self._resolved(path, version) or None, workspace

    def _resolved(self, path: str, text: str) -> str:
        """Put properties in their places, those of the manifests above included; empty where one is not known."""
        for _ in range(_DEEPEST):
            if "${" not in text:
                return text
            text = re.sub(r"\$\{([^}]+)\}", lambda found: self._property(path, found[1]), text)
        return ""

    def _property(self, path: str, name: str) -> str:
        for identity in self._ancestry(path):
            if identity.properties.get(name):
                return identity.properties[name]
        return "${" + name + "}"

    def _ancestry(self, path: str) -> Iterator[Identity]:
        for _ in range(_DEEPEST):
            identity = self.identities.get(path)
            if identity is None:
                return
            yield identity
            if not identity.parent:
                return
            above = normpath(join(dirname(path), identity.parent))
            path = above if above in self.identities else join(above, "pom.xml")

    def _workspace(self, path: str) -> str | None:
        """Return the nearest manifest above whose workspace has this one's directory among its members."""
        directory, manager = dirname(path), self.identities[path].manager
        above = directory
        while above:
            above = dirname(above)
            inside = directory.removeprefix(f"{above}/") if above else directory
            for name in sorted(name for name in self.identities if dirname(name) == above):
                identity = self.identities[name]
                if identity.manager == manager and _is_member(inside, identity.members):
                    return name
        return None

    def _gradle(self, path: str) -> tuple[str | None, str | None]:
        """Return name and version of a module: group and version may stand in any build file or properties above."""
        directory = dirname(path)
        said: dict[str, str] = {}
        root = next((found for above in _upwards(directory) if (found := self._settings(above))), None)
        for above in _upwards(directory):
            for name in ("build.gradle", "build.gradle.kts", "gradle.properties"):
                identity = self.identities.get(join(above, name))
                said = dict(identity.properties) | said if identity else said
        artifact = root[1] if root and root[0] == directory and root[1] else directory.rpartition("/")[2]
        group = said.get("group")
        return (f"{group}:{artifact}" if group and artifact else None), said.get("version") or None

    def _settings(self, directory: str) -> tuple[str, str] | None:
        for name in ("settings.gradle", "settings.gradle.kts"):
            if (identity := self.identities.get(join(directory, name))) is not None:
                return directory, identity.name
        return None


def _upwards(directory: str) -> Iterator[str]:
    yield directory
    while directory:
        directory = dirname(directory)
        yield directory


def _is_member(directory: str, members: tuple[str, ...]) -> bool:
    """Say whether globs hold a directory; the last one that fits decides.

    >>> _is_member("packages/a", ("packages/*",)), _is_member("packages/a/b", ("packages/*",)), _is_member("a/b/c", ("**", "!a/**"))
    (True, False, False)
    """
    found = False
    for member in members:
        glob = normpath(member.removeprefix("!"))
        if _fits(directory.split("/"), glob.split("/")):
            found = not member.startswith("!")
    return found


def _fits(parts: list[str], globs: list[str]) -> bool:
    if not globs:
        return not parts
    if globs[0] == "**":
        return _fits(parts, globs[1:]) or (bool(parts) and _fits(parts[1:], globs))
    return bool(parts) and fnmatchcase(parts[0], globs[0]) and _fits(parts[1:], globs[1:])
