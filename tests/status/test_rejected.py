from comind.records.codec import decode
from comind.status.derive import fold_log
from comind.status.policy import Policy
from comind.status.rejected import rejected_records
from tests.builders import records as build
from tests.builders.records import v7
from tests.builders.staleness import MACHINE, checks, tables_of

A, B = v7(1), v7(2)
DRAFT = build.constraint(id=A, provenance=MACHINE)


def _rejected(*several, policy=None):
    log, anchors, locations, _ = tables_of(several)
    fold = fold_log(log, anchors, locations, checks(), policy=policy or Policy())
    return rejected_records(fold, log)


def test_a_draft_that_a_person_retracted_is_listed_whole_with_the_reason():
    row = _rejected(DRAFT, build.retracts(A, id=v7(9), fields={"reason": "Nobody measured it"})).row(0, named=True)
    assert (row["id"], row["rejected_by"], row["reason"], row["kind"], row["title"]) == (
        A,
        v7(9),
        "Nobody measured it",
        "constraint",
        DRAFT.title,
    )
    assert decode(row["record"].encode()) == DRAFT


def test_a_rejection_that_was_taken_back_rejects_nothing_and_one_that_was_given_again_does():
    reject, back = build.retracts(A, id=v7(9)), build.retracts(v7(9), id=v7(10), lamport=2)
    assert _rejected(DRAFT, reject, back).is_empty()
    assert _rejected(DRAFT, reject, back, build.retracts(A, id=v7(11)))["rejected_by"].to_list() == [v7(11)]


def test_only_a_person_rejects_and_only_what_a_machine_wrote():
    assert _rejected(DRAFT, build.retracts(A, id=v7(9), provenance=MACHINE)).is_empty()
    assert _rejected(build.constraint(id=A), build.retracts(A, id=v7(9))).is_empty()
    assert _rejected(DRAFT, build.retracts(A, id=v7(9)), policy=Policy(require_signatures=True)).is_empty()


def test_a_later_retraction_by_a_machine_does_not_hide_a_persons_rejection():
    by_person, by_machine = build.retracts(A, id=v7(9)), build.retracts(A, id=v7(10), lamport=5, provenance=MACHINE)
    assert _rejected(DRAFT, by_person, by_machine)["rejected_by"].to_list() == [v7(9)]
