"""Fold the relations of the log: which records they retire, confirm or challenge, and which relations do nothing and why.

In: rows of `ledger_records`, what the records are about, who counts as a person. Out: effects on records; relations without effect.
Total and deterministic whatever stands in the log: missing targets, relations about themselves, circles, two successors of one record.
Nothing is rewritten; causal order is (Lamport time, id), never a clock.

The rules, in the order in which they are applied:

1. A relation needs its records in the ledger, and two different ones. Only a retraction may be about another relation. A relation
   whose text would be quarantined does nothing.
2. A retracted relation does nothing, and a retracted retraction gives back what it took. Where retractions retract each other in a
   circle, the latest holds. A machine cannot take back a relation that claims to be a person's.
3. A confirmation confirms. A record that claims to be a person's, or that a person confirmed, is *backed by a person*.
4. A retraction retires its record. A machine's retraction of a record backed by a person is a challenge, and retires nothing.
5. A supersession needs two records with a subject in common, unless a person overrides that. It does nothing while its successor is
   retracted or quarantined: so to retract a bad successor is to give back what it replaced. Of supersessions that would close a
   circle the latest hold. A machine's supersession of a record backed by a person is a challenge.
6. A dispute is a challenge, whoever disputes.

Who retires must count as a person (`Policy`); who is protected need only claim to be one. In doubt nothing is lost.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from comind.anchors.cases import ALWAYS, Case, decide, words
from comind.records.vocabulary import AuthorKind, Kind, RelationKind
from comind.status.claims import with_relation_claims, with_trust_claims
from comind.status.vocabulary import Effect

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.status.policy import Policy

__all__ = ["RelationFold", "fold_relations"]

_EFFECT = ("record_id", "effect", "by", "by_person", "other_id", "at_commit", "recorded_at", "lamport")
_NOTHING = pl.lit(None, pl.String)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationFold:
    """What the relations of a log amount to."""

    effects: pl.DataFrame  # record_id, effect, by (relation), by_person, other_id (successor), at_commit, recorded_at, lamport
    ignored: pl.DataFrame  # relation_id, reason; `relates` has no effect and is not listed


def fold_relations(records: pl.DataFrame, identities: pl.DataFrame, quarantined: pl.DataFrame, *, policy: Policy) -> RelationFold:
    """Return what every relation does.

    Args:
        records: `ledger_records`, reasons and relations.
        identities: ``id``, ``identity``: what the subjects of each record are (`subject_identities`).
        quarantined: ``id`` of the records at T0.
        policy: whose word counts as a person's.
    """
    people = records.with_columns(by_person=policy.by_person())
    relations = with_relation_claims(with_trust_claims(people.filter(pl.col("kind").is_in([str(kind) for kind in RelationKind]))))
    aimed = _aimed(relations, people)
    standing = _standing(aimed)
    on_reasons = standing.filter(pl.col("refused").is_null() & pl.col("about_reason"))
    confirms = on_reasons.filter(pl.col("kind") == RelationKind.CONFIRMS)
    judged = on_reasons.join(_backed(confirms), left_on="subject_id", right_on="id", how="left").with_columns(
        weak=~pl.col("by_person") & (pl.col("target_claims_person") | pl.col("confirmed_by_person").fill_null(value=False))
    )
    retracts = judged.filter(pl.col("kind") == RelationKind.RETRACTS)
    gone = pl.concat([quarantined.select("id"), retracts.filter(~pl.col("weak")).select(id="subject_id")]).unique()
    supersedes = _supersessions(judged.filter(pl.col("kind") == RelationKind.SUPERSEDES), identities, gone)
    ignored = pl.concat([standing.select("id", "refused"), supersedes.select("id", "refused")]).drop_nulls("refused")
    return RelationFold(
        effects=_effects(confirms, retracts, supersedes, judged.filter(pl.col("kind") == RelationKind.DISPUTES)),
        ignored=ignored.select(relation_id="id", reason="refused").sort("relation_id"),
    )


def _aimed(relations: pl.DataFrame, records: pl.DataFrame) -> pl.DataFrame:
    """Add what a relation points at, and refuse it where it points at nothing it could change (rule 1)."""
    is_reason = pl.col("kind").is_in([str(kind) for kind in Kind])
    ends = records.select("id", is_reason=is_reason, claims_person=pl.col("author_kind") == AuthorKind.HUMAN)
    targets = ends.rename({"id": "subject_id", "is_reason": "about_reason", "claims_person": "target_claims_person"})
    successors = ends.select(successor_id="id", to_reason="is_reason")
    aimed = relations.join(targets, on="subject_id", how="left").join(successors, on="successor_id", how="left")
    supersedes, retracts = pl.col("kind") == RelationKind.SUPERSEDES, pl.col("kind") == RelationKind.RETRACTS
    itself = (pl.col("subject_id") == pl.col("id")) | (pl.col("subject_id") == pl.col("successor_id"))
    two_ended = supersedes | (pl.col("kind") == RelationKind.RELATES)
    cases = (
        Case(pl.col("quarantine").is_not_null(), {"refused": words("it is quarantined for {quarantine}")}),
        Case(itself, {"refused": pl.lit("it names one record twice, or itself")}),
        Case(pl.col("about_reason").is_null(), {"refused": words("the ledger does not hold {subject_id}")}),
        Case(two_ended & pl.col("to_reason").is_null(), {"refused": words("the ledger does not hold {successor_id}")}),
        Case(~retracts & ~(pl.col("about_reason") & (pl.col("to_reason") | ~two_ended)), {"refused": pl.lit("it is about a relation")}),
        Case(ALWAYS, {"refused": _NOTHING}),
    )
    return decide(aimed, cases)


def _standing(relations: pl.DataFrame) -> pl.DataFrame:
    """Refuse the relations that are retracted themselves (rule 2)."""
    about_relations = relations.filter(pl.col("refused").is_null() & (pl.col("kind") == RelationKind.RETRACTS) & ~pl.col("about_reason"))
    if about_relations.is_empty():
        return relations
    weak = about_relations.filter(pl.col("target_claims_person") & ~pl.col("by_person"))
    strong = about_relations.join(weak, on="id", how="anti").sort("lamport", "id")
    dead = _retracted(strong.select("id", "subject_id").iter_rows())
    retracted = pl.DataFrame(list(dead.items()), schema={"id": pl.String, "by": pl.String}, orient="row")
    why = [
        retracted.select("id", why=words("{by} retracted it")),
        weak.select("id", why=pl.lit("a machine cannot take back a person's relation")),
    ]
    refused = pl.concat(why).unique("id", keep="first", maintain_order=True)
    return relations.join(refused, on="id", how="left").with_columns(refused=pl.coalesce("refused", "why")).drop("why")


def _retracted(retractions: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the retracted relations, each with one standing retraction of it.

    Args:
        retractions: (retraction, the relation it retracts), earliest first.

    >>> _retracted([("b", "a"), ("c", "b")])
    {'b': 'c'}
    >>> _retracted([("a", "b"), ("b", "a")])
    {'a': 'b'}
    """
    target = dict(retractions)
    waiting: dict[str, int] = defaultdict(int)  # how many retractions of a relation are undecided
    for relation in target.values():
        waiting[relation] += 1
    stands: dict[str, bool] = {}
    dead: dict[str, str] = {}
    ready = deque(relation for relation in target if not waiting[relation])
    latest_first = iter(reversed(target))
    while True:
        while ready:
            retraction = ready.popleft()
            if retraction in stands:
                continue
            stands[retraction] = retraction not in dead
            about = target.get(retraction)
            if about is None or about in stands:
                continue
            waiting[about] -= 1
            if stands[retraction]:
                dead.setdefault(about, retraction)
                ready.append(about)
            elif not waiting[about]:
                ready.append(about)
        in_circle = next((retraction for retraction in latest_first if retraction not in stands), None)
        if in_circle is None:
            return dead
        ready.append(in_circle)


def _backed(confirms: pl.DataFrame) -> pl.DataFrame:
    confirmed = confirms.filter(pl.col("by_person")).select(id="subject_id")
    return confirmed.unique().with_columns(confirmed_by_person=ALWAYS)


def _supersessions(supersedes: pl.DataFrame, identities: pl.DataFrame, gone: pl.DataFrame) -> pl.DataFrame:
    """Refuse the supersessions that have no ground (rule 5)."""
    old = supersedes.select("id", "subject_id", "successor_id").join(identities, left_on="subject_id", right_on="id")
    shared = old.join(identities, left_on=["successor_id", "identity"], right_on=["id", "identity"], how="semi").select("id").unique()
    told = supersedes.join(shared.with_columns(shares=ALWAYS), on="id", how="left").join(
        gone.select(successor_id="id", successor_gone=ALWAYS), on="successor_id", how="left"
    )
    grounded = decide(told, (
        Case(pl.col("successor_gone"), {"refused": words("its successor {successor_id} is retracted or quarantined")}),
        Case(
            pl.col("shares").is_null() & ~(pl.col("override") & pl.col("by_person")),
            {"refused": pl.lit("the two records share no subject anchor, and no person overrides that")},
        ),
        Case(ALWAYS, {"refused": _NOTHING}),
    ))  # fmt: skip
    holds = grounded.filter(pl.col("refused").is_null() & ~pl.col("weak")).sort("lamport", "id", descending=True)
    closing = _closing(list(holds.select("id", "subject_id", "successor_id").iter_rows()))
    in_circle = pl.col("id").is_in(closing)
    return grounded.with_columns(refused=pl.when(in_circle).then(pl.lit("a later supersession goes the other way")).otherwise("refused"))


def _closing(edges: list[tuple[str, str, str]]) -> list[str]:
    """Return the supersessions that would close a circle of those before them.

    Args:
        edges: (supersession, old, new), the one that counts most first.

    >>> _closing([("latest", "b", "a"), ("earlier", "a", "b")])
    ['earlier']
    """
    newer: dict[str, list[str]] = defaultdict(list)
    closing = []
    for supersession, old, new in _knotted(edges):
        if _leads(newer, new, old):
            closing.append(supersession)
        else:
            newer[old].append(new)
    return closing


def _knotted(edges: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Leave out, over and over, what leads from a record that nothing leads to: no circle goes through it."""
    leads_to: dict[str, int] = defaultdict(int)
    from_old: dict[str, list[str]] = defaultdict(list)
    for _, old, new in edges:
        leads_to[new] += 1
        from_old[old].append(new)
    free = [old for old in from_old if not leads_to[old]]
    done = set(free)
    while free:
        for new in from_old[free.pop()]:
            leads_to[new] -= 1
            if not leads_to[new] and new in from_old and new not in done:
                done.add(new)
                free.append(new)
    return [edge for edge in edges if edge[1] not in done]


def _leads(newer: dict[str, list[str]], start: str, goal: str) -> bool:
    seen, open_ = {start}, [start]
    while open_:
        here = open_.pop()
        if here == goal:
            return True
        onward = [new for new in newer.get(here, ()) if new not in seen]
        seen.update(onward)
        open_ += onward
    return False


def _effects(confirms: pl.DataFrame, retracts: pl.DataFrame, supersedes: pl.DataFrame, disputes: pl.DataFrame) -> pl.DataFrame:
    holds = supersedes.filter(pl.col("refused").is_null())
    effects = (
        (Effect.CONFIRMED, confirms),
        (Effect.RETRACTED, retracts.filter(~pl.col("weak"))),
        (Effect.SUPERSEDED, holds.filter(~pl.col("weak"))),
        (Effect.CHALLENGED, pl.concat([rows.select(*_RELATION) for rows in (disputes, retracts.filter("weak"), holds.filter("weak"))])),
    )
    listed = [
        rows.select(*_RELATION)
        .rename({"subject_id": "record_id", "id": "by", "successor_id": "other_id"})
        .with_columns(effect=pl.lit(str(effect)))
        for effect, rows in effects
    ]
    return pl.concat([rows.select(_EFFECT) for rows in listed]).sort("record_id", "effect", "lamport", "by")


_RELATION = ("subject_id", "id", "by_person", "successor_id", "at_commit", "recorded_at", "lamport")
