"""What a message says about undoing is heard in all its habits, and not where the words mean something else."""

from __future__ import annotations

import pytest

from comind.harvest.revert_words import Claim, Mention, MentionKind, read_words, subject_key

SHA = "1f" * 20


def mentions(message):
    return {(mention.kind.value, mention.text) for mention in read_words(message).mentions}


@pytest.mark.parametrize(
    "subject",
    [
        'Revert "Add a cache"',
        'Revert "Revert "Add a cache""',
        "Reverting accidental commit",
        "Reverts changes introduced in r1563259",
        "revert: feat(api): add a cache",
        "fix(core): revert the cache",
        "[LANG-492] Revert deletion of ArrayUtils.hashCode()",
        "Back out a CSU experiment.",
        "Backed out changeset 0123abcdef12",
        "Backing out LANG-580",
        "Rolling back r1161378",
        "rollback unintended change to pom version",
        "Undo Bump actions/setup-java from 3.6.0 to 3.7.0",
        "Oops! Need to revert r906694",
        "Use the old parser again, reverts r12345",
        "Re-revert to not using pytz",
        'Reapply "Add a cache"',
        "Reland the cache",
        "回退上次修改",
        "Rückgängig: neuer Cache",
    ],
)
def test_a_subject_that_says_so_is_heard(subject):
    assert read_words(subject).claim is Claim.SUBJECT


@pytest.mark.parametrize(
    ("message", "claim"),
    [
        ("Fix typo in undocumented option", Claim.NONE),
        ("Add a cache", Claim.NONE),
        ("monkeypatch.undo() restores sys.path", Claim.NONE),
        ("Add an undo stack", Claim.HINT),
        ("Document transaction rollback", Claim.HINT),
        ("Revert to the released behavior and update tests", Claim.HINT),
        ("Rolling back to 2.3-SNAPSHOT", Claim.HINT),
        ("Add a cache\n\nThis will be reverted once the server is fixed.", Claim.HINT),
        ("Add a cache\n\nThis isn't an outright revert.", Claim.HINT),
        ("Add a cache\n\nIf reverted, the server must be restarted.", Claim.HINT),
        ("Add a cache\n\n[Reverted by r1755931]", Claim.HINT),
        ("样式还原", Claim.NONE),
        ("Clean up docs (#2002)\n\n* Fix titles\n\n* Revert grammar\n", Claim.NONE),
        ("Use pytz again\n\nThis reverts commit 0123abc.", Claim.BODY),
    ],
)
def test_other_meanings_of_the_words_claim_less(message, claim):
    assert read_words(message).claim is claim


@pytest.mark.parametrize(
    ("message", "named"),
    [
        (f'Revert "Add a cache"\n\nThis reverts commit {SHA}.', {("sha", SHA), ("subject", "add a cache")}),
        ("Undoing 3322d97", {("sha", "3322d97")}),
        (f"Revert https://example.com/o/r/commit/{SHA}", {("sha", SHA)}),
        ("Rolling back r1153037 and r1153038 - no help", {("svn", "1153037"), ("svn", "1153038")}),
        ("Reverts changes introduced in r1563259. To be discussed", {("svn", "1563259")}),
        ("Rolling back 826960 - IOException", {("svn", "826960")}),
        ("Revert #896 (#897)", {("request", "896")}),
        ("Revert !370", {("request", "370")}),
        ("fix(context): revert PR #4707 (#4757)", {("request", "4707")}),
        ("Backing out LANG-580", {("issue", "LANG-580")}),
        (f"Revert it\n\nThis reverts change I{SHA}.", {("change", f"I{SHA}")}),
        ("Revert CL 12345", {("review", "12345")}),
        ("Revert D39322150: Multisect successfully blamed", {("review", "D39322150")}),
        ('Reapply "Add a cache"', {("subject", "add a cache"), ("subject", 'revert "add a cache"')}),
        ("revert: feat(api): add a cache", {("subject", "feat(api): add a cache")}),
        ("Undo Bump setup-java from 3.6.0 to 3.7.0", {("subject", "bump setup-java from 3.6.0 to 3.7.0")}),
    ],
)
def test_every_way_of_naming_what_was_undone_is_understood(message, named):
    found = mentions(message)
    assert named <= found
    assert {pair for pair in found if pair[0] != "subject"} == {pair for pair in named if pair[0] != "subject"}


@pytest.mark.parametrize(
    "message",
    [
        f'Revert "Merge x"\n\nThis reverts commit {"ab1" * 13}c, reversing\nchanges made to {SHA}.',
        f'Revert "x cache"\n\n(cherry picked from commit {SHA})',
        f'Revert "x cache"\n\nChange-Id: I{SHA}',
        f"Revert the cache\n\nCo-authored-by: Ada <{SHA[:10]}+ada@users.example.com>",
    ],
    ids=["second parent", "cherry-pick", "own change id", "address"],
)
def test_ids_that_stand_for_something_else_are_no_names(message):
    assert SHA not in {text.removeprefix("I") for _, text in mentions(message)}
    assert SHA[:10] not in {text for _, text in mentions(message)}


def test_a_subject_is_found_whatever_its_request_and_branch():
    assert subject_key("[8.0.x] Fix the  Teardown (#11721) (#117)") == subject_key("fix the teardown.")


def test_bullets_of_a_squashed_branch_make_its_claims_doubtful():
    words = read_words("Add an API (#12)\n\n* Add it\n\n* Revert a part\n\nThis reverts commit 0123abc.\n")
    assert words.squashed
    assert not words.leads


def test_what_is_only_partly_undone_is_heard():
    assert read_words("Revert parts of the API").partly
    assert read_words("Partially revert the API").partly
    assert not read_words("Revert the partial API").partly


def test_a_mention_stands_once():
    assert read_words(f"Revert {SHA}\n\nThis reverts commit {SHA}.").mentions.count(Mention(MentionKind.SHA, SHA)) == 1
