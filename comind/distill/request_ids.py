"""What names a question: everything that decides its answer, and for copies of a source only what they have in common.

In: an endpoint, a chat, a brief. Out: hashes. Nothing of a machine or of a moment enters them.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from comind.canonical import canonical_bytes, content_hash
from comind.distill.brief import SpanRole

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.canonical import Json
    from comind.distill.brief import Brief
    from comind.distill.prompt import Message

__all__ = ["evidence_key", "normalised", "request_id"]

_NO_WORDS = re.compile(r"\W+")


def request_id(chat: Iterable[Message], *, model: str, host: str, prompt_version: int, schema: str, parameters: dict[str, Json]) -> str:  # noqa: PLR0913 - each of them decides the answer
    """Return the hash of everything that decides an answer: the same question to the same model is put once."""
    turns: list[Json] = [[message.role, message.content] for message in chat]
    return content_hash(canonical_bytes([prompt_version, schema, model, host, parameters, turns]))


def evidence_key(brief: Brief) -> str:
    """Return the hash of what a source says and where: equal for a cherry-pick, a backport and the commit they come from."""
    words: list[Json] = [normalised(span.text) for span in brief.spans if span.role is not SpanRole.UNDONE]
    places: list[Json] = sorted({f"{place.path} {place.name}" for place in brief.places})  # type: ignore[assignment]  # texts are JSON
    return content_hash(canonical_bytes([words, places]))


def normalised(text: str) -> str:
    r"""Return the words of a text alone, in lower case.

    >>> normalised("The cache,\n it *lies*.")
    'the cache it lies'
    """
    return _NO_WORDS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
