"""The JSON Schema of an answer, as endpoints take it: every property required, nothing else allowed.

In: the contract. Out: plain JSON. Strict endpoints refuse limits of texts, so those are sent to a local server alone, whose grammar keeps
a small model from rambling; `comind.distill.contract` checks them in any case.

Source: what OpenAI's structured outputs support of JSON Schema; llama.cpp's grammars take all of it.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final, cast

from comind.canonical import canonical_bytes, content_hash
from comind.distill.contract import CONTRACT_VERSION, Distilled

if TYPE_CHECKING:
    from comind.canonical import Json

__all__ = ["answer_schema", "schema_hash"]

_DROPPED: Final = {"default", "title", "description"}
_LIMITS: Final = {"minLength", "maxLength"}


@cache
def answer_schema(*, with_limits: bool) -> dict[str, Any]:
    """Return the schema; `with_limits` keeps the shortest and longest texts in it."""
    return cast("dict[str, Any]", _strict(Distilled.model_json_schema(), _DROPPED if with_limits else _DROPPED | _LIMITS))


def schema_hash(*, with_limits: bool) -> str:
    """Return what names the schema and the version of the contract: answers under another one are other answers."""
    return content_hash(canonical_bytes([CONTRACT_VERSION, cast("Json", answer_schema(with_limits=with_limits))]))


def _strict(node: object, dropped: set[str], *, names: bool = False) -> object:
    if isinstance(node, list):
        return [_strict(one, dropped) for one in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: _strict(value, dropped, names=key in {"properties", "$defs"})
        for key, value in node.items()
        if names or key not in dropped
    }  # fmt: skip
    if not names and isinstance(properties := kept.get("properties"), dict):
        kept |= {"required": list(properties), "additionalProperties": False}
    return kept
