"""Overloads: the parameter types that tell definitions of one name apart.

In: the running walk and a node whose rule has `Overloads`. Out: a legal SCIP method disambiguator.
Depends on the definition alone: not on how many others share its name, nor on where they stand.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from comind.syntax.descriptors import disambiguator, erased_type, squeezed, type_word
from comind.syntax.languages.model import Special
from comind.syntax.searching import child_in, children_in, search

if TYPE_CHECKING:
    from tree_sitter import Node

    from comind.syntax.languages.model import Overloads
    from comind.syntax.specials import Wrapper
    from comind.syntax.walk import Walk

__all__ = ["overload_types"]

_UNTYPED = "_"
_NOTHING = "void"  # `f(void)` is `f()`
_PLAIN_TYPE = re.compile(rb"[A-Za-z_$][\w$]*")


def overload_types(walk: Walk, node: Node, overloads: Overloads, wrapper: Wrapper | None) -> str:
    """Return the disambiguator of a definition that may be one of several overloads."""
    if overloads.decorator and (
        wrapper is None or not _bears(overloads.decorator).search(walk.source, wrapper.start_byte, node.start_byte)
    ):
        return ""
    bearers = _bearers(walk, node, overloads)
    types = _types(walk, _lists(bearers[0], overloads), overloads)
    receivers = ["$" + word for word in _types(walk, _extended(node, overloads), overloads)]
    return disambiguator([*([] if types == [_NOTHING] else types), *receivers, *_others(walk, bearers, overloads)])


def _types(walk: Walk, lists: list[Node], overloads: Overloads) -> list[str]:
    listed = [child for parameters in lists for child in parameters.named_children]
    return [_parameter_type(walk, child, overloads) for child in listed if not child.is_extra and _counts(child, overloads)]


def _extended(node: Node, overloads: Overloads) -> list[Node]:
    """Return the parameters of the extension that a definition stands in."""
    around = node.parent if overloads.extension else None
    return _lists(around, overloads) if around is not None and around.type == overloads.extension else []


@cache
def _bears(decorator: bytes) -> re.Pattern[bytes]:
    return re.compile(rb"@(?:[\w.]+\.)?%b[ \t]*$" % decorator, re.MULTILINE)


def _parameter_type(walk: Walk, parameter: Node, overloads: Overloads) -> str:
    if overloads.whole:
        return _whole_type(walk, parameter, overloads)
    declared = parameter.child_by_field_name(overloads.type)
    is_variadic = parameter.type in overloads.variadic
    if declared is None and is_variadic:
        declared = next((child for child in parameter.named_children if walk.page.special.get(child.type) is not Special.MODIFIERS), None)
    if declared is None:
        return _UNTYPED
    if overloads.erased:
        dimensions = parameter.child_by_field_name("dimensions")
        text = _decoded(walk, declared) + ("[]" if is_variadic else "") + (_decoded(walk, dimensions) if dimensions else "")
        return type_word(erased_type(text).encode())
    written = walk.source[declared.start_byte : declared.end_byte].removeprefix(b":").strip()
    return type_word(written if _PLAIN_TYPE.fullmatch(written) else walk.normalised(declared))


def _counts(child: Node, overloads: Overloads) -> bool:
    return child.type in overloads.counted if overloads.counted else child.type not in overloads.ignored


def _bearers(walk: Walk, node: Node, overloads: Overloads) -> list[Node]:
    """Return what has the parameters, and what is between it and the name: the node itself, or declarators in it."""
    if not overloads.parameters or children_in(node, overloads.parameters):
        return [node]
    around = next((one.around for one in search(walk, node.children_by_field_name("declarator"))), ())
    having = [at for at, holder in enumerate(around) if holder.child_by_field_name(overloads.parameters)]
    return list(around[having[-1] :]) if having else [node]


def _lists(bearer: Node, overloads: Overloads) -> list[Node]:
    if overloads.parameters is None:
        return []
    return children_in(bearer, overloads.parameters) if overloads.parameters else [bearer]


def _others(walk: Walk, bearers: list[Node], overloads: Overloads) -> list[str]:
    """Return what tells overloads apart beside their parameters, each with a ``$``, which no type begins with."""
    parts = [child for bearer in bearers for part in overloads.also for child in children_in(bearer, part)]
    words = [type_word(squeezed(_decoded(walk, part)).rstrip(".").encode()) for part in parts]
    counted = children_in(bearers[0], overloads.arity) if overloads.arity else []
    return ["$" + word for word in [*words, *[str(one.named_child_count) for one in counted]]]


def _whole_type(walk: Walk, parameter: Node, overloads: Overloads) -> str:
    """Return everything of a parameter but its name, its default and comments."""
    left_out = [] if overloads.label and parameter.child_by_field_name(overloads.label) is None else _names_of(walk, parameter, overloads)
    start, pieces = parameter.start_byte, list[bytes]()
    end = next((child.start_byte for child in parameter.children if child.type == "="), parameter.end_byte)
    for hole in sorted(left_out + _passed_over(walk, parameter, overloads), key=lambda one: one.start_byte):
        if start <= hole.start_byte < end:
            pieces.append(walk.source[start : hole.start_byte])
            start = hole.end_byte
    text = squeezed(b" ".join([*pieces, walk.source[start : max(start, end)]]).decode("utf-8", "backslashreplace"))
    return type_word(text.strip(": ").encode()) if text else _UNTYPED


def _names_of(walk: Walk, parameter: Node, overloads: Overloads) -> list[Node]:
    named = child_in(parameter, overloads.parameter_name)
    return [one.node for one in search(walk, [named])] if named is not None else []


def _passed_over(walk: Walk, parameter: Node, overloads: Overloads) -> list[Node]:
    return [
        child
        for child in parameter.named_children
        if child.is_extra or (walk.page.special.get(child.type) is Special.MODIFIERS and child.type not in overloads.kept)
    ]


def _decoded(walk: Walk, node: Node) -> str:
    return walk.source[node.start_byte : node.end_byte].decode("utf-8", "backslashreplace")
