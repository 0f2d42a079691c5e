import json

import pytest

from comind.harvest.interop.agent_trace import HARVESTER_VERSION, SOURCE, import_agent_trace, is_agent_trace
from comind.harvest.interop.origins import origin_rows
from tests.builders.ledger import NAME, PATH
from tests.builders.notes import trace


@pytest.fixture
def traces(store):
    path = store / ".agent-trace" / "traces.jsonl"
    path.parent.mkdir()
    return path


def losses(found):
    return [(loss.where.removeprefix("traces.jsonl "), loss.code, loss.refused) for loss in found.losses]


def test_ranges_of_a_conversation_are_one_row_without_its_address(traces, code, shop):
    commit = shop.repository.head
    traces.write_text(trace(commit, PATH, (3, 4), (9, 9)) + trace(commit[:12], PATH, (5, 5)) + trace(commit, PATH, (1, 2), by="human"))
    found = import_agent_trace(traces.parent.parent, code)
    rows = origin_rows(found.origins, NAME, SOURCE, HARVESTER_VERSION).to_pylist()
    assert [(row["commit"], row["path"], row["lines"], row["tool"], row["model"]) for row in rows] == [
        (commit, PATH, "3-5,9", "cursor", "anthropic/opus-9")
    ]
    assert losses(found) == [(f"line 3 {PATH}", "by_person", False)]
    assert not [word for word in ("grace", "talk", "example.org/g", "murmur") if word in json.dumps(rows)]


def test_what_is_broken_is_named_by_its_line_and_the_rest_is_taken(traces, code, shop):
    commit = shop.repository.head
    lines = [
        "not json\n", "[1]\n", trace(commit, PATH, (1, 1), files=None), trace(commit, PATH, (1, 1), version="9.0"),
        trace(commit, PATH, (1, 1), vcs={"type": "jj", "revision": "x"}), trace("f" * 40, PATH, (1, 1)),
        trace(commit, "nowhere.py", (1, 1)), trace(commit, PATH, (1, 1), tool=None), trace(commit, PATH, (0, 1)), "\n",
        json.dumps({"pad": "x" * 4_000_000}) + "\n", trace(commit, PATH, (7, 8)),
    ]  # fmt: skip
    traces.write_text("".join(lines))
    found = import_agent_trace(traces, code)
    assert [one.lines for one in found.origins] == [((7, 8),)]
    assert losses(found) == [
        ("line 1", "not_json", True), ("line 2", "not_json", True), ("line 3", "bad_record", True), ("line 4", "unknown_version", True),
        ("line 5", "no_commit", False), ("line 6", "not_on_ref", False), ("line 7 nowhere.py", "place_not_found", False),
        ("line 8", "no_tool", False), (f"line 9 {PATH}", "bad_lines", True), ("line 11", "too_large", True),
    ]  # fmt: skip


def test_a_file_holds_such_records_only_when_one_of_its_first_lines_is_one(traces, shop):
    assert not is_agent_trace(traces.parent.parent)
    traces.write_text('{"comind": "export"}\n')
    assert not is_agent_trace(traces)
    traces.write_text("broken\n" + trace(shop.repository.head, PATH, (1, 1)))
    assert (is_agent_trace(traces), is_agent_trace(traces.parent.parent)) == (True, True)
