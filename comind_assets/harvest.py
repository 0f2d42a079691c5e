"""HARVEST: what a team already wrote down becomes records in the inbox, exactly once.

In: repositories at hand. Out: inbox objects, a cursor table per asset (how far it came) and `harvest_refusals` (what was not written,
and why). What the assets have in common is `comind_assets.harvesting`.
"""

from __future__ import annotations

import dagster as dg

from comind.harvest.reverts import REVERTS
from comind_assets.harvesting import CURSOR_TABLES, harvest_repositories
from comind_assets.reporting import materialized, table_spec
from comind_resources.ledger import LedgerResource

__all__ = ["git_harvest", "harvest_refusals"]


@dg.multi_asset(
    name="harvest_git",
    specs=[table_spec("git_harvest", group="harvest", kinds={"git"}, deps=["repositories"], code_version=REVERTS.version)],
)
def git_harvest(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Read the commits that are new since the last harvest and write what they undid as attempts."""
    return harvest_repositories(ledger, "git_harvest", [REVERTS])


@dg.multi_asset(name="list_refusals", specs=[table_spec("harvest_refusals", group="harvest", kinds={"polars"}, deps=CURSOR_TABLES)])
def harvest_refusals(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Show what the harvests did not write; they keep its rows themselves."""
    rows = ledger.lake().read("harvest_refusals")
    by_code = {f"{code}_count": count for code, count in rows["code"].value_counts().sort("code").iter_rows()}
    return materialized("harvest_refusals", rows, changed=False, **by_code)
