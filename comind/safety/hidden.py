r"""Characters that a reader cannot see and a machine obeys: tags, direction controls, invisible ones, terminal escapes.

In: text. Out: findings, each with what may stand there instead (mostly nothing).
Tags, direction controls and runs of variation selectors have no honest use in a reason, so they quarantine it; the others are stripped.
Joiners stay where scripts and emoji need them. Sources: Unicode 14 (`Bidi_Control`, `Cf`), ECMA-48 for escapes, CVE-2021-42574.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from comind.safety.findings import Finding, Level

__all__ = ["QUARANTINE_CLASS", "hidden_findings"]

_TAGS = r"[\U000e0000-\U000e007f]"
_BIDI = r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
_SELECTOR = r"[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
QUARANTINE_CLASS: Final = rf"(?:{_TAGS}|{_BIDI}|{_SELECTOR}{{2}})"  # also legal in the `regex` of Rust, which Polars uses
# DCS, OSC, SOS, PM, APC and what they carry up to their end; without an end, or around what quarantines, the beginning alone.
_PAYLOAD = r"[^\x07\x1b\x9c\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\U000e0000-\U000e01ef]"
_STRING_ESCAPES = rf"[P\]X^_](?:{_PAYLOAD}{{0,4096}}+(?:\x07|\x1b\\|\x9c))?"
_ESCAPE = rf"\x1b(?:\[[0-?]{{0,64}}+[ -/]{{0,8}}+[@-~]|{_STRING_ESCAPES}|[ -/]{{1,4}}+[0-~]|[0-OQ-WYZ\\`-~])"
_CSI8 = r"\x9b[0-?]{0,64}+[ -/]{0,8}+[@-~]"
_CONTROL = r"(?>(?:[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9a\x9c-\x9f]|\r(?!\n)|[\x1b\x9b](?![ -~]))+)|[\x1b\x9b]"
_SEPARATOR = r"[\u2028\u2029]"
_JOINER = r"[\u200c\u200d]"
_INVISIBLE = (
    r"[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u2060-\u2064\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    r"\U0001d173-\U0001d17a]"
)
_HIDDEN = re.compile(
    rf"(?P<escape>{_ESCAPE}|{_CSI8})|(?P<tag>{_TAGS}++)|(?P<bidi>{_BIDI}++)|(?P<selectors>{_SELECTOR}{{2,}}+)|(?P<selector>{_SELECTOR})"
    rf"|(?P<separator>{_SEPARATOR})|(?P<joiner>{_JOINER})|(?P<invisible>{_INVISIBLE}++)|(?P<control>{_CONTROL})"
)
# Scripts whose letters join, where the joiners are spelling: Arabic to Myanmar, Khmer, Mongolian, and their extensions.
_JOINING = re.compile(r"[\u0600-\u109f\u1780-\u18af\ua8e0-\ua8ff\uaa60-\uaa7f\ufb50-\ufdff\ufe70-\ufefc]")
_IDEOGRAPH = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_KEYCAPS = frozenset("0123456789#*")
_EMOJI_SELECTORS = "\ufe0e\ufe0f"
_ZERO_WIDTH_JOINER = "\u200d"

_FOUND: Final[dict[str, tuple[str, str, Level, str]]] = {
    "escape": ("terminal_escape", "a terminal escape sequence", Level.REFUSE, ""),
    "tag": ("hidden_tag", "Unicode tag characters, which spell text that no one sees", Level.QUARANTINE, ""),
    "bidi": ("hidden_bidi", "a control of writing direction, which shows text in another order", Level.QUARANTINE, ""),
    "selectors": ("hidden_selector", "a run of variation selectors, which can carry text that no one sees", Level.QUARANTINE, ""),
    "selector": ("hidden_invisible", "a variation selector without a character that it belongs to", Level.REFUSE, ""),
    "separator": ("hidden_invisible", "a line or paragraph separator", Level.REFUSE, "\n"),
    "joiner": ("hidden_invisible", "an invisible joiner", Level.REFUSE, ""),
    "invisible": ("hidden_invisible", "an invisible character", Level.REFUSE, ""),
    "control": ("control", "a control character", Level.REFUSE, ""),
}


def hidden_findings(text: str) -> list[Finding]:
    r"""Return every hidden character or escape sequence of a text, in order.

    >>> [finding.code for finding in hidden_findings("a\u200bb \u202e c \x1b[31mred")]
    ['hidden_invisible', 'hidden_bidi', 'terminal_escape']
    """
    findings: list[Finding] = []
    for match in _HIDDEN.finditer(text):
        group = match.lastgroup or ""
        # What stands before it goes too? Then nothing is left for it to belong to.
        alone = match.start() == (findings[-1].where[1] if findings else 0)
        before = "" if alone else text[match.start() - 1]
        if (group == "joiner" and _joins(match[0], before, text[match.end() : match.end() + 1])) or (
            group == "selector" and _selects(match[0], before)
        ):
            continue
        code, what, level, instead = _FOUND[group]
        findings.append(Finding(code, what, match.span(), level, instead))
    return findings


def _joins(joiner: str, before: str, after: str) -> bool:
    if not before or not after:
        return False
    if _JOINING.match(before) and _JOINING.match(after):
        return True
    return joiner == _ZERO_WIDTH_JOINER and (_is_pictograph(before) or before in _EMOJI_SELECTORS) and _is_pictograph(after)


def _selects(selector: str, before: str) -> bool:
    if selector in _EMOJI_SELECTORS:
        return bool(before) and (before in _KEYCAPS or unicodedata.category(before)[0] in "SP")
    return _IDEOGRAPH.match(before) is not None


def _is_pictograph(character: str) -> bool:
    return unicodedata.category(character) in {"So", "Sk", "Sm"}
