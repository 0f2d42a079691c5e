"""Definitions: which node opens one, and which part of it is signature, body and documentation.

In: the running walk and a node of a kind that a `Rule` describes. Out: an open `Slice`, or None where the node defines nothing.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from comind.syntax.documentation import claim_leading, docstring
from comind.syntax.languages.model import Place
from comind.syntax.naming import address, bare_member_address
from comind.syntax.specials import dropped, expect_arrow_parameter

if TYPE_CHECKING:
    from tree_sitter import Node

    from comind.syntax.languages.model import Rule
    from comind.syntax.slices import Slice
    from comind.syntax.specials import Closing, Wrapper
    from comind.syntax.walk import Walk

__all__ = ["define"]


# Looking a member up in an enumeration costs as much as reading a node, so it is done once.
_ANYWHERE, _OUTSIDE_FUNCTIONS = Place.ANYWHERE, Place.OUTSIDE_FUNCTIONS
_IN_TYPE, _DIRECTLY, _DIRECTLY_IN_TYPE = Place.IN_TYPE, Place.DIRECTLY, Place.DIRECTLY_IN_TYPE


def define(walk: Walk, node: Node, rule: Rule) -> Closing | None:
    """Open the definition that a node makes; None when it makes none and is ordinary code."""
    holder, inner = node, rule
    if rule.values and (value := node.child_by_field_name(rule.body[0])) is not None and value.type in rule.values:
        holder, inner = value, rule.values[value.type]
    depth, wrapper = len(walk.nest), walk.wrapper
    if wrapper is not None and wrapper.depth + 1 != depth:
        wrapper = None
    home = _home(walk, inner.place, wrapper.outermost_depth if wrapper else depth)
    piece = home and address(walk, node, (rule, inner), home, wrapper)
    if piece is None:
        return None
    piece.container = inner.container
    _place(walk, node, piece, wrapper)
    _expect_parts(walk, holder, inner, piece, is_value=holder is not node)
    walk.scope = piece
    walk.tokens.append(walk.grammar.tokens[node.kind_id])
    return 1, partial(_leave, walk, piece, wrapper)


def _home(walk: Walk, place: Place, depth: int) -> Slice | None:
    """Return the scope that a definition belongs to; None where its kind defines nothing."""
    scope = walk.scope
    if place is _ANYWHERE:
        return scope
    if place is _OUTSIDE_FUNCTIONS:
        while scope.kind and scope.kind.holds_value and scope.outer:  # in `a = b = 1` the second name belongs where the first one does
            scope = scope.outer
    if place is _IN_TYPE or place is _DIRECTLY_IN_TYPE:
        fits = scope.kind is not None and scope.kind.holds_fields
    else:
        fits = scope.kind.holds_variables if scope.kind else scope.outer is None
    if fits and (place is _DIRECTLY or place is _DIRECTLY_IN_TYPE):
        fits = depth == scope.member_depth
    return scope if fits else None


def _place(walk: Walk, node: Node, piece: Slice, wrapper: Wrapper | None) -> None:
    """Note where a definition begins: in the stream, in the file, with what stands before it."""
    piece.depth, piece.start = len(walk.nest), len(walk.tokens)
    piece.member_start = piece.start
    piece.first_line, piece.last_line = node.start_point[0] + 1, node.end_point[0] + 1
    start_byte = node.start_byte
    if wrapper:
        if not wrapper.names:
            start_byte, wrapper.header_end = wrapper.start_byte, piece.start
            piece.first_line = wrapper.line if wrapper.extends else piece.first_line
        if wrapper.is_shared:
            piece.shared = (wrapper.start, wrapper.header_end)
            piece.omitted += wrapper.omitted
        wrapper.names += piece.names
    if walk.leading:
        piece.doc, attribute = claim_leading(walk, start_byte)
        if attribute:
            piece.first_line, piece.member_start = attribute.line, attribute.position
    if piece.descriptors:
        walk.slices.append(piece)


def _expect_parts(walk: Walk, holder: Node, rule: Rule, piece: Slice, *, is_value: bool) -> None:
    """Have the body, its documentation and its bare members read as such when the walk gets there."""
    if is_value:
        walk.expected[holder.id] = partial(_value, walk) if rule.body else partial(_body, walk, piece)
    for part in rule.body:
        node = holder.child_by_field_name(part)
        if node is not None:
            _expect_body(walk, node, rule, piece)
        elif part not in walk.grammar.fields:
            walk.expected.update((child.id, partial(_body, walk, piece)) for child in holder.named_children if child.type == part)
    if rule.drop_if_empty and (empty := holder.child_by_field_name(rule.drop_if_empty)) is not None and not empty.named_child_count:
        walk.expected[empty.id] = dropped


def _expect_body(walk: Walk, body: Node, rule: Rule, piece: Slice) -> None:
    walk.expected[body.id] = partial(_body, walk, piece)
    if body.type == walk.page.docstring_opens:
        piece.doc = docstring(walk, body)
    if rule.members:
        members = (child for child in body.named_children if child.type in rule.members)
        walk.expected.update((child.id, partial(_bare_member, walk, piece)) for child in members)


def _body(walk: Walk, piece: Slice, node: Node) -> Closing | None:
    piece.member_depth = len(walk.nest) + 1
    start = piece.body[0] if piece.body else len(walk.tokens)
    closing = walk.dispatch(node)
    if closing is None:
        piece.body = (start, len(walk.tokens))
        return None
    return closing, partial(_end_body, walk, piece, start)


def _end_body(walk: Walk, piece: Slice, start: int) -> None:
    piece.body = (start, len(walk.tokens))


def _value(walk: Walk, node: Node) -> Closing | None:
    """Read a function or class that is given a name: the name's definition stands for it."""
    expect_arrow_parameter(walk, node)
    return walk.plain(node)


def _bare_member(walk: Walk, piece: Slice, node: Node) -> None:
    """Read a child of a body that is the name of a member and nothing else."""
    member = bare_member_address(walk, node, piece)
    _place(walk, node, member, None)
    walk.names.append(member.start)
    walk.tokens.append(member.names[0])
    member.end = len(walk.tokens)
    piece.members.append((member.member_start, member.end, member.names))


def _leave(walk: Walk, piece: Slice, wrapper: Wrapper | None) -> None:
    piece.end = len(walk.tokens)
    outer = piece.outer
    if outer is not None:
        walk.scope = outer
        if outer.container and not wrapper:
            outer.members.append((piece.member_start, piece.end, piece.names))
