"""The SCIP indexes of a repository: those that are named, and those that lie where tools put them.

In: a repository and the paths that the configuration names. Out: `FoundIndex`, each with a digest that changes with its bytes.
Reads the work tree and the indexed commit; decides nothing about what an index is worth.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from blake3 import blake3

from comind.index.scip.stream import ScipSource
from comind.sources.git import Unreadable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from comind.sources.git import GitRepository

__all__ = ["FoundIndex", "find_indexes"]

_NAMES: Final = ("index.scip", "index.scip.gz", "index.scip.zst")
_MAX_BLOB: Final = 512 << 20  # bytes; git gives an object whole or not at all


@dataclass(frozen=True, slots=True)
class FoundIndex:
    """One index, or why what should be one cannot be read."""

    path: str  # from the root of the repository; outside of it the name alone, since a path of a machine stays on it
    source: ScipSource | None
    digest: str  # of its bytes; empty where there are none
    directories: tuple[str, ...]  # of the repository, that its paths may start from
    problem: str | None = None


def find_indexes(repository: GitRepository, named: Iterable[Path] = ()) -> list[FoundIndex]:
    """Return the indexes of a repository, by path.

    Args:
        repository: at the commit to be indexed.
        named: files that are one, wherever they lie. One that is not there is told.

    An index at the root of the work tree is taken before one of the same name that is committed: a tool has just written it.
    """
    root = repository.work_tree
    found = [_in_file(path, root) for path in named]
    if root is not None:
        found += [_in_file(root / name, root) for name in _NAMES if (root / name).is_file()]
    found += [one for name in _NAMES if (one := _in_commit(repository, name))]
    first: dict[str, FoundIndex] = {}
    for one in found:
        first.setdefault(one.path, one)
    return [first[path] for path in sorted(first)]


def _in_file(path: Path, root: Path | None) -> FoundIndex:
    inside = path.resolve().relative_to(root) if root is not None and path.resolve().is_relative_to(root) else None
    shown = inside.as_posix() if inside is not None else path.name
    directories = ("",) if inside is None or inside.parent == Path() else ("", inside.parent.as_posix())
    digest = blake3()
    try:
        for chunk in _chunks(path):
            digest.update(chunk)
    except OSError as error:
        return FoundIndex(shown, None, "", directories, f"cannot be read ({error.strerror})")
    return FoundIndex(shown, ScipSource(shown, lambda: path.open("rb")), digest.hexdigest(length=16), directories)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            yield chunk


def _in_commit(repository: GitRepository, name: str) -> FoundIndex | None:
    blob = repository.blob_at(repository.head, name)
    if blob is None:
        return None
    size = repository.size(blob)
    if size is not None and size > _MAX_BLOB:
        return FoundIndex(name, None, blob, ("",), f"{size:,} bytes are too many for a committed index; name it in comind.toml")
    content = repository.read(blob)
    if isinstance(content, Unreadable):
        return FoundIndex(name, None, blob, ("",), content.reason)
    return FoundIndex(name, ScipSource.of_bytes(name, content), blob, ("",))
