from __future__ import annotations

import pytest

from comind.ids import new_id
from comind.records.vocabulary import Kind
from tests.builders import records

RULE = ("remember", "constraint", "--on", "Cart.total", "--rule", "Prices are never negative", "--severity", "must")


def test_what_was_remembered_is_answered_at_once_as_t3_without_a_fold(comind):
    assert comind(*RULE).code == 0
    ran = comind("why", "Cart.total")
    assert (ran.code, ran.err) == (0, "")
    assert (
        "[constraint · T3 · active] Prices are never negative\n  on:            Cart.total  shop/cart.py:9-16 (same, unchanged since"
        in ran.out
    )


def test_the_json_is_one_object_under_a_versioned_schema(comind):
    comind(*RULE)
    answer = comind("why", "shop/cart.py:12", "--json").json
    assert (answer["schema"], answer["outcome"], answer["subject"]["qualified_name"]) == ("comind.why/1", "answered", "Cart.total")
    assert answer["records"][0]["record"]["trust"] == "T3"


def test_nothing_is_said_with_the_certificate(comind):
    ran = comind("why", "Cart.total")
    assert (ran.code, ran.err) == (0, "")
    assert "No record governs it, and none was missed.\ncoverage: example.org/shop indexed at" in ran.out


def test_an_index_behind_head_could_not_find_out(comind, ledger):
    ledger.repository.commit("Later")
    ran = comind("why", "Cart.total")
    assert ran.code == 3
    assert ran.err.startswith("comind: could not find out: example.org/shop is indexed at")
    assert "none was missed" not in ran.out


def test_many_matches_list_the_candidates_and_what_to_ask(comind, ledger):
    ledger.repository.write("shop/bill.py", "class Bill:\n    def total(self):\n        return 1\n").commit("Bill")
    ledger.index()
    ran = comind("why", "total")
    assert ran.code == 2
    assert ran.err.startswith("comind: 'total' names several things; say which, for example `comind why ")
    assert "comind why Bill.total" in ran.out
    assert "comind why Cart.total" in ran.out
    assert comind("why", "total", "--json").json["outcome"] == "ambiguous"


def test_an_unknown_name_offers_the_nearest(comind):
    ran = comind("why", "Cart.totl")
    assert (ran.code, ran.err) == (2, "comind: nothing indexed is called 'Cart.totl'; `comind status` lists what is indexed\n")
    assert "comind why Cart.total" in ran.out


def test_a_path_is_taken_from_the_working_directory(comind, ledger, monkeypatch):
    ledger.repository.write("other/cart.py", "x = 1\n").commit("Another")
    ledger.index()
    monkeypatch.chdir(ledger.repository.path / "other")
    assert comind("why", "cart.py", "--json").json["subject"]["path"] == "other/cart.py"
    assert comind("why", "../shop/cart.py:10", "--json").json["subject"]["qualified_name"] == "Cart.total"


def test_a_repository_can_be_named_and_must_exist(comind):
    assert comind("why", "Cart.total", "--repo", "shop").code == 0
    assert comind("why", "Cart.total", "--repo", "hop").code == 2


def test_there_is_no_answer_without_a_store(comind, tmp_path):
    ran = comind("why", "Cart.total", "--store", tmp_path / "none")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == f"comind: there is no store at {tmp_path}/none yet; `comind run --repo PATH` makes one, --store names another\n"


def test_what_nobody_vouches_for_is_shown_with_all(comind):
    comind(*RULE, "--agent", "helper")
    assert "1 more of trust T0 or T1 left out; --all lists them; 1 draft waits: comind review\n" in comind("why", "Cart.total").out
    assert "[constraint · T1 · active] Prices are never negative" in comind("why", "Cart.total", "--all").out


def test_markup_and_escapes_of_a_record_never_reach_the_terminal(comind, ledger):
    # Whoever can write to the store can write any text; nothing that reads may trust it.
    evil = "\x1b]0;owned\x07\x1b[31m[red]x[/red][link=file:///etc/passwd]\x9b2J"
    record = records.record_of(
        records.raw_reason(Kind.GOTCHA, id=new_id(), anchors=[ledger.anchor()], title=f"A {evil}", body=evil, trigger=evil)
    )
    ledger.write(record)
    for arguments in (("why", "Cart.total", "--all"), ("log",), ("show", record.id), ("search", "owned", "--all"), ("status",)):
        for more in ((), ("--json",)):
            ran = comind(*arguments, *more)
            assert [character for character in ran.out + ran.err if character != "\n" and not character.isprintable()] == []


@pytest.mark.parametrize("text", ["", " ", "-", "\x1b[31m", "a" * 10_000, "..", "/etc/passwd", "shop/cart.py:0"])
def test_no_question_ends_in_a_traceback_or_two_lines(comind, text):
    ran = comind("why", "--", text)
    assert ran.code in {0, 2, 3}
    assert ran.err.count("\n") <= 1
    assert "nobody expected" not in ran.err
    assert "\x1b" not in ran.err + ran.out


def test_a_question_about_a_commit_speaks_of_its_code_and_its_log(comind, ledger):
    first = ledger.repository.head
    comind(*RULE)
    ledger.repository.write("shop/cart.py", "class Cart:\n    def sum(self):\n        return 0\n").commit("Start over")
    answer = comind("why", "Cart.total", "--at", first, "--json").json
    assert (answer["outcome"], answer["subject"]["start_line"]) == ("nothing", 9)
    assert answer["as_of"] == {"commit": first, "committed_at": "2024-01-01T00:00:00Z", "records_later": 1}
    assert comind("why", "Cart.total", "--at", "HEAD").code == 2  # it is gone there
    assert f"as of {first[:12]} (2024-01-01); 1 record written later is left out" in comind("why", "Cart.total", "--at", "HEAD~1").out


def test_a_commit_that_is_not_there_is_said_in_a_line(comind):
    ran = comind("why", "Cart.total", "--at", "nowhere")
    assert ran.err.startswith("comind: no commit 'nowhere' in ")
    assert ran.err.count("\n") == 1


def test_a_commit_needs_a_repository(comind, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = comind("why", "Cart.total", "--at", "HEAD")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("comind: --at needs a repository; ")
    assert comind("why", "Cart.total", "--at", "HEAD", "--repo", "nowhere").err.startswith("comind: no checkout of nowhere is known here; ")
