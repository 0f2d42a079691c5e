"""What a run of the distiller would ask and cost, without asking: the gate, the cache, an estimate.

In: the tables, a repository, settings. Out: a `Foreseen` per source. Tokens are estimated on the safe side; answers count as long as they
may get.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.distill.brief import Brief
from comind.distill.budget import Prices
from comind.distill.client import MAX_OUTPUT_TOKENS, Question
from comind.tables.distill_cache import LakeAnswers
from comind.tables.distilled_sources import pending_sources
from comind.tables.distilling import load_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from comind.config import DistillSettings
    from comind.distill.client import Endpoint
    from comind.harvest.sources import Reading
    from comind.tables.lake import Lake

__all__ = ["Asked", "Foreseen", "foresee"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question that would be put."""

    source_id: str
    subject: str
    places: tuple[str, ...]
    input_tokens: int  # estimated
    is_kept: bool  # it was answered before, and costs nothing
    question: str  # all of what is told of the source, word for word


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreseen:
    """What a run would do with one source of one repository."""

    repo_id: str
    source: str
    read: int
    skipped: dict[str, int]  # by the reason for passing them over
    asked: tuple[Asked, ...]
    calls: int  # those that are not answered yet
    input_tokens: int  # of the calls, estimated
    output_tokens: int  # at most
    cost: float | None  # at most; None without prices
    over_budget: bool  # whether the run would stop before the end


def foresee(  # noqa: PLR0913 - whom, what, and by which settings
    lake: Lake,
    reading: Reading,
    endpoint: Endpoint,
    source: str,
    told: DistillSettings,
    *,
    progress: Callable[[int, int | None], None] = lambda _done, _all: None,
) -> Foreseen:
    """Pass what is due through the gate, and count.

    Args:
        lake: the tables.
        reading: the repository and the definitions of its files.
        endpoint: whose kept answers cost nothing; it is not asked.
        source: git, mr or document.
        told: prices and limits.
        progress: told how many sources were read, and of how many.
    """
    earlier = load_progress(lake, reading.repository.repo_id, source)
    due = pending_sources(lake, reading, earlier, first_commits=told.first_commits)
    skipped: Counter[str] = Counter()
    briefs = []
    for done, one in enumerate(due.found if due else (), start=1):
        progress(done, due.count if due else None)
        if isinstance(one, Brief):
            briefs.append(one)
        else:
            skipped[one.code] += 1
    return _counted(reading.repository.repo_id, source, _asked(lake, briefs, endpoint), skipped, told)


def _asked(lake: Lake, briefs: Iterable[Brief], endpoint: Endpoint) -> tuple[Asked, ...]:
    questions = [Question.of(brief, endpoint) for brief in briefs]
    kept = LakeAnswers(lake).load([one.request_id for one in questions])
    return tuple(
        Asked(
            source_id=one.brief.source_id, subject=one.brief.spans[0].text, places=tuple(place.name for place in one.brief.places),
            input_tokens=one.tokens, is_kept=one.request_id in kept, question=one.chat[-1].content,
        )
        for one in questions
    )  # fmt: skip


def _counted(repo_id: str, source: str, asked: tuple[Asked, ...], skipped: Counter[str], told: DistillSettings) -> Foreseen:
    new = [one for one in asked if not one.is_kept]
    used = (len(new), sum(one.input_tokens for one in new), len(new) * MAX_OUTPUT_TOKENS)
    cost = None
    if told.input_price is not None and told.output_price is not None:
        cost = Prices(input_tokens=told.input_price, output_tokens=told.output_price).of(used[1], used[2])
    limits = (told.max_calls, told.max_input_tokens, told.max_output_tokens)
    over = any(amount > most for amount, most in zip(used, limits, strict=True))
    return Foreseen(
        repo_id=repo_id, source=source, read=len(asked) + sum(skipped.values()), skipped=dict(sorted(skipped.items())), asked=asked,
        calls=used[0], input_tokens=used[1], output_tokens=used[2], cost=cost,
        over_budget=over or (cost is not None and told.max_cost is not None and cost > told.max_cost),
    )  # fmt: skip
