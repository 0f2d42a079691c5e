"""Names that stand somewhere below their definition: ``int *(*f)(void)``, ``Owner::name``, ``M.run``.

In: the running walk and a node that defines something. Out: its names, with the owners that they are written with.
What holds a name on the way is said by the language's page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from comind.syntax.descriptors import squeezed
from comind.syntax.grammar import Action

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tree_sitter import Node

    from comind.syntax.walk import Walk

__all__ = ["Found", "child_in", "children_in", "search"]

_NAME = int(Action.NAME)


class Found(NamedTuple):
    """A name, what holds it, and the names before it."""

    node: Node
    around: tuple[Node, ...]  # outermost first
    owners: tuple[str, ...]

    @property
    def holder(self) -> Node | None:
        """What directly holds the name."""
        return self.around[-1] if self.around else None


def child_in(node: Node, part: str) -> Node | None:
    """Return the child in a field or, without such a field, the first child of that kind."""
    found = node.child_by_field_name(part)
    return found if found is not None else next((child for child in node.named_children if child.type == part), None)


def search(walk: Walk, places: Iterable[Node]) -> Iterator[Found]:
    """Find the names in the places where a definition says that they are, in source order."""
    page = walk.page
    waiting = [Found(node, (), ()) for node in reversed(list(places))]
    while waiting:
        node, around, owners = waiting.pop()
        if node.type in page.owned_names:
            owner, name = (node.child_by_field_name(field) for field in page.owned_names[node.type])
            words = _words(walk, owner) if owner is not None else []
            if name is not None and words is not None and _text(walk, name) not in page.silent_owners:
                waiting.append(Found(name, around, (*owners, *words)))
        elif node.type in page.name_holders:
            inside = [child for part in page.name_holders[node.type] for child in children_in(node, part)]
            waiting += [Found(child, (*around, node), owners) for child in reversed(inside)]
        elif walk.grammar.actions[node.kind_id] == _NAME or node.type in page.other_names:
            yield Found(node, around, owners)


def children_in(node: Node, part: str) -> list[Node]:
    """Return the children in a field or, without such a field, those of that kind."""
    return node.children_by_field_name(part) or [child for child in node.named_children if child.type == part]


def _words(walk: Walk, owner: Node) -> list[str] | None:
    """Return the names of what owns a name; None where the owner is the outcome of code."""
    text = squeezed(_text(walk, owner))
    words = [part for part in text.partition("<")[0].replace("::", ".").split(".") if part]
    silent = walk.page.silent_owners
    if not silent:
        return words
    return [word for word in words if word not in silent] if all(word.isidentifier() for word in words) else None


def _text(walk: Walk, node: Node) -> str:
    return walk.source[node.start_byte : node.end_byte].decode("utf-8", "backslashreplace")
