"""Ask a model for a measurement, or only look at what it answered before.

In: a file of answers, the name of a model, an endpoint or none. Out: the figures of `comind eval distill`.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from comind.cli.progress import progress_bar
from comind.distill.asking import ask_all
from comind.distill.brief import Brief
from comind.distill.budget import Budget, Limits
from comind.distill.client import Endpoint, Question
from comind.distill.local import local_endpoint, local_host
from comind.distill.recorded import RecordedAnswers
from comind.embed import static_embedder
from comind.errors import UsageError
from comind.evaluate.distill_answers import evaluate_answers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from comind.distill.answers import Answer
    from comind.evaluate.distill_answers import AnswerFigures
    from comind.evaluate.distill_gate import Judged

__all__ = ["Recorded", "evaluate_recorded"]


class NoModelError(UsageError):
    """Nobody says whose answers are to be measured."""

    def __init__(self) -> None:
        super().__init__("--answers needs the name of the model that gave them, or is to give them: --model NAME, or --local")


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where answers are kept, and who gives those that are missing."""

    file: Path
    model: str | None = None
    url: str | None = None  # None: nobody is asked
    local: bool = False

    @property
    def named(self) -> Endpoint:
        """What names the answers that are kept, with nobody to ask behind it where only those count."""
        if self.local:
            return local_host()
        if self.model is None:
            raise NoModelError
        key = os.environ.get("COMIND_DISTILL_KEY")
        return Endpoint(url=self.url or "http://127.0.0.1:9/v1", model=self.model, key=key, retries=3 if self.url else 0)


def evaluate_recorded(judged: Sequence[Judged], recorded: Recorded) -> AnswerFigures:
    """Measure the answers of a model about commits that pass the gate."""
    answers = RecordedAnswers(recorded.file)
    with _asked(judged, answers, recorded) as endpoint, progress_bar("answers") as progress:

        def ask(briefs: Iterable[Brief]) -> Iterator[Answer]:
            return ask_all(briefs, endpoint, answers, Budget(Limits()), progress=lambda done: progress(done, None))

        return evaluate_answers(judged, ask, model=endpoint.model, embedder=static_embedder())


@contextmanager
def _asked(judged: Sequence[Judged], answers: RecordedAnswers, recorded: Recorded) -> Iterator[Endpoint]:
    """Yield whom to ask; the local model is started only for what it was not asked before."""
    named = recorded.named
    wanted = [Question.of(one.found, named).request_id for one in judged if isinstance(one.found, Brief)]
    if not recorded.local or len(answers.load(wanted)) == len(set(wanted)):
        yield named
        return
    with local_endpoint(cache=_cache_folder()) as serving:
        yield serving


def _cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "comind" / "models"
