"""What every harvest asset does, over a source that a test controls."""

import pytest

from comind.harvest.refusals import Refusal
from comind.harvest.reverts import REVERTS
from comind.harvest.sources import Harvest
from comind.records.codec import encode
from comind.records.vocabulary import RelationKind
from comind.store.inbox import Inbox
from comind.store.location import StoreLocation
from comind_assets.harvesting import load_cursor, settle
from tests.builders.records import harvested, raw_relation, record_of, v7

NAMES = {"repo_id": "example", "source": "notes", "version": "notes/1"}


@pytest.fixture
def lake(pipeline):
    return pipeline.lake


@pytest.fixture
def inbox(pipeline):
    return Inbox(StoreLocation.parse(str(pipeline.store), {}))


def cursor(lake, **other):
    return load_cursor(lake, "git_harvest", **NAMES | other)


def refusal(source_id):
    return Refusal(repo_id="example", source="notes", source_id=source_id, code="draft", detail="not decided", harvester_version="notes/1")


def test_a_source_that_was_never_read_has_come_nowhere(lake):
    assert cursor(lake).position is None


def test_a_cursor_says_how_far_a_source_has_come_and_counts_on(lake, inbox):
    settle(lake, inbox, cursor(lake), Harvest("c1", 3, [harvested()], [refusal("a")]))
    settle(lake, inbox, cursor(lake), Harvest("c2", 2))
    now = cursor(lake)
    assert (now.position, now.read, now.found, now.refused) == ("c2", 5, 1, 1)


def test_other_rules_begin_anew(lake, inbox):
    settle(lake, inbox, cursor(lake), Harvest("c1", 3))
    assert cursor(lake, version="notes/2").position is None


def test_sources_of_one_repository_do_not_move_each_other(lake, inbox):
    settle(lake, inbox, cursor(lake), Harvest("c1", 3))
    assert cursor(lake, source="letters").position is None


def test_a_record_that_is_there_is_counted_and_not_written_again(lake, inbox, pipeline):
    harvest = Harvest("c1", 1, [harvested()])
    first = settle(lake, inbox, cursor(lake), harvest)
    objects = pipeline.objects()
    again = settle(lake, inbox, cursor(lake), harvest)
    assert (first["created"], again["created"], again["already_there"]) == (1, 0, 1)
    assert pipeline.objects() == objects


def test_an_erased_record_does_not_come_back(pipeline, shop):
    pipeline.run()
    (record_id,) = pipeline.lake.read("ledger_records")["id"]
    (name,) = (name for name in pipeline.objects() if name.endswith(".json"))
    (pipeline.store / name).unlink()
    tombstones = pipeline.store / "_ledger" / "erased"
    tombstones.mkdir()
    (tombstones / record_id).touch()
    pipeline.lake.delete("git_harvest", f"source = '{REVERTS.name}'")
    pipeline.run()
    assert not [name for name in pipeline.objects() if name.endswith(".json")]
    assert pipeline.lake.count("ledger_records") == 0


def test_a_finding_that_is_settled_is_no_refusal_any_more(lake, inbox):
    settle(lake, inbox, cursor(lake), Harvest("c1", 2, refusals=[refusal("a"), refusal("b")]))
    settle(lake, inbox, cursor(lake), Harvest("c2", 2, refusals=[refusal("b")], settled=["a", "b"]))
    assert lake.read("harvest_refusals")["source_id"].to_list() == ["b"]


DECISION = "# 1. Keep prices in cents\n\n## Status\n\nAccepted\n\n## Context\n\nFloats lose cents.\n\n## Decision\n\nWe will keep integers in `shop.py`.\n"


def current(pipeline):
    return {row["title"]: row for row in pipeline.lake.read("ledger_current").iter_rows(named=True)}


def test_a_decision_record_is_proven_and_stands_on_the_code_that_it_names(pipeline, shop):
    shop.write("docs/adr/0001-keep-cents.md", DECISION).commit("Decide")
    pipeline.run()
    row = current(pipeline)["Keep prices in cents"]
    assert (row["kind"], row["status"], row["trust"], row["path"]) == ("decision", "active", "T2", "shop.py")
    (document,) = pipeline.lake.read("documents").iter_rows(named=True)
    assert (document["path"], document["verdict"], document["record_id"]) == ("docs/adr/0001-keep-cents.md", "accepted", row["id"])


def test_an_edited_decision_is_superseded_and_a_run_without_news_writes_nothing(pipeline, shop):
    shop.write("docs/adr/0001-keep-cents.md", DECISION).commit("Decide")
    pipeline.run()
    (before,) = pipeline.lake.read("documents")["record_id"]
    shop.write("docs/adr/0001-keep-cents.md", DECISION.replace("integers", "decimals")).commit("Decide anew")
    pipeline.run()
    statuses = dict(pipeline.lake.read("ledger_current").select("id", "status").iter_rows())
    assert statuses[before] == "superseded"
    versions, objects = pipeline.versions(), pipeline.objects()
    pipeline.run()
    assert (pipeline.versions(), pipeline.objects()) == (versions, objects)


def test_a_successor_that_names_other_code_still_supersedes(pipeline, shop):
    shop.write("till.py", "def ring(): ...\n")
    shop.write("docs/adr/0001-keep-cents.md", DECISION.replace("Accepted", "Superseded by ADR-0002"))
    shop.write("docs/adr/0002-use-decimals.md", DECISION.replace("Keep prices in cents", "Use decimals").replace("shop.py", "till.py"))
    shop.commit("Decide anew")
    pipeline.run()
    assert {title: row["status"] for title, row in current(pipeline).items() if row["kind"] == "decision"} == {
        "Keep prices in cents": "superseded", "Use decimals": "active",
    }  # fmt: skip


def test_a_deprecated_decision_is_retracted(pipeline, shop):
    shop.write("docs/adr/0001-keep-cents.md", DECISION.replace("Accepted", "Deprecated")).commit("Give up")
    pipeline.run()
    assert current(pipeline)["Keep prices in cents"]["status"] == "retracted"


def test_what_a_person_backs_is_challenged_by_its_document_and_not_retired(pipeline, shop):
    shop.write("docs/adr/0001-keep-cents.md", DECISION).commit("Decide")
    pipeline.run()
    record_id = current(pipeline)["Keep prices in cents"]["id"]
    backing = record_of(raw_relation(RelationKind.CONFIRMS, id=v7(7), fields={"id": record_id, "at_commit": shop.head}))
    Inbox(StoreLocation.parse(str(pipeline.store), {})).put(backing.id, encode(backing))
    shop.write("docs/adr/0001-keep-cents.md", DECISION.replace("Accepted", "Deprecated")).commit("Give up")
    pipeline.run()
    row = current(pipeline)["Keep prices in cents"]
    assert (row["status"], "challenged" in row["flags"]) == ("active", True)
