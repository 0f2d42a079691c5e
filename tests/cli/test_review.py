"""`comind review` as a person and as a program sees it: what waits, and what each verb writes about it."""

from __future__ import annotations

import json

import pytest

from comind.cli.review_verbs import VERBS
from comind.records.validate import build
from comind.store.layout import INBOX
from tests.builders import records
from tests.builders.drafts import AGENT, DISTILLED, draft, drafts

RULE = ("remember", "constraint", "--on", "Cart.total", "--rule", "Prices are never negative", "--severity", "must")


@pytest.fixture
def written(ledger):
    """The relations and records that came into the inbox since the last look, oldest first."""
    seen = set()

    def look():
        found = {path: json.loads(path.read_bytes()) for path in ledger.store.glob(f"{INBOX}/*/*.json")}
        new = [found[path] for path in found.keys() - seen]
        seen.update(found)
        return sorted(new, key=lambda record: (record["provenance"]["author_kind"] != "human", record["id"]))

    return look


@pytest.fixture
def person_record(comind):
    return comind(*RULE, "--json").json["id"]


def by_agent(kind, *cited, number, **more):
    """A relation that an agent wrote."""
    made = {"disputes": records.disputes, "retracts": records.retracts, "supersedes": records.supersedes}[kind]
    return made(*cited, id=records.v7(number, ms=1_790_000_000_000 + number), provenance=AGENT, **more)


def listed(comind, *arguments):
    return [item["record"]["id"] for item in comind("review", *arguments, "--json").json["items"]]


def status_of(comind, record_id):
    record = comind("show", record_id, "--json").json["record"]
    return record["status"], record["trust"], record["flags"]


# what waits


def test_nothing_waits_and_none_was_missed(comind, person_record):
    ran = comind("review")
    assert (ran.code, ran.out, ran.err) == (0, "nothing waits\n", "")


def test_an_index_behind_its_head_may_have_missed_something(comind, ledger):
    ledger.repository.commit("Later")
    ran = comind("review")
    assert (ran.code, ran.out) == (3, "nothing waits\n")
    assert ran.err.startswith("comind: example.org/shop is indexed at")


def test_drafts_are_listed_newest_first_with_claim_evidence_place_and_why(comind, ledger):
    first, second = drafts(ledger, 2)
    ledger.write(first, second)
    ran = comind("review")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.index(second.title) < ran.out.index(first.title)
    for said in (
        "[attempt · T1 · active] Caching totals served stale prices, try 1",
        "waits:         draft: a machine wrote it (distilled), and nothing proves its evidence",
        "on:            Cart.empty  shop/cart.py:18-19 (same, unchanged",
        f"evidence:      commit {ledger.repository.head[:12]}",
        "quote:         “the cached total outlived the price change 1”",
        f"record:        {second.id} (distilled, 2026-11-14)",
        "2 records wait: 2 drafts (2 distilled)",
    ):
        assert said in ran.out
    assert "\x1b" not in ran.out


def test_the_json_counts_what_is_listed_and_what_is_left_out(comind, ledger, person_record):
    agents = records.constraint(id=records.v7(4), provenance=AGENT, anchors=[ledger.anchor()])
    ledger.write(*drafts(ledger, 3), agents, by_agent("disputes", person_record, number=9))
    answer = comind("review", "--limit", "2", "--json").json
    assert (answer["schema"], answer["outcome"], answer["records"], answer["over_limit"], answer["filtered"]) == (
        "comind.review/1",
        "answered",
        5,
        3,
        0,
    )
    assert answer["waits"] == [{"word": "draft", "records": 4}, {"word": "challenge", "records": 1}]
    assert answer["drafts_by"] == [{"word": "distilled", "records": 3}, {"word": "agent", "records": 1}]
    text = comind("review", "--limit", "2", "--drafts").out
    assert "2 more beyond --limit\n1 more waits and does not match\n" in text


def test_filters_leave_out_what_does_not_match_and_say_how_much(comind, ledger, person_record):
    total, empty, checkout = drafts(ledger, 3)
    decided = draft(ledger, 7, kind="gotcha", fields={"symptom": "S", "cause": "C"})
    ledger.write(total, empty, checkout, decided, by_agent("disputes", person_record, number=9))
    assert listed(comind, "--challenges") == [person_record]
    assert set(listed(comind, "--drafts")) == {total.id, empty.id, checkout.id, decided.id}
    assert listed(comind, "--kind", "gotcha") == [decided.id]
    assert set(listed(comind, "--on", "Cart.total")) == {total.id, person_record}
    assert len(listed(comind, "--on", "shop/cart.py")) == 5
    assert listed(comind, "--by", "agent") == []
    assert len(listed(comind, "--repo", "shop")) == 5
    ran = comind("review", "--repo", "elsewhere")
    assert (ran.code, ran.out) == (0, "nothing that matches waits\n5 more wait and do not match\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--on", "Nowhere.at_all"), "nothing that is indexed or recorded is called 'Nowhere.at_all'"),
        (("--kind", "rumour"), "'rumour' is not one of"),
        (("--limit", "0"), "0 is not in the range"),
        (("--interactive", "--json"), "leave one of the two out"),
        (("--interactive",), "--interactive needs a terminal"),
    ],
)
def test_a_wrong_question_is_one_line(comind, arguments, said):
    ran = comind("review", *arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err


def test_changed_code_and_a_challenge_say_why_they_wait(comind, ledger, person_record):
    ledger.write(by_agent("disputes", person_record, number=9, fields={"reason": "Refunds are negative"}))
    path = ledger.repository.path / "shop" / "cart.py"
    path.write_text(path.read_text().replace("amount - discount", "max(amount - discount, 0)"))
    ledger.repository.git("commit", "-qam", "Never below zero")
    ledger.index().fold().derive()
    (item,) = comind("review", "--json").json["items"]
    assert [(one["waits"], one["why"].partition(" since")[0]) for one in item["waits"]] == [
        ("challenge", "disputes by an agent: Refunds are negative"),
        ("stale", "Cart.total changed"),
    ]
    assert item["anchor"]["now"]["drift"] == "body"
    assert "challenge:" in comind("review").out


# what the verbs write


def test_accepting_drafts_confirms_them_as_a_person_at_the_indexed_commit(comind, ledger, written):
    first, second = drafts(ledger, 2)
    ledger.write(first, second)
    written()
    answer = comind("review", "accept", first.id[:9], second.id, "--json").json
    assert (answer["schema"], answer["outcome"]) == ("comind.review.decided/1", "written")
    entries = written()
    assert [(one["kind"], one["fields"]) for one in entries] == [
        ("confirms", {"id": one.id, "at_commit": ledger.repository.head}) for one in (first, second)
    ]
    assert [one["entries"][0]["id"] for one in answer["decisions"]] == [one["id"] for one in entries]
    assert {(one["provenance"]["author_kind"], one["provenance"]["source"], one["lamport"]) for one in entries} == {("human", "cli", 1)}
    assert status_of(comind, first.id) == ("active", "T3", [])
    assert comind("review").out == "nothing waits\n"


def test_a_rejected_draft_is_retracted_with_the_reason(comind, ledger, written):
    proposal = draft(ledger, 1)
    ledger.write(proposal)
    written()
    assert comind("review", "reject", proposal.id, "-m", "Nobody measured it").code == 0
    (entry,) = written()
    assert (entry["kind"], entry["fields"]) == ("retracts", {"id": proposal.id, "reason": "Nobody measured it"})
    assert status_of(comind, proposal.id)[0] == "retracted"


def test_confirming_at_the_commit_that_was_looked_at_clears_stale(comind, ledger, person_record, written):
    path = ledger.repository.path / "shop" / "cart.py"
    path.write_text(path.read_text().replace("amount - discount", "amount"))
    ledger.repository.git("commit", "-qam", "No discounts")
    ledger.index().fold().derive()
    assert listed(comind, "--stale") == [person_record]
    written()
    assert comind("review", "accept", person_record).code == 0
    (entry,) = written()
    assert entry["fields"]["at_commit"] == ledger.git().head
    assert status_of(comind, person_record)[0] == "active"
    assert listed(comind) == []


def test_retract_dispute_and_supersede_write_what_they_are_called(comind, ledger, written):
    old, other, elsewhere, doubted = draft(ledger, 0), draft(ledger, 3), draft(ledger, 1), draft(ledger, 6)
    ledger.write(old, other, elsewhere, doubted)
    written()
    comind("review", "retract", elsewhere.id, "-m", "Gone")
    assert [(one["kind"], one["fields"]) for one in written()] == [("retracts", {"id": elsewhere.id, "reason": "Gone"})]
    comind("review", "dispute", doubted.id, "--reason", "Measured again")
    assert [(one["kind"], one["fields"]) for one in written()] == [("disputes", {"id": doubted.id, "reason": "Measured again"})]
    comind("review", "supersede", old.id, "--by", other.id)
    assert [(one["kind"], one["fields"]) for one in written()] == [("supersedes", {"old": old.id, "new": other.id})]
    assert [status_of(comind, one.id)[0] for one in (old, elsewhere, doubted)] == ["superseded", "retracted", "active"]


@pytest.mark.parametrize("kind", ["disputes", "retracts", "supersedes"])
def test_accepting_a_challenge_says_as_a_person_what_it_says(comind, ledger, person_record, written, kind):
    agreed = "supersedes" if kind == "supersedes" else "retracts"
    successor = draft(ledger, 0)
    cited = (person_record, successor.id) if kind == "supersedes" else (person_record,)
    challenge = by_agent(kind, *cited, number=9)
    ledger.write(successor, challenge)
    assert status_of(comind, person_record)[2] == ["challenged"]
    written()
    ran = comind("review", "accept", challenge.id)
    assert (ran.code, ran.err) == (0, "")
    (entry,) = written()
    assert (entry["kind"], entry["fields"].get("id", entry["fields"].get("old"))) == (agreed, person_record)
    assert entry["lamport"] > challenge.lamport
    assert status_of(comind, person_record)[0] == {"retracts": "retracted", "supersedes": "superseded"}[agreed]


def test_what_takes_the_place_of_a_derived_challenge_comes_after_all_that_it_cites(comind, ledger, written):
    later = records.constraint(id=records.v7(6), lamport=7, anchors=[ledger.anchor()])
    derived = DISTILLED | {"source_time": "2026-11-14T22:13:20Z"}
    challenge = records.disputes(later.id, id=draft(ledger, 1).id, provenance=derived, lamport=0)
    ledger.write(later, challenge)
    written()
    comind("review", "accept", challenge.id)
    assert [(one["kind"], one["lamport"]) for one in written()] == [("retracts", 8)]


def test_where_the_policy_wants_signatures_a_decision_says_that_it_changes_nothing(comind, ledger, monkeypatch):
    ledger.write(proposal := draft(ledger, 1))
    (ledger.repository.path / "comind.toml").write_text("require_signatures = true\n")
    ran = comind("review", "accept", proposal.id)
    assert (ran.code, ran.err.count("\n")) == (0, 1)
    assert "nothing unsigned counts as a person's word" in ran.err
    assert status_of(comind, proposal.id)[1] == "T1"


def test_rejecting_a_challenge_takes_the_challenge_back_and_leaves_the_record(comind, ledger, person_record, written):
    challenge = by_agent("disputes", person_record, number=9)
    ledger.write(challenge)
    written()
    assert comind("review", "reject", challenge.id, "-m", "Measured: it holds").code == 0
    (entry,) = written()
    assert (entry["kind"], entry["fields"]["id"]) == ("retracts", challenge.id)
    assert status_of(comind, person_record) == ("active", "T3", [])


def test_every_problem_is_said_at_once_and_nothing_is_written(comind, ledger, person_record, written):
    good, rejected = drafts(ledger, 2)
    challenge = by_agent("disputes", person_record, number=9)
    ledger.write(good, rejected, challenge)
    comind("review", "reject", rejected.id, "-m", "No")
    written()
    ran = comind("review", "accept", good.id, rejected.id, person_record, "00000000", "zz")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    for said in (
        f"{rejected.id}: is retracted already",
        f"is challenged: accept or reject the challenge by its own id, {challenge.id}",
        "'00000000'",
        "'zz'",
    ):
        assert said in ran.err
    assert written() == []


WRONG = [
    (("reject",), "--reason: is needed"),
    (("retract", "-m", " "), "--reason: write at least a word"),
    (("dispute", "-m", "Ask AKIAIOSFODNN7EXAMPLE"), "--reason: holds"),
    (("confirm", "--at", "nope"), "no commit 'nope'"),
    (("supersede",), "--by: is needed"),
    (("supersede", "--by", "00000000"), "--by: no record has the id"),
    (("supersede", "--by", "OTHER"), "shares no subject with"),
    (("edit", "--from", "nowhere.md"), "nowhere.md cannot be read: No such file"),
]


def test_what_is_missing_or_wrong_is_one_line(comind, ledger, written):
    proposal, other = drafts(ledger, 2)
    ledger.write(proposal, other)
    written()
    for arguments, said in WRONG:
        ran = comind("review", *(other.id if one == "OTHER" else one for one in arguments), proposal.id)
        assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1), arguments
        assert said in ran.err
    assert written() == []


def test_a_verb_that_does_not_apply_names_the_one_that_does(comind, person_record):
    assert "`comind review retract` takes it back" in comind("review", "reject", person_record, "-m", "No").err
    assert "`comind review confirm` says that it holds" in comind("review", "accept", person_record).err
    relation = comind("remember", "confirms", person_record, "--json").json["id"]
    assert "challenges nothing now" in comind("review", "accept", relation).err
    assert "is a relation, not a record" in comind("review", "dispute", relation, "-m", "No").err


def test_a_dry_run_says_what_would_be_written_and_writes_nothing(comind, ledger, written):
    ledger.write(proposal := draft(ledger, 1))
    written()
    ran = comind("review", "accept", proposal.id, "--dry-run")
    assert (ran.code, ran.out.splitlines()[-1]) == (0, "a dry run: nothing was written")
    assert comind("review", "--json", "accept", proposal.id, "--dry-run").json["outcome"] == "dry_run"
    assert written() == []


def test_an_override_lets_a_record_about_other_code_take_the_place(comind, ledger):
    old, other = drafts(ledger, 2)
    ledger.write(old, other)
    assert comind("review", "supersede", old.id, "--by", other.id, "--override").code == 0
    assert status_of(comind, old.id)[0] == "superseded"


# editing


def edited(tmp_path, text):
    path = tmp_path / "better.md"
    path.write_text(text, encoding="utf-8")
    return path


def shown_in_editor(comind, monkeypatch, tmp_path, record_id):
    """The text that an editor is given."""
    seen = tmp_path / "seen.md"
    editor = tmp_path / "editor.sh"
    editor.write_text(f'#!/bin/sh\ncp "$1" {seen}\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    comind("review", "edit", record_id)
    return seen.read_text(encoding="utf-8")


def test_editing_writes_a_persons_record_where_the_code_is_now_and_supersedes(comind, ledger, written, monkeypatch, tmp_path):
    proposal = draft(ledger, 0)
    ledger.write(proposal)
    ledger.repository.write("shop/cart.py", "# A comment above\n" + (ledger.repository.path / "shop/cart.py").read_text()).commit("Comment")
    ledger.index().fold().derive()
    text = shown_in_editor(comind, monkeypatch, tmp_path, proposal.id)
    written()
    better = edited(tmp_path, text.replace("Cache the totals of a cart, try 0", "Cache the totals"))
    ran = comind("review", "edit", proposal.id, "--from", better)
    assert (ran.code, ran.err) == (0, "")
    record, relation = sorted(written(), key=lambda entry: entry["kind"])
    assert (record["kind"], record["fields"]) == ("attempt", {"approach": "Cache the totals", "outcome": "reverted"})
    assert (record["title"], record["body"], record["evidence"]) == (proposal.title, proposal.body, build_json(proposal)["evidence"])
    assert record["anchors"] == [ledger.anchor(start_line=10, end_line=17, commit=ledger.git().head)]
    assert record["authority"] == {"title": "owner_ratified", "trigger": "owner_ratified", "body": "owner_ratified"} | {
        "outcome": "owner_ratified"
    }
    assert (relation["kind"], relation["fields"]) == ("supersedes", {"old": proposal.id, "new": record["id"]})
    assert (status_of(comind, proposal.id)[0], status_of(comind, record["id"])[:2]) == ("superseded", ("active", "T3"))


def build_json(record):
    return record.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def test_an_editor_that_changes_nothing_writes_nothing(comind, ledger, written, monkeypatch, tmp_path):
    ledger.write(proposal := draft(ledger, 1))
    written()
    text = shown_in_editor(comind, monkeypatch, tmp_path, proposal.id)
    assert 'outcome = "reverted"' in text
    ran = comind("review", "edit", proposal.id, "--from", edited(tmp_path, text), "--json")
    assert (ran.code, ran.json["outcome"], ran.json["decisions"], written()) == (0, "unchanged", [], [])


def test_a_text_that_makes_no_record_is_kept_and_every_problem_is_named(comind, ledger, written, monkeypatch, tmp_path):
    ledger.write(proposal := draft(ledger, 1))
    written()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("EDITOR", "sed -i -e s/reverted/exploded/ -e s/Caching/AKIAIOSFODNN7EXAMPLE/")
    ran = comind("review", "edit", proposal.id)
    assert (ran.code, ran.out, written()) == (2, "", [])
    (kept,) = (tmp_path / "state" / "comind" / "edits").iterdir()
    for said in ("fields.outcome: must be one of", "title: holds", str(kept)):
        assert said in ran.err
    assert 'outcome = "exploded"' in kept.read_text()


def test_an_editor_that_fails_is_one_line(comind, ledger, monkeypatch):
    ledger.write(proposal := draft(ledger, 1))
    monkeypatch.setenv("EDITOR", "false")
    ran = comind("review", "edit", proposal.id)
    assert (ran.code, ran.err.count("\n")) == (2, 1)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the two lines +++"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"+++\ntitle = \n+++\n", "is not TOML"),
        (b"x" * 1_000_001, "more than 1,000,000"),
    ],
)
def test_a_file_that_is_no_edited_record_is_one_line(comind, ledger, tmp_path, content, said):
    ledger.write(proposal := draft(ledger, 1))
    path = tmp_path / "bad.md"
    path.write_bytes(content)
    ran = comind("review", "edit", proposal.id, "--from", path)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert said in ran.err


# the forms


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_teaches_with_an_example(comind, verb):
    ran = comind("review", verb, "--help")
    assert f"Examples:\n    comind review {verb}" in ran.out


def test_a_record_that_says_it_is_a_persons_and_came_by_another_door_waits_too(comind, ledger):
    claimed = build(build_json(draft(ledger, 1)) | {"id": records.v7(5), "provenance": {"author_kind": "human", "source": "mcp"}})
    ledger.write(claimed)
    assert DISTILLED["author_kind"] == "distilled"
    assert comind("review", "--json").json["drafts_by"] == [{"word": "human", "records": 1}]
