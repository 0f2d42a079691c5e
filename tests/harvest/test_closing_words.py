"""Which comments say decisively why something was not done."""

import pytest

from comind.harvest.closing_words import closing_reason, decision_in


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Closing because the cache went stale after every sale.", "Closing because the cache went stale after every sale."),
        (
            "Hi all! After the benchmark: I'm closing this since it makes startup 3x slower. Thanks!",
            "After the benchmark: I'm closing this since it makes startup 3x slower.",
        ),
        ("We decided against this: the C API would break on 32-bit.", "We decided against this: the C API would break on 32-bit."),
        (
            "> why close?\n\nRejected, as it turned out that the lock is held twice.",
            "Rejected, as it turned out that the lock is held twice.",
        ),
        (
            "I won't merge this because it changes the wire format for every client.",
            "I won't merge this because it changes the wire format for every client.",
        ),
        (
            "I am abandoning this. The tests pass.\nDropping the approach due to a race in the scheduler.",
            "Dropping the approach due to a race in the scheduler.",
        ),
    ],
)
def test_a_reason_that_is_about_the_code_is_taken_and_nothing_else(text, said):
    assert closing_reason(text) == said


@pytest.mark.parametrize(
    "text",
    [
        "Closing.",
        "Closing due to inactivity.",
        "Closing because there was no response from the author.",
        "Closing because this is a duplicate of #12.",
        "Closing in favour of #12, because that one has tests.",
        "Superseded by !7, closing because of that.",
        "Closing since it was merged manually in 1f2e3d.",
        "Closing because this landed in main already.",
        "Closing this for now because CI is red.",
        "Closed by mistake because I hit the wrong button, reopening.",
        "Should we close this because it is slow?",
        "Please close this if it is not needed because I cannot.",
        "You could close it because nobody uses it.",
        "This closes #12 because the loop is gone.",
        "I will not close this because it is still needed.",
        "Closing because I have no time to work on it.",
        "The door closes because of the wind.",
        "```\nClosing because of the cache.\n```",
        "> Closing because of the cache.\n\nI disagree.",
        "",
    ],
)
def test_what_is_no_reason_is_about_people_or_is_still_open_is_left(text):
    assert closing_reason(text) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Decision: keep the lock per table, because rows move.", "keep the lock per table, because rows move."),
        ("OK.\n\n**Decided:** one queue per shop, otherwise sales are lost.", "one queue per shop, otherwise sales are lost."),
        ("Decision: keep it.", None),
        ("Decision: keep the lock, because rows move?", None),
        ("My decision was wrong because I am tired.", None),
        ("> Decision: keep the lock per table, because rows move.", None),
        ("Decision: one queue, because it is small.\nDecision: two queues, because it is fast.", None),
    ],
)
def test_a_decision_is_what_is_called_one_and_has_grounds(text, said):
    assert decision_in(text) == said
