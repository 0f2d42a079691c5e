"""Nodes that the plain walk would read wrongly: strings, wrappers, scopes, macros and the other cases of `Special`.

In: the running walk and the node at its cursor. Out: tokens, appended to the walk's; and how to leave the node.
Every function here answers with a `Closing`, or with None when the node's children are not to be visited.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any, TypeAlias

from comind.syntax.grammar import Action
from comind.syntax.languages.model import Special
from comind.syntax.literals import fold_markup_text, fold_number
from comind.syntax.slices import CLOSE, anonymous
from comind.syntax.strings import concatenation, interpolation, piece

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Node

    from comind.syntax.languages.model import Wrapping
    from comind.syntax.slices import Mark, Slice, Span
    from comind.syntax.walk import Walk

__all__ = [
    "RARE_ACTIONS",
    "SPECIAL_NODES",
    "Closing",
    "Expected",
    "Leading",
    "Wrapper",
    "dropped",
    "expect_arrow_parameter",
    "expect_labels",
    "expect_unwrapped",
    "wrap",
]

# What is done when the walk leaves a node: so many CLOSE tokens, or what leaving another asks for and then a call.
# Plain tuples, of a function and what it is called with, because one is made for every definition and its body.
Closing: TypeAlias = "int | tuple[Closing, Callable[[Walk, Any], None], Any]"
Expected: TypeAlias = "tuple[Callable[[Walk, Any, Node], Closing | None], Any]"
ELEMENTS, NESTED_ELEMENTS = 3, 4  # around the elements of a FLAT kind: one CLOSE, none
_STATEMENTS = ("_statement", "_declaration", "_item", "_definition")  # how kinds end that have no value
_DELIMITERS = {b"(": b"\\(", b")": b"\\)"}  # in a macro; unlike a structure's
_COMMENT, _NAME, _NUMBER = int(Action.COMMENT), int(Action.NAME), int(Action.NUMBER)
_GROUPS = frozenset({int(Action.NODE), int(Action.SPECIAL), int(Action.TRANSPARENT)})
_CLOSERS = frozenset({b")", b"]", b"}", b">"})  # a comma before one of them means nothing


@dataclass(slots=True)
class Leading:
    """A comment or an attribute that may belong to the definition after it."""

    start: int  # bytes
    end: int
    line: int = 0  # 1-based; an attribute's alone
    position: Mark | None = None  # in the stream; an attribute's alone


@dataclass(slots=True)
class Wrapper:
    """A node around definitions that is theirs too: decorators, `export`, the `const` of a group."""

    outer: Wrapper | None
    parent: Wrapper | None  # the wrapper that it stands directly in
    depth: int  # of its own node
    outermost_depth: int  # of the outermost wrapper that it stands directly in
    start_byte: int  # of that one
    line: int  # 1-based
    extends: bool  # its lines are the definition's
    is_shared: bool  # its header is each definition's
    start: Mark
    header_end: Mark = (0, 0)  # where the first definition in it begins
    omitted: list[Span] = field(default_factory=list)
    names: list[bytes] = field(default_factory=list)  # defined in it


def wrap(walk: Walk, node: Node, wrapping: Wrapping) -> Closing | None:
    """Open a wrapper around the definitions that stand directly in it."""
    depth, outer, start = len(walk.nest), walk.wrapper, walk.here()
    closing = walk.plain(node)
    if closing is None:
        return None
    line, extends = node.start_point[0] + 1, wrapping.extends
    if outer is not None and outer.depth + 1 == depth:
        parent, outermost, start_byte = outer, outer.outermost_depth, outer.start_byte
        line, extends = (outer.line, True) if outer.extends else (line, extends)
        walk.wrapper = Wrapper(outer, parent, depth, outermost, start_byte, line, extends, wrapping.is_shared, start)
    else:
        walk.wrapper = Wrapper(outer, None, depth, depth, node.start_byte, line, extends, wrapping.is_shared, start)
    return closing, _leave_wrapper, walk.wrapper


def expect_labels(walk: Walk, node: Node, fields: tuple[str, ...]) -> None:
    """Have the fields of a node marked by name, where only dropped punctuation told them apart."""
    for name in fields:
        child = node.child_by_field_name(name)
        if child is not None:
            walk.expected[child.id] = _labelled, name.encode()


def expect_unwrapped(walk: Walk, node: Node, name: str) -> None:
    """Have a block in a field read as the expression that it consists of, where it does."""
    block = node.child_by_field_name(name)
    if block is None or block.type != "block":
        return
    inside = [child for child in block.named_children if not child.is_extra]
    if len(inside) == 1 and _has_value(inside[0]):
        walk.expected[block.id] = _as_its_children, None


def _has_value(node: Node) -> bool:
    if node.type == "expression_statement":  # a macro at the end of a block: only `;` would discard its value
        return node.children[-1].type != ";"
    return not node.type.endswith(_STATEMENTS)


def expect_arrow_parameter(walk: Walk, node: Node) -> None:
    """Have the parameter of ``x => …`` read as that of ``(x) => …``."""
    if walk.page.arrow_parameter and (parameter := node.child_by_field_name("parameter")) is not None:
        walk.expected[parameter.id] = _parenthesised, None


def dropped(_walk: Walk, _subject: object, _node: Node) -> None:
    """Read nothing of a node."""


def _leave_wrapper(walk: Walk, wrapper: Wrapper) -> None:
    walk.wrapper = wrapper.outer
    if not wrapper.names:
        return
    if wrapper.parent:
        wrapper.parent.names += wrapper.names
    elif walk.scope.container:
        walk.scope.members.append((wrapper.start, walk.here(), tuple(wrapper.names)))


def _labelled(walk: Walk, label: bytes, node: Node) -> Closing | None:
    walk.tokens.append(b"(" + label)
    closing = walk.dispatch(node)
    if closing is not None:
        return closing, _close, None
    walk.tokens.append(CLOSE)
    return None


def _as_its_children(_walk: Walk, _subject: object, node: Node) -> Closing | None:
    return 0 if node.child_count else None


def _flat(walk: Walk, node: Node) -> Closing | None:
    if walk.nest[-1] in {ELEMENTS, NESTED_ELEMENTS}:
        return NESTED_ELEMENTS
    if node.named_child_count == 1 and node.named_children[0].kind_id != node.kind_id:
        return NESTED_ELEMENTS
    walk.tokens.append(walk.grammar.tokens[node.kind_id])
    return ELEMENTS


def _singleton(walk: Walk, node: Node) -> Closing | None:
    return walk.plain(node) if any(child.type == "," for child in node.children) else 0


def _lone_argument(walk: Walk, node: Node) -> Closing | None:
    if walk.cursor.field_name != "arguments":
        return walk.plain(node)
    walk.tokens += (b"(argument_list", walk.grammar.tokens[node.kind_id])
    return 2


def _statement(walk: Walk, node: Node) -> Closing | None:
    children = node.children
    if not children:
        return None
    discards = children[-1].type == ";" and children[0].type not in walk.page.jumps
    return walk.plain(node) if discards else 0


def _scope(walk: Walk, node: Node) -> Closing | None:
    around, closing = walk.scope, walk.plain(node)
    if closing is None:
        return None
    walk.scope = anonymous(around)
    return closing, _restore_scope, around


def _continuation(walk: Walk, node: Node) -> Closing | None:
    start, closing = walk.here(), _scope(walk, node)
    # Definitions come in source order, so a scope stands before what is in it.
    inside = takewhile(lambda one: one is not walk.scope.outer, reversed(walk.slices))
    before = next((one for one in inside if one.outer is walk.scope.outer), None)
    if closing is None or before is None or before.end != start:
        return closing
    before.last_line = node.end_point[0] + 1
    before.body = before.body or (start, start)
    return closing, _continue, before


def _continue(walk: Walk, piece: Slice) -> None:
    piece.end = walk.here()
    if piece.body:
        piece.body = piece.body[0], piece.end
    members = piece.outer.members if piece.outer else []
    if members and members[-1][0] == piece.member_start:
        members[-1] = piece.member_start, piece.end, piece.names


def _arrow(walk: Walk, node: Node) -> Closing | None:
    expect_arrow_parameter(walk, node)
    return _scope(walk, node)


def _parenthesised(walk: Walk, _: object, node: Node) -> None:
    walk.tokens += [b"(" + kind.encode() for kind in walk.page.arrow_parameter]
    walk.dispatch(node)
    walk.tokens += [CLOSE] * len(walk.page.arrow_parameter)


def _modifiers(walk: Walk, node: Node) -> Closing | None:
    depth, start, wrapper, scope = len(walk.nest), walk.here(), walk.wrapper, walk.scope
    closing = walk.plain(node)
    if closing is None:
        return None
    if wrapper and wrapper.depth + 1 == depth:
        return closing, _omit_from_wrapper, (wrapper, start)
    return (closing, _omit, (scope, start)) if scope.depth + 1 == depth else closing


def _omit(walk: Walk, subject: tuple[Slice, Mark]) -> None:
    scope, start = subject
    scope.omitted += ((start, walk.here()),)


def _omit_from_wrapper(walk: Walk, subject: tuple[Wrapper, Mark]) -> None:
    wrapper, start = subject
    wrapper.omitted.append((start, walk.here()))


def _close(walk: Walk, _: object) -> None:
    walk.tokens.append(CLOSE)


def _restore_scope(walk: Walk, around: Slice) -> None:
    walk.scope = around


def _attribute(walk: Walk, node: Node) -> Closing | None:
    walk.leading.append(Leading(node.start_byte, node.end_byte, line=node.start_point[0] + 1, position=walk.here()))
    return _modifiers(walk, node)


def _comment(walk: Walk, node: Node) -> None:
    walk.leading.append(Leading(node.start_byte, node.end_byte))


def _holes(walk: Walk, node: Node) -> Closing | None:
    # Without a hole, and without a trailing comma, n elements come with n - 1 commas and two brackets.
    if node.child_count >= 2 * node.named_child_count + 2:
        before = "["
        for child in node.children:
            if child.type == "," and before in {",", "["}:
                walk.expected[child.id] = _hole, None
            before = child.type if not child.is_extra else before
    return walk.plain(node)


def _hole(walk: Walk, _subject: object, _node: Node) -> None:
    walk.tokens.append(b",")


def _markup_text(walk: Walk, node: Node) -> None:
    rendered = fold_markup_text(walk.source[node.start_byte : node.end_byte])
    if rendered:
        walk.tokens.append(b'"' + rendered)


def _free_text(walk: Walk, node: Node) -> None:
    text = walk.source[node.start_byte : node.end_byte].replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    walk.tokens.append(b'"' + b" ".join(text.split()))


def _token_tree(walk: Walk, node: Node) -> None:
    """Read a macro's tokens as written, for only the macro knows what they mean."""
    if not node.child_count:
        walk.text(node)
        return
    cursor, depth = walk.cursor, 0
    while True:
        inner = cursor.node
        if inner is not None and _macro_token(walk, inner):
            cursor.goto_first_child()
            depth += 1
            continue
        while not cursor.goto_next_sibling():
            cursor.goto_parent()
            depth -= 1
            if depth == 0:
                return


def _macro_token(walk: Walk, node: Node) -> bool:
    """Append one token of a macro; True when the node is a group of them instead."""
    action = walk.grammar.actions[node.kind_id]
    if action == _COMMENT:
        return False
    if node.child_count and action in _GROUPS:
        children = node.children
        if len(children) > 1 and (separator := walk.source[children[-2].end_byte : children[-1].start_byte].strip()):
            walk.tokens.append(b"$" + separator)  # of a repetition; the grammar gives it no node
        return True
    if action == _NAME:
        walk.name(node)
        return False
    text = walk.source[node.start_byte : node.end_byte]
    if text in _CLOSERS and walk.tokens[-1] == b",":
        walk.tokens.pop()
    walk.tokens.append(fold_number(text) if action == _NUMBER else _DELIMITERS.get(text, text))
    return False


def _verbatim(walk: Walk, node: Node) -> None:
    walk.text(node)


def _separator(walk: Walk, node: Node) -> None:
    if walk.nest[-1] not in {ELEMENTS, NESTED_ELEMENTS}:
        walk.tokens.append(walk.grammar.tokens[node.kind_id])


def _error(walk: Walk, node: Node) -> None:
    walk.tokens.append(b'"' + walk.source[node.start_byte : node.end_byte])


def _number(walk: Walk, node: Node) -> None:
    text = walk.source[node.start_byte : node.end_byte]
    walk.tokens.append(text if text.isdigit() else fold_number(text, whole_is_float=walk.page.whole_numbers_are_floats))


RARE_ACTIONS: Mapping[int, Callable[[Walk, Node], Closing | None]] = {
    Action.NUMBER: _number,
    Action.VERBATIM: _verbatim,
    Action.COMMENT: _comment,
    Action.PIECE: piece,
    Action.SEPARATOR: _separator,
    Action.ERROR: _error,
}
SPECIAL_NODES: Mapping[Special, Callable[[Walk, Node], Closing | None]] = {
    Special.SCOPE: _scope,
    Special.CONTINUATION: _continuation,
    Special.ATTRIBUTE: _attribute,
    Special.MODIFIERS: _modifiers,
    Special.ARROW: _arrow,
    Special.FLAT: _flat,
    Special.SINGLETON: _singleton,
    Special.LONE_ARGUMENT: _lone_argument,
    Special.CONCATENATION: concatenation,
    Special.INTERPOLATION: interpolation,
    Special.STATEMENT: _statement,
    Special.TOKEN_TREE: _token_tree,
    Special.HOLES: _holes,
    Special.FREE_TEXT: _free_text,
    Special.MARKUP_TEXT: _markup_text,
}
