"""The dialogue of `comind review --interactive` with scripted keys: what each key leads to, without a terminal."""

from __future__ import annotations

import json

import pytest

from comind.cli.context import open_session
from comind.cli.deciding import Desk
from comind.cli.review_page import Seen, page, scrolled
from comind.cli.reviewing import Dialogue
from comind.query.checkouts import Checkouts
from comind.query.code_now import code_under
from comind.query.review import items_shown
from comind.status.policy import Policy
from comind.status.waiting import waiting_records
from comind.store.layout import INBOX
from tests.builders import records
from tests.builders.drafts import AGENT, draft, drafts

RULE = ("remember", "constraint", "--on", "Cart.total", "--rule", "Prices are never negative", "--severity", "must")


class Script:
    """A terminal at which somebody presses some keys and then leaves."""

    def __init__(self, *keys, answers=(), size=(100, 30)):
        self.keys, self.answers, self.columns_rows = list(keys), list(answers), size
        self.pages = []
        self.questions = []

    def size(self):
        return self.columns_rows

    def key(self):
        return self.keys.pop(0) if self.keys else "end"

    def ask(self, question):
        self.questions.append(question)
        return self.answers.pop(0)

    def show(self, lines):
        self.pages.append("\n".join(one.plain for one in lines))


@pytest.fixture
def dialogue(comind, ledger):
    def hold(*keys, **options):
        script = Script(*keys, **options)
        session = open_session(None)
        held = Dialogue(Desk(session), waiting_records(session.view.read("ledger_current")), script)
        held.run()
        return held, script

    return hold


def written(ledger, kind):
    entries = [json.loads(path.read_bytes()) for path in ledger.store.glob(f"{INBOX}/*/*.json")]
    return [one["fields"] for one in entries if one["kind"] == kind and one["provenance"]["author_kind"] == "human"]


@pytest.mark.parametrize(("key", "about"), [("a", "record"), ("r", "challenge")])
def test_on_a_challenge_accept_and_reject_are_about_the_challenge_and_say_so(comind, ledger, dialogue, key, about):
    record = comind(*RULE, "--json").json["id"]
    challenge = records.disputes(record, id=records.v7(9, ms=1_790_000_000_000), provenance=AGENT)
    ledger.write(challenge)
    _, script = dialogue("?", key, answers=["Measured: it holds"])
    assert "retracts: the challenge is right" in script.pages[1]
    assert "retracts, of the challenge: it is wrong" in script.pages[1]
    assert [one["id"] for one in written(ledger, "retracts")] == [{"record": record, "challenge": challenge.id}[about]]
    assert script.pages[-1].startswith("1 of 1  challenge, human  1 decided")


def test_a_decision_that_cannot_be_written_is_said_and_nothing_moves(ledger, dialogue, monkeypatch):
    ledger.write(*drafts(ledger, 2))
    held, script = dialogue("s", "u", "r", answers=["zzzz", None])
    assert "nothing written: --by: no record has the id 'zzzz'" in script.pages[1]
    assert "nothing to take back" in script.pages[2]
    assert (held.position, held.decided, script.pages[3].splitlines()[-1]) == (0, {}, "nothing written")
    assert written(ledger, "retracts") == written(ledger, "supersedes") == []


def test_a_store_that_cannot_be_written_ends_no_dialogue(ledger, dialogue):
    ledger.write(*drafts(ledger, 1))
    script = Script("a")
    session = open_session(None)
    held = Dialogue(Desk(session), waiting_records(session.view.read("ledger_current")), script)
    (ledger.store / "_ledger" / "inbox").rename(ledger.store / "_ledger" / "away")
    (ledger.store / "_ledger" / "inbox").write_text("in the way")
    held.run()
    assert "nothing written: " in script.pages[-1]
    assert held.decided == {}


def test_after_the_last_the_dialogue_goes_on_with_what_was_passed_over(ledger, dialogue):
    ledger.write(*drafts(ledger, 3))
    held, script = dialogue("n", "a", "a", "n", "a")
    assert [one.splitlines()[0].split("  ")[0] for one in script.pages] == ["1 of 3", "2 of 3", "3 of 3", "1 of 3", "2 of 3", "2 of 3"]
    assert script.pages[-1].splitlines()[-1].startswith("accepted already")
    assert held.summary() == "2 accepted; 1 waits"


def test_a_page_never_has_more_lines_or_columns_than_the_terminal(ledger, comind):
    ledger.write(draft(ledger, 0, body="A reason of many words. " * 60))
    view, checkouts = ledger.view(), ledger.checkouts()
    item = next(items_shown(view, waiting_records(view.read("ledger_current")), Policy()))
    seen = {"item": item, "code": code_under(item.anchor, checkouts), "position": 1, "total": 1, "decided": 0, "message": "m" * 300}
    for columns, rows in ((100, 30), (80, 24), (40, 12), (20, 5), (7, 2), (1, 1)):
        for more in ({}, {"helps": True}, {"scroll": scrolled(Seen(**seen), columns, rows, pages=99)}):
            lines = page(Seen(**seen, **more), columns, rows)
            assert len(lines) <= rows
            assert max(one.cell_len for one in lines) <= columns


def test_the_code_of_a_record_whose_subject_is_gone_is_shown_as_it_was(ledger, comind):
    ledger.write(draft(ledger, 0))
    ledger.repository.git("rm", "-q", "shop/cart.py")
    ledger.repository.git("commit", "-qm", "No cart")
    ledger.index().fold().derive()
    view = ledger.view()
    item = next(items_shown(view, waiting_records(view.read("ledger_current")), Policy()))
    code = code_under(item.anchor, ledger.checkouts())
    assert (code.is_now, code.first_line, code.lines[0]) == (False, 9, "    def total(self, items, discount):")


def test_code_that_is_not_at_hand_is_no_error(ledger, comind, tmp_path):
    ledger.write(draft(ledger, 0), draft(ledger, 1, anchors=[{"scope": "org"}]))
    view = ledger.view()
    wide, narrow = items_shown(view, waiting_records(view.read("ledger_current")), Policy())
    assert code_under(narrow.anchor, Checkouts(tmp_path)).problem == "no checkout of example.org/shop is known here"
    assert code_under(wide.anchor, ledger.checkouts()).problem == "anchored to every repository"


def test_code_that_speaks_to_a_terminal_is_shown_as_text(ledger, dialogue):
    ledger.repository.write("shop/cart.py", f"def total():\n\treturn '\x1b[2J\x1b]0;owned\x07'  # {'x' * 100_000}\n").commit("Speak")
    ledger.index()
    ledger.write(draft(ledger, 0, anchors=[ledger.anchor("`shop.cart`/total().")]))
    _, script = dialogue()
    assert "\x1b" not in script.pages[0]
    assert "1 │ def total():\n2 │     return '" in script.pages[0]
