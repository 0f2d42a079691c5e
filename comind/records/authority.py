"""Whose claim each field of a record is, and what that lets the record do.

In: records, the policy towards unsigned claims, whether the evidence was validated. Out: authorities and an enforcement class.
Never looks at a record's status: only an active record enforces anything, and `comind.status` decides that.

A field without an entry in `authority` has the authority that its author kind implies: a person's own words are theirs
(`owner_verbatim`), what a harvester read off a source is `code_derived`, what a model worded is `agent_inference`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from comind.records.vocabulary import Authority, AuthorKind, Enforcement, Kind, RelationKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from comind.records.record import AnyRecord

__all__ = ["CLAIM_FIELDS", "RULING_FIELD", "authority_of", "claimed_authority", "enforcement", "enforcement_of"]

_REASON_FIELDS = ("title", "trigger", "body")
RULING_FIELD: Final[dict[str, str]] = {
    Kind.INTENT: "need",
    Kind.DECISION: "chosen",
    Kind.ATTEMPT: "approach",
    Kind.CONSTRAINT: "rule",
    Kind.GOTCHA: "symptom",
    Kind.QUESTION: "question",
    RelationKind.SUPERSEDES: "new",
    RelationKind.RETRACTS: "reason",
    RelationKind.CONFIRMS: "at_commit",
    RelationKind.DISPUTES: "reason",
    RelationKind.RELATES: "label",
}
CLAIM_FIELDS: Final[dict[str, tuple[str, ...]]] = {
    Kind.INTENT: (*_REASON_FIELDS, "need"),
    Kind.DECISION: (*_REASON_FIELDS, "chosen", "alternatives", "reversibility", "revisit_when"),
    Kind.ATTEMPT: (*_REASON_FIELDS, "approach", "outcome", "conditions", "retry_when"),
    Kind.CONSTRAINT: (*_REASON_FIELDS, "rule", "severity", "check", "exceptions"),
    Kind.GOTCHA: (*_REASON_FIELDS, "symptom", "cause", "workaround"),
    Kind.QUESTION: (*_REASON_FIELDS, "question"),
    **{relation: (RULING_FIELD[relation],) for relation in RelationKind},
}
_IMPLIED: Final[Mapping[str, Authority]] = {
    AuthorKind.HUMAN: Authority.OWNER_VERBATIM,
    AuthorKind.HARVESTED: Authority.CODE_DERIVED,
    AuthorKind.AGENT: Authority.AGENT_INFERENCE,
    AuthorKind.DISTILLED: Authority.AGENT_INFERENCE,
}
_OWNER = frozenset({Authority.OWNER_VERBATIM, Authority.OWNER_RATIFIED})


def claimed_authority(record: AnyRecord, field: str) -> Authority:
    """Return the authority that a record claims for a field: its own entry, else what the author kind implies."""
    return record.authority.get(field, _IMPLIED[record.provenance.author_kind])


def authority_of(
    record: AnyRecord, field: str, *, evidence_validated: bool = False, trust_store_writers: bool = True, require_signatures: bool = False
) -> Authority:
    """Return the authority that a field has, after unsigned claims of an owner's authority were weighed.

    No record is signed in this version. So an owner's authority counts only when a person wrote the record, or when it was
    harvested and the source was shown to say it; and only where the policy trusts whoever can write to the store.

    Args:
        record: any record.
        field: a name in ``CLAIM_FIELDS[record.kind]``.
        evidence_validated: whether a check has proven the record's evidence.
        trust_store_writers: whether an unsigned claim of a person's authority counts at all.
        require_signatures: whether only signed claims count.
    """
    claimed = claimed_authority(record, field)
    if claimed not in _OWNER:
        return claimed
    author = record.provenance.author_kind
    vouched = author == AuthorKind.HUMAN or (author == AuthorKind.HARVESTED and evidence_validated)
    if vouched and trust_store_writers and not require_signatures:
        return claimed
    return Authority.CODE_DERIVED if author == AuthorKind.HARVESTED else Authority.AGENT_INFERENCE


def enforcement_of(authority: Authority, *, evidence_validated: bool) -> Enforcement:
    """Return what one authority lets a claim do.

    >>> str(enforcement_of(Authority.REVIEWER_FINDING, evidence_validated=True))
    'HOLD'
    """
    if authority in _OWNER:
        return Enforcement.CONSTRAINT
    return Enforcement.HOLD if evidence_validated else Enforcement.CONTEXT


def enforcement(
    record: AnyRecord, *, evidence_validated: bool = False, trust_store_writers: bool = True, require_signatures: bool = False
) -> Enforcement:
    """Return what a record may do while it is active: the class of its ruling field, whatever its title or rationale claims.

    CONSTRAINT is the class of a person's ruling; a check may still refuse to fail a run on an unsigned one.
    """
    ruling = authority_of(
        record,
        RULING_FIELD[record.kind],
        evidence_validated=evidence_validated,
        trust_store_writers=trust_store_writers,
        require_signatures=require_signatures,
    )
    return enforcement_of(ruling, evidence_validated=evidence_validated)
