"""HARVEST: what was discussed on forges, as it was said, and the records that need no model.

In: the projects of the repositories at hand, tokens of the environment. Out: the private table `merge_requests`; inbox objects.
A forge that cannot be read stops nothing else: it is a line of the metadata and a row of `harvest_refusals`.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import dagster as dg

from comind.harvest.merge_requests import SOURCE
from comind.harvest.refusals import Refusal, refusal_id, refusal_rows
from comind.harvest.request_places import COMMIT_MISSING
from comind.harvest.request_records import HARVESTER_VERSION
from comind.harvest.request_rows import FROM_FORGE, request_rows
from comind.sources.forges.clients import open_forge
from comind.sources.forges.errors import ForgeError
from comind.sources.forges.projects import project_of
from comind.tables.merge_requests import harvest_kept, keep_requests, read_since
from comind.tables.rows import quoted
from comind_assets.harvesting import COUNTED, load_cursor, settle
from comind_assets.reporting import materialized, table_spec
from comind_resources.ledger import LedgerResource
from comind_resources.progress import progress_of

if TYPE_CHECKING:
    from comind.sources.forges.model import ForgeProject
    from comind.sources.git import GitRepository
    from comind.store.inbox import Inbox
    from comind.tables.lake import Lake

__all__ = ["merge_request_harvest", "merge_requests"]

_FORGES = "forges"  # what refusals of this asset are found under
_READER_VERSION = "merge_requests/1"


@dataclass(frozen=True, slots=True)
class _Told:
    """What became of one repository's requests."""

    repository: str
    said: str
    written: int = 0


@dg.multi_asset(
    name="read_forges",
    specs=[table_spec("merge_requests", group="harvest", kinds={"gitlab", "github"}, deps=["repositories"], code_version=_READER_VERSION)],
)
def merge_requests(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Read the merge and pull requests that were updated since the last time, where there is a token for their forge."""
    lake, forges = ledger.lake(), ledger.settings().forges
    told = []
    for found in ledger.at_hand():
        if found.repository is not None:
            project = project_of(found.entry.project or found.repository.identity.origin, forges)
            told.append(_read(lake, found.repository.repo_id, project))
    rows = lake.read("merge_requests", columns=["state"])
    by_state = {f"{state}_count": count for state, count in rows["state"].value_counts().sort("state").iter_rows()}
    written = sum(one.written for one in told)
    lines = "\n".join(f"{one.repository}: {one.said}" for one in told) or "no repository at hand"
    return materialized("merge_requests", rows, changed=written > 0, written_count=written, repositories=lines, **by_state)


@dg.multi_asset(
    name="harvest_merge_requests",
    specs=[table_spec("merge_request_harvest", group="harvest", kinds={"git"}, deps=["merge_requests"], code_version=HARVESTER_VERSION)],
)
def merge_request_harvest(ledger: LedgerResource) -> dg.MaterializeResult[None]:
    """Write why requests were abandoned, what threads decided and what comments ask to remember, if any of it is new."""
    lake, inbox = ledger.lake(), ledger.inbox()
    total: Counter[str] = Counter()
    for repository in ledger.opened():
        total.update(_harvest(lake, inbox, repository))
    counts = {f"{name}_count": total[name] for name in COUNTED}
    return materialized("merge_request_harvest", lake.read("merge_request_harvest"), changed=bool(total), **counts)


def _harvest(lake: Lake, inbox: Inbox, repository: GitRepository) -> Counter[str]:
    cursor = load_cursor(lake, "merge_request_harvest", repo_id=repository.repo_id, source=SOURCE, version=HARVESTER_VERSION)
    position = _position(lake, repository)
    if cursor.position == position:
        return Counter()
    return settle(lake, inbox, cursor, harvest_kept(lake, repository, position=position, progress=progress_of("merge requests")))


def _position(lake: Lake, repository: GitRepository) -> str:
    """Return what a harvest would have read now: the head counts only while commits are missed, which a fetch may have brought."""
    missed = f"source = {quoted(SOURCE)} AND repo_id = {quoted(repository.repo_id)} AND code = {quoted(COMMIT_MISSING)}"
    at = repository.head if lake.count("harvest_refusals", missed) else ""
    return f"{lake.digest('merge_requests')} {at}".strip()


def _read(lake: Lake, repo_id: str, project: ForgeProject | None) -> _Told:
    """Read one project, keeping each batch: whoever is stopped goes on from there."""
    if project is None:
        return _Told(repo_id, "off: its origin is on no forge that is known; `project` in comind.toml names one")
    forge = open_forge(project, os.environ)
    if forge is None:
        return _Told(repo_id, f"off: {project.token_variable} holds no token for {project.host}")
    read = written = 0
    progress, problem = progress_of("merge requests"), None
    try:
        for batch in forge.updated(read_since(lake, project.host, project.path)):
            written += keep_requests(lake, request_rows(batch, repo_id=repo_id, read_from=FROM_FORGE))
            read += len(batch)
            progress(read, read)
    except ForgeError as error:
        problem = str(error)
    _note(lake, repo_id, project, problem)
    return _Told(repo_id, f"{read} read, {written} new or changed{f'; {problem}' if problem else ''}", written)


def _note(lake: Lake, repo_id: str, project: ForgeProject, problem: str | None) -> None:
    if problem is not None:
        refusal = Refusal(
            repo_id=repo_id,
            source=_FORGES,
            source_id=project.origin,
            code="forge_unread",
            detail=problem,
            harvester_version=_READER_VERSION,
        )
        lake.upsert("harvest_refusals", refusal_rows([refusal]))
    elif lake.exists("harvest_refusals"):
        lake.delete("harvest_refusals", f"refusal_id = {quoted(refusal_id(_FORGES, repo_id, project.origin))}")
