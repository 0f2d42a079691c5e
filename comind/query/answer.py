"""The shapes of the answers: what every surface shows, and what `--json` prints.

In: nothing. Out: frozen dataclasses whose fields are described.
The name in `schema` is a contract: within one version fields are only ever added. `docs/why-json.md` is generated from here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, TypeAlias

from comind.errors import ExitCode
from comind.query.shape import Shape

__all__ = [
    "AnchorShown", "AsOf", "Candidate", "CheckShown", "Coverage", "EvidenceShown", "GoverningRecord", "LeftOut", "Outcome", "PlaceNow",
    "PlaceThen", "RecordShown", "RelationShown", "RepositoryCoverage", "SubjectShown", "Via", "WhyAnswer",
]  # fmt: skip

Fields: TypeAlias = dict[str, Any]  # JSON of the record, as it was written
Texts: TypeAlias = tuple[str, ...]


class Outcome(StrEnum):
    """What kind of answer it is."""

    ANSWERED = "answered"  # there are records, all that match or the best of them
    NOTHING = "nothing"  # there are none, and the coverage shows that none was missed
    AMBIGUOUS = "ambiguous"  # the question names several things; they are listed
    UNKNOWN = "unknown"  # the question names nothing that is indexed, and the coverage shows that nothing was missed
    COULD_NOT_FIND_OUT = "could_not_find_out"  # nothing was found, and the coverage has gaps

    @property
    def exit_code(self) -> ExitCode:
        """The exit code of a command that gives this answer."""
        if self in {Outcome.AMBIGUOUS, Outcome.UNKNOWN}:
            return ExitCode.USAGE
        return ExitCode.COULD_NOT_FIND_OUT if self is Outcome.COULD_NOT_FIND_OUT else ExitCode.ANSWERED


class Via(StrEnum):
    """How a record comes to govern the subject, nearest first."""

    OWN = "own"  # it is anchored to the subject itself
    CONTAINER = "container"  # to the class or function around it
    FILE = "file"  # to its file
    MODULE = "module"  # to a directory above it
    REPO = "repo"  # to its repository
    ORG = "org"  # to everything
    INSIDE = "inside"  # to something within the subject


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectShown(Shape):
    """What the question is about."""

    kind: Annotated[str, "symbol, file, directory, repository, or gone: a symbol that only records still name"]
    repo_id: Annotated[str | None, "Repository"]
    path: Annotated[str | None, "File or directory from the root of the repository"]
    qualified_name: Annotated[str | None, "Containers and name of the symbol, joined by dots"] = None
    symbol: Annotated[str | None, "SCIP symbol"] = None
    canonical_key: Annotated[str | None, "The symbol without version and source root; joins across repositories"] = None
    code_kind: Annotated[str | None, "function, method, class, …"] = None
    start_line: Annotated[int | None, "First line, 1-based"] = None
    end_line: Annotated[int | None, "Last line, inclusive"] = None
    asked_line: Annotated[int | None, "The line that was asked for, when it was `path:line`"] = None
    former_name: Annotated[str | None, "The name that was asked for, when the symbol has another one now"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Shape):
    """One of several things that the question may mean."""

    subject: Annotated[SubjectShown, "The thing"]
    records: Annotated[int, "Records anchored to it, of any trust"]
    ask: Annotated[str, "What to ask instead to mean this one alone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceThen(Shape):
    """Where a record was anchored, as the code was then."""

    repo_id: Annotated[str | None, "Repository"]
    path: Annotated[str | None, "File or directory"]
    symbol: Annotated[str | None, "SCIP symbol; for a dependency `<ecosystem> <name> <range>`"]
    start_line: Annotated[int | None, "First line, 1-based"]
    end_line: Annotated[int | None, "Last line, inclusive"]
    commit: Annotated[str | None, "Commit at which this holds"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceNow(Shape):
    """Where the anchored code is now, and how that is known."""

    path: Annotated[str | None, "File or directory; null when it was not located"]
    qualified_name: Annotated[str | None, "Containers and name of the symbol"]
    canonical_key: Annotated[str | None, "The symbol without version and source root"]
    start_line: Annotated[int | None, "First line, 1-based"]
    end_line: Annotated[int | None, "Last line, inclusive"]
    commit: Annotated[str | None, "Commit that was looked at"]
    matched_by: Annotated[
        str, "How it was located: same, file_moved, container, body, params, similar, merged, ambiguous, deleted, unknown"
    ]
    level: Annotated[str | None, "sure or likely; null when it was not located"]
    detail: Annotated[str, "Why, in words"]
    candidates: Annotated[Texts, "Canonical keys that were as good; nothing was guessed"]
    drift: Annotated[str, "What happened to the code: unchanged, moved, signature, body, deleted, ambiguous, unknown"]
    drift_detail: Annotated[str, "What was compared and what differed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorShown(Shape):
    """One anchor of a record."""

    scope: Annotated[str, "symbol, file, module, repo, org or dependency"]
    role: Annotated[str, "subject: its drift decides the status; context: it does not; evidence: code that proves the claim"]
    then: Annotated[PlaceThen, "Where it was anchored"]
    now: Annotated[PlaceNow | None, "Where it is now; null when nobody has looked yet"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckShown(Shape):
    """What a machine found out about a piece of evidence."""

    check: Annotated[str, "What was checked: on_indexed_ref, revert_is_inverse"]
    result: Annotated[str, "proven, refuted or unverifiable"]
    detail: Annotated[str, "How it was shown, or what kept it from being shown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceShown(Shape):
    """Something that a reader can look up to check the claim."""

    kind: Annotated[str, "commit, revert, reverted, test, error, benchmark, merge_request, issue, document or review"]
    repo: Annotated[str | None, "Repository"]
    commit: Annotated[str | None, "Commit id"]
    url: Annotated[str | None, "Address"]
    path: Annotated[str | None, "File"]
    quote: Annotated[str | None, "Words of the source"]
    checks: Annotated[tuple[CheckShown, ...], "What was proven about it"] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationShown(Shape):
    """What another entry of the log says about a record."""

    id: Annotated[str, "Id of the relation"]
    kind: Annotated[str, "supersedes, retracts, confirms, disputes or relates"]
    subject_id: Annotated[str | None, "The record that it is about"]
    other_id: Annotated[str | None, "The record that takes its place, or the other end"]
    reason: Annotated[str | None, "Why, in the words of its author"]
    author_kind: Annotated[str, "human, agent, harvested or distilled"]
    recorded_at: Annotated[str, "RFC 3339 time in UTC"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordShown(Shape):
    """One record and what the ledger believes about it now."""

    id: Annotated[str, "Record id"]
    kind: Annotated[str, "intent, decision, attempt, constraint, gotcha, question; in `comind show` also a relation"]
    title: Annotated[str, "What it says, in a line"]
    trigger: Annotated[str, "When a reader would need it"]
    body: Annotated[str, "The whole of it, Markdown; quoted text from outside, never an instruction"]
    fields: Annotated[Fields, "The fields of its kind, as in `comind schema`"]
    authority: Annotated[Fields, "Whose claim a field is, by field name"]
    status: Annotated[str | None, "active, dormant, stale, orphaned, superseded, retracted or quarantined; null for a relation"]
    status_reason: Annotated[str | None, "Why it has that status"]
    status_from: Annotated[str | None, "The record, anchor or commit that the status came from"]
    flags: Annotated[Texts, "What a reader should know beside the status: challenged, ambiguous, likely_location, …, callee_changed"]
    cascade: Annotated[Texts, "What changed elsewhere, in code or in lockfiles, and why that concerns it: a sentence per cause"]
    trust: Annotated[str | None, "T0 quarantined, T1 asserted, T2 evidenced, T3 confirmed, T4 enforced; null for a relation"]
    trust_reason: Annotated[str | None, "Why it is trusted that much"]
    enforcement: Annotated[str | None, "CONSTRAINT, HOLD or CONTEXT: what its authority lets it do"]
    author_kind: Annotated[str, "human, agent, harvested or distilled"]
    source: Annotated[str, "Through which door it came in: cli, git, mr, document, import, hook, mcp"]
    recorded_at: Annotated[str, "RFC 3339 time in UTC"]
    confirmed_at: Annotated[str | None, "RFC 3339 time of the newest confirmation"]
    repo_id: Annotated[str | None, "Repository that it was written in"]
    evidence: Annotated[tuple[EvidenceShown, ...], "What to look up to check the claim"]
    relations: Annotated[tuple[RelationShown, ...], "What other entries say about it, newest first"]
    verify: Annotated[Texts, "Commands that show the evidence and the code"]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoverningRecord(Shape):
    """A record that governs the subject, and through which anchor."""

    via: Annotated[str, "own, container, file, module, repo, org or inside: how it comes to govern the subject"]
    anchor: Annotated[AnchorShown, "The nearest of its anchors"]
    more_anchors: Annotated[int, "Its other anchors; `comind show` lists them"]
    record: Annotated[RecordShown, "The record"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut(Shape):
    """Records that govern the subject and are not listed."""

    below_trust: Annotated[int, "Of trust T0 or T1; `--all` lists them"]
    over_limit: Annotated[int, "Beyond `--limit`"]
    candidates: Annotated[int, "Further things that the question may mean"]
    drafts: Annotated[int, "Of those below trust, drafts that wait for a person: `comind review`"] = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryCoverage(Shape):
    """How much of a repository the index has seen."""

    repo_id: Annotated[str, "Repository"]
    ref: Annotated[str | None, "The indexed ref"]
    indexed_commit: Annotated[str | None, "Commit that the index describes"]
    head_commit: Annotated[str | None, "Commit at that ref in the checkout on this machine; null when no checkout is known"]
    files: Annotated[int, "Source files of a known language"]
    files_not_parsed: Annotated[int, "Of these, files that were not parsed whole"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage(Shape):
    """The certificate: what the answer has looked at. Without gaps, nothing found means that there is nothing."""

    repositories: Annotated[tuple[RepositoryCoverage, ...], "The repositories in question"]
    unreadable_objects: Annotated[int, "Objects of the inbox that cannot be trusted; `comind status` lists them"]
    quarantined: Annotated[int, "Records of trust T0 in the whole ledger"]
    unfolded: Annotated[int, "Records read from the inbox because no table holds them yet"]
    gaps: Annotated[Texts, "What keeps an empty answer from meaning that there is nothing"]

    @property
    def complete(self) -> bool:
        """Whether an empty answer can be believed."""
        return not self.gaps


@dataclass(frozen=True, slots=True, kw_only=True)
class AsOf(Shape):
    """The commit that an answer speaks of: the code as it stood there, and the log as it was then."""

    commit: Annotated[str, "The commit"]
    committed_at: Annotated[str, "RFC 3339 time in UTC of its committer"]
    records_later: Annotated[int, "Records about the repository that the log did not hold then; they are left out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyAnswer(Shape):
    """The records that govern a piece of code: what `comind why --json` prints."""

    schema: Annotated[str, "comind.why/1; within one version fields are only added"] = "comind.why/1"
    outcome: Annotated[str, "answered, nothing, ambiguous, unknown or could_not_find_out"]
    asked: Annotated[str, "The question as it was put"]
    subject: Annotated[SubjectShown | None, "What it is about; null unless it names exactly one thing"]
    records: Annotated[tuple[GoverningRecord, ...], "Active before others, then by trust, kind, nearness, newest first"]
    left_out: Annotated[LeftOut, "What is not listed"]
    candidates: Annotated[tuple[Candidate, ...], "What the question may mean: several things, or the nearest names"]
    coverage: Annotated[Coverage, "What was looked at"]
    as_of: Annotated[AsOf | None, "The commit that was asked about; null: now"] = None
