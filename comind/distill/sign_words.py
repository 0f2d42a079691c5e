r"""Words by what they are a sign of: a cause, a failure, a limit, a choice, a denial.

In: nothing. Out: one compiled pattern per family. General English of commit messages; a word of one project's language has no place here.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DENIES", "FAMILIES", "LABEL", "STEP", "TRIFLE", "UNDOES", "WEIGHTS", "Family"]


class Family(StrEnum):
    """What a word is a sign of."""

    CAUSE = "cause"  # one thing follows from another
    FAILURE = "failure"  # something does not work, or works worse than it should
    LIMIT = "limit"  # something must hold, or is not possible
    CHOICE = "choice"  # one thing and not another
    DENIAL = "denial"  # not so; weak, and only beside others


WEIGHTS: Final[Mapping[Family, float]] = {
    Family.CAUSE: 3.0, Family.FAILURE: 1.5, Family.LIMIT: 1.5, Family.CHOICE: 1.0, Family.DENIAL: 0.75,
}  # fmt: skip
_APOSTROPHE = r"['\u2019]"
_CAUSE = (
    r"because|due to|owing to|caus(?:e[sd]?|ing)|(?:the |main |good |only )reasons?|reason (?:for|why|is|being)|turn(?:s|ed) out"
    r"|since(?! v?\d| versions?\b| release| (?:the )?(?:last|beginning)\b| (?=[0-9a-f]*\d)[0-9a-f]{7})"
    r"|result(?:s|ed|ing)? in|lead(?:s|ing)? to|led to|therefore|hence|thus|consequently|so that|otherwise|as a (?:result|consequence)"
    r"|mean(?:s|t|ing)? that|(?:which|this|that|it) (?:also )?means?|given that|as long as|for the sake of|introduced (?:a|an|the)"
    r"|makes? it|made it|now that|(?<=, )(?:as|so) (?:it|this|that|these|they|the|we|you|there|our|its|an?|some|many|any)"
)
_WORKS = (
    r"(?:actually |really |seem to )?(?:work|compile|build|include|handle|exist|match|respect|fit|run|make sense|apply|always|correct\w*)"
)
_FAILURE = (
    r"fail(?:s|ed|ing|ures?)?|break(?:s|ing|age)?|broken?|crash(?:e[sd]|ing)?|deadlock\w*|hangs?|hanging|hung|(?:data )?races?|racy"
    r"|leak(?:s|ed|ing|age)?|flak(?:es?|y|iness)|regress\w*|segfaults?|panic(?:s|ked|king)?|corrupt\w*|incorrect(?:ly)?|wrong(?:ly)?|unsafe"
    r"|slow(?:er|s|ly|down)?|overhead|(?:un)?expensive|out of memory|oom|infinite(?:ly)?|conflict(?:s|ed|ing)?|time[- ]?outs?|timed out"
    r"|unreliable|unstable|bugs?(?! ?#?\d)|buggy|errors?|overflow\w*|starv\w+|stale|vulnerab\w+|problem(?:s|atic)?|undefined behaviou?r"
    r"|violat\w+|silently|unexpected(?:ly)?|surpris\w+|confus\w+|inconsisten\w+|harmful|dangerous|edge[- ]cases?|false positives?|bogus"
    r"|garbage|memory usage|performance|latency|contention|duplicat(?:es?|ed)|lost|misleading|nonsens\w+"
    r"|unhelpful|weird|accidental(?:ly)?|mistakenly|costly|speed-?ups?"
    rf"|(?:do(?:es)?|did|would|is|was|are|were)(?:n{_APOSTROPHE}t| not) {_WORKS}"
    r"|not (?:working|thread[- ]safe|safe|correct|consistent|reliable|inlined|honou?red|respected)|defeat(?:s|ed)?|differ(?:s|ed|ences?)?"
    r"|differently|harder|hard to|difficult\w*|mess(?:es|y|ed)?|blow(?:s|n)? up|blocked|blocking (?:a|the)|prone|bad(?:ly)?"
)
_GIVES = r"(?:support|allow|guarantee|accept|provide|have|need|want)"
_LIMIT = (
    r"must|need(?:s|ed)? to|(?:has|have|had) to|requir(?:e[sd]?|ing|ements?)|works? only|unable|impossible|(?:in)?compatib\w+"
    r"|only (?:works?|supports?|supported|valid|available|applies|possible|when|if|on|with)|cannot|can not|can[o'\u2019]?t|could(?:n| no)"
    rf"{_APOSTROPHE}?t|(?:no|is not|isn{_APOSTROPHE}t|not) "
    r"(?:way|allowed|supported|possible|able|guaranteed|available|accepted|sufficient|enough|needed|necessary|required)"
    rf"|do(?:es)?(?:n{_APOSTROPHE}t| not) {_GIVES}|depend(?:s|ed|ing)? (?:up)?on|rel(?:y|ies|ied|ying) on|guarante\w+|invariants?|never"
    rf"|should(?:n{_APOSTROPHE}t| not| never| only| always)|restrict\w+|limit(?:s|ed|ations?)?|polic(?:y|ies)|public api|unsupported"
    r"|forbid\w*|still (?:\w+ )?(?:need\w*|requir\w+|us(?:e[sd]?|ing)|rel(?:y|ies|ying)|support\w*)|illegal|expects?|assum\w+|unspecified"
    r"|declined|rejected|accepted|too (?:\w+ )?(?:many|much|large|big|long|early|late|strict|slow|old|small)"
)
_CHOICE = (
    r"instead|rather than|in favou?r of|but|however|although|though|whil(?:e|st)|despite|even (?:if|when)|trade-?offs?|compromise"
    r"|alternatives?|alternatively|unfortunately|sadly|prefer(?:s|red|able)?|decid(?:e[sd]?|ing)|decision|cho(?:se|sen|ose)|considered|tried"
    r"|trying|attempt(?:s|ed|ing)?|no longer|any ?more|work[- ]?arounds?|for now|temporar\w+|until|hack(?:s|y)?|fall(?:s|ing)? ?back"
    r"|avoid(?:s|ed|ing)?|prevent(?:s|ed|ing)?|unnecessar\w+|redundant|useless|in order (?:not )?to|not worth|worse|better"
    r"|(?:more|less|fewer) (?:\w+ ){1,6}than|faster|cheaper|safer|simpler|unlike|downsides?|drawbacks?|previously|originally|used to"
    r"|without|stop(?:s|ped)? (?:using|supporting)|premature\w*|not yet|supposed to|in practice|apparently"
)
_DENIAL = rf"not|no|never|nor|neither|cannot|\w+n{_APOSTROPHE}t|without"


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w`./-])(?:{pattern})(?![\w`])", re.IGNORECASE)


FAMILIES: Final[Mapping[Family, re.Pattern[str]]] = {
    Family.CAUSE: _words(_CAUSE), Family.FAILURE: _words(_FAILURE), Family.LIMIT: _words(_LIMIT), Family.CHOICE: _words(_CHOICE),
}  # fmt: skip
DENIES: Final = _words(_DENIAL)
LABEL: Final = re.compile(r"\b(?:reason(?:s|ing)?(?: (?:for|to) [\w -]{1,30})?|rationale|why|motivation|background)\s*:", re.IGNORECASE)
"""Announces a reason."""
UNDOES: Final = re.compile(
    r"^(?:\[[^\]]*\] ?|[\w./()-]+: ?)*(?:re-?)?(?:revert|back out|roll back|undo)(?:s|ed|ing)?:? [\"\u201c]"
    r"|^[ \t]*(?:so )?this (?:commit |change |patch |pr )?(?:partially |partly )?(?:reverts?|backs out|rolls back|undoes)\b"
    r"|\breverts? (?:commits? |cls? |changes? |prs? |from |in |the )*(?:https?://|[0-9a-f]{7,40}|r\d{3,}|#\d+|!\d+|\d{4,})\b",
    re.IGNORECASE | re.MULTILINE,
)
"""Undoes another change, rather than going back to some state."""
TRIFLE: Final = re.compile(
    r"\b(?:typos?|(?:mis)?spell\w*|gramma\w*|punctuation|wording|reword\w*|white ?space|indentation|docstrings?|docs?|documentation|badges?"
    r"|readme\w*|change-?logs?|comments?|lint\w*|format(?:ting|ter)|translations?|copyright|licen[cs]e|javadocs?|release notes|polish\w*"
    r"|clean-?ups?|nits?|coverage)\b|^(?:docs?|style|chore|i18n)(?:\([^)]*\))?!?:|\.(?:md|rst|adoc|txt)\b",
    re.IGNORECASE,
)
"""A subject about words and looks, of which few have reasons that matter."""
STEP: Final = re.compile(
    r"\b(?:bump|upgrade|update|release|prepare|sync|import|pin|roll)\w*\b.{0,80}?"
    r"(?:\bv?\d+\.\d|\bversions?\b|\brelease\b|\bdependenc\w+|\brequirements\b|\btranslations\b)"
    r"|\bfrom [0-9a-f]{7,40} to [0-9a-f]{7,40}\b"
    r"|^(?:[\w()/-]+: )?bump\b|^\W*(?:release|version|v?\d+\.\d+)\b|^\S+[- ]v?\d+\.\d+(?:\.\d+)?\S*$|\bautoupdate\b"
    r"|^(?:chore|build|fix)\((?:deps|deps-dev|release)\)",
    re.IGNORECASE,
)
"""A subject that takes a version, of this project or of what it uses, a step on."""
