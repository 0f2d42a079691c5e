"""STALENESS: where each anchor is now, and what happened to the code there.

In: anchors, the index, git's renames and a text search for names. Out: `anchor_locations`, `anchor_drift`.
An anchor is followed again only when its repository moved, or when what kept it from being followed may be gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import dagster as dg
import polars as pl

from comind.anchors.follow import Follower
from comind.anchors.followed import anchors_to_walk, walk_anchors
from comind.anchors.frames import NAMES
from comind.anchors.head import heads_of
from comind.anchors.locate import commits_to_compare, files_to_compare, follow_anchors, names_to_search, settle_deleted
from comind.drift.classify import classify_drift
from comind.drift.guard import FlipGuard, guard_flips
from comind.fingerprints import FINGERPRINT_VERSION
from comind.sources.git.errors import CommitNotFoundError
from comind.tables.parse_cache import LakeParseCache
from comind_assets.anchored_code import definitions_at
from comind_assets.derivation import inputs_digest
from comind_assets.reporting import as_markdown, materialized, table_spec
from comind_resources.ledger import LedgerResource
from comind_resources.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from comind.sources.git import GitRepository
    from comind.tables.lake import Lake

__all__ = ["anchor_drift", "anchor_locations"]

RULES = f"2/{FINGERPRINT_VERSION}"
_NOT_AT_HAND = "; no checkout was at hand to ask git"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Code:
    """The code side of the question, read once."""

    symbols: pl.DataFrame
    files: pl.DataFrame
    heads: Mapping[str, str]
    at_hand: Mapping[str, GitRepository]
    lake: Lake


@dg.multi_asset(
    name="locate_anchors",
    specs=[
        table_spec(
            "anchor_locations",
            group="staleness",
            kinds={"polars", "git"},
            deps=["ledger_anchors", "code_files", "symbols"],
            code_version=RULES,
        )
    ],
)  # fmt: skip
def anchor_locations(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Follow every anchor to the head of its repository; nothing is guessed."""
    lake = ledger.lake()
    standing, anchors = lake.read("anchor_locations"), lake.read("ledger_anchors")
    code = _read_code(lake, ledger.opened())
    kept = _still_true(standing, anchors, code) if (lake.inputs_of("anchor_locations") or "").startswith(f"{RULES}:") else standing.clear()
    fresh = _follow(anchors.join(kept, on="anchor_id", how="anti"), code)
    located = pl.concat([kept, fresh]).sort("anchor_id")
    unasked = located.filter(pl.col("detail").str.ends_with(_NOT_AT_HAND))["anchor_id"].to_list()
    inputs = inputs_digest(*(lake.digest(name) for name in ("ledger_anchors", "code_files", "symbols")), *unasked)
    published = lake.publish("anchor_locations", located, inputs=f"{RULES}:{inputs}")
    return materialized(
        "anchor_locations", located, changed=published.changed, followed_count=fresh.height, **_counts(located, "matched_by")
    )


@dg.multi_asset(
    name="classify_drift",
    specs=[
        table_spec(
            "anchor_drift", group="staleness", kinds={"polars"}, deps=["ledger_anchors", "anchor_locations", "symbols"], code_version=RULES
        )
    ],
    check_specs=[
        dg.AssetCheckSpec(
            "no_mass_flip",
            asset="anchor_drift",
            blocking=True,
            description="No run takes the ground from under more anchors at once than `max_flip_share` allows.",
        )
    ],
)
def anchor_drift(ledger: LedgerResource) -> Iterator[dg.MaterializeResult[None] | dg.AssetCheckResult]:
    """Compare every located anchor with the code that it was written about; nothing is published when too many fall at once."""
    lake = ledger.lake()
    locations = lake.read("anchor_locations")
    drift = classify_drift(lake.read("ledger_anchors"), locations, lake.read("symbols"))
    guard = guard_flips(lake.read("anchor_drift"), drift, locations, max_share=ledger.settings().max_flip_share)
    changed = False
    if not guard.refuses:
        inputs = inputs_digest(RULES, *(lake.digest(name) for name in ("ledger_anchors", "anchor_locations", "symbols")))
        changed = lake.publish("anchor_drift", drift, inputs=inputs).changed
    yield materialized("anchor_drift", drift, changed=changed, **_counts(drift, "drift"))
    yield _verdict(guard)


def _verdict(guard: FlipGuard) -> dg.AssetCheckResult:
    """Say what the guard found, repository by repository, and what a person does next."""
    by_repository = guard.fallen.group_by("repo_id", "was", "drift").len("anchors").sort("anchors", "repo_id", "was", "drift")
    refused = (
        f"; more than {guard.max_share:.0%} at once, so statuses stay as they were. Check the ref and checkout of "
        f"{', '.join(guard.fallen['repo_id'].unique().sort())}; if the code did change so much, `comind run --max-flip-share 1` accepts it"
    )
    return dg.AssetCheckResult(
        passed=not guard.refuses,
        check_name="no_mass_flip",
        description=str(guard) + (refused if guard.refuses else ""),
        metadata={"fallen_count": guard.fallen.height, "stood_count": guard.stood, "fallen": as_markdown(by_repository)},
    )


def _read_code(lake: Lake, opened: Sequence[GitRepository]) -> _Code:
    files = lake.read("code_files")
    return _Code(symbols=lake.read("symbols"), files=files, heads=heads_of(files), at_hand={one.repo_id: one for one in opened}, lake=lake)


def _still_true(standing: pl.DataFrame, anchors: pl.DataFrame, code: _Code) -> pl.DataFrame:
    """Keep the locations that speak of the present head, unless a checkout or fingerprints that were missing are there now."""
    heads = pl.DataFrame(list(code.heads.items()), schema={"repo_id": pl.String, "commit": pl.String}, orient="row")
    present = standing.join(heads, on=["repo_id", "commit"], how="semi").join(anchors, on="anchor_id", how="semi")
    now_at_hand = pl.col("detail").str.ends_with(_NOT_AT_HAND) & pl.col("repo_id").is_in(list(code.at_hand))
    now_known = pl.col("detail").str.contains("its code is not known", literal=True)
    return present.filter(~(now_at_hand | now_known))


def _follow(anchors: pl.DataFrame, code: _Code) -> pl.DataFrame:
    """Follow anchors, asking the repositories at hand only for what the index leaves open."""
    renames = _renames(commits_to_compare(anchors, code.files, heads=code.heads), code)
    first = follow_anchors(anchors, code.symbols, code.files, renames=renames, heads=code.heads)
    before = definitions_at(files_to_compare(anchors, first), list(code.at_hand.values()), LakeParseCache(code.lake))
    followed = follow_anchors(anchors, code.symbols, code.files, renames=renames, heads=code.heads, before=before)
    walked = _walk(anchors, followed, code)
    located = settle_deleted(anchors, walked, _names_present(names_to_search(anchors, walked), code))
    unasked = (pl.col("matched_by") == "unknown") & pl.col("commit").is_not_null() & ~pl.col("repo_id").is_in(list(code.at_hand))
    return located.with_columns(detail=pl.when(unasked).then(pl.col("detail") + _NOT_AT_HAND).otherwise("detail"))


def _walk(anchors: pl.DataFrame, followed: pl.DataFrame, code: _Code) -> pl.DataFrame:
    """Walk the history of what the index alone leaves uncertain, each repository with what its anchors share."""
    uncertain = anchors_to_walk(anchors, followed, code.symbols)
    followers = {repo_id: Follower(code.at_hand[repo_id]) for repo_id in uncertain["repo_id"].unique().sort() if repo_id in code.at_hand}
    return walk_anchors(uncertain, followed, code.symbols, followers, progress=progress_of("histories"))


def _renames(pairs: pl.DataFrame, code: _Code) -> dict[tuple[str, str], dict[str, str]]:
    report = progress_of("renames")
    found = {}
    for done, (repo_id, commit) in enumerate(pairs.iter_rows(), start=1):
        report(done, pairs.height)
        with suppress(CommitNotFoundError):  # a commit that is not in this clone shows nothing
            if repository := code.at_hand.get(repo_id):
                found[repo_id, commit] = repository.renames(commit, code.heads[repo_id])
    return found


def _names_present(names: pl.DataFrame, code: _Code) -> pl.DataFrame:
    """Search the heads for names; repositories that are not at hand show nothing."""
    parts = [pl.DataFrame(schema=NAMES)]
    for (repo_id,), wanted in names.group_by("repo_id"):
        if repository := code.at_hand.get(str(repo_id)):
            found = repository.names_in_tree(code.heads[repository.repo_id], wanted["name"].to_list())
            parts.append(wanted.select("repo_id", "name", present=pl.col("name").is_in(list(found))))
    return pl.concat(parts)


def _counts(rows: pl.DataFrame, column: str) -> dict[str, int]:
    return {f"{value}_count": count for value, count in rows[column].value_counts(sort=True).iter_rows()}
