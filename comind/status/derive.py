"""What the ledger believes about every record now, and why: the status as an ordered table.

In: records, anchors, locations, drift, evidence checks, a policy, a moment. Out: `ledger_current`.
A total pure function: same inputs, same bytes, whatever the order of the rows. Never stores anything, never reads a clock.

The first row of `STATUS_TABLE` whose condition holds gives a record its status, the reason in words, and where it came from. What is
not known is never held against a record: a subject that could not be followed or compared is a flag, not a status.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.cases import ALWAYS, Case, decide, words
from comind.anchors.frames import conform, schema_of
from comind.records.vocabulary import Enforcement, Kind, RelationKind
from comind.status.claims import with_trust_claims
from comind.status.decay import with_decay
from comind.status.relations import RelationFold, fold_relations
from comind.status.subjects import subject_identities, sum_up_subjects
from comind.status.trust import IS_QUARANTINED, judge_trust, sum_up_checks, with_enforcement
from comind.status.vocabulary import Effect, Flag, Status, Trust

if TYPE_CHECKING:
    from datetime import datetime

    from comind.status.policy import Policy

__all__ = ["FLAGS", "STATUS_TABLE", "StatusRow", "derive_current", "fold_log"]


@dataclass(frozen=True, slots=True)
class StatusRow:
    """One row of the status table."""

    rule: str  # what `status_rule` calls it
    status: Status
    when: pl.Expr  # over the columns that `derive_current` gathers
    reason: str  # a sentence of `words`
    where_from: str  # the same, naming the record, anchor or commit

    def case(self) -> Case:
        """Return the row as a case of a decision."""
        said = {"status_reason": words(self.reason), "where_from": words(self.where_from)}
        return Case(self.when, {"status": pl.lit(str(self.status)), "status_rule": pl.lit(self.rule)} | said)


STATUS_TABLE: tuple[StatusRow, ...] = (
    StatusRow("trust_is_t0", Status.QUARANTINED, pl.col("trust") == Trust.QUARANTINED, "{trust_reason}", "record {id}"),
    StatusRow(
        "retracted_by_record", Status.RETRACTED, pl.col("retracted_by").is_not_null(),
        "retracted by {retracted_by}", "record {retracted_by}",
    ),
    StatusRow(
        "superseded_by_record", Status.SUPERSEDED, pl.col("superseded_by").is_not_null(),
        "{superseded_other} took its place, says {superseded_by}", "record {superseded_by}",
    ),
    StatusRow(
        "every_subject_deleted", Status.ORPHANED, (pl.col("n_deleted") > 0) & (pl.col("n_deleted") == pl.col("n_subjects")),
        "all its {n_subjects} subjects are gone; {deleted_name}: {deleted_detail}", "anchor {deleted_anchor} at commit {deleted_commit}",
    ),
    StatusRow(
        "subject_body_changed", Status.STALE, pl.col("changed_anchor").is_not_null() & ~pl.col("confirmed_at_head"),
        "{changed_name} changed since {changed_since:12}: {changed_detail}", "anchor {changed_anchor} at commit {changed_commit}",
    ),
    StatusRow(
        "no_sign_of_life", Status.DORMANT, pl.col("is_dormant"),
        "neither written nor confirmed since {last_day}, and no machine has proven its evidence", "record {last_sign_by}",
    ),
    StatusRow(
        "confirmed_since_change", Status.ACTIVE, pl.col("changed_anchor").is_not_null(),
        "{changed_name} changed since {changed_since:12}, and a person confirmed the record at the very commit that was looked at",
        "record {person_confirmed_by}",
    ),
    StatusRow(
        "subject_not_located", Status.ACTIVE, pl.col("n_subjects").is_null(),
        "its anchors are not looked at yet, so nothing is known against it", "record {id}",
    ),
    StatusRow(
        "subject_not_known", Status.ACTIVE, (pl.col("n_unknown") + pl.col("n_ambiguous") + pl.col("n_uncompared")) > 0,
        "nothing is known against it; of {n_subjects}, {n_unknown} not followed, {n_ambiguous} ambiguous, {n_uncompared} not compared",
        "record {id}",
    ),
    StatusRow(
        "subject_partly_deleted", Status.ACTIVE, pl.col("n_deleted") > 0,
        "{n_deleted} of its {n_subjects} subjects are gone; the rest stands", "anchor {deleted_anchor} at commit {deleted_commit}",
    ),
    StatusRow(
        "subject_signature_changed", Status.ACTIVE, pl.col("n_signature") > 0,
        "the bodies of its subjects are equal; {n_signature} changed in name, parameters or return type", "{looked_at}",
    ),
    StatusRow("nothing_against_it", Status.ACTIVE, ALWAYS, "its subjects are as they were anchored ({drift})", "{looked_at}"),
)  # fmt: skip
"""The statuses in the order in which they are decided; what a row names are columns."""

FLAGS: tuple[tuple[Flag, pl.Expr], ...] = (
    (Flag.CHALLENGED, pl.col("challenged_by").is_not_null()),
    (Flag.AMBIGUOUS, pl.col("n_ambiguous") > 0),
    (Flag.LIKELY_LOCATION, pl.col("n_likely") > 0),
    (Flag.UNKNOWN_LOCATION, pl.col("n_subjects").is_null() | (pl.col("n_unknown") > 0)),
    (Flag.UNKNOWN_DRIFT, pl.col("n_uncompared") > 0),
    (Flag.SIGNATURE_CHANGED, pl.col("n_signature") > 0),
    (Flag.PARTLY_DELETED, (pl.col("n_deleted") > 0) & (pl.col("n_deleted") < pl.col("n_subjects"))),
)
"""What is shown beside the status, whatever it is."""


def derive_current(  # noqa: PLR0913 - each is a table
    records: pl.DataFrame,
    anchors: pl.DataFrame,
    locations: pl.DataFrame,
    drift: pl.DataFrame,
    checks: pl.DataFrame,
    *,
    policy: Policy,
    as_of: datetime,
) -> pl.DataFrame:
    """Return what the ledger believes about every record, one row per record of the six kinds.

    Args:
        records: `ledger_records`, reasons and relations.
        anchors: `ledger_anchors`; a record without rows counts as not looked at yet.
        locations: `anchor_locations`.
        drift: `anchor_drift`.
        checks: `evidence_checks`.
        policy: whose word counts, and how long a record stays awake.
        as_of: the moment that dormancy is counted to, with a time zone.

    Returns:
        `ledger_current`, by ``id``.
    """
    checked = _checked(records, checks, policy)
    effects = _folded(checked, records, anchors, locations, policy).effects
    judged = judge_trust(_with_effects(checked, effects))
    alive = with_decay(with_enforcement(judged, policy=policy), as_of=as_of, dormant_after=policy.dormant_after)
    facts = _with_subjects(alive, sum_up_subjects(anchors, locations, drift))
    return conform(_told(decide(facts, [row.case() for row in STATUS_TABLE])), schema_of("ledger_current")).sort("id")


def fold_log(
    records: pl.DataFrame, anchors: pl.DataFrame, locations: pl.DataFrame, checks: pl.DataFrame, *, policy: Policy
) -> RelationFold:
    """Return what the relations of a log do, as `derive_current` takes it: their effects, and which do nothing and why."""
    return _folded(_checked(records, checks, policy), records, anchors, locations, policy)


def _checked(records: pl.DataFrame, checks: pl.DataFrame, policy: Policy) -> pl.DataFrame:
    reasons = with_trust_claims(records.filter(pl.col("kind").is_in([str(kind) for kind in Kind])))
    return reasons.with_columns(by_person=policy.by_person()).join(sum_up_checks(checks), on="id", how="left")


def _folded(checked: pl.DataFrame, records: pl.DataFrame, anchors: pl.DataFrame, locations: pl.DataFrame, policy: Policy) -> RelationFold:
    quarantined = checked.filter(IS_QUARANTINED).select("id")
    return fold_relations(records, _identities(records, anchors, locations), quarantined, policy=policy)


def _identities(records: pl.DataFrame, anchors: pl.DataFrame, locations: pl.DataFrame) -> pl.DataFrame:
    """Return what the subjects of superseding and superseded records are; nobody asks about the others."""
    pairs = records.filter(pl.col("kind") == RelationKind.SUPERSEDES)
    ends = pl.concat([pairs.select(record_id="subject_id"), pairs.select(record_id="successor_id")]).unique()
    return subject_identities(anchors.join(ends, on="record_id", how="semi"), locations.join(ends, on="record_id", how="semi"))


def _with_effects(reasons: pl.DataFrame, effects: pl.DataFrame) -> pl.DataFrame:
    """Add what relations did to each record: the latest of each sort, in causal order, and every commit that a person confirmed it at."""
    ordered = effects.sort("record_id", "lamport", "by")
    by_person = ordered.filter((pl.col("effect") == Effect.CONFIRMED) & pl.col("by_person"))
    added = reasons
    for effect in (Effect.RETRACTED, Effect.SUPERSEDED, Effect.CHALLENGED):
        added = added.join(_latest(ordered.filter(pl.col("effect") == effect), str(effect)), on="id", how="left")
    newest = ordered.filter(pl.col("effect") == Effect.CONFIRMED).sort("record_id", "recorded_at", "by")
    confirmed = newest.group_by(id="record_id").agg(confirmed_at=pl.col("recorded_at").last(), confirmed_by=pl.col("by").last())
    commits = by_person.group_by(id="record_id").agg(person_commits=pl.col("at_commit"))
    person = (
        _latest(by_person, "person_confirmed").rename({"person_confirmed_commit": "person_confirmed_at"}).join(commits, on="id", how="left")
    )
    return added.join(confirmed, on="id", how="left").join(person, on="id", how="left")


def _latest(effects: pl.DataFrame, word: str) -> pl.DataFrame:
    last = effects.group_by(id="record_id").agg(pl.col("by", "other_id", "at_commit").last())
    return last.rename({"by": f"{word}_by", "other_id": f"{word}_other", "at_commit": f"{word}_commit"})


def _with_subjects(reasons: pl.DataFrame, subjects: pl.DataFrame) -> pl.DataFrame:
    """Add the subjects of each record, and the columns that the sentences of `STATUS_TABLE` speak of."""
    confirmed_last = pl.col("confirmed_at") >= pl.col("recorded_at")
    # A person who read the code of one repository at its head has not read what changed in another.
    one_head = pl.col("changed_first_commit") == pl.col("changed_last_commit")
    at_head = one_head & pl.col("person_commits").list.contains(pl.col("changed_commit"))
    return (
        reasons.rename({"repo_id": "written_in"})
        .join(subjects, on="id", how="left")
        .with_columns(
            repo_id=pl.coalesce("repo_id", "written_in"),
            confirmed_at_head=at_head.fill_null(value=False),
            last_day=pl.col("last_sign").dt.strftime("%Y-%m-%d"),
            looked_at=pl.coalesce(pl.format("commit {}", "located_commit"), pl.format("record {}", "id")),
            last_sign_by=pl.when(confirmed_last).then("confirmed_by").otherwise("id"),
        )
    )


def _told(current: pl.DataFrame) -> pl.DataFrame:
    """Add what is shown beside the status; only an active record may enforce anything."""
    challenge = pl.when(pl.col("challenged_by").is_not_null()).then(words("; challenged by {challenged_by}, a person has to decide"))
    active = pl.col("status") == Status.ACTIVE
    return _flagged(current).with_columns(
        status_reason=pl.concat_str("status_reason", challenge.otherwise(pl.lit(""))),
        enforcement=pl.when(active).then("enforcement").otherwise(pl.lit(str(Enforcement.CONTEXT))),
    )


def _flagged(current: pl.DataFrame) -> pl.DataFrame:
    """Add the flags that hold; there are few combinations of them, so each list is made once."""
    bits = pl.sum_horizontal(holds.fill_null(value=False).cast(pl.Int32) * (1 << bit) for bit, (_, holds) in enumerate(FLAGS))
    combined = current.with_columns(bits=bits)
    lists = {mask: [str(flag) for bit, (flag, _) in enumerate(FLAGS) if mask >> bit & 1] for mask in combined["bits"].unique()}
    rows = pl.DataFrame(list(lists.items()), schema={"bits": pl.Int32, "flags": pl.List(pl.String)}, orient="row")
    return combined.join(rows, on="bits", how="left")
