"""String literals: one token each, or tokens around the code that they hold.

In: the running walk and the node at its cursor. Out: tokens, appended to the walk's; and how to leave the node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.syntax.languages.model import Quotes
from comind.syntax.literals import fold_python_piece, is_name

if TYPE_CHECKING:
    from tree_sitter import Node

    from comind.syntax.specials import Closing
    from comind.syntax.walk import Walk

__all__ = ["CONCATENATED", "concatenation", "interpolation", "piece", "read_string"]

CONCATENATED = 5  # how a node is left around the literals of a string that holds code: with one CLOSE
_PYTHON_QUOTES = Quotes.PYTHON


def read_string(walk: Walk, node: Node) -> Closing | None:
    """Read a string literal: one token, unless it holds code."""
    text = walk.source[node.start_byte : node.end_byte]
    folded = walk.grammar.fold_string(text)
    concatenated = walk.nest[-1] == CONCATENATED
    if folded is None:
        return _enter_formatted(walk, text, concatenated=concatenated)
    if concatenated:
        _add_piece(walk, folded[1:])
    elif walk.tokens[-1] in walk.grammar.quoted_name_openers and is_name(folded[1:]):
        walk.word(folded[1:], node.start_byte)
    else:
        walk.tokens.append(folded)
    return None


def piece(walk: Walk, node: Node) -> None:
    """Read the text between the code of a string."""
    text = walk.source[node.start_byte : node.end_byte]
    if walk.page.quotes is _PYTHON_QUOTES:
        text = fold_python_piece(text, raw=walk.raw).replace(b"{{", b"{").replace(b"}}", b"}")
    _add_piece(walk, text.replace(b"\r\n", b"\n"))


def concatenation(walk: Walk, node: Node) -> Closing | None:
    """Read adjacent string literals as the one string that they are."""
    folded = [walk.grammar.fold_string(walk.source[part.start_byte : part.end_byte]) for part in node.named_children if not part.is_extra]
    plain = [token for token in folded if token is not None]
    if len(plain) == len(folded):
        prefix = plain[0][: plain[0].index(b'"') + 1]
        walk.tokens.append(prefix + b"".join(token[token.index(b'"') + 1 :] for token in plain))
        return None
    walk.tokens.append(b"(fstring")
    return CONCATENATED


def interpolation(walk: Walk, node: Node) -> Closing | None:
    """Read the code in a string."""
    text = walk.source[node.start_byte : node.end_byte]
    if b"=" in text and any(child.type == "=" for child in node.children):
        walk.tokens.append(b'"' + text)  # `{x = }` prints itself, white space and all
        return None
    return walk.plain(node)


def _enter_formatted(walk: Walk, text: bytes, *, concatenated: bool) -> Closing | None:
    prefix = text[: text.find(text[-1:])].lower()
    before, walk.raw = walk.raw, b"r" in prefix
    if not concatenated:
        walk.tokens.append(b"(tstring" if b"t" in prefix else b"(fstring")
    return int(not concatenated), _restore_raw, before


def _restore_raw(walk: Walk, before: bool) -> None:  # noqa: FBT001 - the walk passes what it was given
    walk.raw = before


def _add_piece(walk: Walk, content: bytes) -> None:
    if walk.tokens[-1][:1] == b'"':
        walk.tokens[-1] += content
    elif content:
        walk.tokens.append(b'"' + content)
