"""Chains of names, read token by token from the normalised stream: `a.b(1).c` as `a.b().c`.

In: a stream and a place in it, as the number of tokens and of names before it. Out: the text of a chain, of a node, or a node as a tree,
and the place after it. For what the search of `comind.syntax.references` finds too irregular to take at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.syntax.imports import unquoted
from comind.syntax.shapes import PARTS
from comind.syntax.slices import CLOSE, NAME

if TYPE_CHECKING:
    from comind.syntax.imports import Tree
    from comind.syntax.shapes import Shapes

__all__ = ["NODE", "Chains", "text_of"]

NODE = b"("  # how a token begins that opens a node
_MOST_LINKS = 20  # of a chain
_MOST_LEVELS = 50  # of a type or an import; only damaged code has more
_MOST_TOKENS = 2_000
_BLANK = b" "
_QUOTED = frozenset({b'"', b"'", b"$", b"(", CLOSE, NAME})


class Chains:
    """The tokens of a file, to be read from any place."""

    def __init__(self, outline: list[bytes], words: list[bytes], shapes: Shapes) -> None:
        self.outline, self.words, self.shapes = outline, words, shapes
        self.known: dict[int, tuple[str | None, int, int]] = {}  # chains that were read, by the token that they begin with

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
        if first in self.shapes.worded and self.outline[token + 2] == CLOSE:
            name = self.outline[token + 1]
            return (None if name[:1] in _QUOTED else text_of(name)), token + 3, word
        if first in self.shapes.openings and depth < _MOST_LINKS:
            if token in self.known:
                return self.known[token]
            path, after, end = self.called(token, word, depth)
            if path is not None:
                self.known[token] = read = path + "()" * (first in self.shapes.calls), *self.close(after, end)
                return read
        return None, token, word

    def called(self, token: int, word: int, depth: int) -> tuple[str | None, int, int]:
        """Read the chain that an open node begins with; of a member that is no name, such as ``a.0``, nothing is said."""
        kind, shapes = self.outline[token], self.shapes
        token, word = self.beginning(token + 1, word)
        path, token, word = self.chain(token, word, depth + 1)
        while path is not None:
            after = self.member(token, word, depth)
            if after is None:
                break
            link, token, word = after
            path += link
        if (
            path is not None
            and kind not in shapes.through
            and self.outline[token] in shapes.members
            and self.outline[token + 1][:1] != NODE
        ):
            return None, token, word
        return path and path + shapes.marks.get(kind, ""), token, word

    def beginning(self, token: int, word: int) -> tuple[int, int]:
        """Pass over what stands before a chain and says nothing."""
        skipped, passed = self.shapes.skipped, self.shapes.passed
        while (text := self.outline[token]) in skipped or text in passed:
            token, word = self.skip(token, word)
        return token, word

    def member(self, token: int, word: int, depth: int) -> tuple[str, int, int] | None:
        """Read one member, with what leads to it."""
        outline, shapes = self.outline, self.shapes
        token, word = self.past(token, word)
        sign = outline[token]
        dot = "::" if sign == PARTS else "."
        for shape in shapes.members.get(sign, ()):
            at, name = token + 1, word
            for expected in shape:
                at, name = self.past(at, name)
                if expected == NAME and outline[at] in shapes.openings and depth < _MOST_LINKS:  # `a::(b::c)` (C++)
                    path, at, name = self.chain(at, name, depth + 1)
                    return (dot + path, at, name) if path else None
                if outline[at] != expected:
                    break
                at, name = at + 1, name + (expected == NAME)
            else:
                return dot + text_of(self.words[name - 1]) if NAME in shape else "", at, name
        return None

    def past(self, token: int, word: int) -> tuple[int, int]:
        """Pass over type arguments and their like."""
        while self.outline[token] in self.shapes.passed:
            token, word = self.skip(token, word)
        return token, word

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
        """Return what is written in one node, white space and the quotes of a string left out, and what follows it.

        What commas part in the source is parted by what the page says for its kind, words by a blank.
        """
        outline, words = self.outline, self.words
        if outline[token] == NAME:
            return text_of(words[word]), token + 1, word + 1
        if outline[token + 1] == NAME and outline[token + 2] == CLOSE:
            return text_of(words[word]), token + 3, word + 1
        parts: list[bytes] = []
        parting: list[bytes] = []  # of each open node
        apart = False  # an operand came before
        for part in outline[token : token + _MOST_TOKENS]:
            token += 1
            if part == CLOSE:
                parting.pop()
                apart = True
            elif part[:1] == NODE and len(part) > 1:
                if apart and parting[-1] != _BLANK:
                    parts.append(parting[-1])
                    apart = False
                parting.append(self.shapes.separators.get(part, _BLANK))
            else:
                is_operand = part == NAME or part[:1] == b'"' or part[-1:].isalnum()
                if apart and is_operand:
                    parts.append(parting[-1])
                parts.append(words[word] if part == NAME else part.removeprefix(b'"'))
                word += part == NAME
                apart = is_operand
            if not parting:
                break
        return text_of(b"".join(parts)), token, word

    def tree(self, token: int, word: int) -> tuple[Tree, int]:
        """Return one node as nested lists, and the name after it; what is too deep or too long for an import is left out."""
        open_nodes: list[Tree] = [[]]
        for part in self.outline[token : token + _MOST_TOKENS]:
            if part == NAME:
                open_nodes[-1].append(text_of(self.words[word]))
                word += 1
            elif part == CLOSE:
                open_nodes.pop()
                if len(open_nodes) == 1:
                    break
            elif part[:1] == NODE and len(part) > 1:
                node: Tree = [part[1:].decode()]
                if len(open_nodes) < _MOST_LEVELS:
                    open_nodes[-1].append(node)
                open_nodes.append(node)
            else:
                open_nodes[-1].append(text_of(part))
        return open_nodes[0][0], word  # type: ignore[return-value] # a match begins with an opening marker

    def leaves(self, token: int, word: int) -> tuple[Tree, int]:
        """Return the kind of a node and its leaves, and the name after it."""
        outline, words = self.outline, self.words
        leaves: Tree = [outline[token][1:].decode()]
        depth = 1
        for part in outline[token + 1 : token + _MOST_TOKENS]:
            if part == NAME:
                leaves.append(text_of(words[word]))
                word += 1
            elif part == CLOSE:
                depth -= 1
                if not depth:
                    break
            elif part[:1] == NODE and len(part) > 1:
                depth += 1
            else:
                leaves.append(text_of(part))
        return leaves, word

    def literal(self, token: int) -> str | None:
        """Return the text of the string that is the first argument of the call whose callee ends before ``token``."""
        outline = self.outline
        for text in outline[token : token + 4]:
            if text[:1] == NODE and len(text) > 1:
                continue
            return unquoted(text_of(text)) if text[:1] != NAME and text != CLOSE else None
        return None


def text_of(name: bytes) -> str:
    """Return bytes of a source as text; what is not UTF-8 is escaped."""
    return name.decode("utf-8", "backslashreplace")
