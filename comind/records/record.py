"""A record of the ledger: one class per kind and relation, one union over them.

In: parts. Out: frozen records. Bytes are made by `codec`; rules between fields are checked by `rules`.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

from pydantic import ConfigDict, Field, TypeAdapter

from comind.canonical import MAX_SAFE_INTEGER
from comind.records.limits import MAX_ANCHORS, MAX_BODY_BYTES, MAX_EVIDENCE, MAX_TITLE_CHARS, MAX_TRIGGER_CHARS
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
    OneLine,
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


_ClaimField = Annotated[str, Field(pattern=r"^[a-z_]{1,40}$")]
_EVIDENCE_WORDS = "What a reader, or a machine, can look up to check the claim"


class Entry(Part):
    """What every object of the log has, a reason or a relation."""

    schema_version: Literal[1] = Field(default=RECORD_SCHEMA_VERSION, alias="schema", description="Version of this schema")
    id: RecordId = Field(description="UUIDv7 of a writer; UUIDv5 of the source's identity when harvested or distilled")
    lamport: int = Field(
        ge=0, le=MAX_SAFE_INTEGER, description="1 + the largest among the records it cites; 0 when it cites none or is derived"
    )
    provenance: Provenance = Field(description="Where the record came from")
    evidence: Annotated[tuple[Evidence, ...], Field(max_length=MAX_EVIDENCE)] = Field(default=(), description=_EVIDENCE_WORDS)
    authority: dict[_ClaimField, Authority] = Field(
        default={}, description="Whose claim a field is, by field name (`title`, `body`, `rule`, …); absent: what the author kind implies"
    )


class Reason(Entry):
    """A record proper: something to know before editing the code it is anchored to."""

    title: Annotated[OneLine, Field(max_length=MAX_TITLE_CHARS)] = Field(description="What it says, in a line")
    trigger: Annotated[OneLine, Field(max_length=MAX_TRIGGER_CHARS)] = Field(description="When a reader would need it")
    body: str = Field(default="", max_length=MAX_BODY_BYTES, description="The whole of it, Markdown; at most 2,048 bytes of UTF-8")
    anchors: Annotated[tuple[Anchor, ...], Field(min_length=1, max_length=MAX_ANCHORS)] = Field(
        description="Where it is attached; at least one subject"
    )
    valid_from: Commit | None = Field(default=None, description="Commit from which it holds")


class IntentRecord(Reason):
    """What the code is for."""

    kind: Literal[Kind.INTENT] = Field(description="The sort of reason")
    fields: IntentFields = Field(description="What this kind of record says")


class DecisionRecord(Reason):
    """What was chosen and instead of what."""

    kind: Literal[Kind.DECISION] = Field(description="The sort of reason")
    fields: DecisionFields = Field(description="What this kind of record says")


class AttemptRecord(Reason):
    """What was tried and did not stay."""

    evidence: Annotated[tuple[Evidence, ...], Field(min_length=1, max_length=MAX_EVIDENCE)] = Field(description=_EVIDENCE_WORDS)
    kind: Literal[Kind.ATTEMPT] = Field(description="The sort of reason")
    fields: AttemptFields = Field(description="What this kind of record says")


class ConstraintRecord(Reason):
    """What must hold."""

    kind: Literal[Kind.CONSTRAINT] = Field(description="The sort of reason")
    fields: ConstraintFields = Field(description="What this kind of record says")


class GotchaRecord(Reason):
    """What surprises."""

    kind: Literal[Kind.GOTCHA] = Field(description="The sort of reason")
    fields: GotchaFields = Field(description="What this kind of record says")


class QuestionRecord(Reason):
    """What nobody knows yet."""

    kind: Literal[Kind.QUESTION] = Field(description="The sort of reason")
    fields: QuestionFields = Field(description="What this kind of record says")


class Relation(Entry):
    """A record about records."""


class SupersedesRelation(Relation):
    """One record takes another's place."""

    kind: Literal[RelationKind.SUPERSEDES] = Field(description="What it says about another record")
    fields: SupersedesFields = Field(description="What this kind of record says")


class RetractsRelation(Relation):
    """A record no longer holds."""

    kind: Literal[RelationKind.RETRACTS] = Field(description="What it says about another record")
    fields: RetractsFields = Field(description="What this kind of record says")


class ConfirmsRelation(Relation):
    """A record was checked and holds."""

    kind: Literal[RelationKind.CONFIRMS] = Field(description="What it says about another record")
    fields: ConfirmsFields = Field(description="What this kind of record says")


class DisputesRelation(Relation):
    """A record is doubted."""

    kind: Literal[RelationKind.DISPUTES] = Field(description="What it says about another record")
    fields: DisputesFields = Field(description="What this kind of record says")


class RelatesRelation(Relation):
    """Two records belong together."""

    kind: Literal[RelationKind.RELATES] = Field(description="What it says about another record")
    fields: RelatesFields = Field(description="What this kind of record says")


AnyRecord: TypeAlias = (
    IntentRecord | DecisionRecord | AttemptRecord | ConstraintRecord | GotchaRecord | QuestionRecord
    | SupersedesRelation | RetractsRelation | ConfirmsRelation | DisputesRelation | RelatesRelation
)  # fmt: skip

RECORD: TypeAdapter[AnyRecord] = TypeAdapter(Annotated[AnyRecord, Field(discriminator="kind")], config=ConfigDict(defer_build=True))
