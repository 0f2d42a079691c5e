"""Ask about many sources: what was answered once comes from the cache, the rest is asked, so many at once as the endpoint may be.

In: briefs, however lazily they come; a questioner, kept answers, a budget. Out: an answer per brief, in their order.
Asking ends, with an answer that says why, once the budget is spent, the endpoint denies us, or does not answer several times on end; briefs
after that are not even looked at. Answers are kept as they come: whoever is killed asks the rest.
"""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import replace
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
_AT_ONCE: Final = 16  # briefs whose kept answers are looked up together
_ON_THEIR_WAY: Final = 8  # questions per call at once that wait for an earlier one to be answered
_UNANSWERED: Final = 5  # on end, until an endpoint counts as gone
_FAILING: Final = {AnswerCode.TIMEOUT, AnswerCode.UNREACHABLE, AnswerCode.SERVER_ERROR, AnswerCode.RATE_LIMITED}

_Asked = tuple[Answer, "CachedAnswer | None"]


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
        asking = _Asking(endpoint, cache, budget, loop)
        try:
            for done, answer in enumerate(asking.run(iter(briefs)), start=1):
                yield answer
                progress(done)
        finally:
            asking.close()


class _Asking:
    def __init__(self, endpoint: Endpoint, cache: AnswerCache, budget: Budget, loop: _Loop) -> None:
        self._endpoint, self._cache, self._budget, self._loop = endpoint, cache, budget, loop
        self._questioner: Questioner | None = None
        self._limit = asyncio.Semaphore(endpoint.concurrency)
        self._waiting: deque[Future[_Asked] | Answer] = deque()
        self._to_keep: list[CachedAnswer] = []
        self._failed = 0  # on end

    def run(self, briefs: Iterator[Brief]) -> Iterator[Answer]:
        while chunk := [Question.of(brief, self._endpoint) for brief in islice(briefs, _AT_ONCE)]:
            known = self._cache.load([question.request_id for question in chunk])
            for question in chunk:
                kept = known.get(question.request_id)
                self._waiting.append(question.answered(kept) if kept else self._ask(question))
                while self._waiting and (self._is_ready() or len(self._waiting) > _ON_THEIR_WAY * self._endpoint.concurrency):
                    yield (answer := self._next())
                    if self._is_over(answer):
                        return
            self._keep()
        while self._waiting:
            yield (answer := self._next())
            if self._is_over(answer):
                return

    def close(self) -> None:
        """Keep what was answered, that of calls still on their way too; let go of an endpoint that does not answer."""
        for one in self._waiting:
            if not isinstance(one, Answer) and (self._failed or not one.running()):
                one.cancel()
        while self._waiting:
            with suppress(CancelledError):
                self._next()
        self._keep()
        if self._questioner is not None:
            self._loop.submit(self._questioner.close()).result()

    def _ask(self, question: Question) -> Future[_Asked]:
        if self._questioner is None:
            self._questioner = Questioner(self._endpoint, self._budget)
        return self._loop.submit(self._asked(self._questioner, question))

    async def _asked(self, questioner: Questioner, question: Question) -> _Asked:
        async with self._limit:
            return await questioner.ask(question)

    def _is_ready(self) -> bool:
        first = self._waiting[0]
        return isinstance(first, Answer) or first.done()

    def _next(self) -> Answer:
        first = self._waiting.popleft()
        if isinstance(first, Answer):
            return first
        answer, kept = first.result()
        if kept is not None:
            self._to_keep.append(kept)
        self._failed = self._failed + 1 if answer.code in _FAILING else 0
        if self._failed >= _UNANSWERED:
            return replace(answer, code=AnswerCode.NOT_ASKED, detail=f"{self._failed} questions on end got no answer: {answer.detail}")
        return answer

    @staticmethod
    def _is_over(answer: Answer) -> bool:
        return answer.code in {AnswerCode.NOT_ASKED, AnswerCode.DENIED}

    def _keep(self) -> None:
        self._cache.store(self._to_keep)
        self._to_keep = []


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
