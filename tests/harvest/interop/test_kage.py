import pytest

from comind.harvest.interop.kage import import_kage, is_kage
from comind.records.codec import encode
from tests.builders.ledger import PATH
from tests.builders.notes import write_packet


@pytest.fixture
def take(store, code):
    return lambda: import_kage(store, code)


def losses(found):
    return [(loss.where.rpartition("/")[2], loss.code, loss.refused) for loss in found.losses]


def test_each_type_of_packet_becomes_the_kind_of_reason_it_is(take, store):
    context = {"why": "Floats round.", "action": "Use Cents.", "stale_when": "prices get a type", "verification": "sum of 0.1 failed"}
    for kind in ("bug_fix", "convention", "decision", "negative_result"):
        write_packet(store, kind, type=kind, context=context)
    gotcha, rule, decision, attempt = take().records
    assert (gotcha.fields.symptom, gotcha.fields.cause, gotcha.fields.workaround) == (
        "Prices are added up in cents",
        "Floats round.",
        "Use Cents.",
    )
    assert (rule.fields.rule, str(rule.fields.severity)) == ("Prices are added up in cents", "should")
    assert (decision.fields.chosen, decision.fields.revisit_when) == ("Prices are added up in cents", "prices get a type")
    assert (str(attempt.fields.outcome), attempt.evidence[0].quote) == ("failed", "sum of 0.1 failed")
    assert all([(one.path, str(one.role)) for one in record.anchors] == [(PATH, "subject")] for record in take().records)
    assert {str(whose) for record in take().records for whose in record.authority.values()} == {"agent_inference"}


def test_who_wrote_a_packet_and_on_which_branch_is_left_out(take, store):
    write_packet(store, "one", context={"trigger": "When prices get a type"})
    (record,) = take().records
    assert record.trigger == "When prices get a type"
    assert b"race" not in encode(record)


def test_what_tells_no_reason_or_is_not_for_everybody_is_left(take, store):
    write_packet(store, "a", type="workflow")
    write_packet(store, "b", status="deprecated")
    write_packet(store, "c", visibility="private")
    write_packet(store, "d", sensitivity="confidential")
    found = take()
    assert found.records == []
    assert losses(found) == [("a.md", "no_reason", False), ("b.md", "not_approved", False), ("c.md", "private", False), ("d.md", "private", False)]  # fmt: skip


def test_what_is_broken_is_named_and_the_rest_is_taken(take, store):
    write_packet(store, "a", created_at="yesterday")
    write_packet(store, "b", id=None)
    write_packet(store, "c").write_text("```json kage-state\n{broken\n```\n")
    write_packet(store, "d").write_bytes(b"\xff")
    write_packet(store, "e").write_text("# no state\n")
    write_packet(store, "f", paths=["nowhere.py"])
    write_packet(store, "g", id="same")
    write_packet(store, "h", id="same")
    write_packet(store, "i", title="")
    write_packet(store, "j", body="Pay\u202eload of the card.")
    write_packet(store, "k", paths=["nowhere.py", "shop/cart.py"])
    found = take()
    assert len(found.records) == 1
    assert found.read == 11
    assert sorted(losses(found)) == [
        ("a.md", "no_date", True), ("b.md", "no_id", True), ("c.md", "not_json", True), ("d.md", "bad_encoding", True),
        ("e.md", "no_state", True), ("f.md", "place_not_found", True), ("g.md", "duplicate_id", True), ("h.md", "duplicate_id", True),
        ("i.md", "no_chosen", True), ("j.md", "quarantined", True), ("k.md nowhere.py", "place_not_found", False),
    ]  # fmt: skip


def test_a_directory_holds_packets_only_when_one_has_the_state_of_kage(store):
    write_packet(store, "a").write_text("# notes\n")
    assert not is_kage(store)
    write_packet(store, "b")
    assert is_kage(store)
