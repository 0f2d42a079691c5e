"""Whether what a model says stands in what it read: quotes letter by letter, names and numbers, words, and what is denied.

In: texts of a proposal and of the spans it cites. Out: what is missing. Words are compared by their stems' beginnings, not understood; a
proposal that this cannot trace to its source is refused, also when it happens to be right.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["flipped_words", "in_source", "names_missing", "sentence_around", "share_of_words", "words_of"]

_WORD = re.compile(r"\w+")
_WHOLE = re.compile(r"[\w\u0300-\u036f]+")  # with the marks above its letters, which a normal form joins with them
_LABEL = re.compile(
    r"^(?:[*+>-]\s+|\d+[.)]\s+)*(?:(?:the )?(?:reason|rationale|why|note|background|problem)(?: for \w+| of \w+)?:\s*)?", re.IGNORECASE
)
_CONTENT = re.compile(r"[a-z][a-z']+|\d[\w.]*")
_NAME = re.compile(
    r"`[^`\n]+`"  # marked as code
    r"|\b[A-Za-z_]\w*(?:(?:\.|::|->|#)[A-Za-z_]\w*)+"  # dotted
    r"|\b[A-Za-z]+\d*(?:_\w+)+|\b_\w+"  # snake case
    r"|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b[A-Z]{2,}\w*"  # camel case, initials
    r"|\b\d+(?:\.\d+)*\w*"  # numbers and versions
)
_STEM: Final = 5  # letters that make two words one: revert, reverted, reverting
_CUT: Final = 158  # characters of a quote that its limit may have cut
_NEAR: Final = 3  # words before another that may deny it
_DENIALS: Final = frozenset(
    {"not", "no", "never", "cannot", "without", "nor", "neither", "hardly", "fail", "fails", "failed", "unable", "lacks"}
)
_LACKS: Final = frozenset({"without", "no", "lacks"})  # deny the one thing that they name
_EMPTY: Final = frozenset(
    _WORD.findall(
        "a about after again all also an and any are as at be because been before being both but by can could did do does doing done "
        "for from get gets given goes had has have having he her here his how if in into is it its itself just like made make makes "
        "may might more most much must need needs new no nor not now of off on once one only onto or other our out over own same she "
        "should since so some such than that the their them then there these they this those through to too under until up use used "
        "uses using very via want was way we were what when where which while who whom whose why will with within without would yet "
        "you your"
    )
)


def words_of(text: str) -> list[str]:
    r"""Return the words of a text in lower case.

    >>> words_of("The *cache*,\nit lies")
    ['the', 'cache', 'it', 'lies']
    """
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def in_source(quote: str, source: str) -> str | None:
    """Return a quote as it stands in its source; None where its words do not stand there side by side.

    A quote as long as the contract allows may end in the middle of a word; that word is left away.

    >>> in_source("it lies when the disk is full", "The cache: it *lies*, when the disk is full.")
    'it *lies*, when the disk is full'
    """
    words = words_of(quote)
    if len(quote) >= _CUT:
        words = words[:-1]
    told = [(word, found) for found in _WHOLE.finditer(source) for word in words_of(found.group())]  # as it stands, ligatures and all
    starts = range(len(told) - len(words) + 1) if words else ()
    start = next((start for start in starts if [word for word, _ in told[start : start + len(words)]] == words), None)
    return None if start is None else source[told[start][1].start() : told[start + len(words) - 1][1].end()]


def sentence_around(quote: str, source: str) -> str:
    """Return the sentences of a text that a quote from it is in, without the rest, and without a bullet or a label before them.

    >>> sentence_around("it lies", "The disk is full. Then it lies, always. Nobody knows.")
    'Then it lies, always.'
    >>> sentence_around("it lies", "- Reason for revert: it lies when the disk is full")
    'it lies when the disk is full'
    """
    start = max(source.find(quote), 0)
    ends = [0, *(found.end() for found in re.finditer(r"[.!?][)\"']?\s+(?=[\W_]*[A-Z])", source)), len(source)]
    first = max(end for end in ends if end <= start)
    last = min(end for end in ends if end >= start + len(quote))
    return _LABEL.sub("", source[first:last].strip())


def names_missing(text: str, sources: Iterable[str]) -> list[str]:
    """Return the names, numbers and versions in a text that stand in none of its sources.

    >>> names_missing("parse_header breaks on 3.11", ["It breaks in parse_header"])
    ['3.11']
    """
    known = {word for source in sources for word in words_of(source.replace("_", " _ "))}
    return [name for name in _NAME.findall(text) if not set(words_of(name.replace("_", " _ "))) <= known]


def share_of_words(text: str, sources: Iterable[str]) -> float:
    """Return the share of a text's content words whose beginnings stand in its sources; 1 for a text without any.

    >>> share_of_words("Cached prices were stale", ["the price in the cache is stale"])
    1.0
    """
    said = set(_stems(text))
    known = {stem for source in sources for stem in _stems(source)}
    return len(said & known) / len(said) if said else 1.0


def flipped_words(text: str, source: str) -> list[str]:
    """Return the words that a text denies and its source nowhere does, or the other way round.

    A word counts as denied when a word such as ``not`` stands close before it. Words that the source both says and denies are left alone.

    >>> flipped_words("It was reverted to allow globs", "globs are not allowed there")
    ['allow']
    >>> flipped_words("Globs are allowed", "it allows globs")
    []
    """
    ours, theirs = _denied(text), _denied(source)
    shared = ours.keys() & theirs.keys()
    return sorted(stem for stem in shared if len(ours[stem]) == len(theirs[stem]) == 1 and ours[stem] != theirs[stem])


def _stems(text: str) -> Iterator[str]:
    for word in _CONTENT.findall(unicodedata.normalize("NFKC", text).casefold().replace("_", " ")):
        if word not in _EMPTY:
            yield _stem(word)


def _stem(word: str) -> str:
    plain = word.removesuffix("'s").removesuffix("s") if len(word) <= _STEM else word
    return plain[:_STEM]


def _denied(text: str) -> dict[str, set[bool]]:
    """Map each content word's beginning to whether it is denied, by the places where it stands."""
    found: dict[str, set[bool]] = {}
    for clause in re.split(
        r"[.;:!?\n]|,\s", unicodedata.normalize("NFKC", text).casefold().replace("n't", " not").replace("n\u2019t", " not")
    ):
        words = re.findall(r"[a-z]+", clause)
        for position, word in enumerate(words):
            if word not in _EMPTY and word not in _DENIALS:
                before = words[max(0, position - _NEAR) : position]
                denied = not _DENIALS.isdisjoint(before[-_NEAR + 1 :]) or not (_DENIALS - _LACKS).isdisjoint(before)
                found.setdefault(_stem(word), set()).add(denied)
    return found
