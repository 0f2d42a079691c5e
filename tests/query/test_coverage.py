"""What an answer may have missed while the tables are not all of one commit."""

from __future__ import annotations

from comind.query.resolve import Asked
from comind.query.why import ask_why
from tests.builders.ledger import NAME, SOURCE
from tests.builders.records import gotcha, v7


def test_a_status_that_is_older_than_the_indexed_code_is_a_gap_until_they_are_compared(ledger):
    record = gotcha(id=v7(1), anchors=[ledger.anchor() | {"role": "subject"}], provenance={"repo": NAME})
    ledger.write(record).fold().derive()

    def gaps():
        return ask_why(ledger.view(), Asked(text="Cart.total"), ledger.checkouts()).coverage.gaps

    assert gaps() == ()
    ledger.repository.write("shop/cart.py", SOURCE.replace(" - discount", "")).commit("Give nothing off")
    ledger.index()
    (gap,) = gaps()
    assert gap.startswith(f"the status of 1 record of {NAME} is as of ")
    ledger.derive()
    assert gaps() == ()
