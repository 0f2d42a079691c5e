"""STALENESS: where each anchor is now, and what happened to the code there.

In: anchors, the index, git's renames and a text search for names. Out: `anchor_locations`, `anchor_drift`.
An anchor is followed again only when its repository moved, or when what kept it from being followed may be gone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import dagster as dg
import polars as pl

from comind.anchors.head import heads_of
from comind.anchors.with_git import NOT_AT_HAND, Code, locate_with_git
from comind.drift.classify import classify_drift
from comind.drift.guard import FlipGuard, guard_flips
from comind.fingerprints import FINGERPRINT_VERSION
from comind.tables.parse_cache import LakeParseCache
from comind_assets.derivation import inputs_digest
from comind_assets.reporting import as_markdown, materialized, table_spec
from comind_resources.ledger import LedgerResource
from comind_resources.progress import progress_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.sources.git import GitRepository
    from comind.tables.lake import Lake

__all__ = ["anchor_drift", "anchor_locations"]

RULES = f"3/{FINGERPRINT_VERSION}"


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
    fresh = locate_with_git(anchors.join(kept, on="anchor_id", how="anti"), code, watch=progress_of)
    located = pl.concat([kept, fresh]).sort("anchor_id")
    unasked = located.filter(pl.col("detail").str.ends_with(NOT_AT_HAND))["anchor_id"].to_list()
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


def _read_code(lake: Lake, opened: Sequence[GitRepository]) -> Code:
    files, cache = lake.read("code_files"), LakeParseCache(lake)
    at_hand = {one.repo_id: one for one in opened}
    return Code(symbols=lake.read("symbols"), files=files, heads=heads_of(files), at_hand=at_hand, cache=cache)


def _still_true(standing: pl.DataFrame, anchors: pl.DataFrame, code: Code) -> pl.DataFrame:
    """Keep the locations that speak of the present head, unless a checkout or fingerprints that were missing are there now."""
    heads = pl.DataFrame(list(code.heads.items()), schema={"repo_id": pl.String, "commit": pl.String}, orient="row")
    present = standing.join(heads, on=["repo_id", "commit"], how="semi").join(anchors, on="anchor_id", how="semi")
    now_at_hand = pl.col("detail").str.ends_with(NOT_AT_HAND) & pl.col("repo_id").is_in(list(code.at_hand))
    now_known = pl.col("detail").str.contains("its code is not known", literal=True)
    return present.filter(~(now_at_hand | now_known))


def _counts(rows: pl.DataFrame, column: str) -> dict[str, int]:
    return {f"{value}_count": count for value, count in rows[column].value_counts(sort=True).iter_rows()}
