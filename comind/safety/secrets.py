"""Secrets in prose: tokens of known shape, private keys, credentials in URLs, and values assigned to a name that says secret.

In: text. Out: findings that say what kind of secret it is and where, never any part of it.
A refused reason is lost, so precision comes first: no finding for commit ids, UUIDs, hashes, symbols or long words. Shapes are
those that the issuers document. Every rule has a literal that must occur, and bounded repeats: time is linear in the text.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from comind.safety.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["entropy", "secret_findings"]

_INSTEAD = "[secret removed]"


@dataclass(frozen=True, slots=True)
class _Shape:
    what: str
    literals: tuple[str, ...]  # one of them stands in every secret of this shape
    pattern: str  # compiled when a literal was seen; most never are


def _shape(what: str, pattern: str, *literals: str) -> _Shape:
    # Not within a longer word: base64 text holds every short prefix sooner or later.
    return _Shape(what, literals, rf"(?<![A-Za-z0-9_/+-])(?:{pattern})")


def _part(what: str, pattern: str, *literals: str) -> _Shape:
    return _Shape(what, literals, pattern)


_SHAPES: Final = (
    _shape("an AWS access key id", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}(?![A-Za-z0-9])", "AKIA", "ASIA", "ABIA", "ACCA"),
    _shape("a GitHub token", r"gh[pousr]_[A-Za-z0-9]{36,255}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    _shape("a GitHub token", r"github_pat_[A-Za-z0-9_]{36,255}", "github_pat_"),
    _shape("a GitLab token", r"gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|soat|oas|ffct|sct|wt)-[A-Za-z0-9_-]{20,300}", "gl"),
    _shape("a Slack token", r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{12,255}", "xox", "xapp-"),
    _part("a Slack webhook", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9_/+-]{20,200}", "hooks.slack.com/"),
    _shape("a Google API key", r"AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])", "AIza"),
    _shape("a Google client secret", r"GOCSPX-[A-Za-z0-9_-]{28}", "GOCSPX-"),
    _shape("a Google access token", r"ya29\.[A-Za-z0-9_-]{30,500}", "ya29."),
    _shape("a Stripe key", r"(?:[sr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,255}", "k_live_", "k_test_", "whsec_"),
    _shape("a JSON web token", r"eyJ[A-Za-z0-9_-]{10,4000}+\.eyJ[A-Za-z0-9_-]{10,4000}+\.[A-Za-z0-9_-]{16,2000}", "eyJ"),
    _shape("an npm token", r"npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])", "npm_"),
    _shape("a PyPI token", r"pypi-AgE[A-Za-z0-9_-]{60,500}", "pypi-AgE"),
    _shape("an Anthropic key", r"sk-ant-[A-Za-z0-9_-]{24,255}", "sk-ant-"),
    _shape("an OpenAI key", r"sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{24,255}|[A-Za-z0-9]{48}(?![A-Za-z0-9]))", "sk-"),
    _shape("a Hugging Face token", r"hf_[A-Za-z]{34}(?![A-Za-z0-9])", "hf_"),
    _shape("a SendGrid key", r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}", "SG."),
    _shape("a Twilio key", r"SK[0-9a-f]{32}(?![A-Za-z0-9])", "SK"),
    _shape("a DigitalOcean token", r"do[opr]_v1_[0-9a-f]{64}", "_v1_"),
    _shape("a Shopify token", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}", "shp"),
    _shape("a Docker token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,100}", "dckr_"),
    _shape("an Atlassian token", r"AT(?:ATT3|BB|CTT3)[A-Za-z0-9_=-]{24,400}", "ATATT3", "ATBB", "ATCTT3"),
    _shape("a Databricks token", r"dapi[0-9a-f]{32}(?![A-Za-z0-9])", "dapi"),
    _shape("a Vault token", r"hv[sbr]\.[A-Za-z0-9_-]{24,300}", "hvs.", "hvb.", "hvr."),
    _shape("a Terraform token", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{60,100}", ".atlasv1."),
    _shape("a Grafana token", r"gl(?:sa|c)_[A-Za-z0-9+/=_]{32,400}", "glsa_", "glc_"),
    _shape("a New Relic key", r"NRAK-[A-Z0-9]{27}(?![A-Za-z0-9])", "NRAK-"),
    _shape("a RubyGems key", r"rubygems_[0-9a-f]{48}", "rubygems_"),
    _shape("a Supabase token", r"sbp_[0-9a-f]{40}", "sbp_"),
    _shape("a Postman key", r"PMAK-[0-9a-f]{24}-[0-9a-f]{34}", "PMAK-"),
    _shape("a Figma token", r"figd_[A-Za-z0-9_-]{36,60}", "figd_"),
    _shape("a Telegram bot token", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])", ":AA"),
    _part("a Discord webhook", r"discord(?:app)?\.com/api/webhooks/[0-9]{15,20}/[A-Za-z0-9_-]{50,100}", "/api/webhooks/"),
    _shape("an Azure storage key", r"AccountKey=[A-Za-z0-9+/]{80,100}={0,2}", "AccountKey="),
    _shape("an age key", r"AGE-SECRET-KEY-1[0-9A-Z]{58}", "AGE-SECRET-KEY-1"),
)  # fmt: skip
_KEY_BEGIN = re.compile(
    r"-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?=(?:\s|\\n){0,8}(?:[A-Za-z0-9+/=]{20}|[A-Z][A-Za-z-]{3,20}: ))"
)
_KEY_END = re.compile(r"-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_KEY_CHARACTERS = 8192
_URL_PASSWORD = re.compile(r"://(?P<user>[^\s/:@\"'<>]{0,80}+):(?P<value>[^\s/@\"'<>]{3,200}+)@(?=[A-Za-z0-9\[])")
_AUTHORIZATION = re.compile(
    r"(?i:authorization[\"']?\s{0,3}[:=]\s{0,3}[\"']?(?:basic|bearer|token))\s{1,3}(?P<value>[A-Za-z0-9_.~+/=-]{16,2000})"
)
_ASSIGNMENT = re.compile(
    r"(?i:(?P<strong>passw(?:or)?d|passphrase|passwd|(?<![a-z])pwd|(?:client|app|shared|access)[_-]?secret|secret[_-]?(?:access[_-]?)?key"
    r"|private[_-]?key|api[_-]?key|apikey|access[_-]?key(?:[_-]?id)?)|secret|(?:auth|access|bearer|refresh|api|bot)[_-]?token|(?<![a-z])token|credentials?)"
    r"[\"'`]?(?:[ \t]{0,3}(?::=|=>|==?|:)[ \t]{0,3}|[ \t]{1,3}is[ \t]{1,3})"
    r"(?:[bru]{0,2}(?P<quote>[\"'`])(?P<quoted>(?:(?!(?P=quote))\S){8,200})(?P=quote)|(?P<bare>[A-Za-z0-9+/=_~!@#$%^&*.-]{12,200}+))"
)
_SECRET_WORDS = ("pass", "pwd", "secret", "token", "key", "credential")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
_UUID = re.compile(r"(?i:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})")
_SENTENCE_END = ".,;:!?)"
_PLACEHOLDER = re.compile(
    r"(?i:x{4,}|\*{3,}|\.{3}|<[^>]*>|\$\{|\{\{|%[(s]|\$\(|\$[a-z_]|example|change.?me|placeholder|dummy|redacted|removed|your.?|my.?secret"
    r"|sample|foo.?bar|1234567|abcdef|hunter2|pass.?word|passwd|secret|todo|none|null|undefined|process\.env|environ|getenv)"
)
_CODE = re.compile(r"[A-Za-z_][\w]*(?:(?:\.|::|->|/|-)[A-Za-z_][\w]*)*(?:\(.*)?")  # a name, a path, a call: code that fetches it
_MIN_ENTROPY = 3.0  # bits per character; English words of this length lie below
_MIN_HEX = 32


def secret_findings(text: str) -> list[Finding]:
    """Return every secret of a text, without any part of it.

    >>> secret_findings("the key AKIA" + "Q3EXAMPLE7EXAMPL" + " was revoked")
    [Finding(code='secret', what='an AWS access key id', where=(8, 28), level=<Level.REFUSE: 2>, instead='[secret removed]')]
    """
    return [
        Finding("secret", what, where, instead=_INSTEAD)
        for what, where in (*_shaped(text), *_private_keys(text), *_in_urls(text), *_in_headers(text), *_assigned(text))
    ]


def entropy(text: str) -> float:
    """Return the Shannon entropy of the characters of a text, in bits per character.

    >>> entropy("aaaa"), entropy("abcd")
    (0.0, 2.0)
    """
    total = len(text)
    return -sum(count / total * math.log2(count / total) for count in Counter(text).values()) + 0.0


def _shaped(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    for shape in _SHAPES:
        if any(literal in text for literal in shape.literals):
            for match in re.finditer(shape.pattern, text):
                yield shape.what, match.span()


def _private_keys(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    for match in _KEY_BEGIN.finditer(text):
        end = _KEY_END.search(text, match.end(), match.end() + _KEY_CHARACTERS)
        yield "a private key", (match.start(), end.end() if end else min(len(text), match.end() + _KEY_CHARACTERS))


def _in_urls(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    for match in _URL_PASSWORD.finditer(text):
        value = match["value"]
        if not (_PLACEHOLDER.search(value) or value.lower() in {"pass", "pwd", "pw", match["user"].lower()}):
            yield "a password in a URL", (match.start("user"), match.end("value"))


def _in_headers(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    for match in _AUTHORIZATION.finditer(text):
        if _is_random(match["value"]):
            yield "credentials in a header", match.span("value")


def _assigned(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    lower = text.lower()
    if not any(word in lower for word in _SECRET_WORDS):
        return
    for match in _ASSIGNMENT.finditer(text):
        group = "quoted" if match["quoted"] else "bare"
        value = match[group].rstrip(_SENTENCE_END)
        if _is_random(value, hexadecimal=match["strong"] is not None, chosen_by_hand=match["strong"] is not None and group == "quoted"):
            yield "a value assigned to a name that says secret", match.span(group)


def _is_random(value: str, *, hexadecimal: bool = False, chosen_by_hand: bool = False) -> bool:
    """Whether a value looks drawn by lot, or like a password: not a name, a path, a call, a placeholder, a hash or an id."""
    if _PLACEHOLDER.search(value) or _UUID.fullmatch(value):
        return False
    if _HEX.fullmatch(value):
        return hexadecimal and len(value) >= _MIN_HEX and entropy(value) >= _MIN_ENTROPY
    digits, lower, upper = (any(map(kind, value)) for kind in (str.isdigit, str.islower, str.isupper))
    symbols = any(not (character.isalnum() or character in "_-./") for character in value)
    bits = entropy(value)
    if _CODE.fullmatch(value):  # names have digits too, but seldom both cases and so many different letters
        return digits and lower and upper and bits >= (_MIN_ENTROPY if chosen_by_hand else _MIN_ENTROPY + 0.5)
    if chosen_by_hand:
        return digits + lower + upper + symbols > 1 and (symbols or digits) and bits >= _MIN_ENTROPY - 0.5
    return digits and lower + upper + symbols > 1 and bits >= _MIN_ENTROPY + 0.3
