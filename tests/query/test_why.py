from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from comind.config import RepositoryEntry
from comind.query.answer import Outcome, WhyAnswer
from comind.query.checkouts import Checkouts
from comind.query.render_why import render_why
from comind.query.resolve import Asked
from comind.query.view import Inbox
from comind.query.why import ask_why
from tests.builders import records
from tests.builders.frames import (
    HEAD,
    PATH,
    REPO,
    anchor_rows,
    code_file,
    current,
    drift,
    ledger,
    location,
    own_row,
    record_row,
    scip,
    symbol,
)
from tests.builders.git import make_repository

RUN, FLASK = "flask/app/Flask#run().", "flask/app/Flask#"
SYMBOLS = [symbol(FLASK, lines=(5, 40), kind="class"), symbol(RUN), symbol("flask/app/Flask#stop().", lines=(22, 30))]
FILES = [own_row(), code_file()]
NOWHERE = Checkouts(Path("/nonexistent"))


def on(descriptors, **more):
    return records.raw_anchor(repo=REPO, path=PATH, symbol=scip(descriptors), commit=HEAD, start_line=10, end_line=20) | more


def believed(*pairs, **tables):
    """A ledger of records, each with what is believed of it, located where they were anchored."""
    written = [record for record, _ in pairs]
    anchors = [row for record in written for row in anchor_rows(record)]
    places = [
        location(
            record, row["canonical_key"].partition(" . ")[2] if row["canonical_key"] else None, position=row["position"], path=row["path"]
        )
        for record in written
        for row in anchor_rows(record)
    ]
    return ledger(
        symbols=tables.pop("symbols", SYMBOLS),
        code_files=tables.pop("code_files", FILES),
        ledger_records=[record_row(record) for record in written] + tables.pop("relations", []),
        ledger_anchors=anchors,
        anchor_locations=tables.pop("anchor_locations", places),
        anchor_drift=[drift(record) for record in written],
        ledger_current=[current(record, **belief) for record, belief in pairs],
        **tables,
    )


def why(view, text="Flask.run", **more):
    return ask_why(view, Asked(text=text, **more), NOWHERE)


def numbered(number, kind=records.attempt, **more):
    return kind(**{"id": records.v7(number), "anchors": [on(RUN)], "title": f"Record {number}"} | more)


def titles(answer):
    return [one.record.title for one in answer.records]


def test_active_records_come_first_then_trust_then_kind_then_the_newest():
    view = believed(
        (numbered(1), {"trust": "T4", "status": "stale"}),
        (numbered(2), {"trust": "T2"}),
        (numbered(3), {"trust": "T2"}),
        (numbered(4, records.constraint), {"trust": "T2"}),
        (numbered(5, records.question), {"trust": "T3"}),
    )
    assert titles(why(view)) == ["Record 5", "Record 4", "Record 3", "Record 2", "Record 1"]


def test_what_nobody_vouches_for_is_counted_and_shown_only_on_demand():
    view = believed((numbered(1), {"trust": "T1"}), (numbered(2), {"trust": "T0", "status": "quarantined"}))
    quiet, loud = why(view), why(view, every_trust=True)
    assert (quiet.outcome, titles(quiet), quiet.left_out.below_trust) == (Outcome.ANSWERED, [], 2)
    assert (titles(loud), loud.left_out.below_trust) == (["Record 1", "Record 2"], 0)


def test_what_is_beyond_the_limit_is_counted():
    answer = why(believed(*((numbered(number), {}) for number in range(5))), limit=2)
    assert (titles(answer), answer.left_out.over_limit) == (["Record 4", "Record 3"], 3)


@pytest.mark.parametrize(
    ("anchor", "via"),
    [
        (on(RUN), "own"),
        (on(FLASK), "container"),
        ({"scope": "file", "repo": REPO, "path": PATH, "commit": HEAD}, "file"),
        ({"scope": "module", "repo": REPO, "path": "src", "commit": HEAD}, "module"),
        ({"scope": "repo", "repo": REPO}, "repo"),
        ({"scope": "org"}, "org"),
    ],
)
def test_records_of_what_is_around_the_subject_govern_it_and_say_so(anchor, via):
    assert [one.via for one in why(believed((numbered(1, anchors=[anchor]), {}))).records] == [via]


@pytest.mark.parametrize(
    "anchor",
    [
        on("flask/app/Flask#stop()."),
        on("flask/app/Flask#run_all()."),
        on("flask/app/FlaskGroup#"),
        {"scope": "file", "repo": REPO, "path": "src/flask/cli.py", "commit": HEAD},
        {"scope": "file", "repo": "github.com/another/one", "path": PATH, "commit": HEAD},
        {"scope": "module", "repo": REPO, "path": "src/fla", "commit": HEAD},
        {"scope": "repo", "repo": "github.com/another/one"},
    ],
)
def test_records_of_other_code_do_not_govern_it(anchor):
    assert why(believed((numbered(1, anchors=[anchor]), {}), anchor_locations=[])).outcome is Outcome.NOTHING


def test_a_class_a_file_and_a_directory_show_what_is_inside_them():
    view = believed((numbered(1), {}))
    assert [[one.via for one in why(view, text).records] for text in ("Flask", PATH, "src", ".")] == [["inside"]] * 4


def test_a_record_follows_its_code_to_another_name():
    record = numbered(1, anchors=[on("flask/app/Flask#serve().")])
    view = believed((record, {}), anchor_locations=[location(record, RUN, matched_by="body")])
    [one] = why(view).records
    assert (one.via, one.anchor.now.qualified_name, one.anchor.now.matched_by) == ("own", "Flask.run", "body")


def test_a_record_that_moved_away_does_not_govern_the_name_it_left():
    record = numbered(1)
    view = believed((record, {}), anchor_locations=[location(record, "flask/app/Flask#stop().", matched_by="body")])
    assert titles(why(view)) == []
    assert titles(why(view, "Flask.stop")) == ["Record 1"]


def test_a_record_whose_code_is_gone_is_found_by_the_name_of_old():
    record = numbered(1, anchors=[on("flask/app/Flask#gone().")])
    view = believed((record, {"status": "orphaned"}), anchor_locations=[location(record, path=None, level=None, matched_by="deleted")])
    answer = why(view, "Flask.gone")
    assert (answer.subject.kind, titles(answer), answer.records[0].record.status) == ("gone", ["Record 1"], "orphaned")


def test_a_record_with_several_anchors_is_listed_once_by_the_nearest():
    record = numbered(1, anchors=[{"scope": "org"}, on(FLASK), on(RUN)])
    [one] = why(believed((record, {}))).records
    assert (one.via, one.more_anchors) == ("own", 2)


def test_many_matches_are_listed_with_their_records_and_what_to_ask():
    view = believed((numbered(1), {}), symbols=[*SYMBOLS, symbol("flask/cli/run().", path="src/flask/cli.py", kind="function")])
    answer = why(view, "run")
    assert (answer.outcome, answer.outcome.exit_code) == (Outcome.AMBIGUOUS, 2)
    assert [(one.ask, one.records) for one in answer.candidates] == [("comind why Flask.run", 1), ("comind why flask.cli.run", 0)]
    for candidate in answer.candidates:
        asked_again = why(view, candidate.ask.removeprefix("comind why "))
        assert asked_again.subject.canonical_key == candidate.subject.canonical_key


def test_clones_of_one_symbol_are_told_apart_by_their_repository():
    view = ledger(symbols=[symbol(RUN), symbol(RUN, repo="gitlab.example/fork")], code_files=[own_row(), own_row("gitlab.example/fork")])
    assert [one.ask.partition("--repo ")[2] for one in why(view).candidates] == [REPO, "gitlab.example/fork"]


def test_nothing_is_said_only_when_nothing_can_have_been_missed():
    answer = why(believed())
    assert (answer.outcome, answer.outcome.exit_code, answer.coverage.gaps) == (Outcome.NOTHING, 0, ())


def test_an_unknown_name_is_a_wrong_question_and_the_nearest_names_are_offered():
    answer = why(believed(), "Flask.rum")
    assert (answer.outcome, answer.outcome.exit_code, answer.candidates[0].subject.qualified_name) == (Outcome.UNKNOWN, 2, "Flask.run")


@pytest.mark.parametrize(
    ("text", "change", "gap"),
    [
        (
            "Flask.run",
            {"code_files": [own_row(), code_file(status="partial", problem="2 places do not parse")]},
            "was not parsed whole: 2 places",
        ),
        (
            "Flask.nothing",
            {"code_files": [own_row(), code_file("a.py", status="skipped")]},
            "1 file of github.com/pallets/flask could not be",
        ),
        (
            "Flask.run",
            {"unreadable_objects": [{"object_key": "k", "code": "truncated", "detail": "ends early"}]},
            "1 object in the inbox cannot",
        ),
        ("Flask.run", {"code_files": [], "symbols": []}, "no such repository is indexed"),
    ],
)
def test_nothing_found_with_a_gap_means_that_it_could_not_find_out(text, change, gap):
    answer = why(believed(**change), text)
    assert (answer.outcome, answer.outcome.exit_code) == (Outcome.COULD_NOT_FIND_OUT, 3)
    assert gap in answer.coverage.gaps[0]


def test_a_file_that_a_rule_leaves_out_is_no_gap():
    answer = why(believed(code_files=[own_row(), code_file("vendor/a.py", status="excluded")]), "Flask.nothing")
    assert (answer.outcome, answer.coverage.gaps) == (Outcome.UNKNOWN, ())


def test_an_index_behind_the_checkout_is_a_gap(tmp_path):
    repository = make_repository(tmp_path)
    indexed, ahead = repository.commit(), repository.commit()
    checkouts = Checkouts(repository.path, [RepositoryEntry(path=repository.path, name=REPO)])
    answer = ask_why(believed(code_files=[own_row(head=indexed), code_file()]), Asked(text="Flask.run"), checkouts)
    assert (answer.outcome, answer.coverage.gaps) == (
        Outcome.COULD_NOT_FIND_OUT,
        (f"{REPO} is indexed at {indexed[:12]} and stands at {ahead[:12]}; `comind run` indexes it",),
    )
    assert ask_why(believed(code_files=[own_row(head=ahead), code_file()]), Asked(text="Flask.run"), checkouts).outcome is Outcome.NOTHING


@pytest.mark.parametrize("inbox", [Inbox(unreadable={"key": "truncated"}), Inbox(complete=False)])
def test_what_the_inbox_hides_is_a_gap(inbox):
    assert why(replace(believed(), inbox=inbox)).outcome is Outcome.COULD_NOT_FIND_OUT


def test_a_gap_does_not_hide_what_was_found():
    view = replace(believed((numbered(1), {})), inbox=Inbox(complete=False))
    answer = why(view)
    assert (answer.outcome, titles(answer), answer.coverage.complete) == (Outcome.ANSWERED, ["Record 1"], False)


def test_evidence_comes_with_what_was_proven_and_relations_with_their_reason():
    record = numbered(1)
    relation = records.disputes(record.id, id=records.v7(9))
    checks = [
        {
            "check_id": f"{record.id}#0 on_indexed_ref",
            "record_id": record.id,
            "check": "on_indexed_ref",
            "result": "proven",
            "detail": "it is",
        }
    ]
    [one] = why(believed((record, {}), relations=[record_row(relation)], evidence_checks=checks)).records
    assert [check.result for check in one.record.evidence[0].checks] == ["proven"]
    assert [(each.kind, each.reason) for each in one.record.relations] == [("disputes", "Measured again: no stale grant in a month")]


def test_a_person_reads_the_claim_the_place_the_evidence_and_how_to_check_them():
    record = numbered(1, title="Cache permission checks in Redis — reverted", body="Stale grants after a role change.\n\nMore.")
    text = render_why(why(believed((record, {"trust": "T3", "trust_reason": "a person wrote it"})))).plain
    assert (
        text
        == f"""\
Flask.run  method  src/flask/app.py:10-20  github.com/pallets/flask

[attempt · T3 · active] Cache permission checks in Redis — reverted
  on:            Flask.run  src/flask/app.py:10-20 (same, unchanged since 4f1c2a000000)
  reason:        Stale grants after a role change. More.
  evidence:      revert 9b2e01000000
  relevant when: adding a cache to authorisation paths
  trust:         T3, a person wrote it
  verify:        git show 9b2e01000000; git show 4f1c2a000000:src/flask/app.py | sed -n 10,20p
  record:        {record.id} (human, 2023-11-14)

coverage: github.com/pallets/flask indexed at 4f1c2a000000 (its head is not known here); 0 of 1 source files not parsed whole
ledger: 0 objects unreadable, 0 records quarantined"""
    )


def test_the_code_to_verify_is_that_which_was_asked_about():
    record = numbered(1, anchors=[on(FLASK), on(RUN)])
    places = [location(record, FLASK) | {"start_line": 5, "end_line": 40}, location(record, RUN, position=1)]
    [one] = why(believed((record, {"start_line": 5, "end_line": 40}), anchor_locations=places)).records
    assert one.record.verify[-1] == f"git show {HEAD}:{PATH} | sed -n 10,20p"


def test_a_repository_that_is_named_after_its_first_commit_gets_a_short_name():
    root = "33850c0e" * 5
    view = ledger(symbols=[symbol(RUN, repo=root)], code_files=[own_row(root), code_file(repo=root)])
    text = render_why(why(view)).plain
    assert text.splitlines()[0] == "Flask.run  method  src/flask/app.py:10-20  33850c0e3385"
    assert root not in text


def test_nothing_of_a_record_reaches_the_terminal_but_text():
    evil = "\x1b[31m[bold]red[/bold]\x1b]8;;https://evil.example\x07 \u202etxt \U000e0041 \x9b2J"
    record = numbered(1, title=f"Title {evil}", trigger=f"when {evil}", body=f"{evil}\r\n{evil}")
    text = render_why(why(believed((record, {"status_reason": evil, "status": "stale"})))).plain
    assert not [character for character in text if character != "\n" and not character.isprintable()]
    assert "[bold]red[/bold]" in text


def test_the_json_of_an_answer_is_ascii_and_reads_back_as_the_same_answer():
    record = numbered(1, title="Größe \u202e[b]")
    answer = why(believed((record, {})))
    text = answer.to_json()
    assert text.isascii()
    assert TypeAdapter(WhyAnswer).validate_json(text) == answer
