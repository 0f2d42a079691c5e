"""Figures are shares of what was answered and of what was asked."""

from __future__ import annotations

import pytest

from comind.evaluate.figures import Score


def test_precision_is_of_the_answers_and_recall_of_the_questions():
    score = Score(true_positives=6, false_positives=2, false_negatives=6)
    assert (score.precision, score.recall, score.f1) == (0.75, 0.5, pytest.approx(0.6))


def test_nothing_asked_and_nothing_answered_is_nought():
    assert (Score(0, 0, 0).precision, Score(0, 0, 0).recall, Score(0, 0, 0).f1) == (0.0, 0.0, 0.0)
