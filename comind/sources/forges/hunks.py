"""Which lines of the old file a patch changes.

In: the text of a patch for one file, as forges give it. Out: spans of lines.
"""

from __future__ import annotations

import re

__all__ = ["changed_spans"]

_HEADER = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+\d{1,9}(?:,\d{1,9})? @@")
_MAX_SPANS = 200


def changed_spans(patch: str) -> tuple[tuple[int, int], ...]:
    r"""Return the lines that a patch takes away, and those around which it adds something; context is left out.

    >>> changed_spans("@@ -8,4 +8,4 @@ def run():\n before\n-old\n-old too\n+new\n after\n")
    ((9, 10),)
    >>> changed_spans("@@ -3,2 +3,3 @@\n before\n+new\n after\n")
    ((3, 4),)
    """
    spans: list[tuple[int, int]] = []
    line, first, added = 0, None, False
    for text in [*patch.splitlines(), " "]:
        header = _HEADER.match(text)
        if text.startswith("-") and line:
            first = line if first is None else first
            line += 1
            continue
        if text.startswith("+") and line:
            added = True
            continue
        if first is not None:
            spans.append((first, line - 1))
        elif added:
            spans.append((max(1, line - 1), line))
        first, added = None, False
        if header:
            # A hunk without old lines stands after the line that it names.
            line = int(header[1]) + (header[2] == "0")
        elif line and not text.startswith("\\"):
            line += 1
    return tuple(spans[:_MAX_SPANS])
