"""What a model may answer: at most three operations, each with quotes, or nothing.

In: JSON of a model. Out: strict values. The schema is the same for every question, so that an endpoint can cache the prompt before it;
whether ids are in range and quotes occur is checked afterwards, by `comind.distill.checks`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["CONTRACT_VERSION", "Distilled", "Operation", "Option", "Quote"]

CONTRACT_VERSION = 1

# Enumerated, since not every grammar of an endpoint knows patterns.
SpanId = Literal["E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "E10", "E11", "E12"]
SymbolId = Literal["S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8"]
KnownId = Literal["K1", "K2", "K3", "K4", "K5", "K6", "K7", "K8"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Quote(_Strict):
    """Words of a span, as they stand there."""

    span: SpanId
    quote: Annotated[str, Field(min_length=8, max_length=160)]


class Option(_Strict):
    """Something that was not chosen, and why."""

    option: Annotated[str, Field(min_length=1, max_length=120)]
    why_not: Annotated[str, Field(min_length=1, max_length=200)]


class Operation(_Strict):
    """One proposal."""

    op: Literal["new", "confirm", "supersede", "dispute"]
    known: KnownId | None = None
    kind: Literal["attempt", "decision", "constraint", "gotcha"]
    title: Annotated[str, Field(min_length=8, max_length=120)]
    body: Annotated[str, Field(max_length=500)] = ""
    trigger: Annotated[str, Field(min_length=8, max_length=200)]
    outcome: Literal["failed", "reverted", "abandoned", "partial", "n/a"] = "n/a"
    alternatives: Annotated[tuple[Option, ...], Field(max_length=2)] = ()
    anchors: Annotated[tuple[SymbolId, ...], Field(min_length=1, max_length=4)]
    evidence: Annotated[tuple[Quote, ...], Field(min_length=1, max_length=3)]
    reason: Annotated[str, Field(max_length=200)] | None = None


class Distilled(_Strict):
    """A whole answer; the verdict comes first, so that the usual answer is ten tokens long."""

    verdict: Literal["none", "record"]
    ops: Annotated[tuple[Operation, ...], Field(max_length=3)] = ()
