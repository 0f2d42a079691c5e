"""The words of a revert and of what it undid, without those that every revert has."""

from __future__ import annotations

import pytest

from comind.harvest.revert_text import MAX_REASON_CHARS, adds_words, approach_of, headline, quoted_whole, reason_of, shorten, title_of

SHA = "1f" * 20


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (f'Revert "Add a cache"\n\nThis reverts commit {SHA}.\n', None),
        (f'Revert "Merge x"\n\nThis reverts commit {SHA}, reversing\nchanges made to {SHA}.\n', None),
        (f'Revert "Add"\n\nThis reverts commit {SHA}, because it kept stale rows.', "because it kept stale rows."),
        (f'Revert "Add"\n\nIt kept stale rows.\n\nThis reverts commit {SHA}.', "It kept stale rows."),
        (f'Revert "Add"\n\nThis reverts commit {SHA}.\n\nReason for revert: it kept\nstale rows\n\nBug: 12', "it kept stale rows"),
        (f'Reverts "Add"\n\nReason for reverting: stale rows everywhere\n\nReverts commit {SHA}.', "stale rows everywhere"),
        ("Rolling back r1161378. The field is needed elsewhere", "The field is needed elsewhere"),
        ("Rolling back r1153037 and r1153038 - the changes didn't help", "the changes didn't help"),
        ("Backout last change, save_cookie by itself does that", "save_cookie by itself does that"),
        ("Reverting r1570821 since they didn't work", "since they didn't work"),
        ("Reverting r1661762 for now until we agree", "for now until we agree"),
        ("revert Oops, readers need to be in sync", "readers need to be in sync"),
        (f"Use the old parser again\n\nThis reverts commit {SHA}.", "Use the old parser again"),
        ("Revert run debug docs", None),
        ('Revert "Add" (#12)\n\nFix #11', None),
        ('Revert "Add" (#12)\n\n* Revert "Add"\n\n* fix lint', None),
        ("Revert r9\n\ngit-svn-id: https://svn.example.org/trunk@1090004 13f79535", None),
        ('Revert "Add"\n\nIt broke the build.\n\nChange-Id: I12\nReviewed-on: https://go.example.org/1', "It broke the build."),
        ('Back out "Add"\n\nSummary:\nOriginal commit changeset: 0123\n\nIt broke the build.\n\nDifferential Revision: D12', "It broke the build."),
    ],
)  # fmt: skip
def test_a_reason_is_what_is_left_without_the_words_of_every_revert(message, reason):
    assert reason_of(message) == reason


def test_repeating_what_was_undone_is_no_reason():
    message = "Revert changes from r1166233: [LANG-750] Add APIs without parameters"
    assert reason_of(message, title="[LANG-750] Add APIs without parameters.") is None


def test_a_long_reason_ends_at_a_word():
    reason = reason_of(f'Revert "Add"\n\n{"word " * 400}')
    assert len(reason) <= MAX_REASON_CHARS
    assert reason.endswith("word…")


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Add a cache (#12)\n\nbody", "Add a cache (#12)"),
        ("Merge pull request #859\n\nAdd a cache\n", "Add a cache (#859)"),
        ("Merge branch 'x' into 'y'\n\nAdd a cache\n\nSee merge request g/p!370", "Add a cache (!370)"),
        ("Merge branch 'x'", "Merge branch 'x'"),
        ("Merge pull request #1\n\n* commit one\n", "Merge pull request #1"),
    ],
)
def test_a_merge_is_called_by_what_it_merged(message, title):
    assert title_of(message) == title


def test_what_was_tried_is_its_title_and_first_explanation():
    assert approach_of("Add a cache\n\nIt is faster.\n\nMore.\n") == "Add a cache. It is faster."
    assert approach_of("Add a cache (#1)\n\n* Add a cache\n\n* fix lint\n") == "Add a cache (#1)"
    assert approach_of("Drop it\n\n- costs\n- slow") == "Drop it\n- costs\n- slow"


def test_thanks_to_people_are_left_out():
    assert approach_of("Add a cache. Thanks to [person] for the patch. It is faster.") == "Add a cache. It is faster."


def test_a_headline_ends_with_a_sentence_where_it_can():
    assert headline("Remove the busy wait. This also closes #46.", 30) == "Remove the busy wait"
    assert headline("Remove the busy wait", 30) == "Remove the busy wait"
    assert headline("Remove the busy wait of the initializer", 20) == "Remove the busy…"
    assert shorten("a" * 30, 10) == "a" * 9 + "…"


def test_only_the_default_subject_quotes_the_whole_target():
    assert quoted_whole('Revert "Revert "Add""') == 'Revert "Add"'
    assert quoted_whole('revert "Add" and add "more" instead') is None


def test_a_subject_that_only_names_its_target_adds_nothing():
    assert not adds_words(f"Undoing {SHA}", "Add a cache")
    assert not adds_words("revert r1147524", "Add a cache")
    assert adds_words("Rolling back accidental r1089306 commit", "Add a cache")
