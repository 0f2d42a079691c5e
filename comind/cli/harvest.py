"""`comind harvest`: take in what a file tells of a source that is usually asked over a network."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from comind.cli.context import Session, open_session
from comind.cli.options import AsJson, Store, examples
from comind.cli.progress import progress_bar
from comind.cli.screen import emit, warn
from comind.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from comind.sources.forges.exported import LeftPart
    from comind.sources.forges.model import MergeRequest

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)

_SHOWN = 20
_AT_ONCE = 200  # requests in memory


class NotHarvestedError(UsageError):
    """There is no such source that a file could tell of."""

    def __init__(self, source: str) -> None:
        self.source = source
        super().__init__(f"{source!r} cannot be harvested from a file; mr (merge and pull requests) can")


class NotAProjectError(UsageError):
    """A text does not name a project of a forge."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(f"{text!r} is no project; write HOST/PATH, such as gitlab.com/group/shop")


@dataclass(slots=True)
class _Report:
    read: int = 0
    written: int = 0
    left: list[LeftPart] = field(default_factory=list)
    repositories: set[str] = field(default_factory=set)
    records: int = 0  # written now
    refused: int = 0
    not_at_hand: list[str] = field(default_factory=list)  # repositories of which no clone is known


@app.command(
    epilog=examples(
        "comind harvest mr --from pulls.json",
        "comind harvest mr --from tree/project/merge_requests.ndjson --project gitlab.com/group/shop",
    )
)
def harvest(
    source: Annotated[str, typer.Argument(metavar="mr", help="What the file tells: mr, merge and pull requests.")],
    *,
    url: Annotated[str, typer.Option("--from", metavar="FILE", help="The file: a path, s3:// or what else fsspec reaches.")],
    project: Annotated[
        str | None,
        typer.Option("--project", metavar="HOST/PATH", help="Where they belong, if the file does not say it in their addresses."),
    ] = None,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Take in merge or pull requests from a file, and make records of what they decided.

    The file holds JSON as GitLab or GitHub answer it, as `gh pr list --json` or `glab` print it, or as a project export of GitLab has it:
    an array, or a line for each request. Names, secrets and hidden characters are left out. Of two readings of one request the newer
    stands, so that taking in a file twice changes nothing. Records need a clone of the repository: that of the working directory, or one
    that was indexed before; what was refused, and why, `comind status` says.
    """
    if source != "mr":
        raise NotHarvestedError(source)
    if project is not None and project.count("/") < 2:  # noqa: PLR2004 - a host, a group, a name
        raise NotAProjectError(project)
    session, report = open_session(store), _Report()
    with progress_bar("requests") as progress:
        _take(session, url, project, report, progress)
        for repo_id in sorted(report.repositories):
            _record(session, repo_id, report, progress)
    _say(url, report, as_json=as_json)
    if not report.read and not report.left:
        warn(f"{url} holds no merge or pull request")
        return ExitCode.COULD_NOT_FIND_OUT
    return ExitCode.BLOCKING_FINDING if report.left else ExitCode.ANSWERED


def _take(session: Session, url: str, project: str | None, report: _Report, progress: Callable[[int, int | None], None]) -> None:
    from comind.sources.forges.exported import LeftPart, requests_in  # noqa: PLC0415 - `comind harvest --help` reads nothing
    from comind.store.bulk import read_chunks  # noqa: PLC0415

    batch: list[MergeRequest] = []
    for one in requests_in(read_chunks(url), project=project):
        if isinstance(one, LeftPart):
            report.left.append(one)
            continue
        batch.append(one)
        report.read += 1
        if len(batch) >= _AT_ONCE:
            report.written += _keep(session, batch, report)
            batch = []
            progress(report.read, None)
    report.written += _keep(session, batch, report)


def _keep(session: Session, requests: list[MergeRequest], report: _Report) -> int:
    from comind.harvest.request_rows import FROM_FILE, request_rows  # noqa: PLC0415
    from comind.tables.merge_requests import keep_requests  # noqa: PLC0415

    written = 0
    for project in sorted({f"{request.host}/{request.project}" for request in requests}):
        within = [request for request in requests if f"{request.host}/{request.project}" == project]
        repo_id = _repository_of(session, project)
        report.repositories.add(repo_id)
        written += keep_requests(session.lake, request_rows(within, repo_id=repo_id, read_from=FROM_FILE))
    return written


def _record(session: Session, repo_id: str, report: _Report, progress: Callable[[int, int | None], None]) -> None:
    """Make records of the requests of a repository, those of earlier files included; what is there already stays."""
    from comind.harvest.merge_requests import SOURCE  # noqa: PLC0415
    from comind.store.inbox import PutOutcome  # noqa: PLC0415
    from comind.tables.compact import fast_fold  # noqa: PLC0415
    from comind.tables.harvested import keep_refusals, write_records  # noqa: PLC0415
    from comind.tables.merge_requests import harvest_kept  # noqa: PLC0415

    repository = session.checkouts.find(repo_id)
    if repository is None:
        report.not_at_hand.append(repo_id)
        return
    harvest = harvest_kept(session.lake, repository, position="", progress=progress)
    written = write_records(session.inbox, harvest.records)
    keep_refusals(session.lake, repo_id, SOURCE, harvest.refusals, settled=harvest.settled)
    report.records += written.counts[PutOutcome.CREATED]
    report.refused += len(harvest.refusals)
    if written.counts[PutOutcome.CREATED]:
        fast_fold(session.lake, session.inbox, now=session.now, hand_over=written.keys)


def _repository_of(session: Session, project: str) -> str:
    """Return the repository that a project's requests belong to: the one that is configured so, or has it as origin."""
    from comind.sources.git import GitRepository  # noqa: PLC0415
    from comind.tables.rows import quoted  # noqa: PLC0415

    for entry in session.settings.watched:
        if entry.project == project:
            return GitRepository.open(entry.path, name=entry.name, ref=entry.ref).repo_id
    here = session.checkouts.here
    if here is not None and here.identity.origin == project:
        return here.repo_id
    known = session.lake.read("repositories", columns=["repo_id"], where=f"origin = {quoted(project)}")["repo_id"].to_list()
    return str(known[0]) if known else project


def _say(url: str, report: _Report, *, as_json: bool) -> None:
    for left in report.left[:_SHOWN]:
        warn(f"{left.where}: {left.problem}")
    if len(report.left) > _SHOWN:
        warn(f"{len(report.left) - _SHOWN} more parts were left; --json lists all")
    if as_json:
        left_parts = [{"where": one.where, "code": one.code, "problem": one.problem} for one in report.left]
        told = {"url": url, "read": report.read, "written": report.written, "records": report.records, "refused": report.refused}
        emit(json.dumps({**told, "not_at_hand": report.not_at_hand, "left": left_parts}))
        return
    for repo_id in report.not_at_hand:
        warn(f"no clone of {repo_id} is known here; `comind run --repo PATH` makes records of its requests")
    emit(
        f"{report.read:,} requests read, {report.written:,} of them new or changed, {len(report.left)} parts left; "
        f"records written: {report.records:,}, findings refused: {report.refused}"
    )
