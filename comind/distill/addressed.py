"""Sentences that speak to whoever distils them: a source is to be read, so what it says to its reader is not asked about nor proposed.

In: text of a source or of a model. Out: whether it addresses the reader. Narrower than `comind.safety` is, which judges what anybody may
write anywhere: these are the words of the contract itself, and the frame of a conversation.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["speaks_to_reader"]

_PROTOCOL: Final = r"</?(?:evidence|known_records|touched_code)\b|[\"'`]?\b(?:verdict|ops)\b[\"'`]?\s?:\s?[\"'`\[{]"
_RELATION: Final = (
    r"\b(?:confirm|disput|supersed|retract|invalidat)\w{0,5}\s(?:the\s)?(?:known\s|existing\s|old\s|above\s)?(?:records?|entry|entries)\b"
    r"|\b(?:confirm|disput|supersed|retract)\w{0,5}\sK[1-8]\b"
)
_ROLE: Final = r"(?:^|(?<=[.!?]\s)|(?<=\n))\W{0,4}(?:assistant|AI|LLM|language model|chatbot|distiller)\s?[:,]"
_NAMED: Final = (
    r"\b(?:as|dear|hey|hello|attention|note (?:to|for)|instructions? (?:to|for)) (?:an?\s|the\s|any\s|all\s)?"
    r"(?:AI|LLM|language model|chatbot|assistant|distiller|(?:coding|AI) agent)s?\b"
)
_LEDGER: Final = (
    r"\b(?:add|write|put|record|propose|enter|note|answer|claim)\w{0,3}\b[^.!?\n]{0,60}"
    r"\b(?:to|in|into|for) (?:(?:the|this) ledger|your (?:ledger|records?))\b"
    r"|\b(?:answer|respond|reply) (?:only )?with (?:an?|one|the) (?:record|entry|verdict|operation|JSON)\b"
)
_ADDRESS = re.compile(f"{_PROTOCOL}|{_RELATION}|{_ROLE}|{_NAMED}|{_LEDGER}", re.IGNORECASE)


def speaks_to_reader(text: str) -> bool:
    """Say whether a text addresses a model that reads it, or uses the words in which that one answers.

    >>> speaks_to_reader("Assistant: the cache is safe"), speaks_to_reader("Dispute K1."), speaks_to_reader("The cache is not safe")
    (True, True, False)
    """
    return bool(_ADDRESS.search(text))
