"""Words that say the opposite of what a source says: `new` for `old`, `slower` for `faster`.

In: a text and what it cites. Out: the words of the text whose opposite, and not they, stands in the source. Pairs that a faithful text
exchanges when it turns a sentence around (before and after, add and remove) are left out; who does what to whom is not understood.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["opposite_words"]

_PAIRS: Final = tuple(
    (re.compile(rf"\b(?:{one})\b"), re.compile(rf"\b(?:{other})\b"))
    for one, other in (
        ("old|older|outdated|stale", "new|newer|newest|fresh"),
        ("fast|faster|quick|quicker|quickly", "slow|slower|slowly"),
        ("increas(?:e|es|ed|ing)|grows?|grew", "decreas(?:e|es|ed|ing)|shrinks?|shrank"),
        ("enabl(?:e|es|ed|ing)", "disabl(?:e|es|ed|ing)"),
        ("safe|safely", "unsafe|unsafely|dangerous"),
        ("allow(?:s|ed|ing)?|permit(?:s|ted)?", "forbids?|forbidden|prohibit(?:s|ed)?|disallow(?:s|ed)?"),
        ("accept(?:s|ed|ing)?", "reject(?:s|ed|ing)?|refus(?:e|es|ed|ing)"),
        ("succeed(?:s|ed)?|worked", "fail(?:s|ed)?|broke|broken"),
        ("larger|bigger|longer", "smaller|shorter"),
        ("higher", "lower"),
        ("earlier", "later"),
        ("lazy|lazily", "eager|eagerly"),
        ("mutable", "immutable"),
        ("stable", "unstable|flaky"),
        ("compatible", "incompatible"),
        ("includ(?:e|es|ed|ing)", "exclud(?:e|es|ed|ing)"),
        ("required|mandatory", "optional"),
        ("synchronous|synchronously", "asynchronous|asynchronously"),
        ("public", "private"),
    )
)
_DENIED = re.compile(
    r"\b(?:not|no|never|cannot|without|nor)\s+(?:be\s+|been\s+|yet\s+)?[\w-]+"
)  # `not allowed` is not the opposite of `forbidden`


def opposite_words(text: str, sources: Iterable[str]) -> list[str]:
    """Return the words of a text that stand nowhere in its sources, while their opposites stand there and not in the text.

    >>> opposite_words("The new price is sold", ["it sells the old price"]), opposite_words("Old, not new", ["the old price"])
    (['new'], [])
    """
    said, told = _folded(text), _folded("\n".join(sources))
    found = []
    for pair in _PAIRS:
        for ours, theirs in (pair, pair[::-1]):
            word = ours.search(said)
            if word and not ours.search(told) and theirs.search(told) and not theirs.search(said):
                found.append(word.group())
    return found


def _folded(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'").replace("n't", " not")
    return _DENIED.sub(" ", plain)
