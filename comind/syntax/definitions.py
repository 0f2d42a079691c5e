"""Definitions: which node opens one, and which part of it is signature, body and documentation.

In: the running walk and a node of a kind that a `Rule` describes. Out: an open `Slice`, or None where the node defines nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from comind.syntax.documentation import claim_leading, docstring
from comind.syntax.languages.model import Place
from comind.syntax.naming import address, bare_member_address, plain_address
from comind.syntax.specials import dropped, expect_arrow_parameter

if TYPE_CHECKING:
    from tree_sitter import Node

    from comind.syntax.grammar import Plan
    from comind.syntax.slices import Slice
    from comind.syntax.specials import Closing, Wrapper
    from comind.syntax.walk import Walk

__all__ = ["define"]

# Looking a member up in an enumeration costs as much as reading a node, so it is done once.
_ANYWHERE, _OUTSIDE_FUNCTIONS = Place.ANYWHERE, Place.OUTSIDE_FUNCTIONS
_ASSIGNED = "="
_IN_TYPE, _DIRECTLY, _DIRECTLY_IN_TYPE = Place.IN_TYPE, Place.DIRECTLY, Place.DIRECTLY_IN_TYPE


def define(walk: Walk, node: Node, plan: Plan) -> Closing | None:
    """Open the definition that a node makes; None when it makes none and is ordinary code."""
    holder, taking, depth, wrapper = node, plan, len(walk.nest), walk.wrapper
    if plan.values:
        valued = _by_value(node, plan)
        if valued is None:
            return None
        holder, taking = valued
    if wrapper is not None and wrapper.depth + 1 != depth:
        wrapper = None
    home = walk.scope
    if taking.rule.place is not _ANYWHERE:
        found = _home(home, taking.rule.place, wrapper.outermost_depth if wrapper else depth)
        if found is None:
            return None
        home = found
    piece = plain_address(walk, node, taking, home) if taking.is_plain else address(walk, node, taking, home, wrapper)
    if piece is None:
        return None
    piece.depth, piece.container = depth, taking.rule.container
    piece.start = piece.member_start = len(walk.tokens), len(walk.words)
    piece.first_line, piece.last_line = node.start_point[0] + 1, node.end_point[0] + 1
    if wrapper is not None or walk.leading:
        _claim(walk, node, piece, wrapper)
    if piece.descriptors:
        walk.slices.append(piece)
    _expect_bodies(walk, holder, taking, piece)
    if holder is not node or taking.is_peculiar:
        _expect_others(walk, holder, taking, piece, is_value=holder is not node)
    walk.scope = piece
    walk.tokens.append(walk.grammar.tokens[node.kind_id])
    return 1, _leave, piece


def _by_value(node: Node, plan: Plan) -> tuple[Node, Plan] | None:
    """Return what a definition is read by: the value that it gives a name to, if that has its own plan; None where only such define."""
    value = node.child_by_field_id(plan.bodies[0]) if plan.bodies else _lone_value(node, plan)
    if value is not None and value.kind_id in plan.values:
        return value, plan.values[value.kind_id]
    return None if plan.rule.only_values else (node, plan)


def _home(scope: Slice, place: Place, depth: int) -> Slice | None:
    """Return the scope that a definition belongs to; None where its kind defines nothing."""
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


def _claim(walk: Walk, node: Node, piece: Slice, wrapper: Wrapper | None) -> None:
    """Give a definition what stands around and before it: wrapper, comments, attributes."""
    start_byte = node.start_byte
    if wrapper:
        piece.is_wrapped = True
        if not wrapper.names:
            start_byte, wrapper.header_end = wrapper.start_byte, piece.start
            piece.first_line = wrapper.line if wrapper.extends else piece.first_line
        if wrapper.is_shared:
            piece.shared, piece.omitted = (wrapper.start, wrapper.header_end), tuple(wrapper.omitted)
        wrapper.names += piece.names
    if walk.leading:
        piece.doc, attribute = claim_leading(walk, start_byte)
        if attribute and attribute.position:
            piece.first_line, piece.member_start = attribute.line, attribute.position


def _expect_bodies(walk: Walk, holder: Node, plan: Plan, piece: Slice) -> None:
    for field in plan.bodies:
        body = holder.child_by_field_id(field)
        if body is not None:
            walk.expected[body.id] = _body, piece
            if body.type == walk.page.docstring_opens:
                piece.doc = docstring(walk, body)


def _expect_others(walk: Walk, holder: Node, plan: Plan, piece: Slice, *, is_value: bool) -> None:
    """Have the rarer parts of a definition read as such when the walk gets there."""
    rule, expected = plan.rule, walk.expected
    if is_value:
        expected[holder.id] = (_value, piece) if rule.body else (_body, piece)
    for child in holder.named_children if plan.body_kinds else ():
        if child.type in plan.body_kinds or (_ASSIGNED in plan.body_kinds and _is_assigned(child)):
            expected[child.id] = _body, piece
    if rule.drop_if_empty and (empty := holder.child_by_field_name(rule.drop_if_empty)) is not None and not empty.named_child_count:
        expected[empty.id] = dropped, piece
    body = holder.child_by_field_id(plan.bodies[0]) if rule.members else None
    for child in body.named_children if body else ():
        if child.type in rule.members:
            expected[child.id] = _bare_member, piece


def _lone_value(node: Node, plan: Plan) -> Node | None:
    """Return the only child of a list of values (Lua)."""
    found = next((child for child in node.named_children if child.type in plan.body_kinds), None)
    return found.named_child(0) if found is not None and found.named_child_count == 1 else None


def _is_assigned(node: Node) -> bool:
    before = node.prev_sibling
    while before is not None and before.is_extra:
        before = before.prev_sibling
    return before is not None and before.type == _ASSIGNED


def _body(walk: Walk, piece: Slice, node: Node) -> Closing | None:
    piece.member_depth = len(walk.nest) + 1
    if piece.body is None:
        here = len(walk.tokens), len(walk.words)
        piece.body = here, here
    closing = walk.dispatch(node)
    if closing is None:
        _end_body(walk, piece)
        return None
    return closing, _end_body, piece


def _end_body(walk: Walk, piece: Slice) -> None:
    if piece.body:
        piece.body = piece.body[0], (len(walk.tokens), len(walk.words))


def _value(walk: Walk, _: Slice, node: Node) -> Closing | None:
    """Read a function or class that is given a name: the name's definition stands for it."""
    expect_arrow_parameter(walk, node)
    return walk.plain(node)


def _bare_member(walk: Walk, piece: Slice, node: Node) -> None:
    """Read a child of a body that is the name of a member and nothing else."""
    member = bare_member_address(walk, node, piece)
    member.start = member.member_start = walk.here()
    member.first_line, member.last_line = node.start_point[0] + 1, node.end_point[0] + 1
    _claim(walk, node, member, None)
    walk.slices.append(member)
    walk.word(member.names[0], node.start_byte)
    member.end = walk.here()
    piece.members.append((member.member_start, member.end, member.names))


def _leave(walk: Walk, piece: Slice) -> None:
    piece.end = len(walk.tokens), len(walk.words)
    outer = piece.outer
    if outer is not None:
        walk.scope = outer
        if outer.container and not piece.is_wrapped:
            outer.members.append((piece.member_start, piece.end, piece.names))
