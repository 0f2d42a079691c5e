"""HARVEST: what a team already wrote down becomes records in the inbox, exactly once.

In: repositories at hand. Out: inbox objects, a cursor table per asset (how far it came) and `harvest_refusals` (what was not written,
and why). What the assets have in common is `comind_assets.harvesting`.
"""

from __future__ import annotations

from collections.abc import Iterator

import dagster as dg
import polars as pl

from comind.harvest.decision_records import HARVESTER_VERSION as DOCUMENTS_VERSION
from comind.harvest.document_rows import known_documents
from comind.harvest.documents import SOURCE, harvest_documents
from comind.harvest.reverts import REVERTS
from comind.harvest.sources import GitSource, Harvest, Reading
from comind.harvest.trailer_harvest import TRAILERS
from comind.tables.lake import Lake
from comind.tables.rows import quoted
from comind_assets.harvesting import CURSOR_TABLES, harvest_repositories
from comind_assets.reporting import materialized, table_spec
from comind_resources.ledger import LedgerResource

__all__ = ["code_origins", "document_harvest", "git_harvest", "harvest_refusals"]

_GIT_VERSION = f"{REVERTS.version} {TRAILERS.version}"


@dg.multi_asset(
    name="harvest_git",
    specs=[table_spec("git_harvest", group="harvest", kinds={"git"}, deps=["repositories"], code_version=_GIT_VERSION)],
)
def git_harvest(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Read the commits that are new since the last harvest, and write what they undid and what their trailers say."""
    return harvest_repositories(ledger, "git_harvest", [REVERTS, TRAILERS])


@dg.multi_asset(
    name="harvest_documents",
    specs=[
        table_spec(name, group="harvest", kinds={"git"}, deps=["repositories"], code_version=DOCUMENTS_VERSION)
        for name in ("document_harvest", "documents")
    ],
)
def document_harvest(ledger: LedgerResource) -> Iterator[dg.MaterializeResult[None]]:
    """Read the decision records that are new or say something else since the last harvest, and write what they decided."""
    result = harvest_repositories(ledger, "document_harvest", [_documents(ledger.lake())])
    yield result
    rows = ledger.lake().read("documents")
    verdicts = {f"{verdict}_count": count for verdict, count in rows["verdict"].value_counts().sort("verdict").iter_rows()}
    yield materialized("documents", rows, changed=bool(result.metadata and result.metadata["written"]), **verdicts)


@dg.multi_asset(
    name="list_refusals",
    specs=[table_spec("harvest_refusals", group="harvest", kinds={"polars"}, deps=[*CURSOR_TABLES, "merge_requests"])],
)
def harvest_refusals(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Show what the harvests did not write; they keep its rows themselves."""
    rows = ledger.lake().read("harvest_refusals")
    by_code = {f"{code}_count": count for code, count in rows["code"].value_counts().sort("code").iter_rows()}
    return materialized("harvest_refusals", rows, changed=False, **by_code)


@dg.multi_asset(name="list_origins", specs=[table_spec("code_origins", group="harvest", kinds={"polars"}, deps=["repositories"])])
def code_origins(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Show which tools wrote which lines; `comind import` keeps its rows."""
    rows = ledger.lake().read("code_origins")
    by_tool = {f"{tool}_lines": int(lines) for tool, lines in rows.group_by("tool").agg(pl.col("n_lines").sum()).sort("tool").iter_rows()}
    return materialized("code_origins", rows, changed=False, **by_tool)


def _documents(lake: Lake) -> GitSource:
    def read(reading: Reading) -> Harvest:
        rows = lake.read("documents", where=f"repo_id = {quoted(reading.repository.repo_id)}")
        return harvest_documents(reading, known_documents(rows.iter_rows(named=True)))

    return GitSource(name=SOURCE, version=DOCUMENTS_VERSION, read=read)
