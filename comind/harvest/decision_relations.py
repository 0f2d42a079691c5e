"""Say what became of decisions, as relations: one took another's place, or one no longer holds.

In: ids of decisions, and the document that says so, at the commit in which it came to say so. Out: relations.
A machine's relation retires machine-made records alone; on what a person backs it is a challenge (`comind.status.relations`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from comind.harvest.decision_records import HARVESTER_VERSION
from comind.harvest.wording import provenance_of
from comind.ids import derived_id
from comind.records.validate import build
from comind.records.vocabulary import EvidenceKind, RelationKind, Source

if TYPE_CHECKING:
    from comind.canonical import Json
    from comind.records.record import RelatesRelation, RetractsRelation, SupersedesRelation
    from comind.sources.git.arrivals import Arrival

__all__ = ["amendment_of", "retraction_of", "supersession_of"]


def supersession_of(old: str, new: str, said: Arrival, *, repo_id: str) -> SupersedesRelation:
    """Make the relation by which one decision takes another's place; `said` is the document that shows it."""
    fields: dict[str, Json] = {"old": old, "new": new}
    return cast("SupersedesRelation", build(_relation(RelationKind.SUPERSEDES, fields, said, repo_id)))


def amendment_of(old: str, new: str, said: Arrival, *, repo_id: str) -> RelatesRelation:
    """Make the relation by which one decision adds to another, and both hold."""
    fields: dict[str, Json] = {"a": new, "b": old, "label": "amends"}
    return cast("RelatesRelation", build(_relation(RelationKind.RELATES, fields, said, repo_id)))


def retraction_of(record_id: str, reason: str, said: Arrival, *, repo_id: str) -> RetractsRelation:
    """Make the relation by which a decision no longer holds."""
    fields: dict[str, Json] = {"id": record_id, "reason": reason}
    return cast("RetractsRelation", build(_relation(RelationKind.RETRACTS, fields, said, repo_id)))


def _relation(kind: RelationKind, fields: dict[str, Json], said: Arrival, repo_id: str) -> dict[str, Json]:
    cited = [str(fields[name]) for name in ("id", "old", "new", "a", "b") if name in fields]
    return {
        "schema": 1,
        "id": derived_id(f"document {kind}", HARVESTER_VERSION, *cited, said.path, said.commit),
        "lamport": 0,
        "kind": kind,
        "fields": fields,
        "evidence": [{"kind": EvidenceKind.DOCUMENT, "repo": repo_id, "path": said.path, "commit": said.commit}],
        "provenance": provenance_of(Source.DOCUMENT, repo_id=repo_id, harvester=HARVESTER_VERSION, time=said.time),
    }
