"""Answers in a file of JSON lines: recorded once, evaluated without a network.

In: a path. Out: the answers in it; new ones are appended. Implements `comind.distill.answers.AnswerCache`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from comind.distill.answers import AnswerCode, CachedAnswer
from comind.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

__all__ = ["NotAnAnswerError", "RecordedAnswers"]


class NotAnAnswerError(UsageError):
    """A line of a file of answers is none."""

    def __init__(self, path: Path, line: int) -> None:
        self.path, self.line = path, line
        super().__init__(f"{path}, line {line}: no answer as `comind eval distill --answers` keeps them")


class RecordedAnswers:
    """The answers of one file; a file that is not there yet has none."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._answers = {one.request_id: one for one in _read(path)}

    def load(self, request_ids: Iterable[str]) -> dict[str, CachedAnswer]:
        """Return those of the answers that are kept, by request id."""
        return {wanted: self._answers[wanted] for wanted in request_ids if wanted in self._answers}

    def store(self, answers: Iterable[CachedAnswer]) -> None:
        """Keep answers; one that is there already stays as it is."""
        new = [one for one in answers if one.request_id not in self._answers]
        self._answers |= {one.request_id: one for one in new}
        if new:
            with self._path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(asdict(one), ensure_ascii=True, sort_keys=True) + "\n" for one in new)


def _read(path: Path) -> Iterable[CachedAnswer]:
    if not path.exists():
        return
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            try:
                told = json.loads(line)
                yield CachedAnswer(**(told | {"code": AnswerCode(told["code"])}))
            except (ValueError, TypeError, KeyError):
                raise NotAnAnswerError(path, number) from None
