"""What names a question: everything that decides its answer.

In: an endpoint's names, a chat. Out: a hash. Nothing of a machine, of a moment or of a commit's id enters it: a cherry-pick or backport
that says the same of the same code is the same question, whenever it comes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.canonical import canonical_bytes, content_hash

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.canonical import Json
    from comind.distill.prompt import Message

__all__ = ["request_id"]


def request_id(chat: Iterable[Message], *, model: str, host: str, prompt_version: int, schema: str, parameters: dict[str, Json]) -> str:  # noqa: PLR0913 - each of them decides the answer
    """Return the hash of everything that decides an answer: the same question to the same model is put once."""
    turns: list[Json] = [[message.role, message.content] for message in chat]
    return content_hash(canonical_bytes([prompt_version, schema, model, host, parameters, turns]))
