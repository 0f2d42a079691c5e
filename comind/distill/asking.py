"""Ask about many sources: what was answered once comes from the cache, the rest is asked, so many at once as the endpoint may be.

In: briefs, however lazily they come; a questioner, kept answers, a budget. Out: an answer per brief, in their order.
Asking ends, with an answer that says why, once the budget is spent, the endpoint denies us, or does not answer several times on end; briefs
after that are not even looked at. Answers are kept as they come: whoever is killed asks the rest.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

from comind.distill.answers import Answer, AnswerCode
from comind.distill.client import Question, Questioner

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterable, Iterator
    from concurrent.futures import Future

    from comind.distill.answers import AnswerCache, CachedAnswer
    from comind.distill.brief import Brief
    from comind.distill.budget import Budget
    from comind.distill.client import Endpoint

__all__ = ["ask_all"]

_T = TypeVar("_T")
_AT_ONCE: Final = 16  # briefs whose kept answers are looked up together, once asking is under way
_KEEP_AFTER: Final = 20  # seconds: a slow model's answers are not lost with whoever is killed
_ON_THEIR_WAY: Final = 8  # questions per call at once that wait for an earlier one to be answered
_UNANSWERED: Final = 5  # on end, until an endpoint counts as gone
_FAILING: Final = {AnswerCode.TIMEOUT, AnswerCode.UNREACHABLE, AnswerCode.SERVER_ERROR, AnswerCode.RATE_LIMITED}

_Asked = tuple[Answer, "CachedAnswer | None"]


@dataclass(slots=True)
class _Asking:
    """A question that was handed to the loop."""

    question: Question
    answer: Future[_Asked] = field(init=False)
    is_put: bool = False  # it costs by now, whether somebody waits for its answer or not


def ask_all(
    briefs: Iterable[Brief], endpoint: Endpoint, cache: AnswerCache, budget: Budget, *, progress: Callable[[int], None] = lambda _: None
) -> Iterator[Answer]:
    """Ask about every brief.

    Args:
        briefs: read only as fast as they are asked.
        endpoint: whom to ask.
        cache: asked first; gets what was answered.
        budget: of the run.
        progress: called with how many were answered.

    Yields:
        An answer per brief. Where one says ``NOT_ASKED`` or ``DENIED``, it is the last.
    """
    with _Loop() as loop:
        asking = _Run(endpoint, cache, budget, loop)
        try:
            for done, answer in enumerate(asking.run(iter(briefs)), start=1):
                yield answer
                progress(done)
        finally:
            asking.close()


class _Run:
    def __init__(self, endpoint: Endpoint, cache: AnswerCache, budget: Budget, loop: _Loop) -> None:
        self._endpoint, self._cache, self._budget, self._loop = endpoint, cache, budget, loop
        self._questioner: Questioner | None = None
        self._limit = asyncio.Semaphore(endpoint.concurrency)
        self._waiting: deque[_Asking | Question | Answer] = deque()
        self._asked: set[str] = set()  # request ids
        self._answers: dict[str, CachedAnswer] = {}  # to what was asked
        self._to_keep: list[CachedAnswer] = []
        self._kept_at = time.monotonic()
        self._failed = 0  # on end

    def run(self, briefs: Iterator[Brief]) -> Iterator[Answer]:
        for chunk in self._chunks(briefs):
            known = self._cache.load([question.request_id for question in chunk])
            for question in chunk:
                kept = known.get(question.request_id)
                self._waiting.append(question.answered(kept) if kept else self._ask_once(question))
                while self._waiting and (self._is_ready() or len(self._waiting) > _ON_THEIR_WAY * self._endpoint.concurrency):
                    yield (answer := self._next())
                    if self._is_over(answer):
                        return
            self._keep()
        while self._waiting:
            yield (answer := self._next())
            if self._is_over(answer):
                return

    def _chunks(self, briefs: Iterator[Brief]) -> Iterator[list[Question]]:
        """Yield questions, few at first: an endpoint that waits for sixteen briefs idles while they are made."""
        size = 1
        while chunk := [Question.of(brief, self._endpoint) for brief in islice(briefs, size)]:
            yield chunk
            size = min(size + 1, _AT_ONCE)

    def close(self) -> None:
        """Keep what was answered, that of calls still on their way too; let go of an endpoint that does not answer."""
        asked = [one for one in self._waiting if isinstance(one, _Asking)]
        for one in asked:
            if self._failed or not one.is_put:
                one.answer.cancel()
        for one in asked:
            with suppress(CancelledError):
                self._take(one)
        self._keep()
        if self._questioner is not None:
            self._loop.submit(self._questioner.close()).result()

    def _ask_once(self, question: Question) -> _Asking | Question:
        """Ask; the same question again waits for the answer to the first."""
        if question.request_id in self._asked:
            return question
        self._asked.add(question.request_id)
        return self._ask(question)

    def _ask(self, question: Question) -> _Asking:
        if self._questioner is None:
            self._questioner = Questioner(self._endpoint, self._budget)
        asking = _Asking(question)
        asking.answer = self._loop.submit(self._put(self._questioner, asking))
        return asking

    async def _put(self, questioner: Questioner, asking: _Asking) -> _Asked:
        async with self._limit:
            asking.is_put = True
            return await questioner.ask(asking.question)

    def _is_ready(self) -> bool:
        first = self._waiting[0]
        return not isinstance(first, _Asking) or first.answer.done()

    def _next(self) -> Answer:
        first = self._waiting.popleft()
        if isinstance(first, Question):
            kept = self._answers.get(first.request_id)
            first = first.answered(kept) if kept else self._ask(first)
        if isinstance(first, Answer):
            return first
        answer = self._take(first)
        self._failed = self._failed + 1 if answer.code in _FAILING else 0
        if self._failed >= _UNANSWERED:
            return replace(answer, code=AnswerCode.NOT_ASKED, detail=f"{self._failed} questions on end got no answer: {answer.detail}")
        return answer

    def _take(self, asking: _Asking) -> Answer:
        """Wait for an answer, and see to it that it is kept."""
        answer, kept = asking.answer.result()
        if kept is not None:
            self._answers[kept.request_id] = kept
            self._to_keep.append(kept)
        if time.monotonic() - self._kept_at > _KEEP_AFTER:
            self._keep()
        return answer

    @staticmethod
    def _is_over(answer: Answer) -> bool:
        return answer.code in {AnswerCode.NOT_ASKED, AnswerCode.DENIED}

    def _keep(self) -> None:
        self._cache.store(self._to_keep)
        self._to_keep, self._kept_at = [], time.monotonic()


class _Loop:
    """An event loop in a thread of its own, so that briefs are made while answers are waited for."""

    def __enter__(self) -> Self:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="comind-distill", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def submit(self, work: Coroutine[Any, Any, _T]) -> Future[_T]:
        """Start something in the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)
