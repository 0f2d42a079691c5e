"""How a record may be worded: facts, not orders; about code, not people; nothing hidden, secret or copied.

In: texts of a proposal. Out: the code of the first thing that is wrong, in words that repeat nothing of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from comind.distill.addressed import speaks_to_reader
from comind.distill.grounds import words_of
from comind.distill.prompt import instructions
from comind.safety import Level, inspect

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

__all__ = [
    "as_sentence",
    "copied_words",
    "has_name",
    "is_order",
    "is_personal",
    "is_reference",
    "is_whole",
    "names_people",
    "tells_of_trying",
    "unsafe_code",
]

_ORDERS: Final = (
    "add|adjust|allow|always|apply|avoid|backport|be careful|bump|call|change|check|clean|consider|convert|delete|disable|do not|don't"
    "|drop|enable|ensure|exclude|expose|fix|handle|ignore|implement|improve|include|increase|keep|let|make sure|make|mark|merge|move|never"
    "|note that|only use|please|pin|prefer|prevent|provide|raise|read|reduce|refactor|remember|remove|rename|replace|restore|return|revert"
    "|record that|rewrite|run|see|set|skip|stop|support|switch|test|try|undo|update|use|wait|write"
)
_ORDER = re.compile(rf"(?:^|(?<=[.!?]\s)|(?<=\n))(?:{_ORDERS})\b(?!\s+(?:is|are|was|were|of)\b)", re.IGNORECASE)
_ADDRESSED = re.compile(r"\b(?:you|your) (?:must|should|need|have|can|may)\b|\byou'(?:ll|d)\b", re.IGNORECASE)
_OURSELVES = re.compile(r"(?<![\w/.-])(?:I|I'm|I've|I'd|we|We|we're|we've|our|Our|ours|us|my|My|me|myself|ourselves)(?![\w/-])")
_TRIED = re.compile(
    r"\b(?:tr(?:y|ied|ying)|attempt|experiment|revert|und(?:o|id|one)\b|undoing"
    r"|back(?:s|ed|ing)? (?:\w+ )?out|roll(?:s|ed|ing)? (?:\w+ )?back|abandon|g[ai]ve(?:n|s)? up|withdr[ae]w|pulled|dropp?(?:ed|ing)?\b"
    r"|remov|no longer|fail|broke|break|(?:did|does)(?: not|n't) work|turn(?:s|ed) out|regress|flak[ey]|caus(?:e|ed|es|ing)\b|instead\b"
    r"|too (?:slow|fragile|complex))",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    r"(?:fix(?:e[sd])?|close[sd]?|resolve[sd]?|refs?|see|part of|related to)\b[ :]*(?:issues?|bugs?|prs?|tickets?)?[ :]*[\w/.-]*#\d+",
    re.IGNORECASE,
)
_HANDLE = re.compile(r"(?<![\w`.])[@#][A-Za-z][\w-]+")
_COPIED: Final = 7  # words in a row
_LETTERS = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[A-Za-z]")
_ALIKE_LATIN = re.compile(r"[\u0370-\u052f]")  # Greek and Cyrillic letters, which can spell a word past every other check
_PREFIXED: Final = 2  # letters of a unit or a symbol, such as a microsecond


def as_sentence(text: str) -> str:
    """Begin a text with a capital letter, unless its first word is a name in code.

    >>> as_sentence("doesn't compile"), as_sentence("parse_header is slow")
    ("Doesn't compile", 'parse_header is slow')
    """
    first = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if re.fullmatch(r"[a-z]+(?:['\u2019][a-z]+)?[,;:]?", first) else text


def is_order(text: str) -> bool:
    """Say whether a text tells somebody to do something.

    >>> is_order("Use the pool"), is_order("The pool is used"), is_order("Fast. Never call it twice"), is_order("Use of the pool is slow")
    (True, False, True, False)
    """
    return bool(_ORDER.search(text) or _ADDRESSED.search(text))


def is_personal(text: str) -> bool:
    """Say whether a text speaks of its writer.

    >>> is_personal("We found it slow"), is_personal("Found to be slow"), is_personal("The US build")
    (True, False, False)
    """
    return bool(_OURSELVES.search(text))


def tells_of_trying(text: str) -> bool:
    """Say whether a text tells of something that was tried, or that did not stay or work.

    >>> tells_of_trying("The cache broke sales"), tells_of_trying("Each price has a currency")
    (True, False)
    """
    return bool(_TRIED.search(text))


def is_reference(text: str) -> bool:
    """Say whether a text only points at an issue or a request.

    >>> is_reference("Fixes #1042 (and #1044)"), is_reference("Fixes of #1042 broke sales in three shops at once")
    (True, False)
    """
    return bool(_REFERENCE.match(text.strip()))


def is_whole(text: str) -> bool:
    """Say whether a text ends where a sentence does; a model that was cut off ends anywhere. An empty one is whole."""
    return not text or text.rstrip(")`\"'*_ ").endswith((".", "!", "?", "\u2026"))


def names_people(text: str, names: Collection[str]) -> bool:
    """Say whether a text has a handle, a channel, or a name of somebody around its source (`names`, casefolded)."""
    return bool(_HANDLE.search(text)) or has_name(text, names)


def has_name(text: str, names: Collection[str]) -> bool:
    """Say whether a text has one of some names (casefolded), also one of several parts, or one in a script without blanks.

    >>> has_name("As O'Brien said", ["o'brien"]), has_name("Obriens", ["o'brien"])
    (True, False)
    """
    said = f" {' '.join(words_of(text))} "
    return any(f" {' '.join(words_of(name))} " in said or (not name.isascii() and name in said) for name in names if words_of(name))


def unsafe_code(text: str) -> str | None:
    """Return the code of what must not be written: secrets, people, hidden characters, orders to an agent, characters that show nothing."""
    if any(not character.isprintable() and character not in "\n\t" for character in text):
        return "hidden_character"
    if any(len(word) > _PREFIXED and _LATIN.search(word) and _ALIKE_LATIN.search(word) for word in _LETTERS.findall(text)):
        return "mixed_scripts"
    if speaks_to_reader(text):
        return "addresses_reader"
    return next(
        (found.code for found in inspect(text) if found.level >= Level.REFUSE or found.code.startswith(("person", "instruct"))), None
    )


def copied_words(text: str, sources: Iterable[str]) -> bool:
    """Say whether a text repeats what every model is told, and what its own sources do not say."""
    runs = _runs(text) & _runs(instructions())
    return bool(runs - {run for source in sources for run in _runs(source)})


def _runs(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[start : start + _COPIED]) for start in range(len(words) - _COPIED + 1)}
