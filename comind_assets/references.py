"""CODE: what refers to what, across all repositories.

In: files, parses and symbols of the heads, SCIP indexes where there are any. Out: `edges`, `scip_indexes`.
Resolves the files that changed; all of a repository, and of those that import from it, where what others may name has changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import dagster as dg
import polars as pl

from comind.index.blobs import cache_key, parse_missing
from comind.index.edges import RESOLVER_VERSION, fold_places
from comind.index.resolve.organisation import Organisation
from comind.index.resolve.update import changed_code, dependents, importers
from comind.index.worker import ParserTask
from comind.tables.parse_cache import LakeParseCache
from comind_assets.reporting import materialized, table_spec
from comind_assets.scip_indexes import ScipAtHand
from comind_resources.ledger import LedgerResource
from comind_resources.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from comind.index.parsing import BlobRequest
    from comind.sources.git import GitRepository
    from comind.tables.lake import Lake

__all__ = ["edges"]

_OWN_ROW = "path = ''"


@dataclass(slots=True)
class _Plan:
    """What has to be resolved: files of repositories, all of them where it says None."""

    paths: dict[str, list[str] | None] = field(default_factory=dict)
    reshaped: set[str] = field(default_factory=set)  # others may have to be resolved again
    new: set[str] = field(default_factory=set)


@dg.multi_asset(
    name="resolve_references",
    specs=[
        table_spec(
            "edges", group="code", kinds={"tree-sitter"}, deps=["symbols", "parse_cache", "dependencies"], code_version=RESOLVER_VERSION
        ),
        table_spec("scip_indexes", group="code", kinds={"git"}, deps=["symbols"], code_version=RESOLVER_VERSION),
    ],
)
def edges(ledger: LedgerResource) -> Iterator[dg.MaterializeResult[None]]:
    """Find out what the names in the code mean: who calls, imports, extends and mentions which definition."""
    lake, at_hand = ledger.lake(), ledger.at_hand()
    source = _Parses(lake, {one.repository.repo_id: one.repository for one in at_hand if one.repository}, ledger.settings().workers)
    heads = lake.read("code_files", columns=["repo_id", "head_commit", "selected_by"], where=_OWN_ROW)
    scip = ScipAtHand(lake, at_hand)
    plan = _plan(lake, source, heads)
    plan.paths |= {repo_id: None for repo_id in heads["repo_id"] if scip.is_due(repo_id, plan.paths.get(repo_id))}
    known = Counter[str]()
    if plan.paths:
        files, report = lake.read("code_files"), progress_of("resolving")
        organisation, head_of = Organisation(files, source.of), dict(heads.select("repo_id", "head_commit").iter_rows())
        for done, (repo_id, paths) in enumerate(sorted(plan.paths.items()), start=1):
            places = organisation.places(repo_id, paths)
            if paths is None:
                places = scip.put_above(repo_id, head_of[repo_id], places, files)
            rows = fold_places(places, heads.filter(pl.col("repo_id") == repo_id))
            lake.replace_repository_files("edges", repo_id, paths, rows)
            known.update(places.select(pl.col("resolved_by").fill_null("unknown")).to_series().to_list())
            report(done, len(plan.paths))
    found = lake.read("edges", columns=["repo_id", "path", "kind", "resolved_by", "line"]).filter(pl.col("path") != "")
    counts = {f"{name}_places": count for name, count in sorted(known.items())}
    kinds = {f"{kind}_count": count for kind, count in found["kind"].value_counts().sort("kind").iter_rows()}
    yield materialized("edges", found, changed=bool(plan.paths), resolved_repositories=len(plan.paths), **counts, **kinds)
    indexes = lake.read("scip_indexes").filter(pl.col("path") != "")
    yield materialized("scip_indexes", indexes, changed=None in plan.paths.values(), problem_count=indexes["problem"].count())


def _plan(lake: Lake, source: _Parses, heads: pl.DataFrame) -> _Plan:
    """Compare the commits that the edges describe with those that the files do."""
    plan = _Plan()
    own = lake.read("edges", columns=["repo_id", "head_commit", "selected_by", "resolver_version"], where=_OWN_ROW)
    described = {repo_id: (commit, rules) for repo_id, commit, rules, version in own.iter_rows() if version == RESOLVER_VERSION}
    for repo_id, head, selected_by in heads.iter_rows():
        old, rules = described.get(repo_id, (None, None))
        if (old, rules) == (head, selected_by):
            continue
        repository = source.repositories.get(repo_id) if rules == selected_by else None
        paths = changed_code(repository, old, head, lambda requests: source.of(repo_id, requests)) if repository and old else None  # noqa: B023
        plan.paths[repo_id] = paths
        if old is None:
            plan.new.add(repo_id)
        elif paths is None:
            plan.reshaped.add(repo_id)
    for repo_id in _concerned(lake, plan):
        plan.paths[repo_id] = None
    return plan


def _concerned(lake: Lake, plan: _Plan) -> set[str]:
    """Return the repositories in which a name may mean something else because of what changed in others."""
    if not plan.reshaped and not plan.new:
        return set()
    files = lake.read("code_files", columns=["repo_id", "package", "module"])
    found = dependents(plan.new, lake.read("dependencies", columns=["repo_id", "ecosystem", "package"]), files) if plan.new else set()
    if plan.reshaped:
        imports = lake.read("edges", columns=["repo_id", "dst", "kind"], where="kind = 'imports'")
        found |= importers(plan.reshaped, imports, lake.read("symbols", columns=["repo_id", "sid"]), files)
    return found & set(files["repo_id"].unique().to_list())


class _Parses:
    """Where parses come from: the cache, and for repositories at hand the parser."""

    def __init__(self, lake: Lake, repositories: dict[str, GitRepository], workers: int) -> None:
        self.repositories, self._cache, self._workers = repositories, LakeParseCache(lake), workers

    def of(self, repo_id: str, requests: Sequence[BlobRequest]) -> pa.Table:
        """Return rows of `parse_cache`; of a repository that is not at hand those that were kept."""
        repository = self.repositories.get(repo_id)
        if repository is None:
            return self._cache.lookup([cache_key(one.blob, one.language) for one in requests])
        return parse_missing(ParserTask(repository.git_dir), requests, self._cache, workers=self._workers)[0]
