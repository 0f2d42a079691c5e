r"""What a commit message says about undoing something: whether it claims to, and what it names.

In: the text of one commit message. Out: how strongly it claims to undo something, and every way in which it names what.
A message only proposes; the diff decides. So this errs on the side of listening, except where words have another meaning:
things that are yet to happen, things that were not done, releases and bullets of a squashed branch.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum, StrEnum

__all__ = ["Claim", "Mention", "MentionKind", "RevertWords", "read_words", "subject_key"]


class Claim(IntEnum):
    """How strongly a message says that the commit undoes something; a higher one includes the lower."""

    NONE = 0
    HINT = 1  # "revert to", "rollback" as a noun: nothing is believed unless the diff is all but exact
    BODY = 2  # a sentence of the body says so
    SUBJECT = 3


class MentionKind(StrEnum):
    """By what a message names the thing undone."""

    SHA = "sha"
    SUBJECT = "subject"
    SVN = "svn"
    REQUEST = "request"  # number of a pull or merge request
    CHANGE = "change"  # Gerrit Change-Id
    REVIEW = "review"  # number of a Gerrit change ("CL 123") or a Phabricator revision ("D123")
    ISSUE = "issue"  # key or number of an issue: many commits may carry it


@dataclass(frozen=True, slots=True)
class Mention:
    """One name of what was undone, normalised for looking it up."""

    kind: MentionKind
    text: str


@dataclass(frozen=True, slots=True)
class RevertWords:
    """What one message says about undoing."""

    claim: Claim
    mentions: tuple[Mention, ...]  # in the order of the message, each once
    reapplies: bool = False  # it says that something comes back after having been undone
    partly: bool = False  # it says that only a part is undone
    leads: bool = False  # the claim is what the subject begins with
    squashed: bool = False  # the body lists the commits of a branch, and a claim in it is most likely about one of these


_VERB = (
    r"(?:(?:re-?)?un-?revert(?:s|ed|ing)?|re-?revert(?:s|ed|ing)?|revert(?:s|ed|ing)?|back(?:s|ed|ing)?[ -]?out|roll(?:s|ed|ing)?[ -]?back"
    r"|undo(?:es|ing|ne)?|undid|unlands?|unlanding)"
)
_FOREIGN = (
    r"(?:annul(?:e|er|ation)|r[üu]ckg[äa]ngig|zur[üu]ckgenommen|revierte|revertir|deshac(?:e|er)|reverte(?:r|ndo)?|desfa(?:z|zer)|ripristin(?:a|ato)"
    r"|вернул|откат\w*|отмен\w*)"
)
_CJK = r"(?:还原|回退|回滚|撤销|撤回|還原|回復|撤銷|リバート|差し戻し|取り消し|元に戻|되돌|롤백|원복)"
_ANY = re.compile(rf"(?<![\w.])(?:{_VERB}|{_FOREIGN}|re-?land(?:s|ed|ing)?|re-?appl(?:y|ies|ied|ying))(?![\w(])|{_CJK}", re.IGNORECASE)
_UNDOES = re.compile(rf"(?<![\w.])(?:{_VERB}|{_FOREIGN})(?![\w(])|{_CJK}", re.IGNORECASE)
_REAPPLIES = re.compile(
    r"(?<!\w)(?:re-?land(?:s|ed|ing)?|re-?appl(?:y|ies|ied|ying)|(?:un|re)-?revert(?:s|ed|ing)?|roll(?:s|ed|ing)? forward)(?!\w)"
    r"|revert(?:s|ed|ing)? (?:of )?[\"'“`]?(?:fix: |chore: )?revert",
    re.IGNORECASE,
)
_PARTLY = re.compile(
    rf"(?<!\w)(?:partial(?:ly)?|partly|partically|mostly|in part)\W+(?:\w+\W+)?{_VERB}"
    rf"|{_VERB} (?:the |some |most )?(?:parts?|bits|most|half) of\b",
    re.IGNORECASE,
)
# Where the words mean something else: what comes, what did not happen, who did it, and to what state.
_NOT_DONE = re.compile(
    rf"\b(?:will|would|should|can(?:not)?|could|may|might|must|shall|to be|going to|needs? to|if|unless|until|before|when(?:ever)?)"
    rf"(?: \w+)?(?: be)? {_VERB}\b"
    rf"|(?:\b(?:not|never|no|without)|n['\u2019]t)(?: \w+){{0,3}} {_VERB}\b"
    rf"|\b{_VERB}(?:s|ed)? (?:by|in) r?[0-9a-f]{{4,}}\b"
    r"|\[reverted (?:by|in)\b[^\]]*\]",
    re.IGNORECASE,
)
_TO_A_STATE = re.compile(
    rf"(?<!re-)\b(?!re-?revert){_VERB}(?: back)? to (?!(?:the )?(?:previous|last|original|old|prior) )|\bback to\b", re.IGNORECASE
)
_AS_A_NOUN = re.compile(r"\b(?:rollbacks?|undo)\b(?! (?:of|r?\d|[\"“'`]|[0-9a-f]{7}))", re.IGNORECASE)
_STYLE_CJK = re.compile(r"样式还原|还原(?:设计|样式|视觉|UI|度)", re.IGNORECASE)
_BULLETS_OF_A_SQUASH = 2
_BULLET = re.compile(r"^\s*(?:[*•·]|-(?!-)|\d+[.)]) ")
_BEFORE_VERB = (
    r"\[[^\]]*\] ?|[\w./()-]+(?:\([^)]*\))?!?: ?|(?:oops|sorry|ups)\W+(?:need to )?|partial(?:ly)? |manual(?:ly)? |temporar(?:y|ily) "
)
_LEADS_SUBJECT = re.compile(rf"^(?:{_BEFORE_VERB})*{_VERB}", re.IGNORECASE)

_SHA = re.compile(r"(?<![\w/.-])[0-9a-f]{7,40}(?![\w-])|(?<=/commit/)[0-9a-f]{7,40}\b|(?<=changeset )[0-9a-f]{7,40}\b")
_NOT_A_TARGET = re.compile(
    r"reversing\s+changes\s+made\s+to\s+[0-9a-f]{7,40}|\(cherry[- ]picked from commit [0-9a-f]{7,40}[^)]*\)"
    r"|^Change-Id: .*$|^git-svn-id: .*$",
    re.MULTILINE | re.IGNORECASE,
)
_SVN = re.compile(r"(?<![\w#@-])(?:r|rev\.? ?|revisions? |c)(\d{3,8})(?!\w|[.-]\d)", re.IGNORECASE)
_BARE_NUMBER = re.compile(rf"{_VERB} (?:svn )?(?:commits? )?(\d{{5,8}})(?!\w|[.-]\d)", re.IGNORECASE)
_ADDRESS = re.compile(r"\S+@[\w-]+\.\S+")
_REQUEST = re.compile(
    r"(?:#|(?<![\w!])!|\bPR[ -]?#?|/pull/|/merge_requests/|\bmerge request !?|\bpull request #?)(\d+)(?!\w)", re.IGNORECASE
)
_OWN_REQUEST = re.compile(r"\s*\((?:#|!)\d+\)\s*$")
_OWN_REQUESTS = re.compile(r"(?:\s*\((?:#|!)\d+\))+\s*$")
_BACKPORT = re.compile(r"^\[v?\d+(?:\.[\dx]+)+\]\s*")
_CHANGE = re.compile(r"\bI[0-9a-f]{40}\b")
_REVIEW = re.compile(r"(?:\bCLs? |/cl/|go-review\S*/|/c/\S*?/\+/)(\d{3,})|\b(D\d{3,})\b")
_ISSUE = re.compile(r"\b[A-Z][A-Z0-9]{1,15}-\d{1,6}\b")
_QUOTED = re.compile("[\"'`\u201c\u201d\u2018\u00ab\u300c\u300e](.{4,})[\"'`\u201c\u201d\u2019\u00bb\u300d\u300f]")
_PREFIXED = re.compile(
    rf"^(?:[\w-]+(?:\([^)]*\))?!?:\s*)?(?:{_VERB}|{_CJK})\s*:?\s+(?!r?\d+\b)(?:the |commit |changes? |merge of |that )*"
    r"(.{6,}?)(?:[.,;] .*)?$",
    re.IGNORECASE,
)


def read_words(message: str) -> RevertWords:
    r"""Read what a message says about undoing.

    >>> read_words('Revert "Add a cache" (#12)\n\nThis reverts commit 0123abc.').claim.name
    'SUBJECT'
    >>> [str(mention.text) for mention in read_words("Rolling back r1161378, it broke the build").mentions]
    ['1161378']
    >>> read_words("Fix typo in undocumented option").claim.name
    'NONE'
    """
    if not _ANY.search(message):
        return RevertWords(Claim.NONE, ())
    subject, body = _split(message)
    claim = _claim(subject, body)
    mentions = tuple(dict.fromkeys(_mentions(subject, body))) if claim else ()
    squashed = sum(map(bool, map(_BULLET.match, body.splitlines()))) >= _BULLETS_OF_A_SQUASH
    return RevertWords(
        claim,
        mentions,
        reapplies=bool(_REAPPLIES.search(subject)),
        partly=bool(_PARTLY.search(message)),
        leads=claim is Claim.SUBJECT and bool(_LEADS_SUBJECT.match(subject)),
        squashed=squashed and claim is not Claim.SUBJECT,
    )


def subject_key(subject: str) -> str:
    """Normalise a subject for looking it up: no request number at its end, one blank between words, no case.

    >>> subject_key("Add  a Cache. (#12)")
    'add a cache'
    """
    bare = _BACKPORT.sub("", _OWN_REQUESTS.sub("", subject))
    return " ".join(bare.split()).strip(" .…").casefold()


def _split(message: str) -> tuple[str, str]:
    head, _, body = message.strip().partition("\n\n")
    return " ".join(head.split()), body


def _claim(subject: str, body: str) -> Claim:
    if _says(subject):
        return Claim.SUBJECT
    if any(_says(paragraph) for paragraph in _sentences(body)):
        return Claim.BODY
    return Claim.HINT if _ANY.search(_STYLE_CJK.sub("", subject)) or any(map(_ANY.search, _sentences(body))) else Claim.NONE


def _says(text: str) -> bool:
    if _LEADS_SUBJECT.match(text) and not _TO_A_STATE.match(text):
        return True
    plain = _STYLE_CJK.sub("", _AS_A_NOUN.sub("", _TO_A_STATE.sub("", _NOT_DONE.sub("", text))))
    return bool(_UNDOES.search(plain) or _REAPPLIES.search(plain))


def _sentences(body: str) -> list[str]:
    """Split a body into its paragraphs, the bullets of a squashed branch left out."""
    paragraphs = re.split(r"\n\s*\n", body)
    kept = ("\n".join(line for line in paragraph.splitlines() if not _BULLET.match(line)) for paragraph in paragraphs)
    return [" ".join(paragraph.split()) for paragraph in kept if paragraph.strip()]


def _mentions(subject: str, body: str) -> list[Mention]:
    own = _OWN_REQUEST.sub("", subject)
    text = _ADDRESS.sub("", _NOT_A_TARGET.sub("", f"{own}\n{body}"))
    found = [Mention(MentionKind.SHA, sha) for sha in _SHA.findall(text) if not sha.isalpha() and not sha.isdigit()]
    found += [Mention(MentionKind.SUBJECT, subject_key(quoted)) for quoted in _named_subjects(own, body)]
    found += [Mention(MentionKind.SVN, number) for number in (*_SVN.findall(text), *_BARE_NUMBER.findall(text))]
    found += [Mention(MentionKind.REQUEST, number) for number in _REQUEST.findall(text)]
    found += [Mention(MentionKind.CHANGE, change) for change in _CHANGE.findall(text)]
    found += [Mention(MentionKind.REVIEW, cl or revision) for cl, revision in _REVIEW.findall(text)]
    found += [Mention(MentionKind.ISSUE, key) for key in _ISSUE.findall(text)]
    return found


def _named_subjects(subject: str, body: str) -> list[str]:
    found: list[str] = []
    for line in (subject, *(line.strip() for line in body.splitlines())):
        quoted = _QUOTED.search(line)
        if quoted and _ANY.search(line[: quoted.start() + 1]):
            found.append(quoted[1])
            if re.match(r"\s*re-?(?:land|appl)", line, re.IGNORECASE):
                found.append(f'Revert "{quoted[1]}"')
    if not found and (rest := _PREFIXED.match(subject)):
        found.append(rest[1])
    return found
