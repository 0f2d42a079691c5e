"""Parts that records are made of: anchors, evidence, provenance and the fields of each kind.

In: plain JSON. Out: frozen values with the shape the log allows.
Shapes only; limits on text and what must not be said are checked by `validate` and `comind.safety`.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from comind.records.vocabulary import AuthorKind, EvidenceKind, Outcome, Role, Scope, Severity, Source

__all__ = [
    "Alternative", "Anchor", "AttemptFields", "Commit", "ConfirmsFields", "ConstraintFields", "DecisionFields", "DisputesFields",
    "Evidence", "GotchaFields", "IntentFields", "Line", "Part", "Provenance", "QuestionFields", "RelatesFields", "RetractsFields",
    "SupersedesFields",
]  # fmt: skip

Commit = Annotated[str, Field(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$", description="Full commit id, lower-case hex")]
Line = Annotated[int, Field(ge=1, description="Line number, 1-based")]
RecordId = Annotated[str, Field(pattern=r"^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", description="Record id")]


class Part(BaseModel):
    """A frozen value that refuses what it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Anchor(Part):
    """Where a record is attached, as the code was at one commit."""

    scope: Scope
    role: Role = Role.SUBJECT
    repo: str | None = Field(default=None, description="Repository identity; absent for the whole organisation")
    path: str | None = Field(default=None, description="File, or directory for a module, from the repository's root")
    symbol: str | None = Field(default=None, description="SCIP symbol string")
    start_line: Line | None = None
    end_line: Line | None = None
    commit: Commit | None = Field(default=None, description="Commit at which path, symbol and lines hold")
    package: str | None = Field(default=None, description="Dependency scope: `<ecosystem> <name>`")
    version_range: str | None = Field(default=None, description="Dependency scope: the range, in the ecosystem's own text")


class Evidence(Part):
    """Something a reader, or a machine, can look up to check the claim."""

    kind: EvidenceKind
    repo: str | None = None
    commit: Commit | None = None
    url: str | None = None
    path: str | None = None
    quote: str | None = Field(default=None, description="Words of the source, as they stand there")


class Provenance(Part):
    """Where the record came from; facts about code, never about people."""

    author_kind: AuthorKind
    source: Source
    actor: str | None = Field(default=None, description="Pseudonym; never a name or an address")
    agent: str | None = None
    model: str | None = None
    session_hash: str | None = None
    repo: str | None = None
    branch: str | None = None
    head_commit: Commit | None = None
    harvester: str | None = Field(default=None, description="Rules that derived it, with their version, such as `reverts/1`")
    source_time: str | None = Field(default=None, description="RFC 3339 UTC time of the source; the transaction time of a derived record")


class IntentFields(Part):
    """What the code is for."""

    need: str
    link: str | None = None


class Alternative(Part):
    """An option that was not chosen, and why."""

    option: str
    why_not: str


class DecisionFields(Part):
    """What was chosen and instead of what."""

    chosen: str
    alternatives: tuple[Alternative, ...] = Field(description="May be empty only when harvested")
    reversibility: str | None = None
    revisit_when: str | None = None


class AttemptFields(Part):
    """What was tried and how it ended."""

    approach: str
    outcome: Outcome
    conditions: str | None = None
    retry_when: str | None = None


class ConstraintFields(Part):
    """What must hold."""

    rule: str
    severity: Severity
    check: str | None = None
    exceptions: str | None = None


class GotchaFields(Part):
    """What surprises and why."""

    symptom: str
    cause: str
    workaround: str | None = None


class QuestionFields(Part):
    """What nobody knows yet."""

    question: str
    owner_team: str | None = None
    blocking: bool | None = None


class SupersedesFields(Part):
    """`new` takes the place of `old`."""

    old: RecordId
    new: RecordId
    override: bool = Field(default=False, description="A person says so although no subject anchor is shared")


class RetractsFields(Part):
    """The record no longer holds."""

    id: RecordId
    reason: str


class ConfirmsFields(Part):
    """The record was read against the code at a commit and holds."""

    id: RecordId
    at_commit: Commit


class DisputesFields(Part):
    """The record is doubted."""

    id: RecordId
    reason: str


class RelatesFields(Part):
    """Two records belong together."""

    a: RecordId
    b: RecordId
    label: str
