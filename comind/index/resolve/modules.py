"""Where modules are found: by name, the nearest first.

In: the files of an organisation, as they are needed. Out: the one file that a module's name means for a file that imports it.
A name that two packages provide means neither.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from comind.index.resolve.files import File

__all__ = ["Modules"]


class Modules:
    """Modules by name.

    Args:
        named: the files that each name may mean, as (repository, package, path).
        load: returns a file by repository and path.
    """

    def __init__(self, named: Mapping[str, list[tuple[str, str, str]]], load: Callable[[str, str], File | None]) -> None:
        self._named, self._load = named, load

    def find(self, name: str, near: File) -> File | None:
        """Return the module that a name means in a file: of its own package, else of its repository, else of the only other package."""
        chosen = self._nearest(name, near)
        if len({(package, _stem(path)) for _, package, path in chosen}) != 1:
            return None
        return self._load(chosen[0][0], _code(chosen))

    def at(self, repo_id: str, path: str) -> File | None:
        """Return the file at a path of a repository."""
        return self._load(repo_id, path)

    def near(self, name: str, near: File) -> list[File]:
        """Return all files that a name means together in a file, where a module is several; they are found as a single one is."""
        chosen = self._nearest(name, near)
        if len({package for _, package, _ in chosen}) != 1:
            return []
        found = (self._load(repo_id, path) for repo_id, _, path in chosen if repo_id == chosen[0][0])
        return [file for file in found if file is not None]

    def _nearest(self, name: str, near: File) -> list[tuple[str, str, str]]:
        candidates = self._named.get(name, [])
        own = [one for one in candidates if one[0] == near.repo_id]
        return [one for one in own if one[1] == near.package] or own or candidates


def _stem(path: str) -> str:
    return path.rpartition(".")[0]


def _code(chosen: Iterable[tuple[str, str, str]]) -> str:
    """Return the code before a stub that describes it."""
    return min((path for _, _, path in chosen), key=lambda path: (path.endswith(".pyi"), path))
