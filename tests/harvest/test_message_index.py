"""Commits are found by every name that another message may give them."""

from __future__ import annotations

import pytest

from comind.harvest.message_index import MessageIndex
from comind.harvest.revert_words import Mention, MentionKind
from comind.sources.git.history import CommitText

MESSAGES = [
    "Add a cache for permission checks (#12)",
    "Merge pull request #13 from someone/branch\n\nAdd a retry",
    "Merge branch 'x'\n\nSee merge request group/project!14",
    "Fix LANG-580\n\ngit-svn-id: https://svn.example.org/trunk@1090004 13f79535-47bb",
    "Tune it\n\nChange-Id: I" + "1f" * 20 + "\nReviewed-on: https://go-review.example.org/c/tools/+/4321",
    "Tune more\n\nFixes #99\n\nDifferential Revision: https://p.example.org/D777",
]
TEXTS = [CommitText(f"{number}{number}abcdef" + "0" * 32, (), number, message) for number, message in enumerate(MESSAGES)]


@pytest.mark.parametrize(
    ("kind", "name", "position"),
    [
        (MentionKind.SHA, "33abcd", 3),
        (MentionKind.SUBJECT, "add a cache for permission checks", 0),
        (MentionKind.SUBJECT, "add a cache for permis", 0),
        (MentionKind.REQUEST, "12", 0),
        (MentionKind.REQUEST, "13", 1),
        (MentionKind.REQUEST, "14", 2),
        (MentionKind.REQUEST, "99", 5),
        (MentionKind.SVN, "1090004", 3),
        (MentionKind.CHANGE, "I" + "1f" * 20, 4),
        (MentionKind.REVIEW, "4321", 4),
        (MentionKind.REVIEW, "D777", 5),
        (MentionKind.ISSUE, "LANG-580", 3),
    ],
)
def test_each_kind_of_name_leads_to_its_commit(kind, name, position):
    assert list(MessageIndex(TEXTS).find(Mention(kind, name))) == [TEXTS[position].id]


@pytest.mark.parametrize(
    "mention",
    [
        Mention(MentionKind.SHA, "77abcd"),
        Mention(MentionKind.SUBJECT, "add"),
        Mention(MentionKind.SUBJECT, "zzz" * 9),
        Mention(MentionKind.SVN, "1"),
    ],
)
def test_a_name_that_nobody_has_leads_nowhere(mention):
    assert list(MessageIndex(TEXTS).find(mention)) == []


def test_an_ambiguous_name_leads_to_all_that_bear_it():
    twins = [CommitText(digit * 40, (), 0, "Drop CodeQL") for digit in "ab"]
    assert list(MessageIndex(twins).find(Mention(MentionKind.SUBJECT, "drop codeql"))) == ["a" * 40, "b" * 40]


def test_a_pointer_in_the_victim_leads_from_the_commit_that_undid_it():
    victim = CommitText("a" * 40, (), 0, "Add it\n\n[Reverted by r1755931]")
    undo = CommitText("b" * 40, (), 0, "Restore\n\ngit-svn-id: https://svn.example.org/trunk@1755931 13f79535-47bb")
    assert MessageIndex([victim, undo]).reverted_by() == {undo.id: [victim.id]}
