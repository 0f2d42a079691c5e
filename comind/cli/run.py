"""`comind run`: index repositories, harvest them, fold, derive; as a Dagster run that the UI shows.

In: repositories and a store. Out: what stands now, in a few lines, and what to ask next.
The one verb that reaches up to the pipeline, and only when it runs.
"""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from comind.cli.options import AsJson, Store, examples
from comind.cli.screen import print_answer, warn
from comind.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.config import RepositoryEntry, Settings

__all__ = ["app"]

app = typer.Typer(rich_markup_mode=None, add_completion=False)

Repositories = Annotated[list[str] | None, typer.Option("--repo", metavar="PATH", help="A clone to read; may be given several times.")]
Record = Annotated[bool, typer.Option("--record/--no-record", help="Keep the run in the history that the Dagster UI shows.")]
MaxFlipShare = Annotated[
    float | None,
    typer.Option(
        "--max-flip-share",
        min=0.01,
        max=1,
        metavar="SHARE",
        help="Of the anchors whose code stood at the last run, how many may change or go before nothing is published; 1 accepts all.",
        show_default="what comind.toml says, else 0.3",
    ),
]


@app.command(epilog=examples("comind run --repo ../flask", "comind run --repo ../flask --repo ../werkzeug --store s3://ledger/team"))
def run(
    *, repo: Repositories = None, store: Store = None, max_flip_share: MaxFlipShare = None, as_json: AsJson = False, record: Record = True
) -> int:
    """Index repositories, harvest what was written down in them and work out what still holds.

    Harvested are reverts, decision records and the trailers of commits.

    Without --repo it reads the repositories of COMIND_REPOS or comind.toml, else the one around the working directory.
    A second run costs what changed since the first.
    """
    started = time.monotonic()
    settings, entries = _plan(repo or [], store, max_flip_share)
    run_id, failed = _materialise(settings, entries, told=bool(repo), record=record)
    _sum_up(settings, run_id, seconds=round(time.monotonic() - started, 1), as_json=as_json)
    for check in failed:
        warn(check)
    return ExitCode.BLOCKING_FINDING if failed else ExitCode.ANSWERED


def _plan(repo: Sequence[str], store: str | None, max_flip_share: float | None) -> tuple[Settings, tuple[RepositoryEntry, ...]]:
    """Open everything once before anything is written: what cannot be read is said at once."""
    from comind.config import RepositoryEntry, load_settings  # noqa: PLC0415 - `comind run --help` reads no settings
    from comind.sources.git import GitRepository  # noqa: PLC0415

    told = load_settings(cwd=Path.cwd(), env=os.environ, store=store, repositories=repo)
    settings = replace(told, max_flip_share=max_flip_share) if max_flip_share else told
    entries = settings.repositories or (RepositoryEntry(path=Path.cwd()),)
    for entry in entries:
        GitRepository.open(entry.path, name=entry.name, ref=entry.ref)
    return settings, entries


def _materialise(settings: Settings, entries: Sequence[RepositoryEntry], *, told: bool, record: bool) -> tuple[str, tuple[str, ...]]:
    from comind.cli.progress import stages  # noqa: PLC0415
    from comind.config import remember_checkouts  # noqa: PLC0415

    with stages() as watcher:
        from comind_assets.running import run_pipeline  # noqa: PLC0415 - Dagster takes seconds to import

        # Flags, or the working directory, are handed over; names, refs and branches of a comind.toml are read there again.
        named = told or not settings.repositories
        paths = [str(entry.path) for entry in entries] if named else []
        finished = run_pipeline(
            store=settings.store, repositories=paths, record=record, watcher=watcher, max_flip_share=settings.max_flip_share
        )
    remember_checkouts(settings, entries, os.environ)
    return finished.run_id, finished.failed_checks


def _sum_up(settings: Settings, run_id: str, *, seconds: float, as_json: bool) -> None:
    from comind.cli.context import open_session  # noqa: PLC0415
    from comind.query.render_run import render_run  # noqa: PLC0415
    from comind.query.summary import sum_up_run  # noqa: PLC0415

    session = open_session(settings.store)
    summary = sum_up_run(session.view, store=session.location.uri, run_id=run_id, seconds=seconds)
    print_answer(summary, render_run(summary), as_json=as_json)
