import pytest


def _names(ran):
    return [one["qualified_name"] for one in ran.json["symbols"]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("total", ["Cart.total"]), ("CART", ["Cart", "Cart.total", "Cart.empty"]), ("Cart.*", ["Cart.total", "Cart.empty"]),
        ("Cart::total", ["Cart.total"]), ("*", ["LIMIT", "Cart", "Cart.total", "Cart.empty", "checkout"]),
        ("shop/cart.py", ["LIMIT", "Cart", "Cart.total", "Cart.empty", "checkout"]), ("shop/", ["LIMIT", "Cart", "Cart.total", "Cart.empty", "checkout"]),
        ("[", []), ("nothing", []),
    ],
)  # fmt: skip
def test_a_text_names_symbols_by_part_pattern_or_place(comind, text, names):
    assert _names(comind("symbols", text, "--json")) == names


def test_what_is_listed_has_its_place_and_can_be_asked_about(comind):
    (one,) = comind("symbols", "checkout", "--json").json["symbols"]
    assert (one["kind"], one["path"], one["start_line"], one["end_line"]) == ("function", "shop/cart.py", 22, 23)
    assert comind("why", one["symbol"], "--json").json["subject"]["qualified_name"] == "checkout"


def test_kind_repository_and_limit_narrow_the_list(comind):
    assert _names(comind("symbols", "*", "--kind", "method", "--json")) == ["Cart.total", "Cart.empty"]
    assert _names(comind("symbols", "*", "--repo", "other", "--json")) == []
    assert len(_names(comind("symbols", "*", "--repo", "shop", "--json"))) == 5
    limited = comind("symbols", "*", "--limit", "2", "--json").json
    assert (len(limited["symbols"]), limited["over_limit"]) == (2, 3)


def test_a_person_sees_a_tree_and_what_was_looked_at(comind):
    ran = comind("symbols", "Cart")
    assert (ran.code, ran.err) == (0, "")
    assert [text.split() for text in ran.out.splitlines()[:3]] == [["example.org/shop"], ["shop/cart.py"], ["6-19", "Cart", "class"]]
    assert "coverage: example.org/shop indexed at" in ran.out


def test_nothing_is_said_only_when_nothing_was_missed(comind, ledger):
    assert comind("symbols", "absent").code == 0
    ledger.repository.write("shop/broken.py", "def (:\n").commit("Break it")
    ledger.index()
    missed = comind("symbols", "absent")
    assert (missed.code, missed.out.splitlines()[0]) == (3, "nothing indexed is called so")
    assert "could not find out whether 'absent' exists" in missed.err
