"""Documentation: the string that opens a body, or the comment that stands before a definition.

In: the running walk, at a definition. Out: the text without its delimiters; `comind.fingerprints` collapses the white space.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.syntax.specials import dropped

if TYPE_CHECKING:
    from tree_sitter import Node

    from comind.syntax.specials import Leading
    from comind.syntax.walk import Walk

__all__ = ["claim_leading", "docstring"]

_FARTHEST = 2_000  # bytes; what stands farther away from a definition is not its own
_WIDEST = 200  # bytes; a comment farther right is not the first thing on its line
_DELIMITERS = re.compile(rb"^[ \t]*(?:/\*+!?|//+!?|\*+/|\*)|\*+/\s*\Z", re.MULTILINE)


def docstring(walk: Walk, body: Node) -> bytes:
    """Return the string that opens a body, and have the walk leave it out; empty when there is none."""
    first = body.named_child(0) if body.named_child_count else None
    if first is not None and first.is_extra:
        first = next((child for child in body.named_children if not child.is_extra), None)
    if first is None:
        return b""
    literal, kind = first, first.type
    if kind == "expression_statement" and first.named_child_count == 1:
        literal = first.named_children[0]
        kind = literal.type
    if kind in walk.page.strings:
        text = _plain(walk, literal)
    elif kind == "concatenated_string":
        parts = [_plain(walk, part) for part in literal.named_children if not part.is_extra]
        text = None if None in parts else b"".join([part for part in parts if part])
    else:
        return b""
    if text is None:
        return b""
    walk.expected[first.id] = dropped, None
    return text


def claim_leading(walk: Walk, start_byte: int) -> tuple[bytes, Leading | None]:
    """Take what stands before a definition.

    Args:
        walk: its noted comments and attributes are used up by this.
        start_byte: where the definition begins, its wrapper included.

    Returns:
        The documentation text, and the first attribute of the definition.
    """
    end, comments, first_attribute = start_byte, list[bytes](), None
    for item in reversed(walk.leading):
        if item.start >= end:
            continue
        if end - item.end > _FARTHEST or (gap := walk.source[item.end : end]).strip():
            break
        if item.position:
            first_attribute = item
        elif _documents(walk, item, gap, is_nearest=not comments):
            comments.append(walk.source[item.start : item.end])
        else:
            break
        end = item.start
    walk.leading.clear()
    return _DELIMITERS.sub(b"", b"\n".join(reversed(comments))), first_attribute


def _plain(walk: Walk, literal: Node) -> bytes | None:
    """Return the text of a string; None when it holds code or is bytes."""
    folded = walk.grammar.fold_string(walk.source[literal.start_byte : literal.end_byte])
    return folded[1:] if folded is not None and folded.startswith(b'"') else None


def _documents(walk: Walk, item: Leading, gap: bytes, *, is_nearest: bool) -> bool:
    """Tell whether a comment is documentation of what follows after a gap of white space."""
    text = walk.source[item.start : item.end]
    if not text.startswith(walk.page.doc_comments):
        return False
    if text.startswith(b"/*"):
        return is_nearest and _opens_its_line(walk.source, item.start)
    return gap.count(b"\n") <= 1 and _opens_its_line(walk.source, item.start)


def _opens_its_line(source: bytes, start: int) -> bool:
    before = source[max(0, start - _WIDEST) : start]
    return not before.rpartition(b"\n")[2].strip() and (b"\n" in before or start <= _WIDEST)
