"""Parts that records are made of: anchors, evidence, provenance and the fields of each kind.

In: plain JSON. Out: frozen values with the shape and the sizes that the log allows.
Rules between fields are checked by `comind.records.rules`, what must not be said by `comind.safety`.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from comind.records.limits import (
    MAX_ALTERNATIVES,
    MAX_CLAIM_CHARS,
    MAX_LABEL_CHARS,
    MAX_NAME_CHARS,
    MAX_PATH_CHARS,
    MAX_REPO_CHARS,
    MAX_URL_CHARS,
)
from comind.records.vocabulary import AuthorKind, EvidenceKind, Outcome, Role, Scope, Severity, Source

__all__ = [
    "FORMS", "Alternative", "Anchor", "AttemptFields", "Claim", "Commit", "ConfirmsFields", "ConstraintFields", "DecisionFields",
    "DisputesFields", "Evidence", "Fingerprints", "GotchaFields", "Hash", "IntentFields", "Line", "OneLine", "Part", "Provenance",
    "QuestionFields", "RecordId", "RelatesFields", "RetractsFields", "SupersedesFields",
]  # fmt: skip

_COMMIT = r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$"
_RECORD_ID = r"^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$"
_HASH = r"^[0-9a-f]{32}$"
_ONE_LINE = r"^\S(?:[^\n\r]*\S)?$"
_CLAIM = r"\S"
_SESSION = r"^[0-9a-f]{16,128}$"
_PSEUDONYM = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
_RULES = r"^[a-z0-9_.-]{1,60}/[0-9]{1,6}$"
_URL = r"^https?://[^\s/]+(?:/\S*)?$"
_PACKAGE = r"^\S+ \S+$"
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{0,5}[1-9])?Z$"
_CODE = r"^[a-z][a-z0-9_]{0,59}$"

FORMS: Final[dict[str, str]] = {
    _COMMIT: "write the full commit id, 40 or 64 lower-case hex digits",
    _RECORD_ID: "write a record id as `comind log` shows it, 36 characters",
    _HASH: "write 32 lower-case hex digits",
    _ONE_LINE: "write one line of text without blanks at its ends",
    _CLAIM: "write at least a word",
    _SESSION: "write a hash of the session's id, 16 to 128 lower-case hex digits",
    _PSEUDONYM: "write a pseudonym of letters, digits, dots, dashes and underscores; never a name or an address",
    _RULES: "write the rules and their version, such as `reverts/1`",
    _URL: "write an http or https address without blanks",
    _PACKAGE: "write the ecosystem and the name with one blank between them, such as `pypi flask`",
    _TIME: "write the time in UTC, such as `2026-11-30T08:15:00Z`, without trailing zeros in a fraction",
    _CODE: "write a lower-case word with underscores",
}

Commit = Annotated[str, Field(pattern=_COMMIT, description="Full commit id, lower-case hex")]
Line = Annotated[int, Field(ge=1, le=2**31 - 1, description="Line number, 1-based")]
RecordId = Annotated[str, Field(pattern=_RECORD_ID, description="Record id: a UUIDv7 of a writer or a UUIDv5 derived from a source")]
Hash = Annotated[str, Field(pattern=_HASH, description="16 bytes of BLAKE3, lower-case hex")]
OneLine = Annotated[str, Field(pattern=_ONE_LINE)]
Claim = Annotated[str, Field(pattern=_CLAIM, max_length=MAX_CLAIM_CHARS)]
_Name = Annotated[OneLine, Field(max_length=MAX_NAME_CHARS)]
_Repo = Annotated[OneLine, Field(max_length=MAX_REPO_CHARS)]
_Path = Annotated[str, Field(min_length=1, max_length=MAX_PATH_CHARS)]
_Url = Annotated[str, Field(pattern=_URL, max_length=MAX_URL_CHARS)]
_REPO_WORDS = "Repository identity: its configured name, else normalised origin URL, else root commit"


class Part(BaseModel):
    """A frozen value that refuses what it does not know."""

    # Built when first used: a command that only reads tables does not pay for thirty validators.
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, defer_build=True)


class Fingerprints(Part):
    """What the anchored code hashed to, for when its commit is gone."""

    fingerprint_version: _Name = Field(description="Version of the normalisation rules; hashes compare only within one")
    grammar_probe: Hash = Field(description="Hash of how the grammar parses a fixed probe; hashes compare only within one")
    sig_hash: Hash | None = Field(default=None, description="Hash of name, parameters and return type")
    body_hash: Hash | None = Field(default=None, description="Hash of the body's normalised tokens; survives reformatting")
    shape_hash: Hash | None = Field(default=None, description="The body's hash with identifiers renamed in order of first use")


class Anchor(Part):
    """Where a record is attached, as the code was at one commit."""

    scope: Scope = Field(description="What the record is attached to; decides which of the other fields are needed")
    role: Role = Field(default=Role.SUBJECT, description="A subject's drift decides the status; the others only cascade")
    repo: _Repo | None = Field(default=None, description=f"{_REPO_WORDS}; absent for the whole organisation")
    path: _Path | None = Field(default=None, description="File, or directory for a module, from the repository's root, `/`-separated")
    symbol: _Path | None = Field(default=None, description="SCIP symbol string")
    start_line: Line | None = Field(default=None, description="First line of the span, 1-based")
    end_line: Line | None = Field(default=None, description="Last line of the span, 1-based, inclusive")
    commit: Commit | None = Field(default=None, description="Commit at which path, symbol and lines hold")
    package: Annotated[_Name, Field(pattern=_PACKAGE)] | None = Field(default=None, description="Dependency scope: `<ecosystem> <name>`")
    version_range: _Name | None = Field(default=None, description="Dependency scope: the range, in the ecosystem's own text")
    fingerprints: Fingerprints | None = Field(default=None, description="Fallback for when the commit is gone; never in harvested records")


class Evidence(Part):
    """Something a reader, or a machine, can look up to check the claim."""

    kind: EvidenceKind = Field(description="What sort of thing it points at; decides which of the other fields are needed")
    repo: _Repo | None = Field(default=None, description=f"{_REPO_WORDS}; where the commit or path is")
    commit: Commit | None = Field(default=None, description="Commit that shows it, or at which the path holds")
    url: _Url | None = Field(default=None, description="Where it can be read, without credentials")
    path: _Path | None = Field(default=None, description="File from the repository's root, `/`-separated")
    quote: Claim | None = Field(default=None, description="Words of the source, as they stand there")


class Provenance(Part):
    """Where the record came from; facts about code, never about people."""

    author_kind: AuthorKind = Field(description="What wrote the record")
    source: Source = Field(description="Through which door it came in")
    actor: Annotated[str, Field(pattern=_PSEUDONYM)] | None = Field(default=None, description="Pseudonym; never a name or an address")
    agent: _Name | None = Field(default=None, description="Program that wrote it, such as an editor's agent")
    model: _Name | None = Field(default=None, description="Language model that worded it")
    session_hash: Annotated[str, Field(pattern=_SESSION)] | None = Field(
        default=None, description="Hash of the session it was written in; joins records, reveals nothing"
    )
    repo: _Repo | None = Field(default=None, description=f"{_REPO_WORDS}; where it was written")
    branch: _Name | None = Field(default=None, description="Branch it was written on")
    head_commit: Commit | None = Field(default=None, description="Commit that was checked out when it was written")
    harvester: Annotated[str, Field(pattern=_RULES)] | None = Field(
        default=None, description="Rules that derived it, with their version, such as `reverts/1`"
    )
    source_time: Annotated[str, Field(pattern=_TIME)] | None = Field(
        default=None, description="RFC 3339 UTC time of the source; the transaction time of a derived record"
    )
    quarantine: Annotated[str, Field(pattern=_CODE)] | None = Field(
        default=None, description="What its source carried that makes it untrustworthy, such as `hidden_bidi`; the record stays at T0"
    )


class IntentFields(Part):
    """What the code is for."""

    need: Claim = Field(description="The need that the code answers")
    link: Annotated[OneLine, Field(max_length=MAX_URL_CHARS)] | None = Field(default=None, description="Ticket, incident or merge request")


class Alternative(Part):
    """An option that was not chosen, and why."""

    option: Claim = Field(description="The option")
    why_not: Claim = Field(description="Why it was not chosen")


class DecisionFields(Part):
    """What was chosen and instead of what."""

    chosen: Claim = Field(description="What was chosen")
    alternatives: Annotated[tuple[Alternative, ...], Field(max_length=MAX_ALTERNATIVES)] = Field(
        description="What was not chosen; may be empty only when harvested or distilled"
    )
    reversibility: Claim | None = Field(default=None, description="How hard it is to take back")
    revisit_when: Claim | None = Field(default=None, description="What would make it worth deciding again")


class AttemptFields(Part):
    """What was tried and how it ended."""

    approach: Claim = Field(description="What was tried")
    outcome: Outcome = Field(description="How it ended")
    conditions: Claim | None = Field(default=None, description="Under what environment and versions it was tried")
    retry_when: Claim | None = Field(default=None, description="What would make it worth trying again")


class ConstraintFields(Part):
    """What must hold."""

    rule: Claim = Field(description="What must hold")
    severity: Severity = Field(description="How binding it is")
    check: Claim | None = Field(default=None, description="How a machine can check it")
    exceptions: Claim | None = Field(default=None, description="Where it does not apply")


class GotchaFields(Part):
    """What surprises and why."""

    symptom: Claim = Field(description="What one sees")
    cause: Claim = Field(description="Why it happens")
    workaround: Claim | None = Field(default=None, description="What to do about it")


class QuestionFields(Part):
    """What nobody knows yet."""

    question: Claim = Field(description="The question")
    owner_team: _Name | None = Field(default=None, description="Team that could answer; never a person")
    blocking: bool | None = Field(default=None, description="Whether work waits for the answer")


class SupersedesFields(Part):
    """`new` takes the place of `old`."""

    old: RecordId = Field(description="The record that gives way")
    new: RecordId = Field(description="The record that takes its place")
    override: bool = Field(default=False, description="A person says so although no subject anchor is shared")


class RetractsFields(Part):
    """The record no longer holds."""

    id: RecordId = Field(description="The record that no longer holds")
    reason: Claim = Field(description="Why it no longer holds")


class ConfirmsFields(Part):
    """The record was read against the code at a commit and holds."""

    id: RecordId = Field(description="The record that was checked")
    at_commit: Commit = Field(description="The commit whose code it was read against")


class DisputesFields(Part):
    """The record is doubted."""

    id: RecordId = Field(description="The record that is doubted")
    reason: Claim = Field(description="Why it is doubted")


class RelatesFields(Part):
    """Two records belong together."""

    a: RecordId = Field(description="One record")
    b: RecordId = Field(description="The other record")
    label: Annotated[OneLine, Field(max_length=MAX_LABEL_CHARS)] = Field(description="How they belong together")
