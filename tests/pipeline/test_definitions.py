"""The shape of the asset graph: small enough to read in review, always on."""

import dagster as dg
import pytest

from comind.schemas import TABLES
from comind_assets.definitions import defs

GRAPH = {
    "repositories": ("code", []),
    "parse_cache": ("code", ["repositories"]),
    "code_files": ("code", ["repositories"]),
    "symbols": ("code", ["code_files", "parse_cache"]),
    "packages": ("code", ["repositories"]),
    "dependencies": ("code", ["repositories"]),
    "edges": ("code", ["dependencies", "parse_cache", "symbols"]),
    "scip_indexes": ("code", ["symbols"]),
    "git_harvest": ("harvest", ["repositories"]),
    "document_harvest": ("harvest", ["repositories"]),
    "documents": ("harvest", ["repositories"]),
    "merge_requests": ("harvest", ["repositories"]),
    "code_origins": ("harvest", ["repositories"]),
    "merge_request_harvest": ("harvest", ["merge_requests"]),
    "harvest_refusals": ("harvest", ["document_harvest", "git_harvest", "merge_request_harvest", "merge_requests"]),
    "inbox": ("ledger", []),
    "ledger_records": ("ledger", ["document_harvest", "git_harvest", "inbox", "merge_request_harvest"]),
    "unreadable_objects": ("ledger", ["inbox"]),
    "ledger_anchors": ("ledger", ["ledger_records", "parse_cache"]),
    "anchor_locations": ("staleness", ["code_files", "ledger_anchors", "symbols"]),
    "anchor_drift": ("staleness", ["anchor_locations", "ledger_anchors", "symbols"]),
    "drift_cascade": ("staleness", ["anchor_drift", "anchor_locations", "edges", "ledger_anchors", "ledger_records", "symbols"]),
    "dependency_findings": ("staleness", ["dependencies", "ledger_anchors", "ledger_records"]),
    "evidence_checks": ("serving", ["ledger_records", "repositories"]),
    "ledger_current": (
        "serving",
        ["anchor_drift", "anchor_locations", "dependency_findings", "drift_cascade", "evidence_checks", "ledger_anchors", "ledger_records"],
    ),
    "distilled_proposals": ("distil", ["ledger_current", "merge_requests"]),
    "distill_progress": ("distil", ["distilled_proposals"]),
    "distill_cache": ("distil", ["distilled_proposals"]),
}


@pytest.fixture(scope="module")
def nodes():
    graph = defs.resolve_asset_graph()
    return {key.to_user_string(): graph.get(key) for key in graph.get_all_asset_keys()}


def test_the_graph_is_the_one_that_is_drawn_in_the_readme(nodes):
    drawn = {name: (node.group_name, sorted(key.to_user_string() for key in node.parent_keys)) for name, node in nodes.items()}
    assert drawn == GRAPH


def test_every_table_is_an_asset_and_every_asset_but_the_inbox_a_table(nodes):
    assert set(nodes) - {"inbox"} == set(TABLES)


def test_every_asset_says_what_a_row_is_who_owns_it_and_what_made_it(nodes):
    for node in nodes.values():
        assert node.description
        assert node.owners
        assert node.kinds


def test_every_table_shows_its_columns_with_descriptions(nodes):
    for name in TABLES:
        columns = nodes[name].metadata["dagster/column_schema"].columns
        assert [column.name for column in columns] == TABLES[name].schema.names
        assert all(column.description for column in columns)


def test_sensors_and_schedules_are_on_without_anybody_turning_them_on():
    assert {sensor.name: sensor.default_status for sensor in defs.sensors} == {
        "inbox_sensor": dg.DefaultSensorStatus.RUNNING,
        "heads_sensor": dg.DefaultSensorStatus.RUNNING,
    }
    assert [schedule.default_status for schedule in defs.schedules] == [dg.DefaultScheduleStatus.RUNNING] * 3


def test_a_run_needs_one_process():
    assert defs.executor is dg.in_process_executor


def test_the_definitions_load_as_the_daemon_loads_them():
    dg.Definitions.validate_loadable(defs)
