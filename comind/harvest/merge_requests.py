"""Harvest merge requests without a model: why they were abandoned, what threads call decisions, what commands ask to remember.

In: requests as their forge tells them, the repository, the definitions of its files. Out: records, refusals. Never asks a forge.
Only what is over is read: what a merged or closed request says. Comments come from anybody: one that speaks to an agent becomes no record.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from comind.harvest.closing_words import closing_reason, decision_in
from comind.harvest.refusals import Refusal
from comind.harvest.request_commands import BadCommand, Command, commands_in, fields_of
from comind.harvest.request_places import NoPlace, RequestPlaces, Site
from comind.harvest.request_records import (
    HARVESTER_VERSION,
    Saying,
    attempt_id,
    attempt_of,
    decision_of,
    remembered,
    retraction_of,
)
from comind.harvest.request_rows import request_id
from comind.harvest.sources import Harvest
from comind.records.problems import RecordInvalidError
from comind.safety import inspect
from comind.sources.forges.model import State, Writer

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from comind.harvest.sources import Reading
    from comind.harvest.touched import Place
    from comind.records.record import AnyRecord
    from comind.sources.forges.model import MergeRequest, Note, Thread

__all__ = ["SOURCE", "harvest_requests"]

SOURCE = "merge_requests"
_BEFORE, _AFTER = timedelta(days=7), timedelta(hours=1)  # of its closing, in which a comment may say why
_Maker: TypeAlias = "Callable[[Saying], AnyRecord]"
_Site: TypeAlias = "Callable[[], Site | NoPlace]"
_TRUSTED = frozenset({Writer.AUTHOR, Writer.REVIEWER})


def harvest_requests(reading: Reading, requests: Sequence[MergeRequest], attempted: Collection[str], *, position: str) -> Harvest:
    """Make records of requests.

    Args:
        reading: the repository that they belong to.
        requests: in any state; only merged and closed ones are read.
        attempted: ids of attempts that stand in the ledger; one whose request was merged after all is retracted.
        position: what the harvest has read up to, as its cursor says it.

    Returns:
        An attempt for each closed request that says why; a decision for each resolved thread that names one; what commands ask for.
    """
    harvester = _Harvester(reading)
    for done, request in enumerate(sorted(requests, key=lambda one: (one.updated, one.iid))):
        harvester.read(request, attempted)
        reading.progress(done + 1, len(requests))
    return Harvest(position, len(requests), harvester.records, harvester.refusals, settled=harvester.seen)


@dataclass(frozen=True, slots=True)
class _Comment:
    request: MergeRequest
    thread: Thread
    note: Note

    @property
    def where(self) -> str:
        return f"{_name(self.request)}#{self.note.id}"

    @property
    def words(self) -> str:
        return self.note.text.words


class _Harvester:
    def __init__(self, reading: Reading) -> None:
        self._repo_id = reading.repository.repo_id
        self._places = RequestPlaces(reading.repository, reading.symbols_at)
        self.records: list[AnyRecord] = []
        self.refusals: list[Refusal] = []
        self.seen: list[str] = []

    def read(self, request: MergeRequest, attempted: Collection[str]) -> None:
        if request.state is State.OPEN:
            return
        if request.state is State.MERGED and attempt_id(request.host, request.project, request.iid) in attempted:
            self.records.append(retraction_of(request, repo_id=self._repo_id))
        site = cache(lambda: self._places.site_of(request))
        comments = [_Comment(request, thread, note) for thread in request.threads for note in thread.notes]
        for comment in comments:
            if comment.note.text.withheld is not None:
                self._refuse(comment.where, comment.note.text.withheld, "it carries what no honest text has; nothing of it was kept")
            elif comment.note.writer is not Writer.BOT:
                self._read_comment(comment, site)
        if request.state is State.CLOSED and request.writer is not Writer.BOT and (told := _closing(request, comments)):
            comment, reason = told
            self._say(comment, site(), lambda saying: attempt_of(saying, reason), where=_name(request))

    def _read_comment(self, comment: _Comment, site: _Site) -> None:
        commands = commands_in(comment.words)
        for command in commands:
            where = f"{comment.where}.{command.position}"
            fields = command if isinstance(command, BadCommand) else fields_of(command)
            if isinstance(command, Command) and not isinstance(fields, BadCommand):
                self._command(comment, command, fields, site(), where)
            elif isinstance(fields, BadCommand):
                self._refuse(where, fields.code, fields.problem)
        if not commands and (decision := _decision(comment)):
            self._say(comment, site(), lambda saying: decision_of(saying, decision), where=comment.where)

    def _command(self, comment: _Comment, command: Command, fields: dict[str, object], site: Site | NoPlace, where: str) -> None:
        named = self._places.named(site, command.places) if command.places and isinstance(site, Site) else None
        if isinstance(named, NoPlace):
            self._refuse(where, named.code, named.problem)
        else:
            self._say(comment, site, lambda saying: remembered(saying, command, fields), where=where, places=named)

    def _say(
        self, comment: _Comment, site: Site | NoPlace, make: _Maker, *, where: str, places: Sequence[Place] | None = None
    ) -> None:  # fmt: skip
        self.seen.append(where)
        request = comment.request
        # Of a closed request title and description speak, too: they say what was tried.
        texts = (comment.words, *((request.title.words, request.description.words) if request.state is State.CLOSED else ()))
        orders = [one.code for text in texts for one in inspect(text) if one.code.startswith("instruction_")]
        if orders:
            self._refuse(where, orders[0], "it speaks to an agent instead of stating what holds; state the fact that is behind it")
        elif isinstance(site, NoPlace):
            self._refuse(where, site.code, site.problem)
        else:
            found = places or self._places.at_position(site, comment.thread.position)
            saying = Saying(
                request=request, thread=comment.thread, note=comment.note, places=found, commit=site.commit, repo_id=self._repo_id
            )
            try:
                self.records.append(make(saying))
            except RecordInvalidError as error:
                self._refuse(where, "invalid_record", str(error))

    def _refuse(self, source_id: str, code: str, detail: str) -> None:
        self.seen.append(source_id)
        self.refusals.append(
            Refusal(
                repo_id=self._repo_id,
                source=SOURCE,
                source_id=source_id,
                code=code,
                detail=detail,
                harvester_version=HARVESTER_VERSION,
            )
        )


def _closing(request: MergeRequest, comments: Sequence[_Comment]) -> tuple[_Comment, str] | None:
    """Return the last comment around its closing that says why, and the words that do."""
    closed = request.closed
    if closed is None:
        return None
    near = [one for one in comments if one.note.writer in _TRUSTED and closed - _BEFORE <= one.note.written <= closed + _AFTER]
    told = [(one, reason) for one in near if (reason := closing_reason(one.words)) is not None]
    return max(told, key=lambda one: one[0].note.written) if told else None


def _decision(comment: _Comment) -> str | None:
    """Return the decision that a comment ends a resolved thread with."""
    last = next((one for one in reversed(comment.thread.notes) if one.writer is not Writer.BOT), None)
    ends = comment.request.state is State.MERGED and comment.thread.resolved and comment.note is last
    return decision_in(comment.words) if ends and comment.note.writer in _TRUSTED else None


def _name(request: MergeRequest) -> str:
    return request_id(request.host, request.project, request.iid)
