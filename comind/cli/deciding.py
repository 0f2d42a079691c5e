"""From a person's decision about what waits to the relations that say it: each verb of `comind review` writes exactly one sort.

In: a session, a verb, ids, options. Out: decisions with their entries, or one error with every problem; `write` puts them in the inbox.
Reads the view as it was opened; what was written since, the caller knows. Never writes a part of what was asked when something is wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from comind.cli.anchoring import Anchoring
from comind.cli.drafting import Draft
from comind.cli.remembering import provenance
from comind.cli.targets import Target, commit_read_against, find_targets, shares_subject
from comind.errors import UsageError
from comind.ids import new_id
from comind.query.challenges import standing_challenges
from comind.query.pending import policy_of
from comind.records.codec import encode, next_lamport
from comind.records.problems import Problem, RecordInvalidError
from comind.records.vocabulary import RelationKind
from comind.status.waiting import RETIRED, Waits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from comind.canonical import Json
    from comind.cli.context import Session
    from comind.records.record import AnyRecord

__all__ = ["CannotDecideError", "Decision", "Desk", "Said"]

_TAKEN_BACK: Final = "Taken back in review"


class CannotDecideError(UsageError):
    """A verb does not apply to a record as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a person says beside the verb."""

    reason: str | None = None
    at: str | None = None  # the commit that the record was read against
    by: str | None = None  # the id of the successor
    override: bool = False  # they share no subject, and a person says so all the same
    actor: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a person decided about one entry, and what is written to say so."""

    verb: str
    target: Target
    entries: tuple[AnyRecord, ...]  # in the order in which they cite each other
    takes_back: Decision | None = None


_Relation = tuple[RelationKind, "dict[str, Json]", "list[int]"]  # kind, fields, the Lamport times of what it cites


@dataclass(frozen=True)
class Desk:
    """Where decisions are prepared and written."""

    session: Session

    def prepare(self, verb: str, texts: Sequence[str], said: Said) -> list[Decision]:
        """Work out what one verb writes about each of some ids; each is named by its beginning.

        Raises:
            RecordInvalidError: with everything that is wrong, of every id.
        """
        targets, problems = find_targets(self.session.view, texts)
        decisions = []
        for target in targets:
            try:
                decisions.append(self._decided(verb, target, said))
            except RecordInvalidError as error:
                problems += error.problems
            except UsageError as error:
                problems.append(Problem(target.text, "cannot_decide", str(error)))
        if problems:
            raise RecordInvalidError(list(dict.fromkeys(problems)))
        return decisions

    def write(self, decisions: Iterable[Decision]) -> None:
        """Put everything that some decisions say into the inbox, in their order."""
        for decision in decisions:
            self.session.inbox.put_many([(entry.id, encode(entry)) for entry in decision.entries])

    @property
    def caution(self) -> str | None:
        """What a person should know before they decide: where the policy wants signatures, a decision here changes nothing."""
        if self.session.settings.trust_store_writers and not self.session.settings.require_signatures:
            return None
        return "by the policy of this ledger nothing unsigned counts as a person's word: decisions stand in the log, and change no status"

    def take_back(self, decision: Decision, said: Said) -> Decision:
        """Work out what undoes a decision that was written: a retraction of each of its entries, the last one first."""
        undone = [
            self.relation((RelationKind.RETRACTS, {"id": entry.id, "reason": _TAKEN_BACK}, [entry.lamport]), decision.target.repo_id, said)
            for entry in reversed(decision.entries)
        ]
        return Decision(verb="undo", target=decision.target, entries=tuple(undone), takes_back=decision)

    def relation(self, told: _Relation, repo_id: str | None, said: Said) -> AnyRecord:
        """Make a relation by a person; raises `RecordInvalidError` with everything that is wrong with it."""
        kind, fields, lamports = told
        raw: dict[str, Json] = {
            "schema": 1,
            "id": new_id(),
            "kind": str(kind),
            "lamport": next_lamport(lamports),
            "fields": {name: value for name, value in fields.items() if value},
            "provenance": self.provenance(repo_id, said),
        }
        return Draft(raw).finish()

    def provenance(self, repo_id: str | None, said: Said) -> dict[str, Json]:
        """Say that a person at this command line writes, and what of the repository is checked out here."""
        return provenance(Anchoring(self.session, repo=repo_id), {"agent": None, "model": None, "actor": said.actor})

    def _decided(self, verb: str, target: Target, said: Said) -> Decision:
        rules: dict[str, Callable[[Target, Said], _Relation]] = {
            "accept": self._accept, "reject": self._reject, "confirm": self._confirm, "retract": self._retract,
            "supersede": self._supersede, "dispute": self._dispute,
        }  # fmt: skip
        told = rules[verb](target, said)
        return Decision(verb=verb, target=target, entries=(self.relation(told, target.repo_id, said),))

    def _accept(self, target: Target, said: Said) -> _Relation:
        if target.is_relation:
            return self._take_up(target)
        if {Waits.DRAFT, Waits.STALE} & set(target.waits):
            return self._confirm(target, said)
        self._refuse_retired(target)
        raise CannotDecideError(self._challenge_hint(target) or "is no draft and not stale; `comind review confirm` says that it holds")

    def _take_up(self, target: Target) -> _Relation:
        """Say as a person what a challenge says: so it takes effect. Whoever agrees with a dispute takes the record back."""
        self._require_challenge(target)
        # A derived relation has the time 0, whatever it cites: what is said in its place comes after that, too.
        cited, _ = find_targets(self.session.view, [one for one in (target.subject_id, target.successor_id) if one])
        lamports = [target.lamport, *(one.lamport for one in cited)]
        if target.kind == RelationKind.SUPERSEDES:
            return RelationKind.SUPERSEDES, dict(target.fields), lamports
        return RelationKind.RETRACTS, {"id": target.subject_id, "reason": str(target.fields["reason"])}, lamports

    def _reject(self, target: Target, said: Said) -> _Relation:
        if target.is_relation:
            self._require_challenge(target)
        elif Waits.DRAFT not in target.waits:
            self._refuse_retired(target)
            raise CannotDecideError(self._challenge_hint(target) or "is no draft; `comind review retract` takes it back")
        return RelationKind.RETRACTS, {"id": target.id, "reason": said.reason}, [target.lamport]

    def _confirm(self, target: Target, said: Said) -> _Relation:
        self._require_reason_record(target)
        return RelationKind.CONFIRMS, {"id": target.id, "at_commit": commit_read_against(self.session, target, said.at)}, [target.lamport]

    def _retract(self, target: Target, said: Said) -> _Relation:
        self._refuse_retired(target)
        return RelationKind.RETRACTS, {"id": target.id, "reason": said.reason}, [target.lamport]

    def _dispute(self, target: Target, said: Said) -> _Relation:
        self._require_reason_record(target)
        return RelationKind.DISPUTES, {"id": target.id, "reason": said.reason}, [target.lamport]

    def _supersede(self, target: Target, said: Said) -> _Relation:
        self._require_reason_record(target)
        if not said.by:
            raise RecordInvalidError([Problem("--by", "missing", "is needed; name the record that takes its place")])
        found, problems = find_targets(self.session.view, [said.by])
        if problems:
            raise RecordInvalidError([Problem("--by", problem.code, problem.message) for problem in problems])
        successor = found[0]
        if successor.is_relation or successor.status in RETIRED:
            state = "a relation" if successor.is_relation else successor.status
            raise RecordInvalidError([Problem("--by", "cannot_decide", f"is {state}, and cannot take the place of a record")])
        shared = said.override or successor.id == target.id or shares_subject(self.session.view, target, successor)
        if not shared:
            message = f"shares no subject with {successor.id}; --override says that it takes its place all the same"
            raise CannotDecideError(message)
        fields: dict[str, Json] = {"old": target.id, "new": successor.id, "override": said.override}
        return RelationKind.SUPERSEDES, fields, [target.lamport, successor.lamport]

    def _require_reason_record(self, target: Target) -> None:
        if target.is_relation:
            message = "is a relation, not a record; accept, reject or retract it"
            raise CannotDecideError(message)
        self._refuse_retired(target)

    def _refuse_retired(self, target: Target) -> None:
        if target.status in RETIRED:
            message = f"is {target.status} already: {target.status_reason}"
            raise CannotDecideError(message)

    def _require_challenge(self, target: Target) -> None:
        if target.id not in self._challenges(target.subject_id or ""):
            message = "challenges nothing now; `comind review --challenges` lists what does"
            raise CannotDecideError(message)

    def _challenges(self, record_id: str) -> Sequence[str]:
        return standing_challenges(self.session.view, [record_id], policy_of(self.session.settings)).get(record_id, ())

    def _challenge_hint(self, target: Target) -> str | None:
        if Waits.CHALLENGE not in target.waits:
            return None
        named = " or ".join(self._challenges(target.id))
        return f"is challenged: accept or reject the challenge by its own id, {named}, or confirm, retract or supersede the record"
