"""Which parameters an endpoint takes: they all speak one language, and some refuse words of it.

In: the body of a request, the parameter that was refused. Out: the body as this endpoint takes it. Learnt once a run, at no cost: what is
refused for a parameter is not computed. Asks nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Dialect"]

_INSTEAD: Final[Mapping[str, str | None]] = {
    "max_tokens": "max_completion_tokens",  # models that think before they answer know the new word alone
    "temperature": None,  # and take no other than their own
    "seed": None,
}


class Dialect:
    """What one endpoint was found not to take."""

    def __init__(self) -> None:
        self._refused: set[str] = set()

    def spoken(self, body: Mapping[str, object]) -> dict[str, object]:
        """Return a body in the words that the endpoint takes.

        >>> dialect = Dialect()
        >>> dialect.learns({"max_tokens": 420, "seed": 7}, "max_tokens"), dialect.spoken({"max_tokens": 420, "seed": 7})
        (True, {'max_completion_tokens': 420, 'seed': 7})
        """
        words = {name: _INSTEAD[name] if name in self._refused else name for name in body}
        return {word: body[name] for name, word in words.items() if word is not None}

    def learns(self, sent: Mapping[str, object], refused: str | None) -> bool:
        """Note the parameter that something sent was refused for; say whether it may be sent again without."""
        if refused is None or refused not in _INSTEAD or refused not in sent:
            return False
        self._refused.add(refused)
        return True
