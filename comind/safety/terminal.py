r"""Text of a record made harmless for a screen or a page.

In: any text, from any store. Out: the same words without control characters, escapes and hidden characters; or with HTML escaped.
Brackets and backticks stay as they are: a surface shows this text literally (`rich.text.Text`), it never parses it as markup.
"""

from __future__ import annotations

import html
import re

from comind.safety.findings import replaced
from comind.safety.hidden import hidden_findings

__all__ = ["plain", "plain_html", "plain_line"]

_BLANKS = re.compile(r"\s+")
_SURROGATES = re.compile(r"[\ud800-\udfff]")


def plain(text: str) -> str:
    r"""Return a text in which every character is one that a reader sees; lines stay lines, a tab becomes a blank.

    >>> plain("ok\x1b]8;;http://x\x07 [b]bold[/b]\x1b[2J\r\nnext\u202e")
    'ok [b]bold[/b]\nnext'
    """
    text = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
    return replaced(text, hidden_findings(text)).replace("\r\n", "\n").replace("\t", " ")


def plain_line(text: str) -> str:
    r"""Return a text as one line: as `plain`, with every run of blanks and line ends as one blank.

    >>> plain_line("two\n  lines\t")
    'two lines'
    """
    return _BLANKS.sub(" ", plain(text)).strip()


def plain_html(text: str) -> str:
    """Return a text for HTML: as `plain`, with every character escaped that HTML gives a meaning.

    >>> plain_html("<b>'a' & b</b>")
    '&lt;b&gt;&#x27;a&#x27; &amp; b&lt;/b&gt;'
    """
    return html.escape(plain(text), quote=True)
