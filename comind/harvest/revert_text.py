r"""What a revert and its target say, without what every revert says.

In: commit messages, scrubbed already. Out: the reason for undoing, the name of what was undone, what was tried.
The words stay as they stand in the source; they are only cut.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = [
    "MAX_REASON_CHARS", "adds_words", "approach_of", "headline", "quoted_whole", "reason_of", "said_in", "shorten", "subject_of",
    "title_of", "without_people",
]  # fmt: skip

MAX_REASON_CHARS: Final = 700
_MAX_APPROACH_CHARS = 600
_SHA = r"[0-9a-f]{7,40}"
_SAYS_WHAT = re.compile(
    rf"(?:\bso )?\bthis (?:commit |patch |change |pr )*(?:partially |partly |mostly |effectively )?(?:reverts?|backs out|rolls back|undoes)"
    rf"(?: (?:the|commits?|changes?|merge|pull request|of|in|and|svn|revisions?|changeset))*"
    rf"(?:[,\s]*(?:{_SHA}|r\d{{3,}}|#\d+|!\d+|\S+#\d+))+(?:\s*\([^)]{{0,120}}\))?"
    rf"(?:,?\s+reversing\s+changes\s+made\s+to\s+{_SHA})?[.,;:]*",
    re.IGNORECASE,
)
_REASON_LABEL = re.compile(r"^\s*(?:\W*reason for (?:the )?revert(?:ing)?|revert reason|why)\W*:\s*", re.IGNORECASE | re.MULTILINE)
_BOILERPLATE = re.compile(
    rf"^\s*(?:git-svn-id: .*|svn path=.*|--HG--.*|#? ?Conflicts:.*|branch : .*|extra : .*"
    rf"|Original commit changeset: .*|Original Phabricator Diff: .*|Phabricator Diff: .*|Differential Revision: .*"
    rf"|fbshipit-source-id: .*|Reviewed By: .*|Backed out changeset:? {_SHA}.*|reverts (?:commits? )?(?:\S+)?(?:#\d+|{_SHA})\.?"
    rf"|revert(?:s|ed|ing)?:? [\"“'].*[\"”']\.?(?: \(#\d+\))?|reverting (?:commit )?{_SHA}\.?"
    rf"|-{{3,}}|\(cherry[- ]picked from commit .*\)|\[skip ci\]|Summary:|Test Plan:.*)\s*$",
    re.IGNORECASE,
)
_TRAILER = re.compile(r"^[A-Za-z][A-Za-z0-9-]* ?: \S.*$|^\(cherry[- ]picked from .*\)$")
_BULLET = re.compile(r"^\s*[*•-]\s+")
_SQUASHED = re.compile(r"^\s*\* [^\n]*$")  # one commit of a squashed branch: what was done on the way, not why
_LEADING_VERB = re.compile(
    r"^(?:\[[^\]]*\] ?|[\w./()-]+(?:\([^)]*\))?!?: ?)*(?:partial(?:ly)? )?"
    r"(?:re-?revert|revert|back(?:ing)?[ -]?out|backs out|roll(?:ing|ed|s)?[ -]?back|undo|undid)(?:s|ed|ing)?\b",
    re.IGNORECASE,
)
_BECAUSE = re.compile(
    r"(?:[.;]\s+|,\s+(?!\d)|\s[-\u2013\u2014]{1,2}\s+|:\s+)(?P<rest>\S.*)$"
    r"|\s(?P<clause>(?:because|since|as|due to|so that|for now|until|pending|while|by veto|to avoid|to fix|to get)\b.*)$",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z(])")
_ABOUT_PEOPLE = re.compile(r"\[person\]|^(?:many )?thanks?\b", re.IGNORECASE)
_DEFAULT_SUBJECT = re.compile(r"^Revert [\"“](?P<quoted>.*)[\"”]\s*(?:\([#!]\d+\))?$")
_NAMES = re.compile(rf"\b(?:{_SHA}|[rc]?\d{{4,}}|commits?|changes?|from|in|of|the|that|this|PR|#\d+)\b|\([#!]\d+\)|#\d+")
_QUOTED = re.compile(r"[\s:]*[\"“].*[\"”]")
_OWN_REQUEST = re.compile(r"\s*\((?:#|!)\d+\)\s*$")
_ANY_REQUEST = re.compile(r"\s*\(?[#!]\d+\)?\s*$")
_MERGE_REQUEST = re.compile(r"^Merge pull request (#\d+)\b")
_MERGE = re.compile(r"^Merge\b")
_SEE_REQUEST = re.compile(r"See merge request \S*(!\d+)")
_WORD = re.compile(r"[^\W\d_]{2,}")
_WORDS_OF_A_REASON = 2


def subject_of(message: str) -> str:
    """Return the first paragraph of a message on one line."""
    return " ".join(message.strip().split("\n\n", 1)[0].split())


def title_of(message: str) -> str:
    r"""Return what a commit did, in a line: its subject, or of a merge the title of what it merged.

    >>> title_of("Merge pull request #859\n\nAdd register_error_handler\n")
    'Add register_error_handler (#859)'
    """
    subject = subject_of(message)
    if not _MERGE.match(subject):
        return subject
    first = next((line.strip() for line in message.strip().split("\n")[1:] if line.strip()), "")
    if not first or _BOILERPLATE.match(first) or _TRAILER.match(first) or first.startswith(("*", "See merge request", "Conflicts")):
        return subject
    request = _MERGE_REQUEST.match(subject) or _SEE_REQUEST.search(message)
    return f"{first} ({request[1]})" if request and request[1] not in first else first


def quoted_whole(subject: str) -> str | None:
    """Return the subject that git's own words for a revert quote; None for any other subject.

    >>> quoted_whole('Revert "Add a cache" (#12)'), quoted_whole('Reverting "generification" of toMap()')
    ('Add a cache', None)
    """
    found = _DEFAULT_SUBJECT.match(subject)
    return found["quoted"].strip() if found else None


def adds_words(subject: str, title: str) -> bool:
    """Whether the subject of a revert says more than that it undoes what has that title.

    >>> adds_words("Undo Bump actions/setup-java", "Bump actions/setup-java"), adds_words("Revert accidental commit in r811", "Add")
    (False, True)
    """
    verb = _LEADING_VERB.match(subject)
    rest = subject[verb.end() :] if verb else subject
    rest = _NAMES.sub("", rest.replace(_ANY_REQUEST.sub("", title), ""))
    return len(_WORD.findall(rest)) > 0


def without_people(text: str) -> str:
    """Leave out the sentences after the first that are about people, such as thanks.

    >>> without_people("Keep the order. Thanks to [person] for the patch.")
    'Keep the order.'
    """
    first, *others = _SENTENCE_END.split(text)
    return " ".join((first, *(sentence for sentence in others if not _ABOUT_PEOPLE.search(sentence)))).strip()


def headline(title: str, most: int) -> str:
    """Cut a title to ``most`` characters, at the end of its first sentence when that fits.

    >>> headline("LANG-1: Remove the busy wait. This also closes #46.", 40)
    'LANG-1: Remove the busy wait'
    """
    title = without_people(title)
    sentence = re.match(r"(.{15,}?)(?:\.\s+(?=[A-Z])|$)", title)
    if len(title) > most and sentence and len(sentence[1]) <= most:
        return sentence[1]
    return shorten(title, most)


def approach_of(message: str) -> str:
    """Return what was tried: the title of a commit and the first paragraph that explains it."""
    title = without_people(title_of(message))
    body = message.strip().partition("\n\n")[2]
    explained = next((said for paragraph in _paragraphs(body) if (said := without_people(paragraph)) and said not in title), "")
    if explained.startswith("- "):
        return shorten(f"{title}\n{explained}", _MAX_APPROACH_CHARS)
    joined = f"{title}{'' if title.endswith(('.', '!', '?', ':')) else '.'} {explained}" if explained else title
    return shorten(joined, _MAX_APPROACH_CHARS)


def reason_of(message: str, *, title: str = "") -> str | None:
    r"""Return why something was undone, in the words of the commit that undid it; None when it gives no reason.

    Args:
        message: of the commit that undid it.
        title: of what was undone; to repeat it is no reason.

    >>> reason_of('Revert "Add a cache" (#9)\n\nThis reverts commit 0123abcd, because it kept stale rows.\n')
    'because it kept stale rows.'
    >>> reason_of("Rolling back r1161378. The field is needed elsewhere")
    'The field is needed elsewhere'
    """
    subject, _, body = message.strip().partition("\n\n")
    label = _REASON_LABEL.search(body)
    if label:
        body = body[label.end() :]
    reasons = [*([] if label else _in_subject(" ".join(subject.split()))), *_paragraphs(body)]
    reason = "\n\n".join(said for said in dict.fromkeys(reasons) if said.rstrip(".") not in title)
    return shorten(reason, MAX_REASON_CHARS) if len(_WORD.findall(reason)) >= _WORDS_OF_A_REASON else None


def shorten(text: str, most: int) -> str:
    """Cut a text to ``most`` characters at the end of a word, marked with an ellipsis.

    >>> shorten("one two three", 9)
    'one two…'
    """
    if len(text) <= most:
        return text
    cut = text[: most - 1].rstrip()
    at_word = re.sub(r"\s+\S*$", "", text[:most])
    return f"{at_word if most // 2 <= len(at_word) < most else cut}…"


def _in_subject(subject: str) -> list[str]:
    bare = _OWN_REQUEST.sub("", subject)
    verb = _LEADING_VERB.match(bare)
    if verb is None:
        return [bare]  # it says what was done instead, which is as much of a reason as there is
    quoted = _QUOTED.match(bare, verb.end())
    rest = bare[quoted.end() if quoted else verb.end() :]
    found = _BECAUSE.search(rest)
    if found is None:
        return [rest.strip()] if quoted and rest.startswith((" and ", " but ", " in favo")) else []
    return [(found["rest"] or found["clause"]).strip().removeprefix("and ")]


def _paragraphs(body: str) -> list[str]:
    """Return the paragraphs of a body that say something, trailers and the words of every revert left out."""
    paragraphs = [paragraph.strip("\n") for paragraph in re.split(r"\n\s*\n", body) if paragraph.strip()]
    while paragraphs and all(_TRAILER.match(line.strip()) or _BOILERPLATE.match(line) for line in paragraphs[-1].splitlines()):
        paragraphs.pop()
    return [said for paragraph in paragraphs if not _is_squashed(paragraph) and (said := said_in(paragraph))]


def _is_squashed(paragraph: str) -> bool:
    lines = [line for line in paragraph.splitlines() if not _BOILERPLATE.match(line)]
    return len(lines) == 1 and _SQUASHED.match(lines[0]) is not None


def said_in(paragraph: str) -> str:
    r"""Return what a paragraph says, on one line unless it is a list, without the sentence that every revert has.

    >>> said_in("This reverts commit 0123abcd, because it kept\nstale rows.")
    'because it kept stale rows.'
    """
    lines = [line for line in paragraph.splitlines() if not _BOILERPLATE.match(line)]
    text = "\n".join(lines) if any(map(_BULLET.match, lines)) else " ".join(" ".join(lines).split())
    text = _SAYS_WHAT.sub("", text).strip(" \n,;")
    return text if re.search(r"\w{2}", text) else ""
