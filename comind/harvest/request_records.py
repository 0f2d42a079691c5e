"""Say what a merge request says, as records: the same bytes whoever reads it, whenever.

In: a request, the comment that says something, where it belongs. Out: attempts, decisions, what commands ask for, retractions.
Every word comes from the forge, cleaned, or from a fixed template. Nobody's word is raised: no record claims an owner's authority, and
the merge commit is evidence only for a comment that somebody could read who took part in the merge.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from comind.harvest.revert_text import headline, shorten
from comind.harvest.wording import SHORT, anchor_of, day_of, fit, provenance_of, quoted_lines, trigger_of
from comind.ids import derived_id
from comind.records.authority import CLAIM_FIELDS
from comind.records.limits import MAX_BODY_BYTES, MAX_CLAIM_CHARS, MAX_TITLE_CHARS, MAX_TRIGGER_CHARS, MAX_URL_CHARS
from comind.records.validate import build
from comind.records.vocabulary import Authority, EvidenceKind, Kind, Outcome, RelationKind, Source
from comind.sources.forges.model import State, Writer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from comind.canonical import Json
    from comind.harvest.request_commands import Command
    from comind.harvest.touched import Place
    from comind.records.record import AnyRecord
    from comind.sources.forges.model import MergeRequest, Note, Thread

__all__ = ["HARVESTER_VERSION", "Saying", "attempt_id", "attempt_of", "decision_of", "remembered", "retraction_of"]

HARVESTER_VERSION = "merge_requests/1"
_MAX_DESCRIPTION = 600
_BY = {
    Writer.AUTHOR: "its author", Writer.REVIEWER: "a reviewer", Writer.OTHER: "somebody", Writer.BOT: "a bot",
    Writer.GONE: "somebody whose account is gone",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A comment that says something, and where it belongs."""

    request: MergeRequest
    thread: Thread
    note: Note
    places: Sequence[Place]
    commit: str  # at which the places hold
    repo_id: str

    @property
    def is_backed(self) -> bool:
        """Whether the merge speaks for the comment: a reviewer wrote it, or the author before the merge."""
        request, note = self.request, self.note
        if request.state is not State.MERGED or note.edited or self.request.merged is None:
            return False
        return note.writer is Writer.REVIEWER or (note.writer is Writer.AUTHOR and note.written <= self.request.merged)


def attempt_id(host: str, project: str, iid: int) -> str:
    """Return the id of the attempt that a request is, if it was closed without being merged."""
    return derived_id("merge request", HARVESTER_VERSION, host, project, str(iid))


def attempt_of(saying: Saying, reason: str) -> AnyRecord:
    """Make an attempt of a request that was closed, with the reason that was given."""
    request = saying.request
    title = request.title.words or f"{_name(request)}"
    fields: dict[str, Json] = {"approach": _approach(request), "outcome": Outcome.ABANDONED}
    facts = f"Proposed in {_name(request)} ({_day(request)}), closed without being merged.\nReason given:\n{quoted_lines(reason)}"
    raw = _reason(saying, Kind.ATTEMPT, attempt_id(request.host, request.project, request.iid), f"Abandoned: {title}", fields)
    raw |= {"body": _body(facts, saying), "trigger": trigger_of(saying.places, title, or_else="trying again")}
    return _built(saying, raw, at=request.closed.timestamp() if request.closed else None)


def decision_of(saying: Saying, decision: str) -> AnyRecord:
    """Make a decision of what a resolved thread calls one."""
    fields: dict[str, Json] = {"chosen": shorten(decision, MAX_CLAIM_CHARS), "alternatives": []}
    raw = _reason(saying, Kind.DECISION, _note_id(saying, "decision"), decision, fields)
    raw["body"] = _body(f"Decided in a review thread of {_name(saying.request)}:\n{quoted_lines(decision)}", saying)
    return _built(saying, raw)


def remembered(saying: Saying, command: Command, fields: Mapping[str, object]) -> AnyRecord:
    """Make the record that a command asks for."""
    raw = _reason(saying, command.kind, _note_id(saying, str(command.position)), command.title, cast("dict[str, Json]", dict(fields)))
    raw["body"] = _body(quoted_lines(command.body), saying)
    if command.trigger:
        raw["trigger"] = shorten(command.trigger, MAX_TRIGGER_CHARS)
    return _built(saying, raw)


def retraction_of(request: MergeRequest, *, repo_id: str) -> AnyRecord:
    """Make the relation by which a request that was closed, and came back, takes back that it was abandoned."""
    merged = request.merged or request.updated
    return build(
        {
            "schema": 1,
            "id": derived_id("merge request retracts", HARVESTER_VERSION, request.host, request.project, str(request.iid)),
            "lamport": 0,
            "kind": RelationKind.RETRACTS,
            "fields": {
                "id": attempt_id(request.host, request.project, request.iid),
                "reason": f"{_name(request)} was opened again and merged ({_date(merged.timestamp())})",
            },
            "evidence": [_about(request), *_merge(request, repo_id)],
            "provenance": provenance_of(Source.MR, repo_id=repo_id, harvester=HARVESTER_VERSION, time=int(merged.timestamp())),
        }
    )


def _reason(saying: Saying, kind: Kind, record_id: str, title: str, fields: dict[str, Json]) -> dict[str, Json]:
    """Return what the records of a comment have in common, but for body and provenance."""
    theirs = Authority.REVIEWER_FINDING if saying.note.writer in {Writer.AUTHOR, Writer.REVIEWER} else Authority.AGENT_INFERENCE
    said: dict[str, Json] = {name: str(theirs) for name in CLAIM_FIELDS[kind] if name in fields or name in {"title", "body"}}
    return {
        "schema": 1, "id": record_id, "lamport": 0, "kind": kind, "fields": fields,
        "title": headline(title, MAX_TITLE_CHARS), "trigger": trigger_of(saying.places, title),
        "anchors": [anchor_of(place, saying.repo_id) for place in saying.places],
        "authority": said | {"trigger": str(Authority.AGENT_INFERENCE)},
        "valid_from": saying.commit,
    }  # fmt: skip


def _built(saying: Saying, raw: dict[str, Json], at: float | None = None) -> AnyRecord:
    time = int(at if at is not None else saying.note.written.timestamp())
    quote: dict[str, Json] = {"kind": EvidenceKind.REVIEW, "quote": shorten(saying.note.text.words, MAX_CLAIM_CHARS)}
    if saying.note.url and len(saying.note.url) <= MAX_URL_CHARS:
        quote["url"] = saying.note.url
    evidence: list[Json] = [_about(saying.request), quote]
    if saying.is_backed:
        evidence += _merge(saying.request, saying.repo_id)
    provenance = provenance_of(Source.MR, repo_id=saying.repo_id, harvester=HARVESTER_VERSION, time=time)
    return build(raw | {"evidence": evidence, "provenance": provenance})


def _about(request: MergeRequest) -> dict[str, Json]:
    return {"kind": EvidenceKind.MERGE_REQUEST, "url": request.url}


def _merge(request: MergeRequest, repo_id: str) -> list[Json]:
    return [{"kind": EvidenceKind.COMMIT, "repo": repo_id, "commit": request.merge_commit}] if request.merge_commit else []


def _note_id(saying: Saying, what: str) -> str:
    request, note = saying.request, saying.note
    identity = (request.host, request.project, str(request.iid), saying.thread.id, note.id)
    return derived_id("merge request note", HARVESTER_VERSION, *identity, what)


def _body(told: str, saying: Saying) -> str:
    request = saying.request
    merged = f", merged as `{request.merge_commit[:SHORT]}`" if request.merge_commit else ""
    where = f"Said by {_BY[saying.note.writer]} in {_name(request)}{merged}, thread {saying.thread.id}, comment {saying.note.id}."
    room = MAX_BODY_BYTES - len(where.encode()) - 2
    return "\n\n".join(part for part in (fit(told, room), where) if part)


def _approach(request: MergeRequest) -> str:
    description = " ".join(request.description.words.split())
    told = ". ".join(part for part in (request.title.words.rstrip("."), shorten(description, _MAX_DESCRIPTION)) if part)
    return shorten(told or _name(request), MAX_CLAIM_CHARS)


def _name(request: MergeRequest) -> str:
    return f"request {request.project}!{request.iid}"


def _day(request: MergeRequest) -> str:
    return _date(request.created.timestamp())


def _date(time: float) -> str:
    return day_of(int(time))
