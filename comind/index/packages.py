"""Which package a file belongs to, and which module of it: the part of a symbol's name that its file does not say.

In: the manifests of one commit, looked up by path. Out: `Place`: a package and module descriptors.
The nearest manifest above a file wins, one of the file's own language before any other; a repository without one is
its own package, with manager ``repo`` and its whole repository identity as the name, so that two of them never share symbols.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.index.manifests import MANIFEST_FILES, MAX_MANIFEST_BYTES, Manifest, read_manifest
from comind.index.modules import DEFAULT_ROOTS, module_descriptors
from comind.sources.git import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable

    from comind.sources.git import GitRepository

__all__ = ["REPOSITORY_MANAGER", "ManifestReader", "PackageFinder", "Place", "is_package_file", "package_of", "repository_package"]

REPOSITORY_MANAGER = "repo"
_MANAGERS = {
    "python": "pypi", "javascript": "npm", "typescript": "npm", "tsx": "npm", "go": "gomod", "rust": "cargo",
    "java": "maven", "kotlin": "maven", "scala": "maven",
}  # fmt: skip
_ROOT_NAMES = frozenset(root for roots in DEFAULT_ROOTS.values() for root in roots)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a file stands in the world of packages."""

    package: str  # `<manager> <name>`
    module: str  # SCIP descriptors; may be empty


@dataclass(frozen=True, slots=True)
class _Root:
    directory: str  # of the package, from the repository's root; empty for the root itself
    package: str
    source_roots: tuple[str, ...]


class ManifestReader:
    """Reads each manifest once, whatever commits it stands in."""

    def __init__(self, repository: GitRepository) -> None:
        self._repository = repository
        self._read: dict[tuple[str, str], Manifest] = {}

    def read(self, file_name: str, blob: str) -> Manifest:
        """Return what a manifest says."""
        known = self._read.get((file_name, blob))
        if known is None:
            known = self._read[file_name, blob] = self._parse(file_name, blob)
        return known

    def _parse(self, file_name: str, blob: str) -> Manifest:
        manager = MANIFEST_FILES[file_name][0]
        size = self._repository.size(blob)
        if size is not None and size > MAX_MANIFEST_BYTES:
            return Manifest(manager, None, problem=f"{size:,} bytes are too many for a manifest; its package name is not read")
        content = self._repository.read(blob)
        if isinstance(content, Unreadable):
            return Manifest(manager, None, problem=f"{content.reason}; its package name is not known")
        return read_manifest(file_name, content)


class PackageFinder:
    """Finds the packages of the files of one commit; each directory is looked at once.

    Args:
        repo_id: names the package of files that no manifest is above.
        blob_at: the object id of the file at a path of that commit, None where there is none.
        manifests: reads what is found.
    """

    def __init__(self, repo_id: str, blob_at: Callable[[str], str | None], manifests: ManifestReader) -> None:
        self._blob_at, self._manifests = blob_at, manifests
        self._repository_root = _Root("", repository_package(repo_id), ())
        self._here: dict[str, tuple[tuple[str, Manifest], ...]] = {}
        self._nearest: dict[tuple[str, str | None], _Root | None] = {}
        self._roots: dict[tuple[str, str], tuple[str, ...]] = {}

    def place_of(self, path: str, language: str | None) -> Place:
        """Return the package and module of a file."""
        directory = path.rpartition("/")[0]
        manager = _MANAGERS.get(language or "")
        root = (manager and self._above(directory, manager)) or self._above(directory, None) or self._repository_root
        inside = path[len(root.directory) + 1 :] if root.directory else path
        roots = (*root.source_roots, *self._default_roots(root.directory, language))
        return Place(root.package, module_descriptors(inside, language, package=root.package, roots=roots))

    def problem_of(self, path: str) -> str | None:
        """Return why a manifest could not be read, in words; None for every other file."""
        directory, _, file_name = path.rpartition("/")
        return next((manifest.problem for name, manifest in self._in(directory) if name == file_name), None)

    def meaning_of(self, directory: str) -> object:
        """Return what the files of one directory say about packages; equal values name the files below it equally."""
        marked = [self._has_marker(directory, root) for root in sorted(_ROOT_NAMES)]
        return [(manifest.manager, manifest.name, manifest.source_roots) for _, manifest in self._in(directory)], marked

    def _above(self, directory: str, manager: str | None) -> _Root | None:
        passed: list[str] = []
        here, found = directory, None
        while (here, manager) not in self._nearest:
            passed.append(here)
            found = self._root_in(here, manager)
            if found is not None or not here:
                break
            here = here.rpartition("/")[0]
        found = found or self._nearest.get((here, manager))
        self._nearest.update({(place, manager): found for place in passed})
        return found

    def _root_in(self, directory: str, manager: str | None) -> _Root | None:
        manifests = [manifest for _, manifest in self._in(directory) if manager in {None, manifest.manager}]
        named = next((manifest for manifest in manifests if manifest.name), None)
        if named is None:
            return None
        roots = [root for manifest in manifests if manifest.manager == named.manager for root in manifest.source_roots]
        return _Root(directory, f"{named.manager} {named.name}", tuple(dict.fromkeys(roots)))

    def _in(self, directory: str) -> tuple[tuple[str, Manifest], ...]:
        known = self._here.get(directory)
        if known is None:
            blobs = ((name, self._blob_at(_join(directory, name))) for name in MANIFEST_FILES)
            known = self._here[directory] = tuple((name, self._manifests.read(name, blob)) for name, blob in blobs if blob)
        return known

    def _default_roots(self, directory: str, language: str | None) -> tuple[str, ...]:
        if language not in DEFAULT_ROOTS:
            return ()
        known = self._roots.get((directory, language))
        if known is None:
            # `src/__init__.py` says that the package itself is called src.
            marked = {root for root in DEFAULT_ROOTS[language] if language == "python" and self._has_marker(directory, root)}
            known = self._roots[directory, language] = tuple(root for root in DEFAULT_ROOTS[language] if root not in marked)
        return known

    def _has_marker(self, directory: str, root: str) -> bool:
        return self._blob_at(_join(directory, root, "__init__.py")) is not None


def repository_package(repo_id: str) -> str:
    """Return the package of a repository without a manifest.

    >>> repository_package("github.com/git/git")
    'repo github.com/git/git'
    """
    return f"{REPOSITORY_MANAGER} {repo_id}"


def package_of(repository: GitRepository, commit: str, path: str, language: str | None) -> Place:
    """Return the package and module of one file at any commit; looks only at the directories above it."""
    finder = PackageFinder(repository.repo_id, lambda place: repository.blob_at(commit, place), ManifestReader(repository))
    return finder.place_of(path, language)


def is_package_file(path: str) -> str | None:
    """Return the directory whose packages a file may decide about; None for every other file.

    >>> is_package_file("web/package.json"), is_package_file("lib/__init__.py"), is_package_file("lib/app.py")
    ('web', '', None)
    """
    directory, _, file_name = path.rpartition("/")
    if file_name in MANIFEST_FILES:
        return directory
    above, _, last = directory.rpartition("/")
    return above if file_name == "__init__.py" and last in _ROOT_NAMES else None


def _join(*parts: str) -> str:
    return "/".join(part for part in parts if part)
