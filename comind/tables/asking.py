"""From settings to somebody who can be asked: the endpoint, the kept answers, the budget of one run.

In: settings, the tables, the environment that holds the key. Out: an `Asking` and its budget. Asks nothing yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.distill.asking import ask_all
from comind.distill.budget import Budget, Limits, Prices
from comind.distill.client import Endpoint
from comind.embed import static_embedder
from comind.errors import UsageError
from comind.tables.distill_cache import LakeAnswers
from comind.tables.distilling import Asking

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from comind.config import DistillSettings
    from comind.distill.answers import Answer
    from comind.distill.brief import Brief
    from comind.tables.lake import Lake

__all__ = ["NoEndpointError", "asking_of", "budget_of", "endpoint_of"]


class NoEndpointError(UsageError):
    """Nobody is there to be asked."""

    def __init__(self) -> None:
        super().__init__(
            "no language model is configured; name one with --endpoint and --model, or as endpoint and model under [distill] in comind.toml"
        )


def endpoint_of(told: DistillSettings, env: Mapping[str, str]) -> Endpoint:
    """Return the endpoint that is configured, with its key from the environment; raises `NoEndpointError`."""
    if told.endpoint is None or told.model is None:
        raise NoEndpointError
    return Endpoint(
        url=told.endpoint, model=told.model, key=env.get(told.key_variable), concurrency=told.concurrency,
        timeout_seconds=told.timeout_seconds,
    )  # fmt: skip


def budget_of(told: DistillSettings) -> Budget:
    """Return the budget of one run."""
    limits = Limits(
        calls=told.max_calls, input_tokens=told.max_input_tokens, output_tokens=told.max_output_tokens, cost=told.max_cost
    )  # fmt: skip
    prices = None
    if told.input_price is not None and told.output_price is not None:
        prices = Prices(input_tokens=told.input_price, output_tokens=told.output_price)
    return Budget(limits, prices)


def asking_of(endpoint: Endpoint, budget: Budget, lake: Lake, *, progress: Callable[[int], None] = lambda _: None) -> Asking:
    """Return who is asked: an endpoint, what it answered before, and the budget that all sources of a run share."""

    def ask(briefs: Iterable[Brief]) -> Iterator[Answer]:
        return ask_all(briefs, endpoint, LakeAnswers(lake), budget, progress=progress)

    return Asking(model=endpoint.model, ask=ask, embedder=static_embedder())
