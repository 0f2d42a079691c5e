"""Chains of names, read token by token from the normalised stream: `a.b(1).c` as `a.b().c`.

In: a stream and a place in it, as the number of tokens and of names before it. Out: the text of a chain, of a node, or a node as a tree,
and the place after it. For what the search of `comind.syntax.references` finds too irregular to take at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.syntax.shapes import PARTS
from comind.syntax.slices import CLOSE, NAME

if TYPE_CHECKING:
    from comind.syntax.imports import Tree
    from comind.syntax.shapes import Shapes

__all__ = ["NODE", "Chains", "text_of"]

NODE = b"("  # how a token begins that opens a node
_MOST_LINKS = 20  # of a chain
_MOST_TOKENS = 2_000  # of a type or an import; only damaged code has more


class Chains:
    """The tokens of a file, to be read from any place."""

    def __init__(self, outline: list[bytes], words: list[bytes], shapes: Shapes) -> None:
        self.outline, self.words, self.shapes = outline, words, shapes

    def chain(self, token: int, word: int, depth: int = 0) -> tuple[str | None, int, int]:
        """Read a chain of names, members and calls.

        Returns:
            Its text, None where it begins with anything but a name; and the token and the name after it, if it has a text.
        """
        first = self.outline[token]
        if first == NAME:
            return text_of(self.words[word]), token + 1, word + 1
        if first in self.shapes.roots:
            return first.decode(), token + 1, word
        if first in self.shapes.openings and depth < _MOST_LINKS:
            path, token, word = self.called(token, word, depth)
            if path is not None:
                return path + "()" * (first in self.shapes.calls), *self.close(token, word)
        return None, token, word

    def called(self, token: int, word: int, depth: int) -> tuple[str | None, int, int]:
        """Read the chain that an open node begins with."""
        outline, shapes = self.outline, self.shapes
        token += 1
        while outline[token] in shapes.skipped:
            token += 1
        path, token, word = self.chain(token, word, depth + 1)
        while path is not None and outline[token] in shapes.dots and outline[token + 1] == NAME:
            path += ("::" if outline[token] == PARTS else ".") + text_of(self.words[word])
            token, word = token + 2, word + 1
        return path, token, word

    def close(self, token: int, word: int) -> tuple[int, int]:
        """Return what follows the open node."""
        while self.outline[token] != CLOSE:
            token, word = self.skip(token, word)
        return token + 1, word

    def skip(self, token: int, word: int) -> tuple[int, int]:
        """Return what follows one token or node."""
        outline, depth = self.outline, 0
        while True:
            text = outline[token]
            if text == CLOSE:
                depth -= 1
            elif text == NAME:
                word += 1
            elif text[:1] == NODE and len(text) > 1:
                depth += 1
            token += 1
            if depth <= 0:
                return token, word

    def text(self, token: int, word: int) -> tuple[str, int, int]:
        """Return what is written in one node, white space and the quotes of a string left out, and what follows it."""
        end, after = self.skip(token, word)
        names = iter(self.words[word:after])
        parts = [part for part in self.outline[token:end][:_MOST_TOKENS] if part != CLOSE and not _opens(part)]
        return text_of(b"".join(next(names) if part == NAME else part.removeprefix(b'"') for part in parts)), end, after

    def tree(self, token: int, word: int) -> Tree:
        """Return one node as nested lists."""
        open_nodes: list[Tree] = [[]]
        for part in self.outline[token : token + _MOST_TOKENS]:
            if part == NAME:
                open_nodes[-1].append(text_of(self.words[word]))
                word += 1
            elif part == CLOSE:
                open_nodes.pop()
                if len(open_nodes) == 1:
                    break
            elif _opens(part):
                node: Tree = [part[1:].decode()]
                open_nodes[-1].append(node)
                open_nodes.append(node)
            else:
                open_nodes[-1].append(text_of(part))
        return open_nodes[0][0]  # type: ignore[return-value] # a match begins with an opening marker


def text_of(name: bytes) -> str:
    """Return bytes of a source as text; what is not UTF-8 is escaped."""
    return name.decode("utf-8", "backslashreplace")


def _opens(token: bytes) -> bool:
    return token[:1] == b"(" and len(token) > 1
