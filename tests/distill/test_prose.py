"""A message as a reader reads it."""

from __future__ import annotations

import time

import pytest

from comind.distill.prose import prose_of


def test_the_sentence_of_every_revert_goes_and_its_paragraph_stays():
    prose = prose_of('Revert "Cache"\n\nThis reverts commit 0123456789abcdef0123. It kept stale\nrows after a sale.\n')
    assert prose.paragraphs == ("It kept stale rows after a sale.",)


def test_a_reason_in_the_same_sentence_stays():
    prose = prose_of("Undo the cache\n\nThis reverts commit 0123456789abcdef, because it kept stale rows.")
    assert prose.paragraphs == ("because it kept stale rows.",)


def test_lists_of_reverted_commits_and_merges_say_nothing():
    text = (
        "Revert the cache\n\nThis reverts commits:\n\n* 0123456789abcdef0123456789abcdef01234567\n* 1123456789abcdef0123456789abcdef01234567"
        "\n\nThis reverts commit 0123456789, reversing\nchanges made to abcdef0123456789.\n\nThis reverts CL 277092."
    )
    assert prose_of(text).paragraphs == ()


def test_trailers_and_references_say_nothing_wherever_they_stand():
    text = "Fix it\n\nRefs #272\n\nIt broke.\n\nFixes golang/go#1, #2 and #3\nCloses: gh-7\n\nChange-Id: I0123\nReviewed-on: https://r/1\n"
    assert prose_of(text).paragraphs == ("It broke.",)


def test_a_sentence_that_looks_like_a_trailer_stays():
    assert prose_of("Fix it\n\nSide-effect: the old clients cannot connect to the server any more").paragraphs != ()


def test_lists_keep_their_lines_and_paragraphs_do_not():
    assert prose_of("Do\n\n- one\n- two\n\nthree\nfour").paragraphs == ("- one\n- two", "three four")


def test_text_right_below_a_subject_that_ends_is_a_paragraph():
    assert prose_of("Undo the cache.\nIt kept stale rows.").paragraphs == ("It kept stale rows.",)


def test_a_template_of_a_forge_says_nothing():
    assert prose_of("Add\n\n## Summary\n\n<!-- describe it -->\n\n- [ ] tests\n- [x] docs\n").paragraphs == ()


@pytest.mark.parametrize("block", ["Grace Hopper", "Grace B. Hopper:", "mitsuko42", "Test Plan:", "----", "[person]"])
def test_a_name_or_heading_alone_says_nothing(block):
    assert prose_of(f"Fix the lock\n\n{block}\n\nIt fails.").paragraphs == ("It fails.",)


def test_no_message_takes_long():
    started = time.process_time()
    for bad in (
        "#1," * 4000 + "x",
        "1234567 " * 4000 + "x!",
        "This reverts commit " + "1234567 " * 4000 + "x",
        "\n \n" * 5000 + "x",
        "a-b: " * 4000,
    ):
        prose_of(f"subject\n\n{bad}")
    assert time.process_time() - started < 2
