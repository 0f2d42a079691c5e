"""From a proposal that passed to records: a new one, or a relation to a known one.

In: a proposal, the model's name. Out: records. Their ids come from the source, the code and the kind, never from a model's words: the same
reason proposed twice, by whatever model, is one object. Everything a model worded is an agent's inference, at T1 until a person, or a
proof of its evidence, says otherwise.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from comind.anchors.naming import names_of
from comind.distill.brief import SpanRole
from comind.harvest.revert_text import shorten
from comind.harvest.wording import SHORT, anchor_of, day_of, fit
from comind.ids import derived_id
from comind.records.authority import CLAIM_FIELDS
from comind.records.limits import MAX_BODY_BYTES, MAX_CLAIM_CHARS
from comind.records.validate import build
from comind.records.vocabulary import Authority, AuthorKind, EvidenceKind, Kind, RelationKind, Severity, Source

if TYPE_CHECKING:
    from comind.canonical import Json
    from comind.distill.brief import Brief
    from comind.distill.checks import Proposal
    from comind.harvest.touched import Place
    from comind.records.record import AnyRecord

__all__ = ["RULES", "place_key", "proposal_id", "records_of"]

RULES: Final = "distill/1"
_QUOTES: Final = {Source.GIT: EvidenceKind.COMMIT, Source.MR: EvidenceKind.REVIEW, Source.DOCUMENT: EvidenceKind.DOCUMENT}


def records_of(proposal: Proposal, *, model: str) -> tuple[AnyRecord, ...]:
    """Make the records of a proposal, that which says the reason first.

    Raises:
        RecordInvalidError: what it says cannot be a record.
    """
    operation, known = proposal.operation, proposal.known
    if operation.op in {"new", "supersede"}:
        reason = build(_reason(proposal, model))
        if operation.op == "new" or known is None:
            return (reason,)
        return reason, build(_relation(proposal, RelationKind.SUPERSEDES, {"old": known.record_id, "new": reason.id}, model))
    assert known is not None  # noqa: S101 - `judge_answer` lets no other pass
    if operation.op == "confirm":
        return (build(_relation(proposal, RelationKind.CONFIRMS, {"id": known.record_id, "at_commit": proposal.brief.commit}, model)),)
    said: dict[str, Json] = {"id": known.record_id, "reason": shorten(operation.reason or operation.title, MAX_CLAIM_CHARS)}
    return (build(_relation(proposal, RelationKind.DISPUTES, said, model)),)


def proposal_id(brief: Brief, kind: str, places: tuple[Place, ...]) -> str:
    """Return the id of the record that a kind of reason at some code becomes, when a source states it."""
    return derived_id("distill", RULES, brief.source, _origin(brief), kind, *sorted(map(place_key, places)))


def place_key(place: Place) -> str:
    """Return what names a place whatever its version: the canonical key of its symbol, else its path."""
    names = names_of(place.symbol) if place.symbol else None
    return names.canonical_key if names else place.path


def _origin(brief: Brief) -> str:
    """Return what names the source in every clone; a commit names itself."""
    return brief.source_id if brief.source is not Source.DOCUMENT else f"{brief.repo_id} {brief.source_id}"


def _reason(proposal: Proposal, model: str) -> dict[str, Json]:
    operation, brief = proposal.operation, proposal.brief
    kind, fields = Kind(operation.kind), _fields(proposal)
    return {
        "schema": 1,
        "id": proposal_id(brief, kind, proposal.places),
        "lamport": 0,
        "kind": kind,
        "fields": fields,
        "title": " ".join(operation.title.split()),
        "trigger": " ".join(operation.trigger.split()),
        "body": _body(proposal, model),
        "anchors": [anchor_of(place, brief.repo_id) for place in proposal.places],
        "authority": {name: str(Authority.AGENT_INFERENCE) for name in CLAIM_FIELDS[kind] if name in fields or name in _TEXTS},
        "valid_from": brief.commit,
        "evidence": _evidence(proposal),
        "provenance": _provenance(brief, model),
    }


_TEXTS: Final = ("title", "trigger", "body")


def _fields(proposal: Proposal) -> dict[str, Json]:
    operation = proposal.operation
    said = shorten(" ".join(operation.title.split()), MAX_CLAIM_CHARS)
    quote = shorten(proposal.quotes[0][1], MAX_CLAIM_CHARS)
    match operation.kind:
        case "attempt":
            undone = next((span.text for span in proposal.brief.spans if span.role is SpanRole.UNDONE), None)
            return {"approach": shorten(undone or said, MAX_CLAIM_CHARS), "outcome": proposal.outcome}
        case "decision":
            return {"chosen": said, "alternatives": [{"option": one.option, "why_not": one.why_not} for one in operation.alternatives]}
        case "constraint":
            return {"rule": said, "severity": Severity.SHOULD}
        case "gotcha":
            return {"symptom": said, "cause": shorten(" ".join(operation.body.split()), MAX_CLAIM_CHARS) or quote}


def _body(proposal: Proposal, model: str) -> str:
    brief = proposal.brief
    where = {Source.GIT: f"commit `{brief.commit[:SHORT]}`", Source.MR: f"request {brief.source_id}"}.get(
        brief.source, f"`{brief.source_id.rpartition('@')[0]}`"
    )
    origin = f"Proposed by a language model ({model}) from {where}, {day_of(brief.time)}; the quotes are the source's own words."
    told = fit(proposal.operation.body.strip(), MAX_BODY_BYTES - len(origin.encode()) - 2)
    return "\n\n".join(part for part in (told, origin) if part)


def _evidence(proposal: Proposal) -> list[Json]:
    brief = proposal.brief
    quotes: list[Json] = []
    for span, text in proposal.quotes:
        quote: dict[str, Json] = {"kind": _QUOTES[brief.source], "quote": shorten(text, MAX_CLAIM_CHARS)}
        if brief.source is Source.GIT:
            quote |= {"repo": brief.repo_id, "commit": brief.commit}
        elif span.url:
            quote |= {"url": span.url}
        quotes.append(quote)
    if brief.source is Source.DOCUMENT:
        return [{**one, **quote} for one in brief.evidence[:1] for quote in quotes if isinstance(quote, dict)]
    return [*brief.evidence, *quotes]


def _provenance(brief: Brief, model: str) -> dict[str, Json]:
    told: dict[str, Json] = {
        "author_kind": AuthorKind.DISTILLED, "source": brief.source, "repo": brief.repo_id, "harvester": RULES, "model": model,
        "source_time": _time(brief.time),
    }  # fmt: skip
    return told | ({"quarantine": brief.quarantine} if brief.quarantine else {})


def _relation(proposal: Proposal, kind: RelationKind, fields: dict[str, Json], model: str) -> dict[str, Json]:
    brief = proposal.brief
    cited = [str(value) for name, value in fields.items() if name in {"id", "old"}]
    return {
        "schema": 1,
        "id": derived_id(f"distill {kind}", RULES, brief.source, _origin(brief), *cited),
        "lamport": 0,
        "kind": kind,
        "fields": fields,
        "evidence": _evidence(proposal),
        "provenance": _provenance(brief, model),
    }


def _time(seconds: int) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
