"""A language's page compiled for the grammar that is loaded: one number and one token for each node kind.

In: a language's name. Out: a `Grammar`, built once per process, with the parser that belongs to it.
A grammar is loaded only for a language that has a page: some of the pack's grammars never return.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING, TypeVar, cast

from tree_sitter import Parser
from tree_sitter_language_pack import get_language

from comind.syntax.languages import language_named
from comind.syntax.languages.model import Naming, Quotes
from comind.syntax.literals import fold_python_string, fold_quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tree_sitter import Language as LoadedLanguage
    from tree_sitter import Tree
    from tree_sitter_language_pack import SupportedLanguage

    from comind.syntax.languages.model import Language, Rule, Special, SymbolKind, Wrapping

__all__ = ["Action", "Grammar", "Plan", "grammar_of"]

T = TypeVar("T")
_KINDS = 1 << 16  # a kind id has 16 bits; the last one is ERROR, whatever the grammar


class Action(IntEnum):
    """What the walk does at a node of a kind; everything above TRANSPARENT leaves its inner loop."""

    WORD = 0  # a keyword or operator: its kind is its text
    NODE = 1  # structure: "(kind" … ")" around its children, or its text when it has none
    NAME = 2
    SKIP = 3
    TRANSPARENT = 4  # its children, as if they stood in its place
    STRING = 5
    NUMBER = 6
    VERBATIM = 7
    COMMENT = 8  # nothing, but it may document what follows
    PIECE = 9  # text of a string that holds code
    SEPARATOR = 10  # a word, except between the elements of a FLAT kind
    ERROR = 11
    SPECIAL = 12


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """A rule with its fields and kinds looked up in the loaded grammar."""

    rule: Rule
    kind: SymbolKind
    kind_in_type: SymbolKind
    name: int  # field id; of the rule's own node, also for a value that takes over
    many_names: bool  # the field may occur several times
    is_plain: bool  # named by one field, told apart by nothing else, possible anywhere
    bodies: tuple[int, ...]  # field ids
    body_kinds: frozenset[str]  # kinds of children, for parts of a body that no field names
    is_peculiar: bool  # it has parts that few definitions have
    values: Mapping[int, Plan]


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """The tables that the walk reads, by kind id."""

    language: Language
    parser: Parser
    actions: tuple[int, ...]  # an `Action` for each of the 65,536 kinds
    tokens: tuple[bytes, ...]  # the word, or the opening marker "(kind"
    plans: Mapping[int, Plan]
    specials: Mapping[int, Special]
    wrappers: Mapping[int, Wrapping]
    labelled: Mapping[int, tuple[str, ...]]
    unwrapped: Mapping[int, str]
    fold_string: Callable[[bytes], bytes | None]
    quoted_name_openers: frozenset[bytes]  # opening markers after which a string is a name

    def parse(self, source: bytes) -> Tree:
        """Parse source bytes; a damaged file gives a tree with errors in it, never an exception.

        A statement may end at a line break that the grammar does not take for its end. With ``;`` in place of the blank behind it every
        place stays where it is, and what is dropped anyway is all that differs; it counts only if that leaves no error at all.
        """
        tree = self.parser.parse(source)
        ends = self.language.missed_ends
        if ends is None or not tree.root_node.has_error:
            return tree
        mended = self.parser.parse(ends.sub(rb"\1;", source))
        return tree if mended.root_node.has_error else mended


@cache
def grammar_of(name: str) -> Grammar:
    """Load and compile a language's grammar, once per process.

    Raises:
        UnknownLanguageError: the language has no page.
    """
    page = language_named(name)
    loaded = get_language(cast("SupportedLanguage", page.grammar))
    kinds = [(kind, loaded.node_kind_for_id(kind) or "", loaded.node_kind_is_named(kind)) for kind in range(loaded.node_kind_count)]
    by_id = {kind: text for kind, text, named in kinds if named}
    return Grammar(
        language=page,
        parser=Parser(loaded),
        actions=_actions(page, kinds),
        tokens=tuple(_token(page, text, named=named) for _, text, named in kinds),
        plans={kind: _plan(loaded, by_id, rule, rule) for kind, rule in _by_kind(by_id, page.definitions).items()},
        specials=_by_kind(by_id, page.special),
        wrappers=_by_kind(by_id, page.wrappers),
        labelled=_by_kind(by_id, page.labelled),
        unwrapped=_by_kind(by_id, page.unwrapped),
        fold_string=fold_python_string if page.quotes is Quotes.PYTHON else fold_quoted,
        quoted_name_openers=frozenset(b"(" + kind.encode() for kind in page.quoted_names),
    )


def _plan(loaded: LoadedLanguage, by_id: Mapping[int, str], rule: Rule, named_by: Rule) -> Plan:
    fields = {part: loaded.field_id_for_name(part) for part in rule.body}
    return Plan(
        rule=rule,
        kind=rule.kind,
        kind_in_type=rule.kind_in_type or rule.kind,
        name=loaded.field_id_for_name(named_by.name) or 0,
        many_names=named_by.many_names,
        is_plain=rule.naming is Naming.FIELD and not named_by.many_names and not rule.overloads,
        bodies=tuple(field for field in fields.values() if field),
        body_kinds=frozenset(part for part, field in fields.items() if not field),
        is_peculiar=bool(rule.drop_if_empty or rule.members or not all(fields.values())),
        values={kind: _plan(loaded, by_id, value, named_by) for kind, value in _by_kind(by_id, rule.values).items()},
    )


def _by_kind(by_id: Mapping[int, str], table: Mapping[str, T]) -> dict[int, T]:
    return {kind: table[text] for kind, text in by_id.items() if text in table}


def _actions(page: Language, kinds: list[tuple[int, str, bool]]) -> tuple[int, ...]:
    actions = bytearray([Action.ERROR]) * _KINDS
    for kind, text, named in kinds:
        actions[kind] = _named_action(page, text) if named else _word_action(page, text)
    return tuple(actions)


def _word_action(page: Language, text: str) -> Action:
    if text in page.dropped:
        return Action.SKIP
    return Action.SEPARATOR if text in page.list_separators else Action.WORD


def _named_action(page: Language, text: str) -> Action:
    if text in page.definitions or text in page.special or text in page.wrappers or text in page.labelled or text in page.unwrapped:
        return Action.SPECIAL
    if text in page.comments:
        return Action.COMMENT if page.doc_comments else Action.SKIP
    for kinds, action in (
        (page.identifiers, Action.NAME),
        (page.dropped | page.string_ends, Action.SKIP),
        (page.transparent, Action.TRANSPARENT),
        (page.strings, Action.STRING),
        (page.string_pieces, Action.PIECE),
        (page.numbers, Action.NUMBER),
        (page.verbatim, Action.VERBATIM),
    ):
        if text in kinds:
            return action
    return Action.NODE


def _token(page: Language, text: str, *, named: bool) -> bytes:
    return ("(" + page.synonyms.get(text, text) if named else text).encode()
