"""E-mail addresses, with the name that stands before them.

In: text. Out: findings. An `@` in a package, a version, a file name or a clone URL is no address, and documentation's example domains
and addresses that no one answers are no one's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from comind.safety.findings import Finding
from comind.safety.names import SENTENCE_BEGINS, WORD

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["address_findings"]

_LETTERS = r"A-Za-z0-9À-ɏͰ-ӿ"  # of scripts that put blanks between words
_ADDRESS = re.compile(
    rf"(?<![{_LETTERS}._%+/@-])(?P<local>[{_LETTERS}][{_LETTERS}._%+-]{{0,63}}+)@"
    rf"(?P<domain>(?>(?:[{_LETTERS}][{_LETTERS}-]{{0,62}}+\.){{1,8}}))(?P<top>[A-Za-z]{{2,24}})(?![{_LETTERS}_-])"
)
_OPENING = re.compile(
    rf"(?P<name>(?<!\w)(?!{SENTENCE_BEGINS} )(?:{WORD}|[A-Z]\.)(?: (?:{WORD}|[A-Z]\.)){{0,3}})? ?(?P<open>[<\[(](?:mailto:)?)\Z"
)
_NAME_CHARACTERS = 140  # how far before an address its owner's name may begin
_CLOSING = frozenset(">])")
_NO_ONE: Final = frozenset({"git", "hg", "svn", "noreply", "no-reply", "donotreply", "do-not-reply"})
_NO_DOMAIN: Final = frozenset({
    "cjs", "css", "gif", "gz", "html", "ico", "jar", "jpeg", "jpg", "js", "json", "jsx", "mjs", "png", "scss", "svg", "tgz", "ts", "tsx",
    "txt", "webp", "whl", "xml", "yaml", "yml", "zip",  # a file: icon@2x.png
    "final", "release", "snapshot",  # a version: wildfly@26.1.0.Final
    "example", "invalid", "local", "localhost", "test",  # reserved by RFC 2606 and RFC 6762
})  # fmt: skip
_NO_HOST = re.compile(r"[vV]?\d|(?:.*\.)?example\.(?:com|net|org)$", re.IGNORECASE)


def address_findings(text: str) -> Iterator[Finding]:
    """Find every e-mail address of a text; with the name before it, if one stands there.

    >>> [finding.instead for finding in address_findings("ask Ada Lovelace <ada@lovelace.uk> or bob@builders.uk")]
    ['[person]', '[address]']
    """
    if "@" not in text:
        return
    for match in _ADDRESS.finditer(text):
        host = f"{match['domain']}{match['top']}"
        if match["local"].lower() in _NO_ONE or match["top"].lower() in _NO_DOMAIN or _NO_HOST.match(host):
            continue
        yield _with_name(text, *match.span())


def _with_name(text: str, start: int, end: int) -> Finding:
    before = _OPENING.search(text[max(0, start - _NAME_CHARACTERS) : start])
    if before is None:
        return Finding("address", "an e-mail address", (start, end), instead="[address]")
    end += text[end : end + 1] in _CLOSING
    if before["name"] is None:
        return Finding("address", "an e-mail address", (start - len(before["open"]), end), instead="[address]")
    return Finding("person_address", "a person's name and address", (start - len(before[0]), end), instead="[person]")
