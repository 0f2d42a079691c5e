"""The one pass over a syntax tree: normalised tokens, and where each definition stands in them.

In: source bytes and the compiled page of their language. Out: a `Stream`.
Two sources that a formatter would make equal give equal tokens; two that mean different things do not.
Never recurses over the tree, however deep it is. What is rare has its own place: `definitions` and `specials`.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, TypeAlias

from comind.syntax.definitions import define
from comind.syntax.grammar import Action
from comind.syntax.slices import CLOSE, NAME, Stream, anonymous
from comind.syntax.specials import (
    ELEMENTS,
    RARE_ACTIONS,
    SPECIAL_NODES,
    expect_labels,
    expect_unwrapped,
    wrap,
)
from comind.syntax.strings import CONCATENATED, read_string

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import Node, Tree

    from comind.syntax.grammar import Grammar, Plan
    from comind.syntax.languages.model import Wrapping
    from comind.syntax.slices import Mark, Slice
    from comind.syntax.specials import Closing, Expected, Leading, Wrapper

__all__ = ["Walk", "walk"]

Reader: TypeAlias = "Callable[[Walk, Node], Closing | None]"

# An enumeration is too slow a place to look these up in, so often.
_WORD, _NODE, _NAME, _SKIP, _TRANSPARENT, _STRING = (
    int(action) for action in (Action.WORD, Action.NODE, Action.NAME, Action.SKIP, Action.TRANSPARENT, Action.STRING)
)
_END = -1  # left below the root


def walk(tree: Tree, source: bytes, grammar: Grammar) -> Stream:
    """Read a tree once.

    Returns:
        The file's tokens and its definitions in source order. Errors in the tree become one token each, as written.
    """
    reader = Walk(tree, source, grammar)
    reader.run()
    return Stream(reader.tokens, reader.words, reader.starts, reader.slices)


class Walk:
    """The state of one pass; its loop knows the common nodes and asks for the others."""

    def __init__(self, tree: Tree | Node, source: bytes, grammar: Grammar) -> None:
        self.source, self.grammar, self.page = source, grammar, grammar.language
        self.readers = _readers(grammar)
        self.cursor = tree.walk()
        self.tokens: list[bytes] = []  # identifiers are marks in it
        self.words: list[bytes] = []  # identifiers
        self.starts: list[int] = []  # where in the source each of them begins
        self.slices: list[Slice] = []
        self.nest: list[Closing] = [_END]  # the open nodes
        self.scope = anonymous(None)
        self.scope.member_depth = 2
        self.wrapper: Wrapper | None = None
        self.leading: list[Leading] = []  # comments and attributes that may belong to what follows
        self.expected: dict[int, Expected] = {}  # by node id: what stands there is read differently
        self.raw = False  # inside a raw string that holds code

    def run(self) -> None:  # noqa: C901, PLR0912, PLR0915 - every call in here costs a tenth of the whole pass, so the loop is one function
        """Visit every node once, in order; returns when the root is left."""
        cursor, source, grammar, readers = self.cursor, self.source, self.grammar, self.readers
        actions, kinds, fold_string, name_openers = grammar.actions, grammar.tokens, grammar.fold_string, grammar.quoted_name_openers
        expected, nest, tokens, words, starts = self.expected, self.nest, self.tokens, self.words, self.starts
        down, right, up = cursor.goto_first_child, cursor.goto_next_sibling, cursor.goto_parent
        structure, name, skip, transparent, string, mark = _NODE, _NAME, _SKIP, _TRANSPARENT, _STRING, NAME
        while True:
            node: Node = cursor.node  # type: ignore[assignment] # a cursor always stands at a node
            kind = node.kind_id
            action = actions[kind]
            if expected and node.id in expected:
                read, subject = expected.pop(node.id)
                closing = read(self, subject, node)
                if closing is not None:
                    down()
                    nest.append(closing)
                    continue
            elif action == name:
                start = node.start_byte
                starts.append(start)
                words.append(source[start : node.end_byte])
                tokens.append(mark)
            elif action == structure:
                if down():
                    tokens.append(kinds[kind])
                    nest.append(1)
                    continue
                tokens.append(source[node.start_byte : node.end_byte])
            elif action == 0:
                tokens.append(kinds[kind])
            elif action != skip:
                if action == string:
                    text = fold_string(source[node.start_byte : node.end_byte])
                    if text is not None and nest[-1] != CONCATENATED and tokens[-1] not in name_openers:
                        tokens.append(text)
                        closing = None
                    else:
                        closing = read_string(self, node)
                elif action == transparent:
                    closing = 0
                    if not node.child_count:
                        closing = self.text(node)
                else:
                    closing = readers[kind](self, node)
                if closing is not None:
                    down()
                    nest.append(closing)
                    continue
            while not right():
                closing = nest.pop()
                if closing == 1:
                    tokens.append(CLOSE)
                elif closing:
                    if closing == _END:
                        return
                    self.leave(closing)
                up()

    def leave(self, closing: Closing) -> None:
        """Do what leaving a node asks for."""
        if closing.__class__ is tuple:
            inner, after, subject = closing
            if inner == 1:
                self.tokens.append(CLOSE)
            else:
                self.leave(inner)
            after(self, subject)
        elif closing in {1, ELEMENTS, CONCATENATED}:
            self.tokens.append(CLOSE)
        elif closing == 2:  # noqa: PLR2004
            self.tokens += (CLOSE, CLOSE)

    def plain(self, node: Node) -> Closing | None:
        """Read a node as structure, whatever its kind."""
        if not node.child_count:
            return self.text(node)
        self.tokens.append(self.grammar.tokens[node.kind_id])
        return 1

    def text(self, node: Node) -> Closing | None:
        """Append a node as it is written; it has no children to visit."""
        return self.tokens.append(self.source[node.start_byte : node.end_byte])  # type: ignore[func-returns-value] # None is meant

    def name(self, node: Node) -> Closing | None:
        """Append an identifier; it has no children to visit."""
        return self.word(self.source[node.start_byte : node.end_byte], node.start_byte)  # type: ignore[func-returns-value] # None is meant

    def word(self, text: bytes, start: int) -> None:
        """Append an identifier by its text and the byte at which it begins."""
        self.words.append(text)
        self.starts.append(start)
        self.tokens.append(NAME)

    def normalised(self, node: Node) -> bytes:
        """Return the tokens of a node, read apart from this pass, as one text that formatting does not change."""
        apart = Walk(node, self.source, self.grammar)
        apart.run()
        return b"\0".join([*apart.tokens, b"", *apart.words])

    def here(self) -> Mark:
        """Return the place in the stream that the walk has come to."""
        return len(self.tokens), len(self.words)

    def dispatch(self, node: Node) -> Closing | None:
        """Read one node as the loop would; None when its children are not to be visited."""
        kind = node.kind_id
        action = self.grammar.actions[kind]
        if action == _NODE:
            return self.plain(node)
        if action == _TRANSPARENT:
            return 0 if node.child_count else self.text(node)
        if action == _NAME:
            return self.name(node)
        if action == _WORD:
            self.tokens.append(self.grammar.tokens[kind])
            return None
        if action == _STRING:
            return read_string(self, node)
        return None if action == _SKIP else self.readers[kind](self, node)


@cache
def _readers(grammar: Grammar) -> dict[int, Reader]:
    """Return what reads each kind that the loop does not: a definition, else a special node, else a wrapper, else structure."""
    readers: dict[int, Reader] = {kind: RARE_ACTIONS[action] for kind, action in enumerate(grammar.actions) if action in RARE_ACTIONS}
    for kind, wrapping in grammar.wrappers.items():
        readers[kind] = partial(_wrapped, wrapping)
    for kind, special in grammar.specials.items():
        readers[kind] = SPECIAL_NODES[special]
    for kind, plan in grammar.plans.items():
        readers[kind] = partial(_define_or, plan, readers.get(kind, Walk.plain))
    for kind, fields in grammar.labelled.items():
        readers[kind] = partial(_labelled, fields, readers.get(kind, Walk.plain))
    for kind, name in grammar.unwrapped.items():
        readers[kind] = partial(_unwrapped, name, readers.get(kind, Walk.plain))
    return readers


def _wrapped(wrapping: Wrapping, walk: Walk, node: Node) -> Closing | None:
    return wrap(walk, node, wrapping)


def _define_or(plan: Plan, otherwise: Reader, walk: Walk, node: Node) -> Closing | None:
    return define(walk, node, plan) or otherwise(walk, node)


def _labelled(fields: tuple[str, ...], then: Reader, walk: Walk, node: Node) -> Closing | None:
    expect_labels(walk, node, fields)
    return then(walk, node)


def _unwrapped(name: str, then: Reader, walk: Walk, node: Node) -> Closing | None:
    expect_unwrapped(walk, node, name)
    return then(walk, node)
