"""Say what the trailers of a commit say, as records: the same bytes in every clone.

In: a commit, its Lore, the places it touched. Out: a decision with what was rejected, a constraint per rule, a question per thing that
was not tested. Every word comes from the commit, scrubbed, or from a fixed template.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from comind.harvest.revert_text import headline, shorten, without_people
from comind.harvest.wording import SHORT, anchor_of, day_of, fit, provenance_of, quoted_lines, trigger_of
from comind.ids import derived_id
from comind.records.limits import MAX_ALTERNATIVES, MAX_BODY_BYTES, MAX_CLAIM_CHARS, MAX_TITLE_CHARS
from comind.records.problems import RecordInvalidError
from comind.records.validate import build
from comind.records.vocabulary import Authority, EvidenceKind, Kind, RelationKind, Severity, Source
from comind.safety import scrub

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from comind.canonical import Json
    from comind.harvest.lore import Lore, Rule
    from comind.harvest.touched import Place
    from comind.records.record import AnyRecord
    from comind.sources.git.history import CommitText

__all__ = ["HARVESTER_VERSION", "LoreCommit", "atom_id", "confirmation_of", "records_of", "relation_of", "retraction_of", "supersession_of"]

HARVESTER_VERSION = "trailers/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class LoreCommit:
    """One commit with Lore, and what it touched."""

    repo_id: str
    text: CommitText
    lore: Lore
    places: Sequence[Place]

    @property
    def has_atom(self) -> bool:
        """Whether the commit itself is a decision, and not only the bearer of rules."""
        return bool(self.lore.lore_id or self.lore.rejected)


def atom_id(commit: str) -> str:
    """Return the id of the decision that a commit with Lore is."""
    return derived_id("trailers", HARVESTER_VERSION, commit)


def _rule_id(commit: str, key: str, value: str) -> str:
    """Return the id of the record that one trailer becomes."""
    return derived_id("trailers", HARVESTER_VERSION, commit, key, value)


def records_of(commit: LoreCommit) -> Iterator[AnyRecord | RecordInvalidError]:
    """Make every record of one commit, or say why one cannot be made; the others are."""
    lore = commit.lore
    if commit.has_atom:
        yield _made(partial(_atom, commit))
    for key, rules, severity in (("Constraint", lore.constraints, Severity.MUST), ("Directive", lore.directives, Severity.SHOULD)):
        for rule in rules:
            yield _made(partial(_constraint, commit, key, rule, severity))
    for value in lore.not_tested:
        yield _made(partial(_question, commit, value))


def confirmation_of(commit: LoreCommit, record_id: str) -> AnyRecord:
    """Make the relation by which a commit says that it was written with a record in view."""
    return _relation(commit, RelationKind.CONFIRMS, {"id": record_id, "at_commit": commit.text.id})


def retraction_of(commit: LoreCommit, record_id: str) -> AnyRecord:
    """Make the relation by which the Lore of a commit takes the place of a record."""
    subject = shorten(_clean(commit.text.subject), MAX_TITLE_CHARS)
    reason = f"Superseded by Lore {commit.lore.lore_id} in {commit.text.id[:SHORT]} ({day_of(commit.text.time)}): {subject}"
    return _relation(commit, RelationKind.RETRACTS, {"id": record_id, "reason": reason})


def relation_of(commit: LoreCommit, other: str, label: str) -> AnyRecord:
    """Make the relation by which the Lore of a commit names other Lore."""
    return _relation(commit, RelationKind.RELATES, {"a": atom_id(commit.text.id), "b": other, "label": label})


def supersession_of(commit: LoreCommit, old: str) -> AnyRecord:
    """Make the relation by which the decision of a commit takes another's place."""
    return _relation(commit, RelationKind.SUPERSEDES, {"old": old, "new": atom_id(commit.text.id)})


def _relation(commit: LoreCommit, kind: RelationKind, fields: dict[str, Json]) -> AnyRecord:
    return build(
        {
            "schema": 1,
            "id": derived_id(f"trailers {kind}", HARVESTER_VERSION, commit.text.id, *map(str, fields.values())),
            "lamport": 0,
            "kind": kind,
            "fields": fields,
            "evidence": [_evidence(commit)],
            "provenance": _provenance(commit),
        }
    )


def _made(make: Callable[[], AnyRecord]) -> AnyRecord | RecordInvalidError:
    try:
        return make()
    except RecordInvalidError as error:
        return error


def _atom(commit: LoreCommit) -> AnyRecord:
    lore, subject = commit.lore, _clean(commit.text.subject)
    fields: dict[str, Json] = {
        "chosen": shorten(subject, MAX_CLAIM_CHARS),
        "alternatives": [
            {"option": shorten(_clean(one.option), MAX_CLAIM_CHARS), "why_not": shorten(_clean(one.why), MAX_CLAIM_CHARS)}
            for one in lore.rejected[:MAX_ALTERNATIVES]
        ],
    }
    if lore.reversibility:
        fields["reversibility"] = shorten(_clean(lore.reversibility), MAX_CLAIM_CHARS)
    return _reason(commit, Kind.DECISION, atom_id(commit.text.id), subject, fields, or_else="deciding otherwise")


def _constraint(commit: LoreCommit, key: str, rule: Rule, severity: Severity) -> AnyRecord:
    text = _clean(rule.text)
    fields: dict[str, Json] = {"rule": shorten(text, MAX_CLAIM_CHARS), "severity": severity}
    if rule.until:
        fields["exceptions"] = f"It was meant to hold until {rule.until}."
    return _reason(commit, Kind.CONSTRAINT, _rule_id(commit.text.id, key, rule.text), text, fields)


def _question(commit: LoreCommit, value: str) -> AnyRecord:
    text = _clean(value)
    fields: dict[str, Json] = {"question": shorten(f"This was not tested: {text}", MAX_CLAIM_CHARS)}
    return _reason(commit, Kind.QUESTION, _rule_id(commit.text.id, "Not-tested", value), f"Not tested: {text}", fields)


def _reason(commit: LoreCommit, kind: Kind, record_id: str, title: str, fields: dict[str, Json], *, or_else: str = "") -> AnyRecord:  # noqa: PLR0913 - the parts of a record
    return build(
        {
            "schema": 1,
            "id": record_id,
            "lamport": 0,
            "kind": kind,
            "title": headline(title, MAX_TITLE_CHARS),
            "trigger": trigger_of(commit.places, title, or_else=or_else),
            "body": _body(commit, whole=kind is Kind.DECISION),
            "anchors": [anchor_of(place, commit.repo_id) for place in commit.places],
            "evidence": [_evidence(commit)],
            "fields": fields,
            "provenance": _provenance(commit),
            "valid_from": commit.text.id,
            "authority": {"trigger": Authority.AGENT_INFERENCE},
        }
    )


def _body(commit: LoreCommit, *, whole: bool) -> str:
    """Say where it comes from; the decision also tells what the commit says beside it."""
    text, lore = commit.text, commit.lore
    prose = _prose(text.message) if whole else ""
    facts = [
        *(f"Tested: {_clean(value)}" for value in lore.tested if whole),
        *(f"Rejected without a reason: {_clean(value)}" for value in lore.unreasoned if whole),
        *(f"{label}: {_clean(value)}" for label, value in (("Confidence", lore.confidence), ("Scope of risk", lore.scope_risk)) if value),
    ]
    subject = shorten(_clean(text.subject), MAX_TITLE_CHARS)
    where = f"Said in `{text.id[:SHORT]}` ({day_of(text.time)}): {subject}\nCheck: `git show {text.id[:SHORT]}`."
    room = MAX_BODY_BYTES - len(where.encode()) - 4
    told = fit("\n\n".join(part for part in (quoted_lines(prose), "\n".join(facts)) if part), room)
    return "\n\n".join(part for part in (told, where) if part)


def _prose(message: str) -> str:
    """Return what a message says between its subject and its trailers."""
    before = message.rstrip().rpartition("\n\n")[0]
    return without_people(scrub(before.partition("\n\n")[2].strip()).text)


def _clean(text: str) -> str:
    return " ".join(scrub(text).text.split())


def _evidence(commit: LoreCommit) -> dict[str, Json]:
    return {"kind": EvidenceKind.COMMIT, "repo": commit.repo_id, "commit": commit.text.id}


def _provenance(commit: LoreCommit) -> dict[str, Json]:
    return provenance_of(Source.GIT, repo_id=commit.repo_id, harvester=HARVESTER_VERSION, time=commit.text.time)
