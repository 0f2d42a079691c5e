"""DISTIL: what only a reader can find, proposed by a language model and written back to the inbox as drafts.

In: repositories at hand, merge requests, what the ledger believes. Out: inbox objects; `distilled_proposals`, `distill_progress`.
Off until an endpoint is configured, and says so. What it writes is folded by the next tick, as what people write is.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import dagster as dg

from comind.distill.answers import Usage
from comind.distill.passes import DISTILLER_VERSION
from comind.harvest.sources import Reading
from comind.index.past import SymbolsAt
from comind.tables.asking import asking_of, budget_of, endpoint_of
from comind.tables.distilled_sources import distill_source
from comind.tables.parse_cache import LakeParseCache
from comind_assets.reporting import as_markdown, materialized, table_spec
from comind_resources.ledger import LedgerResource
from comind_resources.progress import progress_of

if TYPE_CHECKING:
    from comind.config import DistillSettings
    from comind.tables.distilling import Distilling
    from comind.tables.lake import Lake

__all__ = ["distilled"]

_OFF = "off: no language model is configured; name one as endpoint and model under [distill] in comind.toml"


@dg.multi_asset(
    name="distill",
    specs=[
        table_spec(
            "distilled_proposals",
            group="distil",
            kinds={"openai"},
            deps=["ledger_current", "merge_requests"],
            code_version=DISTILLER_VERSION,
        ),
        table_spec("distill_progress", group="distil", kinds={"openai"}, deps=["distilled_proposals"], code_version=DISTILLER_VERSION),
        table_spec("distill_cache", group="distil", kinds={"openai"}, deps=["distilled_proposals"]),
    ],
)
def distilled(ledger: LedgerResource) -> Iterator[dg.MaterializeResult[None]]:
    """Ask a language model about commits, requests and documents that are new and give reasons, within the budget of one run."""
    lake, told = ledger.lake(), ledger.settings().distill
    passes = list(_distil(ledger, lake, told)) if told.is_on else []
    said = "\n".join(map(_line, passes)) if told.is_on else _OFF
    outcomes = Counter(f"{one.verdict}_count" for each in passes for one in each.found.outcomes)
    refused = Counter(f"refused_{one.code}_count" for each in passes for one in each.found.outcomes if one.verdict == "refused")
    skipped = Counter({f"skipped_{code}_count": count for each in passes for code, count in each.found.skipped.items()})
    answers = Counter({f"answer_{code}_count": count for each in passes for code, count in each.found.answers.items()})
    written = sum(each.written for each in passes)
    yield materialized(
        "distilled_proposals", lake.read("distilled_proposals"), changed=bool(outcomes), sources=said, records_written_count=written,
        **outcomes, **refused, **skipped, **answers,
    )  # fmt: skip
    progress = lake.read("distill_progress").drop("distiller_version").sort("progress_id")
    yield materialized("distill_progress", progress, changed=bool(passes), by_repository=as_markdown(progress), **_cost(passes))
    yield materialized("distill_cache", lake.read("distill_cache", columns=["request_id", "model", "code"]), changed=bool(passes))


def _distil(ledger: LedgerResource, lake: Lake, told: DistillSettings) -> Iterator[Distilling]:
    """Distil every source of every repository at hand, until no more may be asked."""
    report, inbox = progress_of("distilling"), ledger.inbox()
    asking = asking_of(endpoint_of(told, os.environ), budget_of(told), lake, progress=lambda done: report(done, done))
    for repository in ledger.opened():
        with SymbolsAt(repository, LakeParseCache(lake)) as symbols_at:
            reading = Reading(repository=repository, since=None, branches=(), symbols_at=symbols_at, progress=report)
            for source in told.sources:
                for done in distill_source(lake, inbox, reading, source, asking, first_commits=told.first_commits):
                    yield done
                    if done.found.stopped is not None:
                        return


def _line(done: Distilling) -> str:
    found, progress = done.found, done.progress
    asked = sum(found.answers.values())
    stopped = f"; stopped: {found.stopped}" if found.stopped else ""
    return f"{progress.repo_id} {progress.source}: {len(found.read)} read, {asked} asked, {done.written} drafts written{stopped}"


def _cost(passes: list[Distilling]) -> dict[str, float | str]:
    usage = sum((each.found.usage for each in passes), Usage())
    said: dict[str, float | str] = {
        "calls": usage.calls, "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens,
        "from_cache_count": sum(each.found.from_cache for each in passes),
    }  # fmt: skip
    return said if usage.cost is None else said | {"cost": usage.cost}
