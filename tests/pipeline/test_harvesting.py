"""What every harvest asset does, over a source that a test controls."""

import pytest

from comind.harvest.refusals import Refusal
from comind.harvest.reverts import REVERTS
from comind.harvest.sources import Harvest
from comind.store.inbox import Inbox
from comind.store.location import StoreLocation
from comind_assets.harvesting import load_cursor, settle
from tests.builders.records import harvested

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
