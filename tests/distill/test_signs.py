"""Signs of a reason: families of words that meet, never a word alone."""

from __future__ import annotations

import pytest

from comind.distill.signs import Undoing, is_worth_asking, reasoning_of, sentences_of, undoing_of


@pytest.mark.parametrize("text", [
    "Because I like it.",
    "The parser fails.",
    "It must be sorted.",
    "Use a set instead of a dict for the context.",
    "Add a few more extensions for tables.",
    "",
])  # fmt: skip
def test_words_of_one_family_are_no_reason(text):
    assert reasoning_of(text) == 0.0


@pytest.mark.parametrize("text", [
    "The lock is per table, since rows move between partitions and a row lock would deadlock.",
    "Unfortunately the two functions differ between platforms.",
    "Do not resolve the path: the result depends on the platform, so links break.",
    "Readers hold the file open. Otherwise the second run fails.",
    "Older clients still require it, which makes it hard to drop.",
])  # fmt: skip
def test_a_cause_beside_a_failure_or_limit_is_a_reason(text):
    assert is_worth_asking("Change the lock", [text])


def test_two_sentences_that_follow_each_other_make_a_reason_and_two_apart_do_not():
    close = "It deadlocks on reload. Therefore the lock is taken later."
    assert reasoning_of(close) > reasoning_of("It deadlocks on reload. Here is a list. Therefore the lock is taken later.") == 0.0


def test_words_in_code_links_and_quotations_are_no_signs():
    text = "See `fails_because_of(x)` and https://ci/fails-because-it-broke\n\n    raise Error because it must not\n"
    assert reasoning_of(text) == 0.0
    assert sentences_of("    indented code\n") == []


def test_since_a_version_is_no_cause():
    assert reasoning_of("Since 3.2 it must be called first.") < reasoning_of("Since it is cached it must be called first.")


@pytest.mark.parametrize("subject", ["Fix typo in the guide", "docs: reword the introduction", "Update README.md", "Bump lib to 2.3"])
def test_a_trifle_needs_a_cause_beside_something(subject):
    assert not is_worth_asking(subject, ["The old one was confusing, but short."])
    assert is_worth_asking(subject, ["The old one has to go, because it broke every build on Windows."])


def test_a_line_alone_is_worth_a_question_only_with_cause_and_clash():
    assert not is_worth_asking("Avoid a crash when the width is zero", [])
    assert is_worth_asking("Keep the lock, because dropping it early deadlocks", [])


@pytest.mark.parametrize(("message", "expected"), [
    ('Revert "Add a cache"', Undoing.CHANGE),
    ("Undo it\n\nThis reverts commit 0123456789abcdef.", Undoing.CHANGE),
    ("Back out the cache\n\nReverts #12", Undoing.CHANGE),
    ("Revert recommending the old tool", Undoing.STATE),
    ("Add a command that reverts a transaction", Undoing.NONE),
])  # fmt: skip
def test_a_change_that_is_named_is_undone_surely(message, expected):
    assert undoing_of(message) is expected


def test_any_words_beside_an_undone_change_are_its_reason():
    assert is_worth_asking('Revert "Add a cache"', ["Users were not happy with it."], undoing=Undoing.CHANGE)
    assert not is_worth_asking('Revert "Add a cache"', [], undoing=Undoing.CHANGE)
    assert not is_worth_asking('Revert "Add a cache because it is slow and fails"', [], undoing=Undoing.CHANGE)
    assert is_worth_asking("Revert #12 until the tests pass again on Windows", [], undoing=Undoing.CHANGE)


def test_a_labelled_reason_counts_however_short():
    assert is_worth_asking('Revert "Add a cache"', ["Reason for revert: flaky"], undoing=Undoing.CHANGE)


def test_what_a_step_lists_are_the_reasons_of_others():
    listed = "- Fix a crash, because the lock was lost (#1)\n- Avoid a hang, since it must not wait (#2)\n- Drop it (#3)"
    assert not is_worth_asking("Roll engine from 0123456789ab to ba9876543210", [listed])
    assert is_worth_asking(
        "Roll engine from 0123456789ab to ba9876543210", [listed, "We need it now, because the old one crashes on Windows."]
    )
