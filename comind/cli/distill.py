"""`comind distill`: ask a language model about what only a reader can find; drafts wait for `comind review`."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from comind.cli.context import Session, open_session
from comind.cli.options import AsJson, Store, examples
from comind.cli.progress import progress_bar
from comind.cli.screen import emit, print_text, warn
from comind.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from comind.config import DistillSettings
    from comind.distill.client import Endpoint
    from comind.harvest.sources import Reading
    from comind.sources.git import GitRepository
    from comind.tables.distilling import Asking, Distilling
    from comind.tables.foresight import Foreseen

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)

Source = Literal["git", "mr", "document"]


class NoRepositoryError(UsageError):
    """There is no clone to read."""

    def __init__(self) -> None:
        super().__init__("no repository is known here; run it inside a clone, or name one with --repo PATH")


@app.command(
    epilog=examples(
        "comind distill git --dry-run",
        "comind distill git --endpoint http://127.0.0.1:8080/v1 --model qwen2.5-coder",
        "comind distill mr --max-calls 50",
        "comind distill git --commits 20 --local",
    )
)
def distill(
    source: Annotated[Source, typer.Argument(metavar="SOURCE", help="git (commits), mr (merge and pull requests) or document (prose).")],
    *,
    repo: Annotated[list[str] | None, typer.Option("--repo", metavar="PATH", help="A clone to read; may be given several times.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be asked and what it would cost; ask nothing.")] = False,
    local: Annotated[bool, typer.Option("--local", help="Ask a small model on this machine: pip install 'comind-ledger[local]'.")] = False,
    endpoint: Annotated[str | None, typer.Option("--endpoint", metavar="URL", help="An OpenAI-compatible interface.")] = None,
    model: Annotated[str | None, typer.Option("--model", metavar="NAME", help="The model to ask there.")] = None,
    commits: Annotated[
        int | None, typer.Option("--commits", min=1, help="Of a repository that was never read, read so many of the newest.")
    ] = None,
    max_calls: Annotated[int | None, typer.Option("--max-calls", min=0, help="Ask at most so often in this run.")] = None,
    max_cost: Annotated[float | None, typer.Option("--max-cost", min=0, help="Spend at most so much in this run.")] = None,
    store: Store = None,
    as_json: AsJson = False,
) -> int:
    """Ask a language model which reasons commits, requests or documents give, and keep what passes every check as drafts.

    Most sources are passed over without a call; a question that was answered once is never asked again; names, addresses and secrets are
    taken out before anything leaves this machine. What a model proposes must quote its source and waits for a person: `comind review`.
    A run goes on where the last one stopped. The key is read from COMIND_DISTILL_KEY alone.
    """
    session = open_session(store, repo or [])
    said: dict[str, Any] = {"endpoint": endpoint, "model": model, "first_commits": commits, "max_calls": max_calls, "max_cost": max_cost}
    told = replace(session.settings.distill, **{name: value for name, value in said.items() if value is not None})
    session.require_store()
    if dry_run:
        return _foresee(session, told, source, local=local, as_json=as_json)
    with _endpoint(told, local=local) as found, progress_bar("answers") as progress:
        passes = list(_distil(session, told, source, found, lambda done: progress(done, None)))
    return _say(passes, as_json=as_json)


@contextmanager
def _endpoint(told: DistillSettings, *, local: bool) -> Iterator[Endpoint]:
    from comind.tables.asking import endpoint_of  # noqa: PLC0415 - `comind distill --help` loads nothing

    if not local:
        yield endpoint_of(told, os.environ)
        return
    from comind.distill.local import local_endpoint  # noqa: PLC0415

    with local_endpoint(cache=_cache_folder()) as found:
        yield found


def _cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "comind" / "models"


def _distil(session: Session, told: DistillSettings, source: str, endpoint: Endpoint, progress: object) -> Iterator[Distilling]:
    """Distil what is due, and fold what was written after each pass, so that the next one knows it."""
    from comind.tables.asking import asking_of, budget_of  # noqa: PLC0415
    from comind.tables.compact import fast_fold  # noqa: PLC0415
    from comind.tables.distilled_sources import distill_source  # noqa: PLC0415

    fast_fold(session.lake, session.inbox, now=session.now)
    asking: Asking = asking_of(endpoint, budget_of(told), session.lake, progress=progress)  # type: ignore[arg-type]  # a bar's own
    for repository in _repositories(session):
        with _reading(session, repository) as reading:
            for done in distill_source(session.lake, session.inbox, reading, source, asking, first_commits=told.first_commits):
                if done.keys:
                    fast_fold(session.lake, session.inbox, now=session.now, hand_over=done.keys)
                yield done
                if done.found.stopped is not None:
                    return


@contextmanager
def _reading(session: Session, repository: GitRepository) -> Iterator[Reading]:
    from comind.harvest.sources import Reading  # noqa: PLC0415
    from comind.index.past import SymbolsAt  # noqa: PLC0415
    from comind.tables.parse_cache import LakeParseCache  # noqa: PLC0415

    with SymbolsAt(repository, LakeParseCache(session.lake)) as symbols_at:
        yield Reading(repository=repository, since=None, branches=(), symbols_at=symbols_at, progress=lambda _done, _total: None)


def _repositories(session: Session) -> list[GitRepository]:
    from comind.sources.git import GitRepository  # noqa: PLC0415

    entries = session.settings.repositories
    if entries:
        return [GitRepository.open(entry.path, name=entry.name, ref=entry.ref) for entry in entries]
    here = session.checkouts.here
    if here is not None:
        return [here]
    if session.settings.watched:
        return [GitRepository.open(entry.path, name=entry.name, ref=entry.ref) for entry in session.settings.watched]
    raise NoRepositoryError


def _foresee(session: Session, told: DistillSettings, source: str, *, local: bool, as_json: bool) -> int:
    from comind.distill.client import Endpoint  # noqa: PLC0415
    from comind.distill.local import local_host  # noqa: PLC0415
    from comind.query.render_distill import render_foreseen  # noqa: PLC0415
    from comind.tables.foresight import foresee  # noqa: PLC0415

    endpoint = local_host() if local else Endpoint(url=told.endpoint or "", model=told.model or "")
    told = replace(told, endpoint=endpoint.url or None, model=endpoint.model or None)
    found: list[Foreseen] = []
    for repository in _repositories(session):
        with _reading(session, repository) as reading, progress_bar("sources") as progress:
            found.append(foresee(session.lake, reading, endpoint, source, told, progress=progress))
    if as_json:
        emit(json.dumps([asdict(one) for one in found], ensure_ascii=True, indent=2))
    else:
        print_text(render_foreseen(found, told))
    return ExitCode.ANSWERED


def _say(passes: Sequence[Distilling], *, as_json: bool) -> int:
    from comind.query.render_distill import distilled_json, render_distilled  # noqa: PLC0415

    if as_json:
        emit(json.dumps(distilled_json(passes), ensure_ascii=True, indent=2))
    else:
        print_text(render_distilled(passes))
    stopped = [done for done in passes if done.found.stopped is not None]
    for done in stopped:
        warn(f"{done.progress.repo_id}: {done.found.stopped}; the next run goes on from there")
    return ExitCode.COULD_NOT_FIND_OUT if any(done.found.stopped or done.progress.unanswered for done in passes) else ExitCode.ANSWERED
