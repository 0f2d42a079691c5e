"""How every note of another tool becomes a record: the parts that all of them share.

In: claims made harmless, places, the time of the note. Out: records that have passed every rule, or `NotTakenError`.
Never adds a word that is neither in the note nor in a fixed template.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC
from typing import TYPE_CHECKING

from comind.harvest.interop.losses import NotTakenError
from comind.harvest.revert_text import headline
from comind.harvest.touched import Place
from comind.harvest.wording import anchor_of, fit, provenance_of, quoted_lines
from comind.ids import derived_id
from comind.records.limits import MAX_BODY_BYTES, MAX_TITLE_CHARS, MAX_TRIGGER_CHARS
from comind.records.problems import RecordInvalidError
from comind.records.validate import build
from comind.records.vocabulary import RelationKind, Role, Scope, Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from comind.canonical import Json
    from comind.harvest.interop.code import Code, Places
    from comind.records.record import AnyRecord
    from comind.records.vocabulary import Authority, Kind

__all__ = ["NO_REASON", "Note", "body_of", "reason_of", "relation_of"]

NO_REASON = "Not chosen; no reason is written."
_NAMES_IN_TRIGGER = 2
_SMALLEST_PART = 80  # bytes of a part of a body that is worth its place


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What a record says, whatever tool it comes from."""

    id: str
    kind: Kind
    title: str
    trigger: str | None = None  # its own words; else a template
    body: str
    fields: Mapping[str, Json]
    evidence: Sequence[Json] = ()
    authority: Mapping[str, Authority]
    places: Places
    moment: datetime
    harvester: str


def reason_of(note: Note, code: Code) -> AnyRecord:
    """Make the record of a note.

    Raises:
        NotTakenError: it breaks a rule of records.
    """
    places = list(note.places.found) or [_everything(note.places.commit)]
    plain: dict[str, Json] = {
        "schema": 1,
        "id": note.id,
        "lamport": 0,
        "kind": note.kind,
        "title": headline(note.title, MAX_TITLE_CHARS),
        "trigger": headline(note.trigger, MAX_TRIGGER_CHARS) if note.trigger else _trigger(note.title, places),
        "body": note.body,
        "anchors": [anchor_of(place, code.repo_id) for place in places],
        "evidence": list(note.evidence),
        "fields": dict(note.fields),
        "provenance": _provenance(note.moment, note.harvester, code),
        "valid_from": note.places.commit,
        "authority": {field: str(authority) for field, authority in sorted(note.authority.items())},
    }
    return _built(plain)


def relation_of(kind: RelationKind, fields: Mapping[str, Json], *, moment: datetime, harvester: str, code: Code) -> AnyRecord:
    """Make a relation that a store states between its own entries; raises `NotTakenError`."""
    cited = [str(fields[name]) for name in ("id", "old", "new") if name in fields]
    plain: dict[str, Json] = {
        "schema": 1,
        "id": derived_id(f"import {kind}", harvester, *cited),
        "lamport": 0,
        "kind": kind,
        "fields": dict(fields),
        "provenance": _provenance(moment, harvester, code),
    }
    return _built(plain)


def body_of(parts: Sequence[tuple[str, str]], where: str) -> str:
    """Return quoted parts with their labels, cut to fit, and a last line that says where they stand."""
    room = MAX_BODY_BYTES - len(where.encode()) - 2
    told = []
    for label, text in parts:
        if text.strip() and room > _SMALLEST_PART:
            told.append(fit(f"{label}:\n{quoted_lines(text)}", room - 2))
            room -= len(told[-1].encode()) + 2
    return "\n\n".join((*told, where))


def _provenance(moment: datetime, harvester: str, code: Code) -> dict[str, Json]:
    return provenance_of(Source.IMPORT, repo_id=code.repo_id, harvester=harvester, time=int(moment.astimezone(UTC).timestamp()))


def _trigger(title: str, places: Sequence[Place]) -> str:
    names = [f"`{place.name}`" for place in places if place.scope is not Scope.REPO and place.role is Role.SUBJECT][:_NAMES_IN_TRIGGER]
    start = f"Before changing {', '.join(names)}, or deciding otherwise: " if names else "Before deciding otherwise: "
    if len(start) > MAX_TRIGGER_CHARS // 2:
        start = "Before deciding otherwise: "
    return start + headline(title, MAX_TRIGGER_CHARS - len(start))


def _everything(commit: str) -> Place:
    return Place(scope=Scope.REPO, commit=commit, path="", name="the repository")


def _built(plain: dict[str, Json]) -> AnyRecord:
    try:
        return build(plain)
    except RecordInvalidError as error:
        raise NotTakenError("invalid_record", str(error)) from None
