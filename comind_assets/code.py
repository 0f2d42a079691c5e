"""CODE: what is in the repositories now.

In: repositories at hand. Out: `repositories`, `parse_cache`, `code_files`, `symbols`, `packages`, `dependencies`.
An index after a commit reads the files that changed; a content that was ever parsed is not parsed again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import dagster as dg
import polars as pl

from comind.anchors.frames import schema_of
from comind.fingerprints import FINGERPRINT_VERSION
from comind.index.dependencies import index_dependencies
from comind.index.exclusions import ExclusionRules
from comind.index.package_rows import index_packages
from comind.index.tree import index_changes, index_tree
from comind.sources.manifests import READER_VERSION
from comind.tables.parse_cache import LakeParseCache
from comind.tables.rows import quoted
from comind_assets.reporting import materialized, table_spec
from comind_resources.ledger import LedgerResource
from comind_resources.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.config import Settings
    from comind.index.dependencies import IndexedDependencies
    from comind.index.tree import IndexedTree
    from comind.sources.git import GitRepository
    from comind.tables.lake import Lake
    from comind_resources.ledger import RepositoryAtHand

__all__ = ["dependencies", "indexed_code", "packages", "repositories"]


@dg.multi_asset(name="read_heads", specs=[table_spec("repositories", group="code", kinds={"git"})])
def repositories(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Look up identity, indexed ref and head of every watched repository."""
    lake, found = ledger.lake(), ledger.at_hand()
    lake.create_missing()
    written = lake.upsert("repositories", _repository_rows(found))
    unopened = sum(one.repository is None for one in found)
    return materialized("repositories", lake.read("repositories"), changed=bool(written), watched_count=len(found), unopened_count=unopened)


@dg.multi_asset(
    name="index_code",
    specs=[
        table_spec("parse_cache", group="code", kinds={"git", "tree-sitter"}, deps=["repositories"], code_version=FINGERPRINT_VERSION),
        table_spec("code_files", group="code", kinds={"git"}, deps=["repositories"], code_version=FINGERPRINT_VERSION),
        table_spec("symbols", group="code", kinds={"tree-sitter"}, deps=["code_files", "parse_cache"], code_version=FINGERPRINT_VERSION),
    ],
)
def indexed_code(ledger: LedgerResource) -> Iterator[dg.MaterializeResult[None]]:
    """Parse the contents that were never seen, and describe every file and definition of the heads that moved."""
    lake, settings = ledger.lake(), ledger.settings()
    trees = [(one.repo_id, tree) for one in ledger.opened() if (tree := _index(lake, one, settings)) is not None]
    parsed = sum(tree.parsed_blobs for _, tree in trees)
    for repo_id, tree in trees:  # files last: their head says that all of it is written
        lake.replace_repository_files("symbols", repo_id, tree.paths, tree.symbols())
        lake.replace_repository_files("code_files", repo_id, tree.paths, tree.code_files)
    cached = lake.read("parse_cache", columns=["key", "language", "problem", "error_nodes"])
    yield materialized("parse_cache", cached, changed=parsed > 0, parsed_count=parsed)
    files = lake.read("code_files")
    yield materialized("code_files", files, changed=bool(trees), moved_count=len(trees), **_counts(files, "status"))
    found = lake.read("symbols", columns=["qualified_name", "kind", "path", "start_line", "language", "repo_id"])
    yield materialized("symbols", found, changed=bool(trees), **_counts(found, "language"))


@dg.multi_asset(name="find_packages", specs=[table_spec("packages", group="code", kinds={"git"}, deps=["repositories"])])
def packages(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Find the packages of every repository: which there are, and in which version."""
    lake = ledger.lake()
    moved = [one for one in ledger.opened() if lake.head_of("packages", one.repo_id) != one.head]
    written = sum(_publish_packages(lake, one) for one in moved)
    rows = lake.read("packages").filter(pl.col("path") != "")
    return materialized("packages", rows, changed=bool(written), moved_count=len(moved), problem_count=rows["problem"].count())


def _publish_packages(lake: Lake, repository: GitRepository) -> int:
    found = index_packages(repository, repository.head, old=lake.head_of("packages", repository.repo_id))
    return lake.replace_repository_files("packages", repository.repo_id, found.paths, found.rows)


@dg.multi_asset(
    name="read_dependencies",
    specs=[table_spec("dependencies", group="code", kinds={"git"}, deps=["repositories"], code_version=READER_VERSION)],
)
def dependencies(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Read the manifests and lockfiles that changed: which packages every repository uses, in which versions."""
    lake = ledger.lake()
    found = [(one.repo_id, read) for one in ledger.opened() if (read := _read_manifests(lake, one)) is not None]
    for repo_id, read in found:
        lake.replace_repository_files("dependencies", repo_id, read.paths, read.rows)
    rows = lake.read("dependencies", columns=["ecosystem", "package", "use", "path", "repo_id", "problem"])
    said = {"read_count": sum(read.read_files for _, read in found), "problem_count": rows["problem"].count()}
    return materialized("dependencies", rows.filter(pl.col("path") != ""), changed=bool(found), **said)


def _read_manifests(lake: Lake, repository: GitRepository) -> IndexedDependencies | None:
    """Return the rows that the head needs; None when the table describes it already."""
    old = lake.head_of("dependencies", repository.repo_id)
    others = f"repo_id = {quoted(repository.repo_id)} AND reader_version != {quoted(READER_VERSION)}"
    if old is not None and lake.count("dependencies", others):
        old = None
    return None if old == repository.head else index_dependencies(repository, repository.head, old=old)


def _index(lake: Lake, repository: GitRepository, settings: Settings) -> IndexedTree | None:
    """Return the rows that the head needs; None when the tables describe it already."""
    old, rules = lake.head_of("code_files", repository.repo_id), ExclusionRules(settings.leave_out, settings.keep)
    comparable = _is_selected_by(lake, repository.repo_id, rules.digest(settings.max_file_bytes))
    comparable = comparable and _has_todays_fingerprints(lake, repository.repo_id)
    if old == repository.head and comparable:
        return None
    cache, report = LakeParseCache(lake), progress_of("parsing")
    if old is None or not comparable:
        return index_tree(
            repository,
            repository.head,
            cache,
            workers=settings.workers,
            max_file_bytes=settings.max_file_bytes,
            progress=report,
            rules=rules,
        )
    return index_changes(
        repository,
        old,
        repository.head,
        cache,
        workers=settings.workers,
        max_file_bytes=settings.max_file_bytes,
        progress=report,
        rules=rules,
    )


def _is_selected_by(lake: Lake, repo_id: str, digest: str) -> bool:
    return lake.count("code_files", f"repo_id = {quoted(repo_id)} AND selected_by = {quoted(digest)}") > 0


def _has_todays_fingerprints(lake: Lake, repo_id: str) -> bool:
    other = f"repo_id = {quoted(repo_id)} AND path != '' AND fingerprint_version != {quoted(FINGERPRINT_VERSION)}"
    return lake.head_of("symbols", repo_id) is not None and lake.count("symbols", other) == 0


def _repository_rows(found: Iterable[RepositoryAtHand]) -> pl.DataFrame:
    return pl.DataFrame([_row(one) for one in found], schema=schema_of("repositories"), orient="row")


def _row(found: RepositoryAtHand) -> tuple[object, ...]:
    repository, entry = found.repository, found.entry
    if repository is None:  # the path of a machine stays on it: only the last name is told
        return (entry.name or f"unopened:{entry.path.name}", "configured", None, None, entry.ref, None, None, found.problem)
    identity = repository.identity
    return (
        identity.repo_id, identity.identified_by, identity.origin, identity.root_commit, repository.ref, repository.head,
        repository.head_time, None,
    )  # fmt: skip


def _counts(rows: pl.DataFrame, column: str) -> dict[str, int]:
    return {f"{value}_count": count for value, count in rows[column].drop_nulls().value_counts(sort=True).sort(column).iter_rows()}
