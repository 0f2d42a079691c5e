r"""Signs that a text says why: what makes it worth asking a model about.

In: the prose of a commit, a request or a document. Out: how strongly it reasons.

One word is no sign: "because" stands in jokes, "fix" in every second commit. A reason is a clash: a cause beside a failure, something that
must hold beside what was done instead. So words count by family, and only where families meet, in a sentence or in two that follow each
other. Language alone decides; nothing is known of any repository, and nothing is learned from one.
Source: measured on labelled commits (`comind eval distill`) and by reading what passes in the histories of others.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, Final

from comind.distill.sign_words import DENIES, FAMILIES, LABEL, STEP, TRIFLE, UNDOES, WEIGHTS, Family
from comind.harvest.revert_words import read_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["Undoing", "families_of", "is_worth_asking", "reasoning_of", "sentences_of", "undoing_of"]

_LEAST = 2.25  # a failure, or what must hold, and a denial
_LEAST_OF_A_TRIFLE = 4.0  # a cause beside a choice
_LEAST_OF_A_LINE = 4.5
_APART = 1.0  # what families weigh less in two sentences than in one
_LABELLED = 1.5
_LISTED = 3  # changes that a paragraph names
_ENOUGH_OF_AN_UNDOING = 4  # words
_SENTENCE_END: Final = re.compile(r"(?<=[.!?:;])[\"')\]]?\s+(?=[\"'(`A-Z\d])|\n\s*\n|\n(?=\s*(?:[*\u2022-]|\d+[.)])\s)")
_NO_PROSE: Final = re.compile(
    r"https?://\S+|^(?: {4}|\t|> |\+|\$ |>>>)[^\n]*$|```.*?(?:```|\Z)|``?[^`\n]*``?"
    r"|\b(?:fix|perf|refactor|chore|feat|docs|test|ci|build|style)(?:\([^)\n]*\))?!?:",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_VERB_OF_UNDOING: Final = re.compile(r"^.{0,60}?\b(?:revert|back(?:ing)? ?out|roll(?:ing)? ?back|undo)(?:s|ed|ing)?\b:?", re.IGNORECASE)
_QUOTED: Final = re.compile(r"[\"\u201c].*[\"\u201d]")
_OTHERS: Final = re.compile(r"#\d+|!\d+|\b[0-9a-f]{7,40}\b|^\s*[*-]\s", re.MULTILINE)
_REFERENCE: Final = re.compile(r"[(\[]?(?:[#!]\d+|\b[0-9a-f]{7,40}\b)[)\]]?")


class Undoing(Enum):
    """Whether a message undoes something."""

    NONE = 0
    STATE = 1  # it reverts something, or to something
    CHANGE = 2  # it names another change, and undoes that


def sentences_of(text: str) -> list[str]:
    r"""Split prose into sentences and items of lists; code, quotations and links are left out.

    >>> sentences_of("It failed. See `a.b. C` there.\n\n    $ make\n\n* one\n* two")
    ['It failed.', 'See there.', '* one', '* two']
    """
    parts = _SENTENCE_END.split(_NO_PROSE.sub(" ", text))
    return [" ".join(part.split()) for part in parts if _WORD.search(part)]


def families_of(sentence: str) -> frozenset[Family]:
    """Return the families of which a sentence has words.

    >>> sorted(families_of("It fails because it must not be empty."))
    [<Family.CAUSE: 'cause'>, <Family.DENIAL: 'denial'>, <Family.FAILURE: 'failure'>, <Family.LIMIT: 'limit'>]
    """
    found = {family: match for family, words in FAMILIES.items() if (match := words.search(sentence))}
    taken = [match.span() for match in found.values()]
    denies = any(all(one.end() <= start or end <= one.start() for start, end in taken) for one in DENIES.finditer(sentence))
    return frozenset(found) | ({Family.DENIAL} if denies else frozenset())


def reasoning_of(text: str) -> float:
    """Say how strongly the best place of a text reasons: nothing for one family alone, 2.5 for a failure beside a choice, and up.

    >>> reasoning_of("The cache is not used, because it broke on Windows."), reasoning_of("Add a cache because I like caches.")
    (5.25, 0.0)
    """
    return max(_places([families_of(sentence) for sentence in sentences_of(text)]), default=0.0)


def undoing_of(message: str) -> Undoing:
    r"""Say how surely a message undoes another change.

    >>> undoing_of("Revert \"Add a cache\"").name, undoing_of("Revert to the old order").name, undoing_of("Add a cache").name
    ('CHANGE', 'STATE', 'NONE')
    """
    if UNDOES.search(message):
        return Undoing.CHANGE
    return Undoing.STATE if read_words(message).leads else Undoing.NONE


def is_worth_asking(subject: str, paragraphs: Sequence[str], *, undoing: Undoing = Undoing.NONE, trifle: bool = False) -> bool:
    """Whether what a source says reasons strongly enough for a question.

    Args:
        subject: its first line, or its title.
        paragraphs: the rest, without trailers and without what every revert says.
        undoing: whether it undoes another change.
        trifle: it needs strong signs, such as a change of documents alone.
    """
    if undoing is Undoing.CHANGE:  # what its subject quotes are words of the other change
        return _says_why_undone(subject, paragraphs, undoing)
    if undoing is Undoing.STATE and _says_why_undone(subject, paragraphs, undoing):
        return True
    if STEP.search(subject):  # it lists the changes of what it takes a step on, and their reasons are theirs
        paragraphs = [paragraph for paragraph in paragraphs if len(_OTHERS.findall(paragraph)) < _LISTED]
        trifle = True
    least = _LEAST_OF_A_TRIFLE if trifle or TRIFLE.search(subject) else _LEAST
    if not paragraphs:  # a line alone is seldom evidence of anything
        return reasoning_of(subject) >= _LEAST_OF_A_LINE and Family.CAUSE in families_of(subject)
    if any(map(LABEL.search, paragraphs)):
        least -= _LABELLED
    return reasoning_of("\n\n".join((subject, *paragraphs))) >= least


def _says_why_undone(subject: str, paragraphs: Sequence[str], undoing: Undoing) -> bool:
    """To undo a change is half a reason, and any words beside it are the other half; to return to a state needs words that are a sign."""
    if undoing is Undoing.CHANGE and any(map(_says_something, paragraphs)):
        return True
    rest = _QUOTED.sub(" ", _VERB_OF_UNDOING.sub("", subject))
    said = [sentence for text in (rest, *paragraphs) for sentence in sentences_of(text) if _has_words(sentence)]
    return any(map(families_of, said if undoing is Undoing.CHANGE or paragraphs else ()))


def _says_something(paragraph: str) -> bool:
    label = LABEL.search(paragraph)
    if label:
        return _WORD.search(paragraph, label.end()) is not None
    return any(map(_has_words, sentences_of(paragraph)))


def _has_words(sentence: str) -> bool:
    return len(_WORD.findall(_REFERENCE.sub(" ", sentence))) >= _ENOUGH_OF_AN_UNDOING


def _places(sentences: Sequence[frozenset[Family]]) -> Iterator[float]:
    """Weigh every sentence, and every two that follow each other."""
    for position, here in enumerate(sentences):
        yield _weight(here)
        before = sentences[position - 1] if position else frozenset()
        if before - here and here - before:
            yield _weight(before | here) - _APART


def _weight(families: frozenset[Family]) -> float:
    return sum(WEIGHTS[family] for family in families) if len(families) > 1 else 0.0
