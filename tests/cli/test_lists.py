"""`comind log`, `search`, `show`, `status`, `schema` and `eval`, as a person and as a program sees them."""

from __future__ import annotations

import json
import shutil

import pytest

from comind.records.schema import json_schema
from comind.store.layout import object_key
from tests.builders.clocks import SHOP, SHOP_MARKS, make_clocks
from tests.builders.git import make_repository
from tests.builders.scip import document, index

RULE = ("remember", "constraint", "--on", "Cart.total", "--severity", "must", "--rule")


@pytest.fixture
def remembered(comind):
    """The ids of three records, oldest first; the second is written by an agent."""
    rules = [("Prices are never negative",), ("Prices are cached", "--agent", "helper"), ("Cache nothing", "--body", "Prices move.")]
    return [comind(*RULE, *rule, "--json").json["id"] for rule in rules]


def test_the_log_lists_the_newest_first_with_what_was_said_about_records(comind, remembered):
    relation = comind("remember", "disputes", remembered[0], "--reason", "They may", "--json").json["id"]
    answer = comind("log", "--json").json
    assert (answer["schema"], [entry["id"] for entry in answer["entries"]]) == ("comind.log/1", [relation, *reversed(remembered)])
    assert answer["entries"][0]["title"] == f"disputes {remembered[0]}: They may"


def test_the_log_says_how_many_are_older(comind, remembered):
    ran = comind("log", "--limit", "1")
    assert ran.out.splitlines()[1].split()[0] == remembered[-1]
    assert ran.out.splitlines()[-1] == "2 older left out; --limit lists more"


def test_the_log_begins_where_it_is_told(comind, remembered):
    assert len(comind("log", "--since", "2020-01-01", "--json").json["entries"]) == len(remembered)
    assert comind("log", "--since", "2999-01-01T00:00+02:00").out == "nothing is recorded there\n"
    ran = comind("log", "--since", "yesterday")
    assert (ran.code, ran.err) == (2, "comind: 'yesterday' is not a time; write such as 2026-11-30 or 2026-11-30T08:15\n")


def test_search_wants_every_word_and_ranks_titles_before_bodies(comind, remembered):
    answer = comind("search", "PRICES", "--all", "--json").json
    assert [(hit["entry"]["id"], hit["score"], hit["found_in"]) for hit in answer["hits"]] == [
        (remembered[1], 4, ["title"]),
        (remembered[0], 4, ["title"]),
        (remembered[2], 1, ["body"]),
    ]
    assert [hit["entry"]["id"] for hit in comind("search", "cache", "nothing", "--json").json["hits"]] == [remembered[2]]


def test_search_finds_what_was_turned_down_by_its_name(comind, remembered):
    turned_down = ("--chosen", "Ask the directory", "--alternative", "Memcached | It served stale grants")
    decided = comind("remember", "decision", "--on", "Cart.total", *turned_down, "--json").json["id"]
    (hit,) = comind("search", "memcached", "--json").json["hits"]
    assert (hit["entry"]["id"], hit["score"], hit["found_in"]) == (decided, 1, ["claims"])
    assert comind("search", "schema", "--all", "--json").json["hits"] == []  # a word of the record's form, and of nothing it says


def test_search_counts_what_nobody_vouches_for(comind, remembered):
    answer = comind("search", "prices cached", "--json").json
    assert (answer["outcome"], answer["hits"], answer["below_trust"], len(remembered)) == ("answered", [], 1, 3)
    assert comind("search", "prices cached").out.endswith("--all lists them; 1 draft waits: comind review\n")
    comind("review", "reject", remembered[1], "-m", "They are not")
    assert comind("search", "prices cached").out.endswith("--all lists them\n")


@pytest.mark.parametrize("words", ["%", "_", "it's", "\\", "a' OR 'a'='a"])
def test_search_takes_every_character_as_itself(comind, remembered, words):
    assert (comind("search", words, "--all", "--json").json["hits"], len(remembered)) == ([], 3)


def test_search_needs_a_word(comind):
    assert (comind("search", " ").code, comind("search").code) == (2, 2)


def test_nothing_found_beside_a_damaged_object_could_not_find_out(comind, ledger, remembered):
    ledger.location.objects().create(object_key(remembered[0], "0" * 64), b"{")
    for arguments in (("search", "nowhere"), ("log", "--since", "2999-01-01")):
        ran = comind(*arguments)
        assert (ran.code, ran.err) == (3, "comind: 1 object in the inbox cannot be read; `comind status` lists them\n")


def test_show_tells_everything_by_the_beginning_of_an_id(comind, remembered, ledger):
    comind("remember", "confirms", remembered[0])
    answer = comind("show", remembered[0], "--json").json
    assert (answer["schema"], answer["folded"], answer["record"]["fields"]["severity"]) == ("comind.show/1", False, "must")
    assert answer["anchors"][0]["then"]["commit"] == answer["anchors"][0]["now"]["commit"] == ledger.repository.head
    text = comind("show", remembered[0][:35]).out
    for said in ("Prices are never negative", "status:", "trust:", "verify:", "confirms:", "not folded yet"):
        assert said in text


def test_an_id_that_is_none_or_begins_several_is_a_wrong_question(comind, remembered):
    assert (comind("show", "zz").code, comind("show", "0" * 36).code, comind("show", "%").code) == (2, 2, 2)
    ran = comind("show", remembered[0][:8])
    assert (ran.code, ran.out) == (2, "")
    assert "records have an id that begins with" in ran.err


def test_a_relation_can_be_shown_too(comind, remembered):
    relation = comind("remember", "retracts", remembered[0], "--reason", "No", "--json").json["id"]
    answer = comind("show", relation, "--json").json["record"]
    assert (answer["kind"], answer["status"], answer["trust"], answer["title"]) == ("retracts", None, None, f"retracts {remembered[0]}: No")


def test_status_says_how_far_the_store_has_come(comind, remembered, ledger):
    ledger.fold().derive()
    head = ledger.repository.commit("Later")
    answer = comind("status", "--json").json
    assert (answer["schema"], answer["unfolded"], answer["gaps"]) == ("comind.status/1", 0, [])
    assert {one["word"]: one["records"] for one in answer["trusts"]} == {"T3": 2, "T1": 1}
    [repository] = answer["repositories"]
    assert (repository["head_commit"], repository["indexed_commit"] != head) == (head, True)
    assert {one["name"]: one["rows"] for one in answer["tables"]}["ledger_records"] == len(remembered)
    assert f"(its head is {head[:12]}; `comind run` indexes it)" in comind("status").out


def test_status_lists_what_cannot_be_read(comind, remembered, ledger):
    key = object_key(remembered[0], "0" * 64)
    ledger.location.objects().create(key, b"{")
    ran = comind("status")
    assert ran.code == 0
    assert f"unreadable:    {key}" in ran.out


def test_the_schema_is_that_of_a_record(comind):
    assert comind("schema").json == json_schema()


def test_eval_prints_one_object_of_named_figures(comind, tmp_path):
    repository = make_repository(tmp_path, "clones/example+shop")
    repository.write("a.py", "x = 1\n").commit("Start")
    attempt = repository.write("a.py", "x = 1\ny = 2\nz = 3\n").commit("Try")
    revert = repository.revert(attempt)
    label = {"repo": "example/shop", "commit": revert, "is_revert": True, "reverted_commits": [attempt]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(label) + "\n")
    asked = ("eval", "reverts", tmp_path / "labels.jsonl", "--repos", tmp_path / "clones", "--out", tmp_path / "out.jsonl")
    figures = comind(*asked, "--json").json
    assert (figures["all"]["rows"], figures["all"]["is_revert_recall"], figures["all"]["exact_target_sets"]) == (1, 1.0, 1.0)
    assert json.loads((tmp_path / "out.jsonl").read_text())["reverted_commits"] == [attempt]
    assert "is a revert:   precision 1.000, recall 1.000" in comind(*asked).out


def test_eval_edges_prints_scores_and_what_was_missed(comind, tmp_path):
    clones = make_clocks(tmp_path / "organisation")
    (tmp_path / "shop.scip").write_bytes(index(document("shop.py", SHOP, *SHOP_MARKS)))
    asked = ("eval", "edges", "--truth", tmp_path / "shop.scip", "--repos", clones["shop"].path)
    ran = comind(*asked, "--repos", clones["clock"].path)
    assert (ran.code, "precision 1.000 of 1, recall 1.000 of 1" in ran.out, "missed by import and type: 0" in ran.out) == (0, True, True)
    assert comind(*asked, "--json").json["calls"] == 0
    (tmp_path / "shop.scip").write_bytes(b"{}")
    assert (comind(*asked).code, comind(*asked).out, comind(*asked).err.count("\n")) == (3, "", 1)


def test_eval_without_labels_is_one_line(comind, tmp_path):
    ran = comind("eval", "reverts", tmp_path / "none.jsonl", "--repos", tmp_path)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("arguments", [("why", "x"), ("log",), ("show", "0000"), ("search", "x"), ("status",)])
def test_a_store_that_is_no_store_is_one_line_and_could_not_find_out(comind, ledger, arguments):
    shutil.rmtree(ledger.store)
    assert (comind(*arguments).code, comind(*arguments).out, comind(*arguments).err.count("\n")) == (3, "", 1)
    ledger.store.write_text("a file")
    ran = comind(*arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)


def test_a_store_of_a_newer_version_is_left_alone(comind, ledger):
    (ledger.store / "_ledger" / "format.json").write_text('{"created_by":"comind 9","format":999}')
    ran = comind("why", "Cart.total")
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert "999" in ran.err
