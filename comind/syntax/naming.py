"""The name and the address of a definition.

In: the running walk and a node that defines something. Out: a `Slice` with names and SCIP descriptors, nothing else filled in.
A name that an error cuts off gives no address: a wrong one is worse than none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from comind.syntax.descriptors import descriptor, escaped, squeezed, type_parameter
from comind.syntax.grammar import Action
from comind.syntax.languages.model import Naming, SymbolKind
from comind.syntax.literals import unquote
from comind.syntax.overloads import overload_types
from comind.syntax.searching import children_in, search
from comind.syntax.slices import Slice

if TYPE_CHECKING:
    from tree_sitter import Node

    from comind.syntax.grammar import Plan
    from comind.syntax.languages.model import Rule
    from comind.syntax.searching import Found
    from comind.syntax.specials import Wrapper
    from comind.syntax.walk import Walk

__all__ = ["address", "bare_member_address", "plain_address"]

_NAME = int(Action.NAME)
_FIELD, _IMPLEMENTATION = Naming.FIELD, Naming.IMPLEMENTATION
_UNTYPED = "_"
_LONGEST_PREFIX = 1_000  # characters; every function hashes those inside it again, so there is an end to nesting
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
    if rule.naming is Naming.SEARCH:
        return _searched_address(walk, node, rule, home)
    types = overload_types(walk, node, rule.overloads, wrapper) if rule.overloads else ""
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


def _searched_address(walk: Walk, node: Node, rule: Rule, home: Slice) -> Slice | None:
    """Return the address of a definition whose name is searched for; None when it has none."""
    if rule.needs_body and not children_in(node, rule.body[0]):
        return None
    if node.has_error and any(child.is_missing for child in node.children):
        return None
    every = search(walk, children_in(node, rule.name))
    found = [one for one in every if not rule.only_names or one.node.type in rule.only_names][: None if rule.many_names else 1]
    kinds = [_kind_of(rule, one, home) for one in found]
    if len(home.prefix) > _LONGEST_PREFIX or not found or None in kinds:
        return None
    kind = _kind_by_keyword(rule, node) or kinds[0] or rule.kind
    if kind is SymbolKind.IMPLEMENTATION:
        return _extension(walk, node, rule, home)
    types = overload_types(walk, node, rule.overloads, None) if rule.overloads and kind.takes_parameters else ""
    names, texts = list[bytes](), list[str]()
    for one in found:
        name = unquote(b"".join(_text(walk, one.node).split()))
        if name and name != walk.page.blank_name:
            names.append(name)
            texts.append(home.prefix + _owned(walk, one.owners) + _own_descriptor(_decoded(name), kind, types))
    return Slice(walk.scope, texts[0], kind, tuple(names), tuple(texts)) if names else None


def _kind_by_keyword(rule: Rule, node: Node) -> SymbolKind | None:
    return next((rule.kinds[child.type] for child in node.children if child.type in rule.kinds), None) if rule.kinds else None


def _extension(walk: Walk, node: Node, rule: Rule, home: Slice) -> Slice:
    """Return the scope of members that are added to a type elsewhere; a symbol, ``Type#[Protocol]``, only where it says to what end."""
    names = tuple([_text(walk, one.node) for one in search(walk, children_in(node, rule.name))])
    added, limits = (
        ",".join(sorted(squeezed(_decoded(_text(walk, child))) for child in node.named_children if child.type == kind))
        for kind in rule.implements
    )
    owner = home.prefix + "".join(descriptor(_decoded(name), SymbolKind.TYPE) for name in names)
    prefix = owner + type_parameter(limits) if limits else owner
    symbols = (owner + type_parameter(f"{added} {limits}".strip()),) if added else ()
    return Slice(walk.scope, prefix, SymbolKind.IMPLEMENTATION, names[-1:], symbols)


def _own_descriptor(name: str, kind: SymbolKind, types: str) -> str:
    if kind is SymbolKind.NAMESPACE:
        return "".join(descriptor(part, kind) for part in name.split("::"))
    return descriptor(name, kind, types)


def _kind_of(rule: Rule, found: Found, home: Slice) -> SymbolKind | None:
    if found.holder is not None and found.holder.type in rule.named_through:
        return rule.named_through[found.holder.type]
    in_type = bool(found.owners) or (home.kind is not None and home.kind.holds_fields)
    return (rule.kind_in_type if in_type else None) or rule.kind


def _owned(walk: Walk, owners: tuple[str, ...]) -> str:
    """Return the descriptors of what a name belongs to, outermost first."""
    around = SymbolKind.NAMESPACE if walk.page.owners_are_namespaces else SymbolKind.TYPE
    return "".join(descriptor(one, around) for one in owners[:-1]) + "".join(descriptor(one, SymbolKind.TYPE) for one in owners[-1:])


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
    text = prefix + type_parameter(squeezed(_decoded(_text(walk, trait))))
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
    return base if general else base + type_parameter(squeezed(text[1:-1]))


def _base_name(walk: Walk, node: Node) -> bytes:
    """Return ``Name`` for ``path::Name<…>``; a type that has no name (``&str``, ``[T]``) is written out."""
    inner: Node | None = node
    while inner is not None and inner.type in {"generic_type", "scoped_type_identifier"}:
        node, inner = inner, inner.child_by_field_name("type") or inner.child_by_field_name("name")
    return squeezed(_decoded(_text(walk, inner or node))).encode()
