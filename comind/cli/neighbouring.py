"""What `comind callers`, `callees` and `ripple` have in common: ask, render, complain.

In: what was typed, and the walk that a verb stands for. Out: an exit code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from comind.cli.context import open_session
from comind.cli.screen import print_answer, warn
from comind.query.answer import Outcome
from comind.query.neighbours import ask_neighbours
from comind.query.render import excerpt
from comind.query.render_neighbours import render_neighbours
from comind.query.resolve import Asked

if TYPE_CHECKING:
    from comind.query.neighbours import NeighboursAnswer
    from comind.query.reach import Reach

__all__ = ["Question", "answer_neighbours"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What was typed."""

    verb: str
    text: str
    repo: str | None
    limit: int
    store: str | None
    as_json: bool


def answer_neighbours(question: Question, reach: Reach, *, nothing: str) -> int:
    """Print what was reached; the exit code says whether it is all."""
    session = open_session(question.store)
    here = session.checkouts.here
    asked = Asked(
        text=question.text,
        repo=question.repo,
        path=session.checkouts.path_of(question.text),
        here=here.repo_id if here and not question.repo else None,
        limit=question.limit,
    )
    answer = ask_neighbours(session.view, asked, session.checkouts, reach, verb=question.verb)
    print_answer(answer, render_neighbours(answer, nothing=nothing), as_json=question.as_json)
    if message := _complaint(answer):
        warn(message)
    return Outcome(answer.outcome).exit_code


def _complaint(answer: NeighboursAnswer) -> str | None:
    asked = excerpt(answer.asked, 80)
    match answer.outcome:
        case Outcome.AMBIGUOUS:
            return f"{asked!r} names several things; say which, for example `{answer.candidates[0].ask}`"
        case Outcome.UNKNOWN:
            return f"nothing indexed is called {asked!r}; `comind symbols` lists what is"
        case Outcome.COULD_NOT_FIND_OUT:
            return f"could not find out: {'; '.join(answer.gaps)}"
    return None
