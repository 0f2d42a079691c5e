"""What a MemContinuum store decided, as records: rulings, what was declined, which followed which, incidents and concepts.

In: a store and the code that it speaks of. Out: `Found`. The same store gives the same records in every clone.
Whose claim each field is stands with the field, as in the store; nothing is raised above what the store says, and a ruling that its owner
has not confirmed counts as an inference. Where an owner said it is not copied: it may name people.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from comind.harvest.interop.chains import read_chains
from comind.harvest.interop.evidence import evidence_in
from comind.harvest.interop.fields import clean, entries, line_of, moment_of, one_line, section, word
from comind.harvest.interop.losses import Found, Loss, NotTakenError
from comind.harvest.interop.memcontinuum import ENDED, Link, authority_in, read_store
from comind.harvest.interop.wording import NO_REASON, Note, body_of, reason_of, relation_of
from comind.harvest.revert_text import shorten
from comind.ids import derived_id
from comind.records.limits import MAX_ALTERNATIVES, MAX_CLAIM_CHARS
from comind.records.vocabulary import Authority, Kind, RelationKind, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from comind.canonical import Json
    from comind.harvest.interop.chains import Chains
    from comind.harvest.interop.code import Code, Places
    from comind.harvest.interop.memcontinuum import Flat, Store, Topic
    from comind.records.record import AnyRecord

__all__ = ["HARVESTER_VERSION", "SOURCE", "import_memcontinuum"]

SOURCE = "memcontinuum"
HARVESTER_VERSION = "memcontinuum/1"
_LAST_MOMENT = timedelta(days=1) - timedelta(seconds=1)
_OWNER = (Authority.OWNER_VERBATIM, Authority.OWNER_RATIFIED)
_WEIGHT = (Authority.AGENT_INFERENCE, Authority.CODE_DERIVED, Authority.REVIEWER_FINDING, *reversed(_OWNER))
_INFERRED = Authority.AGENT_INFERENCE


def import_memcontinuum(root: Path, code: Code) -> Found:
    """Read a store and word its records; never raises for what stands in it."""
    return _Import(code).run(read_store(root))


@dataclass(frozen=True, slots=True)
class _Written:
    """The record of a ruling, to say later what became of it."""

    record_id: str
    link: Link
    moment: datetime


class _Import:
    def __init__(self, code: Code) -> None:
        self._code = code
        self._found = Found(SOURCE, HARVESTER_VERSION)
        self._written: dict[tuple[str, str], _Written] = {}

    def run(self, store: Store) -> Found:
        chains = read_chains(store.topics)
        self._found.read = store.read
        self._found.losses += [*store.losses, *chains.losses]
        for topic in store.topics:
            for link in topic.links:
                if (topic.id, link.id) not in chains.circular:
                    self._take(f"{topic.path} {link.id}", self._ruling, topic, link)
        for key, written in self._written.items():
            self._take(f"{key[0]} {key[1]}", self._follow_up, key, written, chains)
        for document in store.flat:
            self._take(document.path, self._flat, document)
        return self._found

    def _take(self, where: str, tell: Callable[..., Iterable[AnyRecord]], *parts: object) -> None:
        try:
            self._found.records += tell(*parts)
        except NotTakenError as problem:
            self._found.losses.append(problem.at(where))

    def _ruling(self, topic: Topic, link: Link) -> list[AnyRecord]:
        where, moment = f"{topic.path} {link.id}", _moment(link.date)
        places = self._places(topic.path, topic.code_refs, moment)
        ruling = section(link.entry, "ruling")
        said = self._authority(where, ruling, is_sourced=bool(word(ruling, "source")))
        if link.status == "provisional" and said in _OWNER:
            said = _INFERRED  # not confirmed yet
        evidence, told = evidence_in(entries(link.entry, "evidence"), self._code, commit=places.commit)
        rationale = section(link.entry, "rationale")
        parts = [("Why", clean(rationale.get("text"))), *_assumptions(link), ("Evidence given", "\n".join(told))]
        inferred = {"title": _INFERRED, "trigger": _INFERRED, "body": self._authority(where, rationale)}
        fields, claims = self._claims(where, link, said)
        note = Note(
            id=_id_of(self._code, topic, link), kind=Kind.DECISION, title=_title(topic, link), body=body_of(parts, _where(topic, link)),
            fields=fields, evidence=evidence, authority=inferred | claims, places=places, moment=moment, harvester=HARVESTER_VERSION,
        )  # fmt: skip
        return self._told(topic, link, note, inferred)

    def _told(self, topic: Topic, link: Link, note: Note, inferred: Mapping[str, Authority]) -> list[AnyRecord]:
        """Return the records of a ruling; one with an invariant is a constraint, and a decision beside it where options were declined."""
        notes = {link.id: note}
        if (invariant := section(link.entry, "invariant")) and not link.declined:
            fields, claims = _rule(link, invariant, note.authority["chosen"])
            record_id = _id_of(self._code, topic, link, "invariant")
            rule = replace(note, id=record_id, kind=Kind.CONSTRAINT, fields=fields, authority={**inferred, **claims})
            notes = {link.id: note, f"{link.id} invariant": rule} if note.fields["alternatives"] else {link.id: rule}
        records = {name: reason_of(one, self._code) for name, one in notes.items()}
        self._written |= {(topic.id, name): _Written(record.id, link, note.moment) for name, record in records.items()}
        return list(records.values())

    def _claims(self, where: str, link: Link, said: Authority) -> tuple[dict[str, Json], dict[str, Authority]]:
        """Return a decision's fields, and whose claims they are."""
        ruling = line_of(section(link.entry, "ruling").get("text"), MAX_CLAIM_CHARS)
        alternatives, weakest = self._alternatives(where, link)
        if link.declined:
            why = line_of(section(link.entry, "rationale").get("text"), MAX_CLAIM_CHARS)
            alternatives.insert(0, {"option": ruling, "why_not": why or NO_REASON})
        fields: dict[str, Json] = {
            "chosen": shorten(f"Not to do it: {ruling}", MAX_CLAIM_CHARS) if link.declined else ruling,
            "alternatives": alternatives[:MAX_ALTERNATIVES],
        }
        claims = {"chosen": said, "alternatives": said if link.declined else weakest}
        if revisit := "; ".join(line for raw in entries(link.entry, "revisit_if") if (line := one_line(clean(raw)))):
            fields["revisit_when"] = shorten(revisit, MAX_CLAIM_CHARS)
            claims["revisit_when"] = _INFERRED
        return fields, claims

    def _alternatives(self, where: str, link: Link) -> tuple[list[Json], Authority]:
        told: list[Json] = []
        authorities = []
        for position, entry in enumerate(entries(link.entry, "alternatives"), start=1):
            option = line_of(entry.get("option"), MAX_CLAIM_CHARS) if isinstance(entry, dict) else ""
            if not option or not isinstance(entry, dict):
                self._lose(where, "bad_alternative", f"its alternative {position} has no option; the ruling itself was read")
                continue
            why = line_of(entry.get("rejected_because"), MAX_CLAIM_CHARS)
            told.append({"option": option, "why_not": why or NO_REASON})
            authorities.append(self._authority(where, entry))
        # One authority stands for all of them: the weakest, so that none is raised.
        return told, min(authorities, key=_WEIGHT.index, default=_INFERRED)

    def _follow_up(self, key: tuple[str, str], old: _Written, chains: Chains) -> list[AnyRecord]:
        """Say what took a ruling's place, or that it ended."""
        followed_by = chains.followed.get((key[0], old.link.id), ())
        successors = [self._written[new] for new in followed_by if new in self._written]
        if successors:
            pairs = [({"old": old.record_id, "new": new.record_id}, new.moment) for new in successors]
            return [self._relation(RelationKind.SUPERSEDES, fields, moment) for fields, moment in pairs]
        if old.link.status in ENDED - {"declined"}:
            reason = f"Its chain calls it {old.link.status} and names nothing that took its place."
            return [self._relation(RelationKind.RETRACTS, {"id": old.record_id, "reason": reason}, old.moment)]
        return []

    def _relation(self, kind: RelationKind, fields: Mapping[str, Json], moment: datetime) -> AnyRecord:
        return relation_of(kind, fields, moment=moment, harvester=HARVESTER_VERSION, code=self._code)

    def _flat(self, document: Flat) -> list[AnyRecord]:
        entry = document.entry
        is_concept = document.type == "concept"
        if not is_concept and word(entry, "status") in ENDED:
            raise NotTakenError("ended", f"its status is {word(entry, 'status')}", refused=False)
        moment = _moment(word(entry, "date") or word(entry, "recorded_at"))
        refs = [ref for ref in entries(entry, "implemented_by" if is_concept else "code_refs") if isinstance(ref, str)]
        places = self._places(document.path, refs, moment)
        evidence, told = evidence_in(entries(entry, "evidence"), self._code, commit=places.commit)
        title = line_of(entry.get("title"), MAX_CLAIM_CHARS)
        said = self._authority(document.path, entry, is_sourced=bool(word(entry, "source")))
        prose = _first_paragraph(clean(document.body))
        if is_concept:
            kind, fields = Kind.INTENT, _required({"need": line_of(entry.get("owner_boundary"), MAX_CLAIM_CHARS) or title})
        else:
            kind, fields = Kind.GOTCHA, _required({"symptom": title, "cause": shorten(one_line(prose), MAX_CLAIM_CHARS)})
        body = body_of([("As written", prose), ("Evidence given", "\n".join(told))], f"MemContinuum {document.type} `{document.id}`.")
        record_id = derived_id("memcontinuum document", HARVESTER_VERSION, self._code.repo_id, document.id)
        authority = dict.fromkeys(("title", "trigger", "body"), _INFERRED) | dict.fromkeys(fields, said)
        note = Note(
            id=record_id, kind=kind, title=title, body=body, fields=fields, evidence=evidence, authority=authority, places=places,
            moment=moment, harvester=HARVESTER_VERSION,
        )  # fmt: skip
        return [reason_of(note, self._code)]

    def _places(self, where: str, references: Sequence[str], moment: datetime) -> Places:
        places = self._code.find(references, int((moment + _LAST_MOMENT).timestamp()))
        if references and not places.found:
            raise NotTakenError("place_not_found", "none of the code that it names stood here then or later")
        for loss in places.missed:
            self._lose(f"{where} {loss.where}", loss.code, loss.why, refused=False)
        return places

    def _authority(self, where: str, entry: Mapping[str, object], *, is_sourced: bool = True) -> Authority:
        authority, problem = authority_in(entry, is_sourced=is_sourced)
        if problem:
            self._lose(where, "authority", problem)
        return authority

    def _lose(self, where: str, code: str, why: str, *, refused: bool = True) -> None:
        loss = Loss(where, code, why, refused=refused)
        if loss not in self._found.losses:
            self._found.losses.append(loss)


def _moment(text: str) -> datetime:
    moment = moment_of(text)
    if moment is None:
        raise NotTakenError("no_date", f"it has no date that can be read, but {text[:40]!r}" if text else "it has no date")
    return moment


def _id_of(code: Code, topic: Topic, link: Link, *more: str) -> str:
    return derived_id("memcontinuum link", HARVESTER_VERSION, code.repo_id, topic.id, link.id, *more)


def _title(topic: Topic, link: Link) -> str:
    title = one_line(clean(topic.title)) or one_line(clean(section(link.entry, "ruling").get("text")))
    return f"Declined: {title}" if link.declined else title


def _where(topic: Topic, link: Link) -> str:
    state = "not confirmed by its owner yet" if link.status == "provisional" else link.status
    return f"MemContinuum topic `{topic.id}`, link `{link.id}` of {link.date} ({state})."


def _assumptions(link: Link) -> list[tuple[str, str]]:
    told = [
        f"{clean(entry.get('text'))} ({word(entry, 'status') or 'not said whether it holds'})"
        for entry in entries(link.entry, "assumptions")
        if isinstance(entry, dict) and clean(entry.get("text"))
    ]
    return [("Assumes", "\n".join(told))] if told else []


def _rule(link: Link, invariant: Mapping[str, object], said: Authority) -> tuple[dict[str, Json], dict[str, Authority]]:
    """Return a constraint's fields, and whose claims they are."""
    kind, pattern = line_of(invariant.get("kind"), MAX_CLAIM_CHARS), line_of(invariant.get("pattern"), MAX_CLAIM_CHARS)
    tested = line_of(invariant.get("checked_by"), MAX_CLAIM_CHARS)
    allowed = ", ".join(line for raw in entries(invariant, "allowed") if (line := one_line(clean(raw))))
    check = "; ".join(text for text in (f"{kind}: {pattern}" if pattern else kind, f"tested by {tested}" if tested else "") if text)
    fields: dict[str, Json] = {
        "rule": line_of(section(link.entry, "ruling").get("text"), MAX_CLAIM_CHARS),
        "severity": Severity.MUST if said in _OWNER else Severity.SHOULD,
    }
    fields |= {name: shorten(text, MAX_CLAIM_CHARS) for name, text in (("check", check), ("exceptions", allowed)) if text}
    return fields, {name: said if name == "rule" else _INFERRED for name in fields}


def _required(fields: dict[str, Json]) -> dict[str, Json]:
    for name, text in fields.items():
        if not text:
            raise NotTakenError(f"no_{name}", f"it says nothing that could be its {name}")
    return fields


def _first_paragraph(text: str) -> str:
    paragraphs = [part.strip() for part in text.split("\n\n") if part.strip()]
    prose = [part for part in paragraphs if not part.startswith("#")]
    headed = [part.partition("\n")[2].strip() for part in paragraphs if part.startswith("#") and "\n" in part]
    return (headed + prose)[0] if paragraphs and (headed or prose) else ""
