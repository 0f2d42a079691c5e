"""Say what was tried and undone, as records: the same bytes in every clone.

In: findings, the texts and diffs they rest on, the places touched. Out: an attempt per revert, a retraction per re-land, or a refusal.
Every word comes from the commits, through `scrub`, or from a fixed template; nothing is judged and nothing depends on what came later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from comind.harvest.revert_text import adds_words, approach_of, headline, quoted_whole, reason_of, shorten, subject_of, title_of
from comind.harvest.revert_words import subject_key
from comind.harvest.wording import SHORT, anchor_of, day_of, fit, provenance_of, quoted_lines, trigger_of
from comind.ids import derived_id
from comind.records.limits import MAX_BODY_BYTES, MAX_EVIDENCE, MAX_TITLE_CHARS
from comind.records.validate import build
from comind.records.vocabulary import Authority, EvidenceKind, Kind, Outcome, RelationKind, Role, Source
from comind.safety import scrub

if TYPE_CHECKING:
    from collections.abc import Sequence

    from comind.canonical import Json
    from comind.harvest.relands import Reland
    from comind.harvest.revert_finder import RevertFinding
    from comind.harvest.touched import Touched
    from comind.records.record import AttemptRecord, RetractsRelation
    from comind.safety import Finding
    from comind.sources.git.history import CommitText
    from comind.sources.git.line_diffs import LineDiff

__all__ = ["HARVESTER_VERSION", "RevertCase", "Told", "attempt_of", "record_id_of", "retraction_of", "tell"]

HARVESTER_VERSION = "reverts/1"
_FILES_IN_BODY = 4
_MAX_SUBJECT_IN_BODY = 300
_WHOLE = 0.995
_REASON_GIVEN = "Reason given:\n"


@dataclass(frozen=True, slots=True)
class Told:
    """What commits say, scrubbed."""

    title: str  # of the attempt
    approach: str
    reason: str | None  # why it was undone
    undone_as: str | None  # subject of the revert, when it says more than every revert says
    findings: tuple[Finding, ...]  # what was taken out, or should not have been there

    @property
    def quarantine(self) -> tuple[str, ...]:
        """Codes of what no honest text has."""
        return tuple(dict.fromkeys(finding.code for finding in self.findings if finding.level.name == "QUARANTINE"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RevertCase:
    """All that is known of one revert."""

    finding: RevertFinding
    revert: CommitText
    targets: tuple[CommitText, ...]  # in the finding's order
    told: Told
    touched: Touched
    diff: LineDiff  # what the revert changed


def tell(revert: CommitText, target: CommitText, merged: CommitText | None) -> Told:
    """Read the texts of a revert and of the attempt it undid.

    Args:
        revert: the commit that undid it.
        target: the attempt.
        merged: when the attempt is a merge, the commit it merged.
    """
    said, tried = scrub(revert.message), scrub(target.message)
    title, approach = title_of(tried.text), approach_of(tried.text)
    findings = [*said.findings, *tried.findings]
    if merged is not None and title.startswith("Merge"):
        inner = scrub(merged.message)
        findings += inner.findings
        title, approach = f"{subject_of(inner.text)} ({title.removeprefix('Merge pull request ')})", approach_of(inner.text)
    subject = subject_of(said.text)
    quoted = quoted_whole(subject)
    if (
        quoted
        and merged is None
        and not quoted.startswith(("Revert", "Reapply"))
        and not subject_key(title).startswith(subject_key(quoted))
    ):
        title, approach = quoted, f"{quoted.rstrip('.')}. {approach}"  # the target has another subject, which says less as a rule
    reason = reason_of(said.text, title=title)
    told = reason is not None and reason.split("\n", 1)[0] in subject
    says_more = not quoted and not told and adds_words(subject, title)
    return Told(title, approach, reason, shorten(subject, _MAX_SUBJECT_IN_BODY) if says_more else None, tuple(findings))


def record_id_of(finding: RevertFinding) -> str:
    """Return the id of the attempt that a finding tells of: of its commits and these rules, of no clone."""
    return derived_id("revert", HARVESTER_VERSION, finding.commit, *sorted(target.commit for target in finding.targets))


def attempt_of(case: RevertCase, *, repo_id: str) -> AttemptRecord:
    """Make the record of an attempt that was undone.

    Raises:
        RecordInvalidError: with every rule the record breaks.
    """
    finding, told, more = case.finding, case.told, _and_more(case.targets)
    title = headline(told.title, MAX_TITLE_CHARS - len("Partly reverted: ") - len(more))
    # The facts are read off the commits; what a commit gives as its reason, and when all this matters, is not.
    inferred: list[Json] = ["trigger", "body"] if told.reason else ["trigger"]
    raw: dict[str, Json] = {
        "schema": 1,
        "id": record_id_of(finding),
        "lamport": 0,
        "kind": Kind.ATTEMPT,
        "title": f"{'Partly reverted' if finding.partial else 'Reverted'}: {title}{more}",
        "trigger": trigger_of(case.touched.places, told.title, or_else="trying again"),
        "body": _body(case),
        "anchors": [anchor_of(place, repo_id) for place in case.touched.places],
        "evidence": _evidence(finding, told, repo_id),
        "fields": {"approach": told.approach, "outcome": Outcome.REVERTED},
        "provenance": _provenance(case.revert.time, repo_id),
        "valid_from": finding.commit,
        "authority": {str(field): Authority.AGENT_INFERENCE for field in inferred},
    }
    return cast("AttemptRecord", build(raw))


def retraction_of(finding: RevertFinding, reland: Reland, text: CommitText, *, repo_id: str) -> RetractsRelation:
    """Make the relation which says that an attempt came back, so that its record is no dead end any more."""
    record_id = record_id_of(finding)
    subject = shorten(subject_of(scrub(text.message).text), MAX_TITLE_CHARS)
    raw: dict[str, Json] = {
        "schema": 1,
        "id": derived_id("reland", HARVESTER_VERSION, record_id, reland.commit),
        "lamport": 0,
        "kind": RelationKind.RETRACTS,
        "fields": {
            "id": record_id,
            "reason": f"Re-landed in {reland.commit[:SHORT]} ({day_of(text.time)}): {subject} [{reland.dice:.0%} of the lines agree]",
        },
        "evidence": [{"kind": EvidenceKind.COMMIT, "repo": repo_id, "commit": reland.commit}],
        "provenance": _provenance(text.time, repo_id),
    }
    return cast("RetractsRelation", build(raw))


def _body(case: RevertCase) -> str:
    revert, first, told = case.revert, case.targets[0], case.told
    facts = [
        *(
            f"Tried in `{target.id[:SHORT]}` ({day_of(target.time)}){_title_of_further(n, target)}."
            for n, target in enumerate(case.targets)
        ),
        f"Undone in `{revert.id[:SHORT]}` ({day_of(revert.time)}, {_later(first, revert)}), {_how_far(case.finding)}.",
        *([f"That commit says: {told.undone_as}"] if told.undone_as else []),
    ]
    where = [f"Touched: {_files(case.diff)}.", *_capped(case.touched)]
    check = f"Check: compare `git show {revert.id[:SHORT]}` with `git show {first.id[:SHORT]}`."
    fixed = ["\n".join(facts), "\n".join(where), check]
    if told.reason:
        room = MAX_BODY_BYTES - len("\n\n".join((*fixed, _REASON_GIVEN)).encode())
        fixed.insert(1, _REASON_GIVEN + fit(quoted_lines(told.reason), room))
    return scrub(fit("\n\n".join(fixed), MAX_BODY_BYTES)).text


def _title_of_further(position: int, target: CommitText) -> str:
    return f": {headline(title_of(scrub(target.message).text), MAX_TITLE_CHARS)}" if position else ""


def _how_far(finding: RevertFinding) -> str:
    target = finding.targets[0].inverse
    if finding.partial:
        return f"in part: {target.cover_target:.0%} of its lines"
    if len(finding.targets) > 1:
        return "together"
    if target.cover_target >= _WHOLE:
        return "wholly" if target.cover_revert >= _WHOLE else f"wholly, among other changes ({target.cover_revert:.0%} of that commit)"
    return f"{target.cover_target:.0%} of its lines"


def _later(target: CommitText, revert: CommitText) -> str:
    days = (revert.time - target.time) // 86_400
    if days < 1:
        return "within a day"
    return "a day later" if days == 1 else f"{days:,} days later"


def _files(diff: LineDiff) -> str:
    lines = sorted(diff.lines_by_path.items(), key=lambda item: (-item[1], item[0]))
    named = [f"`{path}` ({count} line{'s' * (count != 1)})" for path, count in lines[:_FILES_IN_BODY]]
    more = len(lines) - len(named)
    return ", ".join(named) + (f" and {more} more file{'s' * (more != 1)}" if more else "")


def _capped(touched: Touched) -> list[str]:
    kept = sum(place.role is Role.SUBJECT for place in touched.places)
    return [f"Anchored to the {kept} of {touched.subjects_in_all} places that changed most."] if kept < touched.subjects_in_all else []


def _evidence(finding: RevertFinding, told: Told, repo_id: str) -> list[Json]:
    revert: dict[str, Json] = {"kind": EvidenceKind.REVERT, "repo": repo_id, "commit": finding.commit}
    if told.reason:
        revert["quote"] = told.reason
    evidence: list[Json] = [revert]
    evidence.extend({"kind": EvidenceKind.REVERTED, "repo": repo_id, "commit": target.commit} for target in finding.targets)
    return evidence[:MAX_EVIDENCE]


def _provenance(time: int, repo_id: str) -> dict[str, Json]:
    return provenance_of(Source.GIT, repo_id=repo_id, harvester=HARVESTER_VERSION, time=time)


def _and_more(targets: Sequence[CommitText]) -> str:
    return f" (and {len(targets) - 1} more)" if len(targets) > 1 else ""
