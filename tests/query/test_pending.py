from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from comind.ids import new_id
from comind.query.resolve import Asked
from comind.query.why import ask_why
from comind.records.vocabulary import Kind, RelationKind
from comind.status.derive import derive_current
from comind.status.policy import Policy
from comind.store.layout import object_key
from tests.builders import records
from tests.builders.ledger import NAME

NOW = datetime.now(UTC)


def written(ledger, kind=Kind.CONSTRAINT, **more):
    return records.record_of(records.raw_reason(kind, **{"id": new_id(), "anchors": [ledger.anchor()]} | more))


def related(kind, **more):
    return records.record_of(records.raw_relation(kind, id=new_id(), **more))


def believed(ledger, record):
    [row] = ledger.view().read("ledger_current", where=f"id = '{record.id}'").iter_rows(named=True)
    return row


def why(ledger):
    return ask_why(ledger.view(), Asked(text="Cart.total"), ledger.checkouts())


def test_what_a_person_wrote_is_answered_at_once_as_t3(ledger):
    record = written(ledger)
    ledger.write(record)
    [one] = why(ledger).records
    assert (one.record.id, one.record.trust, one.record.status, one.via, one.anchor.now.drift) == (
        record.id,
        "T3",
        "active",
        "own",
        "unchanged",
    )
    assert why(ledger).coverage.unfolded == 1


def test_a_record_stays_answered_between_its_fold_and_what_is_derived_of_it(ledger):
    record = written(ledger)
    ledger.write(record).fold()
    assert [one.record.id for one in why(ledger).records] == [record.id]
    ledger.derive()
    assert [one.record.id for one in why(ledger).records] == [record.id]
    assert ledger.view().layers == {}


@pytest.mark.parametrize("stage", ["inbox", "folded", "derived"])
@pytest.mark.parametrize(
    ("kind", "column", "value"),
    [(RelationKind.RETRACTS, "status", "retracted"), (RelationKind.DISPUTES, "flags", ["challenged"])],
)
def test_a_relation_takes_effect_at_once(ledger, stage, kind, column, value):
    record = written(ledger)
    ledger.write(record).fold().derive()
    ledger.write(related(kind, fields={"id": record.id}))
    if stage != "inbox":
        ledger.fold()
    if stage == "derived":
        ledger.derive()
    if kind is RelationKind.RETRACTS:
        assert believed(ledger, record)[column] == value
    else:
        assert "challenged by" in believed(ledger, record)["status_reason"] or believed(ledger, record)[column] == value


def test_a_chain_of_relations_is_followed_to_its_end(ledger):
    old, new = written(ledger), written(ledger)
    ledger.write(old, new).fold().derive()
    supersedes = related(RelationKind.SUPERSEDES, fields={"old": old.id, "new": new.id})
    ledger.write(supersedes).fold().derive()
    assert believed(ledger, old)["status"] == "superseded"
    ledger.write(related(RelationKind.RETRACTS, fields={"id": new.id}))
    view = ledger.view()
    everything = {
        name: view.read(name) for name in ("ledger_records", "ledger_anchors", "anchor_locations", "anchor_drift", "evidence_checks")
    }
    whole = derive_current(*everything.values(), policy=Policy(), as_of=NOW).select("id", "status").sort("id")
    assert view.read("ledger_current", columns=["id", "status"]).sort("id").equals(whole)


def test_an_erased_record_is_shown_to_nobody_even_before_it_is_folded_away(ledger):
    record = written(ledger)
    ledger.write(record).fold().derive()
    ledger.location.objects().create(f"_ledger/erased/{record.id}", b"")
    view = ledger.view()
    assert view.read("ledger_records").height == view.read("ledger_current").height == 0


def test_a_damaged_object_is_counted_and_its_record_is_not_shown(ledger):
    record = written(ledger)
    ledger.location.objects().create(object_key(record.id, "0" * 64), b"{")
    answer = why(ledger)
    assert (answer.outcome, answer.coverage.unreadable_objects, answer.records) == ("could_not_find_out", 1, ())
    assert "1 object in the inbox cannot be read" in answer.coverage.gaps[0]


def test_a_record_of_another_commit_is_shown_where_the_index_has_its_name(ledger):
    record = written(ledger, anchors=[ledger.anchor(commit="c" * 40)])
    ledger.write(record)
    [one] = why(ledger).records
    assert (one.anchor.now.matched_by, one.anchor.now.drift, one.record.flags) == ("same", "unknown", ("unknown_drift",))


@pytest.mark.parametrize(
    ("anchor", "subject"),
    [
        ({"scope": "file", "path": "shop/cart.py"}, "shop/cart.py"),
        ({"scope": "module", "path": "shop"}, "shop"),
        ({"scope": "repo"}, "."),
        ({"scope": "org", "repo": None}, "Cart"),
    ],
)
def test_records_of_every_scope_are_answered_before_a_fold(ledger, anchor, subject):
    commit = {"commit": ledger.repository.head} if "path" in anchor else {}
    raw = {name: value for name, value in ({"repo": NAME} | anchor | commit).items() if value is not None}
    record = written(ledger, anchors=[raw])
    ledger.write(record)
    answer = ask_why(ledger.view(), Asked(text=subject), ledger.checkouts())
    assert [one.record.id for one in answer.records] == [record.id]
    assert answer.records[0].record.status == "active"


def test_the_view_reads_what_is_new_and_not_the_whole_ledger(ledger):
    ledger.write(*[written(ledger, title=f"Rule {number}") for number in range(5)]).fold().derive()
    record = written(ledger)
    ledger.write(record)
    assert {name: layer.rows.height for name, layer in ledger.view().layers.items()} == {
        "ledger_records": 1,
        "ledger_anchors": 1,
        "anchor_locations": 1,
        "anchor_drift": 1,
        "dependency_findings": 0,
        "ledger_current": 1,
    }


def test_an_old_relation_that_is_shown_costs_nothing(ledger):
    record = written(ledger)
    ledger.write(record, related(RelationKind.RETRACTS, fields={"id": record.id})).fold().derive()
    assert ledger.view().layers == {}
    assert ledger.view(now=NOW + timedelta(days=3)).layers == {}
