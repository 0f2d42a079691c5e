import pytest

from comind.tables.compact import fast_fold
from comind.tables.lake import Lake
from tests.tables.blind import NOW
from tests.tables.builders import drifts, refusals, rows_of, symbols
from tests.tables.inboxes import put, reasons


def test_a_table_that_does_not_exist_has_the_digest_of_an_empty_one(lake):
    before = lake.digest("harvest_refusals")
    lake.upsert("harvest_refusals", refusals(a="1"))
    lake.delete("harvest_refusals", "true")
    assert lake.digest("harvest_refusals") == before


def test_another_row_of_a_state_table_is_another_digest(lake):
    lake.upsert("harvest_refusals", refusals(a="1"))
    before = lake.digest("harvest_refusals")
    lake.upsert("harvest_refusals", refusals(a="2"))
    assert lake.digest("harvest_refusals") != before


def test_the_order_of_writing_leaves_no_trace(lake):
    lake.upsert("harvest_refusals", refusals(b="2", a="1"))
    before = lake.digest("harvest_refusals")
    lake.delete("harvest_refusals", "true")
    lake.upsert("harvest_refusals", refusals(a="1"))
    lake.upsert("harvest_refusals", refusals(b="2"))
    assert lake.digest("harvest_refusals") == before


def test_the_log_is_known_by_its_records(lake, inbox):
    put(inbox, reasons(3))
    fast_fold(lake, inbox, now=NOW)
    before = lake.digest("ledger_records")
    put(inbox, reasons(1, first=7))
    fast_fold(lake, inbox, now=NOW)
    after = lake.digest("ledger_records")
    assert after != before
    lake.table("ledger_records").open().optimize.compact_files()
    assert Lake(lake.location).digest("ledger_records") == after


def test_a_derived_table_is_known_by_its_inputs(lake):
    lake.publish("anchor_drift", drifts("a"), inputs="one")
    before = lake.digest("anchor_drift")
    lake.publish("anchor_drift", drifts("a"), inputs="two")
    assert lake.digest("anchor_drift") != before


def test_a_code_table_is_known_by_its_heads(lake):
    lake.replace_repository_files("symbols", "r", None, symbols("r", {"a.py": ["f"]}))
    before = lake.digest("symbols")
    lake.replace_repository_files("symbols", "r", [], symbols("r", {}, head="2" * 40))
    assert lake.digest("symbols") != before


def test_a_head_without_its_rows_is_another_digest(lake):
    lake.replace_repository_files("symbols", "r", None, symbols("r", {"a.py": ["f"]}))
    before = lake.digest("symbols")
    lake.replace_repository_files("symbols", "r", None, symbols("r", {}))
    assert lake.digest("symbols") != before


@pytest.mark.parametrize("name", ["symbols", "code_files"])
def test_hashes_and_times_can_be_digested(lake, name):
    lake.replace_repository_files(name, "r", None, rows_of(name, [{"repo_id": "r", "path": ""}]))
    assert len(lake.digest(name)) == 64
