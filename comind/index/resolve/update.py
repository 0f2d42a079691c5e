"""Which files have to be resolved again after some commits.

In: the commits that edges describe and the ones they should, what stands in the tables. Out: files of repositories.
A change inside of functions concerns the changed files alone; a change of what others may name concerns the whole repository, and the
repositories that import from it. Resolves nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import polars as pl

from comind.index.edges import EdgeKind
from comind.index.names import module_key, sid_of
from comind.index.parsing import BlobRequest
from comind.index.resolve.dialects import FAMILIES
from comind.index.resolve.files import VALUES, File, read_files
from comind.sources.git.attributes import ATTRIBUTES_FILE
from comind.sources.git.errors import CommitNotFoundError, ObjectUnreadableError
from comind.syntax import language_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    import pyarrow as pa

    from comind.sources.git import GitRepository
    from comind.sources.git.trees import FileChange

__all__ = ["changed_code", "dependents", "importers"]

_EVERYWHERE = frozenset({"extends", "import", "reexport", "export"})


def changed_code(repository: GitRepository, old: str, new: str, parses_of: Callable[[Sequence[BlobRequest]], pa.Table]) -> list[str] | None:
    """Return the files of code that differ between two commits; None where what others may name of them differs too.

    Args:
        repository: where both commits are.
        old: what the edges describe.
        new: what they should.
        parses_of: returns rows of `parse_cache`.
    """
    try:
        everything = repository.changed_files(old, new, renames=False)
    except (CommitNotFoundError, ObjectUnreadableError):
        return None
    changes = [one for one in everything if language_of(one.path) in FAMILIES]
    if any(one.path.endswith(ATTRIBUTES_FILE) for one in everything) or any(
        change.blob is None or change.old_blob is None for change in changes
    ):
        return None
    before, after = (_outsides(changes, blobs, parses_of) for blobs in ("old_blob", "blob"))
    return [change.path for change in changes] if before == after else None


def _outsides(changes: Iterable[FileChange], which: str, parses_of: Callable[[Sequence[BlobRequest]], pa.Table]) -> list[object]:
    rows = [_row(change.path, getattr(change, which)) for change in changes]
    parses = parses_of([BlobRequest(row["blob"], row["language"], None) for row in rows])
    return [(file.path, frozenset(_outside(file))) for file in read_files(rows, parses)]


def _row(path: str, blob: str) -> dict[str, str]:
    return {"repo_id": "", "path": path, "language": language_of(path) or "", "blob": blob, "package": "", "module": ""}


def _outside(file: File) -> Iterator[tuple[object, ...]]:
    """Yield what another file can come to know of a file: its definitions, bases, imports, and the types of what it offers."""
    for one in file.definitions:
        yield one.descriptors, one.kind
    for reference in file.references:
        holder = file.definitions[reference.definition] if reference.definition >= 0 else None
        is_result = reference.kind == "type" and reference.name is None
        is_offered = reference.name is not None and ("." in reference.name or holder is None or holder.kind in VALUES)
        if reference.kind in _EVERYWHERE or is_result or is_offered:
            yield holder.descriptors if holder else "", *reference[2:]


def importers(repo_ids: Iterable[str], edges: pl.DataFrame, symbols: pl.DataFrame, code_files: pl.DataFrame) -> set[str]:
    """Return the other repositories that import from some repositories.

    Args:
        repo_ids: those whose definitions changed.
        edges: ``repo_id, dst, kind`` of all repositories.
        symbols: ``repo_id, sid``.
        code_files: ``repo_id, package, module``.
    """
    changed = list(repo_ids)
    modules = code_files.filter(pl.col("repo_id").is_in(changed) & pl.col("package").is_not_null()).select("package", "module").unique()
    sids = [
        sid_of(module_key(package.partition(" ")[0], package.partition(" ")[2], module or "")) for package, module in modules.iter_rows()
    ]
    defined = pl.concat([symbols.filter(pl.col("repo_id").is_in(changed))["sid"], pl.Series("sid", sids, pl.Int64)])
    imports = edges.filter((pl.col("kind") == str(EdgeKind.IMPORTS)) & ~pl.col("repo_id").is_in(changed))
    return set(imports.filter(pl.col("dst").is_in(defined.unique().implode()))["repo_id"].to_list())


def dependents(repo_ids: Iterable[str], dependencies: pl.DataFrame, code_files: pl.DataFrame) -> set[str]:
    """Return the repositories whose manifests or lockfiles name a package of some repositories that were not known before.

    Args:
        repo_ids: the new ones.
        dependencies: ``repo_id, ecosystem, package``.
        code_files: ``repo_id, package``.
    """
    packages = code_files.filter(pl.col("repo_id").is_in(list(repo_ids)))["package"].drop_nulls().unique()
    named = dependencies.filter((pl.col("ecosystem") + " " + pl.col("package")).is_in(packages.implode()))
    return set(named["repo_id"].to_list())
