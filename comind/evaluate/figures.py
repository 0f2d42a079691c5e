"""Precision, recall and their harmonic mean.

In: counts. Out: frozen figures with one name each, ready for JSON.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Score"]


@dataclass(frozen=True, slots=True)
class Score:
    """How right a yes-or-no answer was; figures are between 0 and 1, and 0 where nothing was asked or answered."""

    true_positives: int
    false_positives: int
    false_negatives: int

    @property
    def precision(self) -> float:
        """Share of the answers that are right."""
        answered = self.true_positives + self.false_positives
        return self.true_positives / answered if answered else 0.0

    @property
    def recall(self) -> float:
        """Share of what was to be found that was found."""
        wanted = self.true_positives + self.false_negatives
        return self.true_positives / wanted if wanted else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of both.

        >>> round(Score(8, 2, 0).f1, 3)
        0.889
        """
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0
