"""What Kage's packets remember of a repository, as records: decisions, surprises, conventions, what did not work.

In: a directory with `.agent_memory/packets` and the code that it speaks of. Out: `Found`.
Only approved packets for a team are read, and of each only what it claims: its author, branch, votes and uses are left out. How a thing is
done (workflows, runbooks, explanations) is no reason. An agent wrote every packet, so nothing in it counts for more than an inference;
whether its code has changed since is worked out from the code, not from the packet's own verdict.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import orjson

from comind.harvest.interop.fields import clean, entries, line_of, moment_of, one_line, section, word
from comind.harvest.interop.files import files_under, read_text
from comind.harvest.interop.losses import Found, Loss, NotTakenError
from comind.harvest.interop.wording import Note, body_of, reason_of
from comind.harvest.revert_text import shorten
from comind.ids import derived_id
from comind.records.limits import MAX_CLAIM_CHARS
from comind.records.vocabulary import Authority, EvidenceKind, Kind, Outcome, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from comind.canonical import Json
    from comind.harvest.interop.code import Code
    from comind.records.record import AnyRecord

__all__ = ["HARVESTER_VERSION", "SOURCE", "import_kage", "is_kage"]

SOURCE = "kage"
HARVESTER_VERSION = "kage/1"
_FOLDER = ".agent_memory/packets"
_STATE = re.compile(r"^```json kage-state\n(?P<state>.*?)\n```[ \t]*$", re.DOTALL | re.MULTILINE)
_SHARED = ("team", "org", "organization", "public")
_OPEN = ("", "public", "internal")
_Teller: TypeAlias = "Callable[[Mapping[str, object], Mapping[str, object]], tuple[Kind, dict[str, Json]]]"
_HOW = "a packet of type {!r} tells how or what, not why"


@dataclass(frozen=True, slots=True)
class _Packet:
    path: str
    id: str
    state: Mapping[str, object] = field(repr=False)


def is_kage(root: Path) -> bool:
    """Whether a directory surely holds packets: one of them has the state that Kage writes."""
    return any(isinstance(packet, _Packet) for packet in _packets(root))


def import_kage(root: Path, code: Code) -> Found:
    """Read packets and word their records; never raises for what stands in them."""
    found = Found(SOURCE, HARVESTER_VERSION)
    packets: list[_Packet] = []
    for one in _packets(root):
        found.read += 1
        if isinstance(one, Loss):
            found.losses.append(one)
        else:
            packets.append(one)
    counts = Counter(packet.id for packet in packets)
    for packet in packets:
        if counts[packet.id] > 1:
            found.losses.append(Loss(packet.path, "duplicate_id", "another packet has the same id, so it names neither"))
            continue
        try:
            found.records.append(_record(packet, code, found.losses))
        except NotTakenError as problem:
            found.losses.append(problem.at(packet.path))
    return found


def _packets(root: Path) -> Iterator[_Packet | Loss]:
    for path in files_under(root, [_FOLDER], ".md"):
        try:
            yield _packet(path, read_text(root / path))
        except NotTakenError as problem:
            yield problem.at(path)


def _packet(path: str, text: str) -> _Packet:
    found = _STATE.search(text)
    if found is None:
        raise NotTakenError("no_state", "it holds no state of Kage, so its kind and its time are not known")
    try:
        state = orjson.loads(found["state"])
    except orjson.JSONDecodeError as error:
        raise NotTakenError("not_json", f"its state is not JSON: {error.msg}") from None
    if not isinstance(state, dict) or not word(state, "id"):
        raise NotTakenError("no_id", "its state has no id")
    return _Packet(path, word(state, "id"), state)


def _record(packet: _Packet, code: Code, losses: list[Loss]) -> AnyRecord:
    state = packet.state
    tell = _readable(state)
    moment = moment_of(word(state, "created_at"))
    if moment is None:
        raise NotTakenError("no_date", "it has no time of creation that can be read")
    paths = [path for path in entries(state, "paths") if isinstance(path, str) and path.strip()]
    places = code.find(paths, int(moment.timestamp()))
    if paths and not places.found:
        raise NotTakenError("place_not_found", "none of the code that it names stood here then or later")
    losses += [Loss(f"{packet.path} {loss.where}", loss.code, loss.why, refused=False) for loss in places.missed]
    context = section(state, "context")
    kind, fields = tell(state, context)
    missing = [name for name, text in fields.items() if text == ""]
    if missing:
        raise NotTakenError(f"no_{missing[0]}", f"it says nothing that could be its {missing[0]}")
    parts = [
        ("As written", clean(state.get("body"))),
        ("If forgotten", clean(context.get("risk_if_forgotten"))),
        ("Checked by", clean(context.get("verification"))),
    ]
    title, trigger = line_of(state.get("title"), MAX_CLAIM_CHARS), line_of(context.get("trigger"), MAX_CLAIM_CHARS)
    note = Note(
        id=derived_id("kage packet", HARVESTER_VERSION, code.repo_id, packet.id), kind=kind, title=title, trigger=trigger or None,
        body=body_of(parts, f"Kage packet `{packet.path}`."), fields=fields,
        evidence=_evidence(state, context) if kind is Kind.ATTEMPT else (),
        authority=dict.fromkeys(("title", "trigger", "body", *fields), Authority.AGENT_INFERENCE), places=places, moment=moment,
        harvester=HARVESTER_VERSION,
    )  # fmt: skip
    return reason_of(note, code)


def _readable(state: Mapping[str, object]) -> _Teller:
    """Return what words a packet of its type; raises `NotTakenError` for one that is not for everybody, or no reason."""
    status, kind = word(state, "status"), word(state, "type")
    if word(state, "visibility") not in _SHARED or word(state, "sensitivity") not in _OPEN:
        raise NotTakenError("private", "it is not shared with the team", refused=False)
    if status != "approved":
        raise NotTakenError("not_approved", "it is not approved, or holds no more", refused=False)
    if kind not in _TELLERS:
        raise NotTakenError("no_reason", _HOW.format(kind[:40]), refused=False)
    return _TELLERS[kind]


def _evidence(state: Mapping[str, object], context: Mapping[str, object]) -> list[Json]:
    quote = line_of(context.get("verification"), MAX_CLAIM_CHARS) or line_of(state.get("body"), MAX_CLAIM_CHARS)
    return [{"kind": EvidenceKind.ERROR, "quote": quote}]


def _decision(state: Mapping[str, object], context: Mapping[str, object]) -> tuple[Kind, dict[str, Json]]:
    fields: dict[str, Json] = {"chosen": line_of(state.get("title"), MAX_CLAIM_CHARS), "alternatives": []}
    if revisit := line_of(context.get("stale_when"), MAX_CLAIM_CHARS):
        fields["revisit_when"] = revisit
    return Kind.DECISION, fields


def _gotcha(state: Mapping[str, object], context: Mapping[str, object]) -> tuple[Kind, dict[str, Json]]:
    cause = clean(context.get("why")) or clean(state.get("body"))
    fields: dict[str, Json] = {"symptom": line_of(state.get("title"), MAX_CLAIM_CHARS), "cause": shorten(one_line(cause), MAX_CLAIM_CHARS)}
    if action := line_of(context.get("action"), MAX_CLAIM_CHARS):
        fields["workaround"] = action
    return Kind.GOTCHA, fields


def _convention(state: Mapping[str, object], _context: Mapping[str, object]) -> tuple[Kind, dict[str, Json]]:
    return Kind.CONSTRAINT, {"rule": line_of(state.get("title"), MAX_CLAIM_CHARS), "severity": Severity.SHOULD}


def _attempt(state: Mapping[str, object], _context: Mapping[str, object]) -> tuple[Kind, dict[str, Json]]:
    return Kind.ATTEMPT, {"approach": line_of(state.get("title"), MAX_CLAIM_CHARS), "outcome": Outcome.FAILED}


_TELLERS: Mapping[str, _Teller] = {
    "decision": _decision, "bug_fix": _gotcha, "gotcha": _gotcha, "convention": _convention, "negative_result": _attempt,
}  # fmt: skip
