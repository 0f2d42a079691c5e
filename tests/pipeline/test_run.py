"""The whole pipeline over real repositories and a real store."""

import json

import dagster as dg
import polars as pl
import pytest

from comind.errors import ComindError
from comind.schemas import TABLES
from comind_assets.checks import every_anchor_has_a_location
from comind_resources.ledger import LedgerResource
from comind_sensors.jobs import FOLD_JOB, RECONCILE_JOB
from comind_sensors.maintenance import MAINTAIN_JOB
from tests.builders.git import make_repository
from tests.pipeline.conftest import CACHED


def current(pipeline):
    return pipeline.lake.read("ledger_current")


def reported(result, asset):
    events = [event for event in result.get_asset_materialization_events() if event.asset_key == dg.AssetKey(asset)]
    return {name: value.value for name, value in events[0].materialization.metadata.items()}


def test_a_revert_becomes_an_attempt_that_is_proven_and_stands_on_its_symbol(pipeline, shop):
    pipeline.run()
    row = current(pipeline).row(0, named=True)
    assert (row["kind"], row["status"], row["trust"]) == ("attempt", "active", "T2")
    assert (row["qualified_name"], row["path"], row["matched_by"], row["drift"]) == ("price", "shop.py", "same", "unchanged")
    record = json.loads(pipeline.lake.read("ledger_records")["record"][0])
    assert record["fields"]["outcome"] == "reverted"
    assert {one["kind"] for one in record["evidence"]} == {"revert", "reverted"}
    assert "Prices went stale after every sale" in record["body"]


def test_a_second_run_writes_no_object_and_no_table_version(pipeline, shop):
    pipeline.run()
    versions, objects = pipeline.versions(), pipeline.objects()
    second = pipeline.run()
    assert pipeline.versions() == versions
    assert pipeline.objects() == objects
    assert not any(reported(second, name)["written"] for name in versions)


def test_after_a_run_every_table_can_be_opened_although_it_may_be_empty(pipeline, shop):
    pipeline.run()
    assert all(pipeline.versions().values())
    assert pipeline.lake.count("unreadable_objects") == 0


def test_two_stores_of_one_history_hold_the_same_objects(pipeline, shop, tmp_path):
    pipeline.run()
    first = pipeline.objects()
    clone = shop.clone(tmp_path / "clone")
    pipeline.store, pipeline.repositories = tmp_path / "other", [clone.path]
    pipeline.run()
    assert {name for name in pipeline.objects() if name.endswith(".json")} == {name for name in first if name.endswith(".json")}


def test_a_body_that_changes_makes_the_record_stale_and_says_which_commit(pipeline, shop):
    pipeline.run()
    shop.write("shop.py", "def price(item):\n    return item.cost * 3\n").commit("Raise prices")
    pipeline.run()
    row = current(pipeline).row(0, named=True)
    assert (row["status"], row["drift"]) == ("stale", "body")
    assert row["located_commit"] == shop.head


def test_a_renamed_file_takes_its_records_along(pipeline, shop):
    pipeline.run()
    shop.rename("shop.py", "store/shop.py").commit("Move")
    pipeline.run()
    row = current(pipeline).row(0, named=True)
    assert (row["status"], row["path"], row["matched_by"]) == ("active", "store/shop.py", "file_moved")


def test_a_name_that_is_gone_from_every_file_orphans_the_record(pipeline, shop):
    pipeline.run()
    shop.write("shop.py", "def total(order):\n    return sum(order.lines, start=order.fee)\n").commit("Rewrite")
    pipeline.run()
    assert current(pipeline)["status"].to_list() == ["orphaned"]


def test_a_renamed_function_takes_its_record_along_and_says_in_which_commit(pipeline, shop):
    pipeline.run()
    shop.write("shop.py", "def price_of(item):\n    return item.cost * 2\n").commit("Rename")
    shop.write("other.py", "price = 'still a word'\n").commit("Add")
    pipeline.run()
    row = current(pipeline).row(0, named=True)
    assert (row["qualified_name"], row["matched_by"]) == ("price_of", "similar")
    detail = pipeline.lake.read("anchor_locations")["detail"][0]
    assert shop.commits[-2][:12] in detail


def test_a_function_that_went_orphans_the_record_although_its_name_is_still_a_word_somewhere(pipeline, shop):
    pipeline.run()
    shop.write("shop.py", "PRICES = {'price': 2}\n").commit("Rewrite")
    pipeline.run()
    assert current(pipeline)["status"].to_list() == ["orphaned"]
    assert shop.head[:12] in pipeline.lake.read("anchor_locations", where="matched_by = 'deleted'")["detail"][0]


def test_the_index_after_a_commit_parses_only_what_was_never_seen(pipeline, shop):
    shop.write("other.py", "def untouched():\n    return 1\n").commit("Add")
    pipeline.run()
    shop.write("shop.py", CACHED).commit("Cache again")  # a content that harvest has parsed already
    result = pipeline.run()
    assert reported(result, "parse_cache")["parsed_count"] == 0
    assert reported(result, "code_files")["moved_count"] == 1


def test_a_run_after_a_commit_reads_only_the_manifests_that_changed(pipeline, shop):
    shop.write("go.mod", "module m\nrequire a/b v1.0.0\n").write("requirements.txt", "c==1\n").commit("Depend")
    assert reported(pipeline.run(), "dependencies")["read_count"] == 2
    shop.write("go.mod", "module m\nrequire a/b v1.1.0\n").commit("Raise")
    assert reported(pipeline.run(), "dependencies")["read_count"] == 1
    rows = pipeline.lake.read("dependencies", where="package != ''").sort("package")
    assert [(row["package"], row["versions"]) for row in rows.iter_rows(named=True)] == [("a/b", ["v1.1.0"]), ("c", ["1"])]
    assert reported(pipeline.run(), "dependencies")["written"] is False


def test_two_checkouts_of_one_repository_are_one_repository(pipeline, shop, tmp_path):
    pipeline.repositories.append(shop.clone(tmp_path / "clone").path)
    pipeline.run()
    assert pipeline.lake.count("repositories") == 1


def test_a_repository_that_does_not_open_is_a_row_and_the_others_are_indexed(pipeline, shop, tmp_path):
    (tmp_path / "empty").mkdir()
    pipeline.repositories.append(tmp_path / "empty")
    pipeline.run()
    rows = pipeline.lake.read("repositories").sort("problem", nulls_last=True)
    assert "not" in rows["problem"][0]
    assert str(tmp_path) not in rows["repo_id"][0], "a shared table learns no path of a machine"
    assert current(pipeline).height == 1


def test_a_fold_without_the_checkout_keeps_what_is_known_and_says_what_is_not(pipeline, shop):
    pipeline.run()
    shop.rename("shop.py", "moved.py").commit("Move")
    pipeline.run()
    known = pipeline.lake.read("anchor_locations")
    pipeline.repositories.clear()
    pipeline.run(FOLD_JOB)
    assert pipeline.lake.read("anchor_locations").equals(known)


def test_an_object_that_is_deleted_by_hand_leaves_the_tables_at_the_reconcile(pipeline, shop):
    pipeline.run()
    for path in (pipeline.store / "_ledger" / "inbox").rglob("*.json"):
        path.unlink()
    pipeline.run(RECONCILE_JOB, ops={"fold_inbox": {"config": {"every_object": True}}})
    assert pipeline.lake.count("ledger_records") == 0
    assert pipeline.lake.count("ledger_current") == 0


def test_an_object_that_was_damaged_is_listed_and_the_run_goes_on(pipeline, shop):
    pipeline.run()
    path = next((pipeline.store / "_ledger" / "inbox").rglob("*.json"))
    path.with_name(path.name.replace("-", "_", 1)).write_text("{")
    pipeline.run(FOLD_JOB)
    assert pipeline.lake.count("unreadable_objects") == 1
    assert current(pipeline).height == 1


def test_the_check_finds_an_anchor_without_a_location(pipeline, shop):
    pipeline.run()
    pipeline.lake.publish("anchor_locations", pl.DataFrame(schema=pipeline.lake.read("anchor_locations").schema), inputs="none")
    result = every_anchor_has_a_location(LedgerResource(store=str(pipeline.store)))
    assert not result.passed
    assert result.metadata["missing_count"].value > 0


def test_a_store_that_cannot_be_written_stops_the_run_with_our_own_error(pipeline, shop):
    pipeline.store.parent.joinpath("store").write_text("a file where the store should be")
    with pytest.raises(ComindError, match="store"):
        pipeline.run()


def test_several_repositories_share_one_store_and_keep_their_records_apart(pipeline, shop, tmp_path):
    other = make_repository(tmp_path / "bank")
    other.write("bank.py", "def pay():\n    return 1\n").commit("Pay")
    wrong = other.write("bank.py", "def pay():\n    return 2\n").commit("Pay twice")
    other.revert(wrong)
    pipeline.repositories.append(other.path)
    pipeline.run()
    assert sorted(current(pipeline)["qualified_name"]) == ["pay", "price"]
    assert current(pipeline)["repo_id"].n_unique() == 2


def test_maintenance_changes_no_row_and_can_be_repeated(pipeline, shop):
    pipeline.run()
    before = {name: pipeline.lake.read(name).sort(TABLES[name].key) for name in TABLES}
    for _ in range(2):
        assert pipeline.run(MAINTAIN_JOB).success
    assert all(pipeline.lake.read(name).sort(TABLES[name].key).equals(rows) for name, rows in before.items())
