"""The name and the address of a definition.

In: the running walk and a node that defines something. Out: a `Slice` with names and SCIP descriptors, nothing else filled in.
A name that an error cuts off gives no address: a wrong one is worse than none.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from comind.syntax.descriptors import descriptor, disambiguator, erased_type, escaped, type_parameter, type_word
from comind.syntax.grammar import Action
from comind.syntax.languages.model import Naming, Special, SymbolKind
from comind.syntax.literals import unquote
from comind.syntax.slices import Slice

if TYPE_CHECKING:
    from tree_sitter import Node

    from comind.syntax.grammar import Plan
    from comind.syntax.languages.model import Overloads
    from comind.syntax.specials import Wrapper
    from comind.syntax.walk import Walk

__all__ = ["address", "bare_member_address", "plain_address"]

_NAME = int(Action.NAME)
_FIELD, _IMPLEMENTATION = Naming.FIELD, Naming.IMPLEMENTATION
_UNTYPED = "_"
_LONGEST_PREFIX = 1_000  # characters; every function hashes those inside it again, so there is an end to nesting
_PLAIN_TYPE = re.compile(rb"[A-Za-z_$][\w$]*")
_WORDS = re.compile(r"'?\w+")


def plain_address(walk: Walk, node: Node, plan: Plan, home: Slice) -> Slice | None:
    """Return the address of a definition that one field names; see `address`."""
    child = node.child_by_field_id(plan.name)
    if child is None or len(home.prefix) > _LONGEST_PREFIX or (node.has_error and _is_cut_off(node, child)):
        return None
    kind = plan.kind if home.kind is None or not home.kind.holds_fields else plan.kind_in_type
    if walk.grammar.actions[child.kind_id] != _NAME:
        return _addressed(walk, _unfolded(walk, [child]), kind, home.prefix, "")
    name = walk.source[child.start_byte : child.end_byte]
    if not name or name == walk.page.blank_name:
        return None
    text = name.decode("utf-8", "backslashreplace")
    text = home.prefix + (text if text.isidentifier() and text.isascii() else escaped(text)) + kind.suffix
    return Slice(walk.scope, text, kind, (name,), (text,))


def address(walk: Walk, node: Node, plan: Plan, home: Slice, wrapper: Wrapper | None) -> Slice | None:
    """Return the address of a definition in its home; None when nothing can call it by a name.

    Args:
        walk: the running walk; its scope is where the definition stands.
        node: the definition's node.
        plan: what it defines, and where its name is.
        home: the scope that names in the definition's place belong to.
        wrapper: the wrapper that it stands directly in.
    """
    rule = plan.rule
    if rule.naming is _IMPLEMENTATION:
        return _implementation(walk, node, home)
    types = _overload_types(walk, node, rule.overloads, wrapper) if rule.overloads else ""
    if not types and rule.naming is _FIELD and not plan.many_names:
        return plain_address(walk, node, plan, home)
    named = node.children_by_field_id(plan.name)
    if node.has_error and any(_is_cut_off(node, child) for child in named):
        return None
    kind = plan.kind_in_type if home.kind and home.kind.holds_fields else plan.kind
    prefix = home.prefix if rule.naming is _FIELD else home.prefix + _receiver(walk, node)
    return _addressed(walk, _unfolded(walk, named), kind, prefix, types)


def _addressed(walk: Walk, names: tuple[bytes, ...], kind: SymbolKind, prefix: str, types: str) -> Slice | None:
    if not names or len(prefix) > _LONGEST_PREFIX:
        return None
    descriptors = tuple([prefix + descriptor(_decoded(name), kind, types) for name in names])
    return Slice(walk.scope, descriptors[0], kind, names, descriptors)


def bare_member_address(walk: Walk, node: Node, home: Slice) -> Slice:
    """Return the address of a member of which the node is only the name."""
    name = unquote(_text(walk, node))
    text = home.prefix + descriptor(_decoded(name), SymbolKind.ENUM_MEMBER)
    return Slice(home, text, SymbolKind.ENUM_MEMBER, (name,), (text,))


def _text(walk: Walk, node: Node) -> bytes:
    return walk.source[node.start_byte : node.end_byte]


def _decoded(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")


def _unfolded(walk: Walk, named: list[Node]) -> tuple[bytes, ...]:
    """Return the names in lists of names, in source order; what is no name (``a.b = …``, ``{a} = …``) is left out."""
    waiting = named[::-1]
    found: list[bytes] = []
    while waiting:
        node = waiting.pop()
        if walk.grammar.actions[node.kind_id] == _NAME or node.type in walk.page.other_names:
            found.append(unquote(_text(walk, node)))
        elif node.type in walk.page.name_lists:
            waiting += node.named_children[::-1]
    return tuple([name for name in found if name and name != walk.page.blank_name])


def _is_cut_off(node: Node, name: Node) -> bool:
    return any(child.is_error and child.start_byte == name.end_byte for child in node.children)


def _receiver(walk: Walk, node: Node) -> str:
    """Return the descriptor of the type that a method is declared for."""
    waiting = [child for child in (node.child_by_field_name("receiver"),) if child is not None]
    while waiting:
        child = waiting.pop()
        if child.type == "type_identifier":
            return descriptor(_decoded(_text(walk, child)), SymbolKind.TYPE)
        waiting += child.named_children[::-1]
    return ""


def _implementation(walk: Walk, node: Node, home: Slice) -> Slice | None:
    """Return the scope of an ``impl`` block: ``Type#`` without a symbol of its own, or the symbol ``Type#[Trait]``."""
    for_type, trait = node.child_by_field_name("type"), node.child_by_field_name("trait")
    if for_type is None:
        return None
    declared = node.child_by_field_name("type_parameters")
    prefix = home.prefix + _implemented_type(walk, for_type, _decoded(_text(walk, declared)) if declared else "")
    name = _base_name(walk, trait or for_type)
    if trait is None:
        return Slice(walk.scope, prefix, SymbolKind.IMPLEMENTATION, (name,), ())
    text = prefix + type_parameter(_squeezed(_decoded(_text(walk, trait))))
    return Slice(walk.scope, text, SymbolKind.IMPLEMENTATION, (name,), (text,))


def _implemented_type(walk: Walk, node: Node, declared: str) -> str:
    """Return ``Name#``, and the type's arguments where the block is for some of them only (``impl Stack<u8>``)."""
    arguments = node.child_by_field_name("type_arguments")
    if arguments is None:
        return descriptor(_decoded(_base_name(walk, node)), SymbolKind.TYPE)
    text = _decoded(_text(walk, arguments))
    known = {*_WORDS.findall(declared), _UNTYPED, "'_", "'static"}
    general = known.issuperset(_WORDS.findall(text))
    base = descriptor(_decoded(_base_name(walk, node)), SymbolKind.TYPE)
    return base if general else base + type_parameter(_squeezed(text[1:-1]))


def _base_name(walk: Walk, node: Node) -> bytes:
    """Return ``Name`` for ``path::Name<…>``; a type that has no name (``&str``, ``[T]``) is written out."""
    inner: Node | None = node
    while inner is not None and inner.type in {"generic_type", "scoped_type_identifier"}:
        node, inner = inner, inner.child_by_field_name("type") or inner.child_by_field_name("name")
    return _squeezed(_decoded(_text(walk, inner or node))).encode()


def _squeezed(text: str) -> str:
    """Drop white space that separates nothing."""
    return re.sub(r"\s+", " ", re.sub(r"\s*([^\w\s])\s*", r"\1", text)).strip()


def _overload_types(walk: Walk, node: Node, overloads: Overloads, wrapper: Wrapper | None) -> str:
    """Return the disambiguator of a definition that may be one of several overloads."""
    if overloads.decorator and (
        wrapper is None or not _bears(overloads.decorator).search(walk.source, wrapper.start_byte, node.start_byte)
    ):
        return ""
    parameters = node.child_by_field_name(overloads.parameters)
    listed = parameters.named_children if parameters else []
    counted = [child for child in listed if not child.is_extra and child.type not in overloads.ignored]
    return disambiguator([_parameter_type(walk, child, overloads) for child in counted])


@cache
def _bears(decorator: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"@(?:[\w.]+\.)?%b[ \t]*$" % decorator, re.MULTILINE)


def _parameter_type(walk: Walk, parameter: Node, overloads: Overloads) -> str:
    declared = parameter.child_by_field_name(overloads.type)
    is_variadic = parameter.type in overloads.variadic
    if declared is None and is_variadic:
        declared = next((child for child in parameter.named_children if walk.page.special.get(child.type) is not Special.MODIFIERS), None)
    if declared is None:
        return _UNTYPED
    if overloads.erased:
        dimensions = parameter.child_by_field_name("dimensions")
        text = _decoded(_text(walk, declared)) + ("[]" if is_variadic else "") + (_decoded(_text(walk, dimensions)) if dimensions else "")
        return type_word(erased_type(text).encode())
    written = _text(walk, declared).removeprefix(b":").strip()
    return type_word(written if _PLAIN_TYPE.fullmatch(written) else walk.normalised(declared))
