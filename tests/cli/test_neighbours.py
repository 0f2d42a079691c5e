"""Callers, callees and ripples of a definition, and what is indexed."""

import pytest

MORE = """
from shop.cart import Cart, checkout

class Gift(Cart):
    def wrap(self):
        self.total([], 0)

def sell(cart: Cart):
    checkout(cart, None)
    cart.empty()

sell(Cart())
"""


@pytest.fixture
def shop(ledger):
    ledger.repository.write("shop/sale.py", MORE).commit("Sell presents")
    ledger.index()
    return ledger


def _names(ran):
    return [(one["qualified_name"], one["hop"], one["does"]) for one in ran.json["neighbours"]]


def test_callers_are_listed_with_where_and_how_it_is_known(comind, shop):
    ran = comind("callers", "checkout", "--json")
    (one,) = ran.json["neighbours"]
    assert (one["qualified_name"], one["path"], one["place"], one["resolved_by"]) == ("sell", "shop/sale.py", "shop/sale.py:9", "import")
    assert ran.code == 0
    assert _names(comind("callers", "checkout", "--hops", "2", "--json")) == [("sell", 1, "calls"), (None, 2, "calls")]


def test_callees_go_the_other_way(comind, shop):
    assert _names(comind("callees", "sell", "--json")) == [("checkout", 1, "calls"), ("Cart.empty", 1, "calls")]


def test_of_a_class_its_members_count_and_a_ripple_follows_subclasses_and_types(comind, shop):
    assert {name for name, _, _ in _names(comind("callers", "Cart", "--json"))} == {"Gift.wrap", "sell", None}
    ripple = _names(comind("ripple", "Cart", "--json"))
    assert {("Gift", 1, "extends"), ("Gift.wrap", 1, "calls"), (None, 1, "calls")} <= set(ripple)
    assert {name for name, _, _ in _names(comind("ripple", "shop/cart.py", "--json"))} == {"Gift", "Gift.wrap", "sell", None}


def test_who_calls_the_method_that_a_method_overrides_may_run_it(comind, shop):
    shop.repository.write(
        "shop/rush.py", "from shop.cart import Cart\n\nclass Rush(Cart):\n    def empty(self):\n        return True\n"
    ).commit("Rush")
    shop.index()
    answer = comind("callers", "Rush.empty", "--json").json
    assert (answer["overrides"], [one["qualified_name"] for one in answer["neighbours"]]) == (["Cart.empty"], ["sell"])
    assert comind("callers", "Rush.empty").out.splitlines()[1] == "also called as Cart.empty"
    assert ("Rush.empty", 1, "extends") in _names(comind("ripple", "Cart.empty", "--json"))
    assert comind("callees", "Rush.empty", "--json").json["overrides"] == []


def test_a_person_sees_a_tree(comind, shop):
    ran = comind("callers", "checkout", "--hops", "2")
    assert ran.out.splitlines() == [
        "checkout  function  shop/cart.py:22", "└─ sell  shop/sale.py:9 (import)", "   └─ shop/sale.py (top level)  shop/sale.py:12 (import)",
        "2 definitions in 1 repository",
    ]  # fmt: skip
    assert (ran.code, ran.err) == (0, "")


def test_the_limit_says_what_it_leaves_out(comind, shop):
    answer = comind("ripple", "Cart", "--limit", "1", "--json").json
    assert (len(answer["neighbours"]), answer["reached"]) == (1, 4)
    assert "3 more beyond --limit" in comind("ripple", "Cart", "--limit", "1").out


def test_nothing_is_said_only_when_nothing_was_missed(comind, shop):
    none = comind("callers", "Gift.wrap")
    assert (none.code, none.out.splitlines()[1]) == (0, "Nothing calls it.")
    shop.repository.write("shop/tool.lua", "function f() g() end\n").commit("Add a tool")
    shop.index()
    missed = comind("callers", "Gift.wrap")
    assert (missed.code, missed.out.splitlines()[1]) == (3, "Nothing calls it, as far as is known.")
    assert "what 1 file of lua refer to is not resolved" in missed.err


def test_edges_of_another_commit_are_a_gap(comind, shop):
    shop.lake.delete("edges", "path = ''")
    missed = comind("callers", "Gift.wrap")
    assert missed.code == 3
    assert "are not resolved at" in missed.err


@pytest.mark.parametrize("verb", ["callers", "callees", "ripple"])
def test_a_question_that_is_not_clear_says_what_to_ask(comind, shop, verb):
    shop.repository.write("shop/other.py", "def checkout(): ...\n").commit("Add another")
    shop.index()
    several = comind(verb, "checkout")
    assert (several.code, several.out.splitlines()[0]) == (2, "checkout names 2 things; say which:")
    asked = several.out.splitlines()[1].split("  ")[1].removeprefix("comind ")
    assert comind(*asked.split()).code == 0
    unknown = comind(verb, "chekout")
    assert unknown.code == 2
    assert "comind: nothing indexed is called 'chekout'; `comind symbols` lists what is" in unknown.err


def test_repositories_are_listed_with_what_they_define_and_use(comind, shop):
    (one,) = comind("repos", "--json").json["repositories"] or [None]
    assert (one["repo_id"], one["packages"], one["files"], one["symbols"], one["uses"]) == ("example.org/shop", ["pypi shop"], 2, 8, [])
    assert "packages:" in comind("repos").out


def test_figures_count_definitions_and_references(comind, shop):
    figures = comind("stats", "--json").json
    assert (figures["repositories"], figures["symbols"], figures["across"]) == (1, 8, 0)
    assert figures["languages"] == [{"language": "python", "files": 2, "not_whole": 0, "symbols": 8}]
    assert {one["word"] for one in figures["resolved_by"]} == {"import", "typed"}
    assert "8 definitions" in comind("stats").out
