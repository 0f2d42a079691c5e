"""A record of the ledger: one class per kind and relation, one union over them.

In: parts. Out: frozen records. Ids, hashes and bytes are made by `codec`; limits are checked by `validate`.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, TypeAdapter

from comind.canonical import MAX_SAFE_INTEGER
from comind.records.parts import (
    Anchor,
    AttemptFields,
    Commit,
    ConfirmsFields,
    ConstraintFields,
    DecisionFields,
    DisputesFields,
    Evidence,
    GotchaFields,
    IntentFields,
    Part,
    Provenance,
    QuestionFields,
    RecordId,
    RelatesFields,
    RetractsFields,
    SupersedesFields,
)  # fmt: skip
from comind.records.vocabulary import Authority, Kind, RelationKind

__all__ = [
    "RECORD", "RECORD_SCHEMA_VERSION", "AnyRecord", "AttemptRecord", "ConfirmsRelation", "ConstraintRecord", "DecisionRecord",
    "DisputesRelation", "Entry", "GotchaRecord", "IntentRecord", "QuestionRecord", "Reason", "RelatesRelation", "Relation",
    "RetractsRelation", "SupersedesRelation",
]  # fmt: skip

RECORD_SCHEMA_VERSION: Final = 1


class Entry(Part):
    """What every object of the log has, a reason or a relation."""

    schema_version: Literal[1] = Field(default=RECORD_SCHEMA_VERSION, alias="schema")
    id: RecordId
    lamport: int = Field(ge=0, le=MAX_SAFE_INTEGER, description="1 + the largest among the records it cites; 0 when it cites none")
    provenance: Provenance
    evidence: tuple[Evidence, ...] = ()
    authority: dict[str, Authority] = Field(
        default_factory=dict, description="Whose claim a field is, by field name (`title`, `body`, `rule`, …)"
    )


class Reason(Entry):
    """A record proper: something to know before editing the code it is anchored to."""

    title: str
    trigger: str = Field(description="When a reader would need it")
    body: str = ""
    anchors: tuple[Anchor, ...]
    valid_from: Commit | None = None


class IntentRecord(Reason):
    """What the code is for."""

    kind: Literal[Kind.INTENT]
    fields: IntentFields


class DecisionRecord(Reason):
    """What was chosen and instead of what."""

    kind: Literal[Kind.DECISION]
    fields: DecisionFields


class AttemptRecord(Reason):
    """What was tried and did not stay."""

    kind: Literal[Kind.ATTEMPT]
    fields: AttemptFields


class ConstraintRecord(Reason):
    """What must hold."""

    kind: Literal[Kind.CONSTRAINT]
    fields: ConstraintFields


class GotchaRecord(Reason):
    """What surprises."""

    kind: Literal[Kind.GOTCHA]
    fields: GotchaFields


class QuestionRecord(Reason):
    """What nobody knows yet."""

    kind: Literal[Kind.QUESTION]
    fields: QuestionFields


class Relation(Entry):
    """A record about records."""


class SupersedesRelation(Relation):
    """One record takes another's place."""

    kind: Literal[RelationKind.SUPERSEDES]
    fields: SupersedesFields


class RetractsRelation(Relation):
    """A record no longer holds."""

    kind: Literal[RelationKind.RETRACTS]
    fields: RetractsFields


class ConfirmsRelation(Relation):
    """A record was checked and holds."""

    kind: Literal[RelationKind.CONFIRMS]
    fields: ConfirmsFields


class DisputesRelation(Relation):
    """A record is doubted."""

    kind: Literal[RelationKind.DISPUTES]
    fields: DisputesFields


class RelatesRelation(Relation):
    """Two records belong together."""

    kind: Literal[RelationKind.RELATES]
    fields: RelatesFields


AnyRecord: TypeAlias = (
    IntentRecord | DecisionRecord | AttemptRecord | ConstraintRecord | GotchaRecord | QuestionRecord
    | SupersedesRelation | RetractsRelation | ConfirmsRelation | DisputesRelation | RelatesRelation
)  # fmt: skip

RECORD: TypeAdapter[AnyRecord] = TypeAdapter(Annotated[AnyRecord, Field(discriminator="kind")])
