"""The dialogue of `comind review` in a real terminal: a person at the keys, a log at the end."""

from __future__ import annotations

import json
import sys

import pytest

from comind.store.layout import INBOX
from tests.builders.drafts import drafts
from tests.builders.tmux import ENDED, pane

COMMAND = (sys.executable, "-m", "comind", "review", "--interactive")


@pytest.fixture
def proposals(ledger):
    """Fifty drafts, folded and derived as a run leaves them; the newest first, as the dialogue shows them."""
    made = drafts(ledger, 50)
    ledger.write(*made).fold().derive()
    return [one.id for one in reversed(made)]


@pytest.fixture
def terminal(ledger, environment):
    def start(**options):
        more, command = options.pop("more", {}), options.pop("command", COMMAND)
        return pane(command, cwd=ledger.repository.path, environment=environment | more, **options)

    return start


def by_people(ledger):
    """What people wrote into the inbox, oldest first."""
    entries = [json.loads(path.read_bytes()) for path in ledger.store.glob(f"{INBOX}/*/*.json")]
    return sorted((entry for entry in entries if entry["provenance"]["author_kind"] == "human"), key=lambda entry: entry["id"])


def said(entries):
    """Each entry as the sentence that it is."""
    told = []
    for entry in entries:
        fields = entry["fields"]
        told.append((entry["kind"], fields.get("id") or fields.get("old") or entry["title"], fields.get("reason") or fields.get("new")))
    return told


def answer(keys, key, words):
    """Press a key that asks for a line, and type it."""
    keys.type(key)
    keys.write(words)
    keys.type("Enter")


def look_around(keys):
    first = keys.until("1 of 50  draft, distilled", "0 decided")
    assert "“the cached total outlived the price change 49”" in first
    assert "shop/cart.py:18-19 at" in first
    assert "18 │     def empty(self):" in first
    keys.type("?")
    keys.until("retracts: the draft does not hold, and is not proposed again")
    keys.type("n", "n", "p", "Right", "Left")
    keys.until("2 of 50")
    keys.type("p", "p")
    keys.until("1 of 50", "this is the first")


def decide_in_every_way(keys, ids):
    keys.type("a")
    keys.until("accepted: Caching totals served stale prices, try 49", "2 of 50", "1 decided")
    keys.type("r", "1", "Enter")
    keys.until("rejected: Caching", "3 of 50", "2 decided")
    answer(keys, "r", "Nobody measured it é")
    keys.until("4 of 50", "3 decided")
    keys.type("r", "Escape")
    keys.until("nothing written", "4 of 50")
    keys.type("c")
    keys.until("confirmed: Caching", "5 of 50")
    keys.type("t")
    keys.write("The cachx")
    keys.type("BSpace")
    keys.write("e is gone")
    keys.type("Enter")
    keys.until("retracted: Caching", "6 of 50")
    answer(keys, "d", "Measured again")
    keys.until("disputed: Caching", "7 of 50", "6 decided")
    answer(keys, "s", ids[8])
    keys.until("nothing written", "shares no subject", "7 of 50")
    answer(keys, "s", ids[9])  # the same definition: fifty drafts are about three in turn
    keys.until("superseded: Caching", "8 of 50")
    keys.type("e")
    keys.until("edited: Caching", "9 of 50", "8 decided")


def take_back(keys):
    keys.type("a", "u")
    keys.until("taken back: it is not accepted any more", "9 of 50", "8 decided")
    keys.type("u")  # and the edit before it
    keys.until("taken back: it is not edited any more", "8 of 50", "7 decided")
    keys.type("e")
    keys.until("edited: Caching", "9 of 50", "8 decided")
    keys.type("p", "a")
    keys.until("edited already; u takes the last decision back")
    keys.type("n", "x")
    keys.until("that key does nothing")


def test_fifty_drafts_are_reviewed_key_by_key_and_the_log_holds_what_was_meant(ledger, terminal, proposals, tmp_path):
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\nsed -i \'s/^title = .*/title = "Totals are never cached"/\' "$1"\n')
    editor.chmod(0o755)
    ids = proposals
    with terminal(more={"EDITOR": str(editor)}) as keys:
        look_around(keys)
        decide_in_every_way(keys, ids)
        take_back(keys)
        keys.type(*"a" * 30)  # faster than anybody reads
        keys.until("38 decided", "39 of 50")
        keys.type(*["r", "2", "Enter"] * 12)
        keys.until("50 decided", "all are decided, q leaves")
        keys.type("q")
        ended = keys.until(f"{ENDED} 0")
    assert "31 accepted, 1 edited, 14 rejected, 1 confirmed, 1 retracted, 1 superseded, 1 disputed" in ended

    entries = by_people(ledger)
    told = said(entries)
    edited, again = (entry["id"] for entry in entries if entry["kind"] == "attempt")
    accept_undone = next(entry["id"] for entry in entries if entry["kind"] == "confirms" and entry["fields"]["id"] == ids[8])
    edit_undone = next(entry["id"] for entry in entries if entry["kind"] == "supersedes" and entry["fields"]["new"] == edited)
    assert told == [
        ("confirms", ids[0], None),
        ("retracts", ids[1], "It is wrong"),
        ("retracts", ids[2], "Nobody measured it é"),
        ("confirms", ids[3], None),
        ("retracts", ids[4], "The cache is gone"),
        ("disputes", ids[5], "Measured again"),
        ("supersedes", ids[6], ids[9]),
        ("attempt", "Totals are never cached", None),
        ("supersedes", ids[7], edited),
        ("confirms", ids[8], None),
        ("retracts", accept_undone, "Taken back in review"),
        ("retracts", edit_undone, "Taken back in review"),
        ("retracts", edited, "Taken back in review"),
        ("attempt", "Totals are never cached", None),
        ("supersedes", ids[7], again),
        *(("confirms", one, None) for one in ids[8:38]),
        *(("retracts", one, "It says nothing that the code does not say") for one in ids[38:]),
    ]
    believed = {
        one: (status, trust) for one, status, trust in ledger.view().read("ledger_current", columns=["id", "status", "trust"]).iter_rows()
    }
    assert {believed[ids[number]][0] for number in (1, 2, 4, *range(38, 50))} == {"retracted"}
    assert [believed[ids[number]][0] for number in (5, 6, 7)] == ["active", "superseded", "superseded"]
    assert {believed[ids[number]] for number in (0, 3, *range(8, 38))} == {("active", "T3")}
    assert (believed[edited][0], believed[again]) == ("retracted", ("active", "T3"))


def test_ctrl_c_leaves_the_log_at_what_was_decided(ledger, terminal, proposals):
    with terminal() as keys:
        keys.until("1 of 50")
        keys.type("a", "r", "1", "Enter")
        keys.until("2 decided")
        keys.type("d")
        keys.write("half a rea")
        keys.until("why? half a rea")
        keys.type("C-c")
        ended = keys.until(f"{ENDED} 130")
    assert "1 accepted, 1 rejected; 48 wait" in ended
    assert "comind: interrupted" in ended
    assert said(by_people(ledger)) == [("confirms", proposals[0], None), ("retracts", proposals[1], "It is wrong")]


def test_a_terminal_may_shrink_grow_and_have_no_colours_and_a_paste_is_no_command(ledger, terminal, proposals):
    with terminal(more={"NO_COLOR": "1"}) as keys:
        keys.until("1 of 50", "19 │         return not self.items")
        keys.resize(40, 12)
        small = keys.until("more lines: space")
        assert max(len(row.rstrip()) for row in small.splitlines()) <= 40
        assert "1 of 50" in small
        keys.type(*["Space"] * 6, "Up", "Down")
        keys.until("return not self.items")
        keys.resize(20, 3)
        keys.until("1 of 50")
        keys.resize(120, 40)
        assert "help  q quit" in keys.until("1 of 50", "18 │     def empty(self):")
        assert "\x1b[" not in keys.screen(colours=True)
        keys.paste("a\na\nq\n")
        keys.until("that key does nothing")
        keys.type("t")
        keys.paste("two\nlines")
        keys.until("why? two lines")
        keys.type("Enter")
        keys.until("1 decided")
        keys.type("C-d")
        keys.until(f"{ENDED} 0")
    assert said(by_people(ledger)) == [("retracts", proposals[0], "two lines")]


def test_a_terminal_that_obeys_no_control_codes_gets_none(ledger, terminal, proposals):
    with terminal(command=("env", "TERM=dumb", *COMMAND)) as keys:
        keys.until("1 of 50")
        keys.type("a")
        keys.until("2 of 50  draft, distilled  1 decided", "accepted: Caching")
        keys.type("q")
        keys.until("1 accepted; 49 wait", f"{ENDED} 0")
    assert said(by_people(ledger)) == [("confirms", proposals[0], None)]


def test_an_edit_that_makes_no_record_is_edited_again_or_kept_and_the_dialogue_goes_on(ledger, terminal, proposals, tmp_path):
    editor = tmp_path / "editor.sh"
    # Wrong at first, then right where the complaint is read, then wrong again.
    editor.write_text(
        "#!/bin/sh\nif grep -q '^# not yet: fields.outcome' $1; then sed -i s/exploded/failed/ $1; else sed -i s/reverted/exploded/ $1; fi\n"
    )
    editor.chmod(0o755)
    with terminal(more={"EDITOR": str(editor), "XDG_STATE_HOME": str(tmp_path / "state")}) as keys:
        keys.until("1 of 50")
        keys.type("e")
        keys.until("fields.outcome: must be one of", "Edit it again? [Y/n]:")
        keys.type("Enter")
        keys.until("edited: Caching", "2 of 50", "1 decided")
        keys.type("e")
        keys.until("Edit it again?")
        keys.type("n", "Enter")
        keys.until("nothing written: fields.outcome: must be one of", "--from takes it from there", "2 of 50", "1 decided")
        keys.type("q")
        keys.until(f"{ENDED} 0")
    assert [path.name for path in (tmp_path / "state" / "comind" / "edits").iterdir()] == [f"{proposals[1]}.md"]
    (record, relation) = sorted(by_people(ledger), key=lambda entry: entry["kind"])
    assert (record["fields"]["outcome"], relation["fields"]) == ("failed", {"old": proposals[0], "new": record["id"]})
