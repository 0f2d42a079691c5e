"""The words of the ledger: kinds, relations, scopes, roles, authorities and their meaning.

In: nothing. Out: closed sets of words, the same from the inbox to the screen.
"""

from __future__ import annotations

from enum import StrEnum

__all__ = [
    "AuthorKind", "Authority", "Enforcement", "EvidenceKind", "Kind", "Outcome", "RelationKind", "Role", "Scope", "Severity", "Source",
]  # fmt: skip


class Kind(StrEnum):
    """What sort of reason a record states."""

    INTENT = "intent"  # what the code is for
    DECISION = "decision"  # what was chosen, and instead of what
    ATTEMPT = "attempt"  # what was tried and did not stay
    CONSTRAINT = "constraint"  # what must hold
    GOTCHA = "gotcha"  # what surprises
    QUESTION = "question"  # what nobody knows yet


class RelationKind(StrEnum):
    """What a record says about another record; relations are records too."""

    SUPERSEDES = "supersedes"
    RETRACTS = "retracts"
    CONFIRMS = "confirms"
    DISPUTES = "disputes"
    RELATES = "relates"


class Outcome(StrEnum):
    """How an attempt ended."""

    FAILED = "failed"
    REVERTED = "reverted"
    ABANDONED = "abandoned"
    PARTIAL = "partial"


class Severity(StrEnum):
    """How binding a constraint is."""

    MUST = "must"
    SHOULD = "should"


class Scope(StrEnum):
    """What an anchor is attached to."""

    SYMBOL = "symbol"
    FILE = "file"
    MODULE = "module"  # a directory
    REPO = "repo"
    ORG = "org"
    DEPENDENCY = "dependency"


class Role(StrEnum):
    """What an anchor means for its record."""

    SUBJECT = "subject"  # its drift decides the status
    CONTEXT = "context"  # its drift only cascades
    EVIDENCE = "evidence"  # code that proves the claim


class EvidenceKind(StrEnum):
    """What sort of thing a piece of evidence points at."""

    COMMIT = "commit"  # a commit that matters to the claim
    REVERT = "revert"  # the commit that undid the attempt
    REVERTED = "reverted"  # the commit that was undone
    TEST = "test"
    ERROR = "error"
    BENCHMARK = "benchmark"
    MERGE_REQUEST = "merge_request"
    ISSUE = "issue"
    DOCUMENT = "document"
    REVIEW = "review"


class AuthorKind(StrEnum):
    """What wrote the record."""

    HUMAN = "human"
    AGENT = "agent"
    HARVESTED = "harvested"
    DISTILLED = "distilled"


class Source(StrEnum):
    """Through which door the record came in."""

    MCP = "mcp"
    HOOK = "hook"
    GIT = "git"
    MR = "mr"
    DOCUMENT = "document"
    IMPORT = "import"
    CLI = "cli"


class Authority(StrEnum):
    """Whose claim one field is; a ruling can be a person's words while its rationale is an inference."""

    OWNER_VERBATIM = "owner_verbatim"
    OWNER_RATIFIED = "owner_ratified"
    REVIEWER_FINDING = "reviewer_finding"
    CODE_DERIVED = "code_derived"
    AGENT_INFERENCE = "agent_inference"


class Enforcement(StrEnum):
    """What an authority lets a record do; only a CONSTRAINT may fail a run."""

    CONSTRAINT = "CONSTRAINT"
    HOLD = "HOLD"
    CONTEXT = "CONTEXT"
