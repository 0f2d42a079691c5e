from __future__ import annotations

RULE = ("remember", "constraint", "--on", "Cart.total", "--rule", "Prices are never negative", "--severity", "must")


def test_the_times_of_a_record_are_told_in_commits(comind, ledger):
    first = ledger.repository.head
    written = comind(*RULE, "--json").json["id"]
    source = (ledger.repository.path / "shop/cart.py").read_text()
    changed = ledger.repository.write("shop/cart.py", source.replace("item.price < 0", "item.price <= 0")).commit("Nothing is free")
    ledger.index().fold().derive()
    answer = comind("timeline", written[:18], "--json").json
    (record,) = answer["records"]
    assert (answer["schema"], record["status"], record["stale_since"]) == ("comind.timeline/1", "stale", changed)
    (subject,) = record["subjects"]
    assert [(one["state"], one["from_commit"], one["until_commit"]) for one in subject["intervals"]] == [
        ("unchanged", first, changed),
        ("body", changed, None),
    ]
    by_name = comind("timeline", "Cart.total")
    assert f"2024-01-01  {changed[:12]} .. now           body changed: Cart.total in shop/cart.py" in by_name.out
    assert f"  stale:         since {changed[:12]}" in by_name.out


def test_what_was_said_of_a_record_is_part_of_its_times(comind, ledger):
    written = comind(*RULE, "--json").json["id"]
    comind("remember", "retracts", written, "--reason", "Refunds are negative")
    ledger.fold().derive()
    out = comind("timeline", "Cart.total").out
    assert "  retracts:      " in out
    assert "Refunds are negative" in out


def test_code_without_records_and_names_of_nothing_are_said_in_a_line(comind):
    assert comind("timeline", "Cart.total").out.startswith("no record is anchored to Cart.total itself")
    ran = comind("timeline", "Nothing.here")
    assert (ran.code, ran.err) == (2, "comind: 'Nothing.here' is neither a record nor anything indexed; `comind log` lists ids\n")
