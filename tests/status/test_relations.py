from datetime import timedelta

import pytest

from comind.status.derive import fold_log
from comind.status.policy import Policy
from comind.status.relations import fold_relations
from comind.status.subjects import subject_identities
from tests.builders import records as build
from tests.builders.code_tables import code, folded, replace
from tests.builders.records import v7
from tests.builders.staleness import CHECKED, MACHINE, believed, checks, tables_of

PERSON = {"author_kind": "human", "source": "cli"}
A, B, C, D = (v7(number) for number in range(1, 5))


def _reason(record_id, author=PERSON, **overrides):
    return build.constraint(id=record_id, provenance=author, **overrides)


def _elsewhere(record_id, author=PERSON):
    other = "comind pypi service 1.0 billing/charge()."
    return _reason(record_id, author, anchors=[build.raw_anchor(symbol=other, path="billing/charge.py")])


def _relation(kind, number, *cited, author=PERSON, lamport=1, **overrides):
    made = {"supersedes": build.supersedes, "retracts": build.retracts, "confirms": build.confirms, "disputes": build.disputes}[kind]
    return made(*cited, id=v7(100 + number), provenance=author, lamport=lamport, **overrides)


def _fold(*several, policy=None, quarantined=()):
    log, anchors, locations, _ = tables_of(several)
    gone = log.filter(log["id"].is_in(list(quarantined))).select("id")
    return fold_relations(log, subject_identities(anchors, locations), gone, policy=policy or Policy())


def _effects(*several, **options):
    return _fold(*several, **options).effects.select("record_id", "effect", "by").rows()


def _ignored(*several, **options):
    return dict(_fold(*several, **options).ignored.rows())


def _status(*several, **options):
    return {record_id: row["status"] for record_id, row in believed(*several, **options).items()}


# what a relation needs


def test_a_relation_about_a_record_that_is_not_there_does_nothing_and_says_so():
    assert _effects(_reason(A), _relation("retracts", 1, B)) == []
    assert _ignored(_reason(A), _relation("retracts", 1, B)) == {v7(101): f"the ledger does not hold {B}"}


def test_a_supersession_by_a_record_that_is_not_there_keeps_the_old_one():
    assert _status(_reason(A), _relation("supersedes", 1, A, B)) == {A: "active"}
    assert _ignored(_reason(A), _relation("supersedes", 1, A, B)) == {v7(101): f"the ledger does not hold {B}"}


@pytest.mark.parametrize("cited", [(A, A), (v7(101), A), (A, v7(101))])
def test_a_supersession_that_names_one_record_twice_or_itself_does_nothing(cited):
    relation = _relation("supersedes", 1, *cited)
    assert _status(_reason(A), relation) == {A: "active"}
    assert v7(101) in _ignored(_reason(A), relation)


def test_a_retraction_of_itself_does_nothing():
    assert _ignored(_relation("retracts", 1, v7(101))) == {v7(101): "it names one record twice, or itself"}


@pytest.mark.parametrize("kind", ["confirms", "disputes"])
def test_only_a_retraction_may_be_about_a_relation(kind):
    several = [_reason(A), _relation("retracts", 1, A), _relation(kind, 2, v7(101))]
    assert _ignored(*several) == {v7(102): "it is about a relation"}
    assert _status(*several) == {A: "retracted"}


def test_a_relation_between_records_that_only_belong_together_has_no_effect_and_is_not_reported():
    assert _effects(_reason(A), _reason(B), build.relates(A, B, id=v7(101))) == []
    assert _ignored(_reason(A), _reason(B), build.relates(A, B, id=v7(101))) == {}


# retractions


def test_a_person_retracts_any_record():
    assert _status(_reason(A), _reason(B, MACHINE), _relation("retracts", 1, A), _relation("retracts", 2, B)) == {
        A: "retracted",
        B: "retracted",
    }


def test_a_machine_retracts_a_machine_s_record():
    row = believed(_reason(A, MACHINE), _relation("retracts", 1, A, author=MACHINE))[A]
    assert (row["status"], row["status_rule"], row["where_from"]) == ("retracted", "retracted_by_record", f"record {v7(101)}")


@pytest.mark.parametrize("author_kind", ["agent", "harvested", "distilled"])
def test_a_machine_s_retraction_of_a_person_s_record_is_a_challenge_that_waits_for_a_person(author_kind):
    author = build.harvested().provenance.model_dump(mode="json", exclude_none=True) if author_kind != "agent" else MACHINE
    relation = _relation("retracts", 1, A, author=author | {"author_kind": author_kind})
    row = believed(_reason(A), relation)[A]
    assert (row["status"], row["flags"]) == ("active", ["challenged"])
    assert row["status_reason"].endswith(f"; challenged by {v7(101)}, a person has to decide")


def test_a_machine_s_record_that_a_person_confirmed_is_protected_from_machines():
    several = [_reason(A, MACHINE), _relation("confirms", 1, A), _relation("retracts", 2, A, author=MACHINE)]
    assert believed(*several)[A]["flags"] == ["challenged"]
    assert believed(*several, _relation("retracts", 3, A))[A]["status"] == "retracted"


def test_a_machine_s_confirmation_protects_from_nothing():
    several = [_reason(A, MACHINE), _relation("confirms", 1, A, author=MACHINE), _relation("retracts", 2, A, author=MACHINE)]
    assert _status(*several) == {A: "retracted"}


@pytest.mark.parametrize("policy", [Policy(trust_store_writers=False), Policy(require_signatures=True)])
def test_who_is_not_taken_for_a_person_retires_no_record_that_claims_to_be_a_person_s(policy):
    assert _status(_reason(A), _relation("retracts", 1, A), policy=policy) == {A: "active"}
    assert _status(_reason(A, MACHINE), _relation("retracts", 1, A), policy=policy) == {A: "retracted"}


def test_a_person_speaks_at_the_command_line_and_not_through_an_agent_s_tools():
    assert believed(_reason(A), _relation("retracts", 1, A, author=PERSON | {"source": "mcp"}))[A]["flags"] == ["challenged"]


# retracted relations


def test_a_retracted_retraction_gives_the_record_back():
    several = [_reason(A), _relation("retracts", 1, A), _relation("retracts", 2, v7(101), lamport=2)]
    assert _status(*several) == {A: "active"}
    assert _ignored(*several) == {v7(101): f"{v7(102)} retracted it"}


def test_a_retracted_supersession_gives_the_old_record_back():
    several = [_reason(A), _reason(B), _relation("supersedes", 1, A, B), _relation("retracts", 2, v7(101), lamport=2)]
    assert _status(*several) == {A: "active", B: "active"}


def test_retracting_the_retraction_of_a_retraction_retracts_again():
    several = [_reason(A), _relation("retracts", 1, A), *(_relation("retracts", n, v7(99 + n), lamport=n) for n in (2, 3))]
    assert _status(*several) == {A: "retracted"}


def test_a_retracted_confirmation_confirms_nothing():
    several = [_reason(A, MACHINE), _relation("confirms", 1, A), _relation("retracts", 2, v7(101), lamport=2)]
    assert believed(*several)[A]["trust"] == "T1"


def test_a_machine_cannot_take_back_a_person_s_relation():
    several = [_reason(A), _relation("retracts", 1, A), _relation("retracts", 2, v7(101), author=MACHINE, lamport=2)]
    assert _status(*several) == {A: "retracted"}
    assert _ignored(*several) == {v7(102): "a machine cannot take back a person's relation"}


def test_retractions_that_retract_each_other_leave_the_latest():
    several = [_relation("retracts", 1, v7(102), lamport=5), _relation("retracts", 2, v7(101), lamport=4)]
    assert _ignored(*several) == {v7(102): f"{v7(101)} retracted it"}


# supersessions


def test_a_record_with_a_subject_in_common_takes_the_other_s_place():
    row = believed(_reason(A), _reason(B), _relation("supersedes", 1, A, B))[A]
    assert (row["status"], row["status_rule"], row["where_from"]) == ("superseded", "superseded_by_record", f"record {v7(101)}")
    assert row["status_reason"] == f"{B} took its place, says {v7(101)}"


def test_records_without_a_subject_in_common_need_a_person_s_override():
    several = [_reason(A), _elsewhere(B)]
    assert _status(*several, _relation("supersedes", 1, A, B))[A] == "active"
    assert _ignored(*several, _relation("supersedes", 1, A, B)) == {
        v7(101): "the two records share no subject anchor, and no person overrides that"
    }
    override = {"fields": {"override": True}}
    assert _status(*several, _relation("supersedes", 1, A, B, **override))[A] == "superseded"


def test_a_machine_cannot_override():
    several = [_reason(A, MACHINE), _elsewhere(B, MACHINE)]
    assert _status(*several, _relation("supersedes", 1, A, B, author=MACHINE, fields={"override": True}))[A] == "active"


def test_a_context_anchor_is_nothing_in_common():
    context = build.raw_anchor(role="context")
    other = build.raw_anchor(symbol="comind pypi service 1.0 billing/charge().", path="billing/charge.py")
    several = [_reason(A), _reason(B, anchors=[other, context])]
    assert _status(*several, _relation("supersedes", 1, A, B))[A] == "active"


def test_records_anchored_before_and_after_a_move_have_a_subject_in_common():
    moved = replace(CHECKED, path="auth/check.py", module="auth", body="x")
    anchored_after = build.raw_anchor(symbol=moved.symbol, path="auth/check.py", commit="d" * 40)
    several = [_reason(A), _reason(B, anchors=[anchored_after]), _relation("supersedes", 1, A, B)]
    renames = {(build.REPO, build.COMMIT): {"authz/check.py": "auth/check.py"}}
    now = code(moved, repo=build.REPO)
    assert _status(*several, now=now)[A] == "active"  # without a location after the move, nothing shows that they meet
    assert _status(*several, now=now, renames=renames)[A] == "superseded"


def test_a_machine_s_supersession_of_a_person_s_record_is_a_challenge():
    row = believed(_reason(A), _reason(B, MACHINE), _relation("supersedes", 1, A, B, author=MACHINE))[A]
    assert (row["status"], row["flags"]) == ("active", ["challenged"])


def test_a_machine_supersedes_a_machine_s_record():
    assert _status(_reason(A, MACHINE), _reason(B, MACHINE), _relation("supersedes", 1, A, B, author=MACHINE))[A] == "superseded"


def test_a_retracted_successor_gives_back_what_it_replaced():
    several = [_reason(A), _reason(B), _relation("supersedes", 1, A, B), _relation("retracts", 2, B)]
    assert _status(*several) == {A: "active", B: "retracted"}
    assert _ignored(*several) == {v7(101): f"its successor {B} is retracted or quarantined"}


def test_a_quarantined_successor_replaces_nothing():
    poisoned = _reason(B, MACHINE | {"quarantine": "hidden_bidi"})
    assert _status(_reason(A, MACHINE), poisoned, _relation("supersedes", 1, A, B, author=MACHINE)) == {A: "active", B: "quarantined"}
    refuted = checks((B, "revert_is_inverse", "refuted"))
    assert (
        _status(_reason(A, MACHINE), _reason(B, MACHINE), _relation("supersedes", 1, A, B, author=MACHINE), checked=refuted)[A] == "active"
    )


def test_a_superseded_successor_still_replaces():
    several = [_reason(A), _reason(B), _reason(C), _relation("supersedes", 1, A, B), _relation("supersedes", 2, B, C)]
    assert _status(*several) == {A: "superseded", B: "superseded", C: "active"}


def test_of_two_supersessions_the_latest_is_named():
    several = [_reason(A), _reason(B), _reason(C), _relation("supersedes", 1, A, B, lamport=9), _relation("supersedes", 2, A, C, lamport=3)]
    assert believed(*several)[A]["status_reason"] == f"{B} took its place, says {v7(101)}"


def test_of_supersessions_in_a_circle_the_latest_hold():
    several = [_reason(record) for record in (A, B, C)]
    circle = [_relation("supersedes", n, old, new, lamport=n) for n, (old, new) in enumerate([(A, B), (B, C), (C, A)], start=1)]
    assert _status(*several, *circle) == {A: "active", B: "superseded", C: "superseded"}
    assert _ignored(*several, *circle) == {v7(101): "a later supersession goes the other way"}


def test_going_back_to_the_first_decision_is_no_circle_that_retires_both():
    several = [_reason(A), _reason(B), _relation("supersedes", 1, A, B, lamport=1), _relation("supersedes", 2, B, A, lamport=2)]
    assert _status(*several) == {A: "active", B: "superseded"}


def test_a_challenge_closes_no_circle():
    several = [
        _reason(A),
        _reason(B, MACHINE),
        _relation("supersedes", 1, B, A),
        _relation("supersedes", 2, A, B, author=MACHINE, lamport=2),
    ]
    rows = believed(*several)
    assert (rows[A]["status"], rows[A]["flags"], rows[B]["status"]) == ("active", ["challenged"], "superseded")


def test_a_circle_is_opened_for_itself_and_what_leads_into_it_stays_superseded():
    several = [_reason(record) for record in (A, B, C, D)]
    edges = [(A, B), (B, A), (C, A), (D, C)]
    relations = [_relation("supersedes", n, *edge, lamport=n) for n, edge in enumerate(edges, start=1)]
    assert _status(*several, *relations) == {A: "active", B: "superseded", C: "superseded", D: "superseded"}


# confirmations and disputes


def test_a_dispute_is_a_challenge_whoever_disputes():
    for author in (PERSON, MACHINE):
        assert believed(_reason(A), _relation("disputes", 1, A, author=author))[A]["flags"] == ["challenged"]


def test_a_confirmation_says_when_and_a_person_s_raises_trust():
    when = timedelta(days=3)
    confirmation = build.confirms(A, id=v7(101, ms=build.WHEN_MS + when // timedelta(milliseconds=1)), provenance=PERSON)
    row = believed(_reason(A, MACHINE), confirmation)[A]
    assert (row["confirmed_at"] - row["recorded_at"], row["trust"]) == (when, "T3")
    assert row["trust_reason"] == "a person confirmed it at 4f1c2a000000"


def test_relations_are_no_rows_of_what_is_believed():
    assert set(believed(_reason(A), _relation("retracts", 1, A))) == {A}


def test_a_log_without_relations_folds_to_nothing():
    assert _fold(_reason(A)).effects.is_empty()
    assert fold_relations(folded(), subject_identities(*tables_of([])[1:3]), folded().select("id"), policy=Policy()).ignored.is_empty()


def test_a_long_chain_of_supersessions_is_cheap():
    chain = [_reason(v7(n)) for n in range(1000, 1300)]
    links = [_relation("supersedes", n, v7(n), v7(n + 1), lamport=n) for n in range(1000, 1299)]
    status = _status(*chain, *links)
    assert [status[v7(n)] for n in (1000, 1298, 1299)] == ["superseded", "superseded", "active"]


def test_a_relation_whose_text_would_be_quarantined_does_nothing():
    several = [_reason(A), _relation("retracts", 1, A, fields={"reason": "It\u202e holds"})]
    assert _status(*several) == {A: "active"}
    log, anchors, locations, _ = tables_of(several)
    assert fold_log(log, anchors, locations, checks(), policy=Policy()).ignored.rows() == [(v7(101), "it is quarantined for hidden_bidi")]
