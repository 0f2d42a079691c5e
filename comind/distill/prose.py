r"""A message as a reader reads it: its subject and the paragraphs that say something.

In: the text of a commit message or of a request, scrubbed. Out: `Prose`. Trailers and references are left out, and of every revert the
words that every revert has: only the sentence goes, for the reason may stand in the same paragraph.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from comind.harvest.revert_text import said_in
from comind.safety.names import NAME

__all__ = ["Prose", "prose_of"]

_REFERENCE: Final = re.compile(
    r"[(\[]?(?:[\w.:/-]*[#!]\d+|gh-\w+|[A-Z][A-Z0-9]+-\d+|(?:https?://|lp:|git://)\S+|I?[0-9a-f]{7,40}|\d+|bp[:/-]\S+)[)\].]*",
    re.IGNORECASE,
)
_POINTERS: Final = frozenset({
    "also", "and", "backport", "backported", "backports", "blueprint", "blueprints", "bp", "bug", "bugs", "change", "cherry",
    "cherry-pick", "cherry-picked", "cherrypick", "cl", "close", "closed", "closes", "closing", "commit", "discussion", "fix",
    "fixed", "fixes", "follow", "follow-up", "followup", "for", "from", "implements", "issue", "issues", "jira", "of", "part",
    "partial", "partially", "pick", "pr", "pull", "ref", "reference", "references", "refs", "related", "request", "resolve",
    "resolved", "resolves", "revert", "reverts", "see", "ticket", "to", "update", "updates", "upstream",
})  # fmt: skip
_DASHED: Final = re.compile(r"^\s*[A-Za-z]+(?:-[A-Za-z]+)+ ?: ?(?P<value>\S.*)$")
_GENERATED: Final = re.compile(
    r"^\s*(?:\S+ \w+ <[^>]*>|-{3,}|={3,}|#+ \S.{0,30}|\*\*\S.{0,30}\*\*:?|(?:- )?\[[ xX]\] .*|\[skip ci\]|\[ci skip\]|--HG--|branch ?: .*"
    r"|\(?cherry[- ]picked from .*|reversing\s*|changes made to [0-9a-f]{7,40}\.?|\[person\]|Change-Id:.*|blueprint:? \S+|bp:? \S+|\.\.\."
    r"|Closes-Bug.*|PR Checklist|Checklist:?)\s*$",
    re.IGNORECASE,
)
_EVERY_REVERT: Final = re.compile(
    r"\bthis (?:partially |partly )?(?:reverts?|backs out|rolls back|undoes) (?:commits?|CLs?|changes?|PRs?|MRs?"
    r"|(?:merge|pull) requests?|the following commits?)?"
    r"(?>(?:[\s,:]*(?:and )?(?:[*-] )?[\w./-]*[#!]?\b(?:[0-9a-f]{7,40}|\d+)\b(?: ?\([0-9a-f]{7,40}\))?)*)\s*[.,;:]*(?=\s|$)"
    r"|\breversing\s+changes\s+made\s+to\s+[0-9a-f]{7,40}\.?|^\s*[*-]\s+[0-9a-f]{7,40}\s*$"
    r"|^revert(?:s|ed|ing)?:? [\"\u201c].*[\"\u201d]\.?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_LABEL_ALONE: Final = re.compile(r"^\W*(?:\w+ ){0,3}\w+ ?:$")
_NAME_ALONE: Final = re.compile(rf"{NAME}[:,]?")  # of whoever reported or wrote it; or a heading
_FEWEST_WORDS = 2  # of a paragraph; one alone is a heading or somebody's nickname
_COMMENT: Final = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FEW_WORDS = 6  # of a trailer's value; more of them are a sentence
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Prose:
    """What a message says."""

    subject: str
    paragraphs: tuple[str, ...]  # on one line each, lists excepted


def prose_of(message: str) -> Prose:
    r"""Read a message.

    >>> prose_of("Undo it (#7)\n\nThis reverts commit 0123abcd. It kept\nstale rows.\n\nFixes #3\nChange-Id: I12").paragraphs
    ('It kept stale rows.',)
    """
    head, _, body = _COMMENT.sub("", message).strip().partition("\n\n")
    subject, *rest = head.split("\n") if _is_a_line_of_its_own(head) else [" ".join(head.split())]
    blocks = re.split(r"\n[ \t]*\n", "\n".join([*rest, "", body]) if rest else body)
    return Prose(" ".join(subject.split()), tuple(said for block in blocks if (said := _said(block))))


def _is_a_line_of_its_own(head: str) -> bool:
    """Whether the first line ends as a subject does, though no empty line follows: the next begins a sentence, or a list."""
    first, _, second = head.partition("\n")
    return bool(second) and (first.rstrip().endswith((".", "!")) or second.lstrip()[:2] in {"- ", "* "})


def _said(block: str) -> str:
    lines = [line for line in _EVERY_REVERT.sub("", block).splitlines() if not _says_nothing(line)]
    said = said_in("\n".join(lines))
    return "" if _LABEL_ALONE.match(said) or _NAME_ALONE.fullmatch(said) or len(_WORD.findall(said)) < _FEWEST_WORDS else said


def _says_nothing(line: str) -> bool:
    trailer = _DASHED.match(line)
    if trailer and (len(_WORD.findall(trailer["value"])) < _FEW_WORDS or "://" in trailer["value"]):
        return True
    return _points_elsewhere(line) or _GENERATED.match(line) is not None


def _points_elsewhere(line: str) -> bool:
    """Whether a line only names issues, requests or commits."""
    words = re.split(r"(?:[,;:&]?\s|[,;&])[\s,;&]*(?=\S)", line.strip(" -*,;:"))
    references = [word for word in words if _REFERENCE.fullmatch(word)]
    return bool(references) and all(word.lower() in _POINTERS for word in words if word not in references)
