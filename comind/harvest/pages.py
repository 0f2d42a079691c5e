"""A Markdown file as an outline: front matter, and sections with their paragraphs, lists and tables.

In: text. Out: `Page`. Code blocks, comments and raw HTML are left out, so nothing in an example is taken for the real thing.
Never guesses at meaning; `decisions` does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markdown_it.token import Token

__all__ = ["Item", "Page", "Section", "parts_of", "plain_text", "read_front_matter", "read_page"]

MAX_FRONT_MATTER = 20_000  # characters
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(?P<inside>.*?)^---[ \t]*$\n?", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK = re.compile(r"!?\[(?P<text>[^\[\]]*)\]\([^()\s]*(?:\([^()]*\))?[^()]*\)")
_FENCES = ("```", "~~~")
_MARKDOWN = MarkdownIt("commonmark").enable("table")


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a list: its first paragraph as written, and the items below it."""

    text: str
    below: tuple[Item, ...] = ()


@dataclass(slots=True)
class Section:
    """What stands below one heading, up to the next of any level."""

    level: int  # 1 to 6; 0 for what stands before the first heading
    title: str
    paragraphs: list[str] = field(default_factory=list)  # as written, lines kept
    items: list[Item] = field(default_factory=list)  # of all its lists, in order
    rows: list[tuple[str, ...]] = field(default_factory=list)  # of all its tables, heads included
    flow: list[str] = field(default_factory=list)  # its paragraphs and items in the order of the text, items as `- …`


@dataclass(frozen=True, slots=True)
class Page:
    """A whole file."""

    front: Mapping[str, object]  # keys in lower case; empty where there is none or it is broken
    front_problem: str | None
    sections: Sequence[Section]


def read_page(text: str) -> Page:
    """Read a file; never raises."""
    body = text.removeprefix("\ufeff").replace("\r\n", "\n")
    front, problem = read_front_matter(body)
    body = _FRONT_MATTER.sub("", body, count=1) if problem is None or front is not None else body
    return Page(front or {}, problem, _sections(_MARKDOWN.parse(_without_comments(body))))


def plain_text(text: str) -> str:
    r"""Return inline Markdown on one line, links and images as their text.

    >>> plain_text("Deploy to [Netlify](https://netlify.app)\nat once")
    'Deploy to Netlify at once'
    """
    return " ".join(_LINK.sub(lambda link: link["text"], text).split())


def read_front_matter(text: str, *, most: int = MAX_FRONT_MATTER) -> tuple[dict[str, object] | None, str | None]:
    """Return the keys that open a file, in lower case, every plain word as it is written; and what is wrong with them.

    Args:
        text: of the whole file.
        most: characters that are looked at; what is longer counts as text.

    Returns:
        None and None where a file has no front matter, or a longer one; no keys and the problem where it cannot be read.
    """
    found = _FRONT_MATTER.match(text[:most])
    if found is None:
        return None, None
    try:
        inside = yaml.load(found["inside"], Loader=_PlainLoader)  # noqa: S506 - a safe loader that keeps words as they are written
    except (yaml.YAMLError, RecursionError) as error:
        return {}, f"front matter is not YAML: {str(error).splitlines()[0]}"
    if inside is None:
        return {}, None
    if not isinstance(inside, dict):
        return {}, "front matter holds no keys"
    return {str(key).lower(): value for key, value in inside.items()}, None


class _PlainLoader(yaml.SafeLoader):
    """Keeps dates and yes/no as the words that stand there, and takes no aliases: they can grow a small file without bounds."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.events.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "aliases are not read", None)
        return super().compose_node(parent, index)


_PlainLoader.yaml_implicit_resolvers = {
    letter: [(tag, pattern) for tag, pattern in resolvers if tag == "tag:yaml.org,2002:null"]
    for letter, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}


def _without_comments(body: str) -> str:
    """Take out comments that lie outside of code; markdown-it keeps them as HTML, inline ones within a text."""
    return "".join(text if is_code else _COMMENT.sub("", text) for is_code, text in parts_of(body))


def parts_of(text: str) -> Iterator[tuple[bool, str]]:
    r"""Split a text into what is a block of code between fences, and what is not; a fence that nothing closes lasts to the end.

    >>> list(parts_of("one\n```sh\nrun\n```\ntwo\n"))
    [(False, 'one\n'), (True, '```sh\nrun\n```\n'), (False, 'two\n')]
    """
    lines: list[str] = []
    fence = ""
    for line in text.splitlines(keepends=True):
        opens = not fence and line.startswith(_FENCES)
        if opens and lines:
            yield False, "".join(lines)
            lines = []
        lines.append(line)
        if opens:
            fence = line[:3]
        elif fence and line.startswith(fence) and not line.strip(f"{fence[0]} \t\r\n"):
            yield True, "".join(lines)
            lines, fence = [], ""
    if lines:
        yield bool(fence), "".join(lines)


def _sections(tokens: Sequence[Token]) -> list[Section]:
    sections = [Section(0, "")]
    position = 0
    while position < len(tokens):
        token = tokens[position]
        end = _end_of(tokens, position)
        if token.type == "heading_open":
            sections.append(Section(int(token.tag[1]), tokens[position + 1].content))
        elif token.type == "paragraph_open":
            sections[-1].paragraphs.append(tokens[position + 1].content)
            sections[-1].flow.append(tokens[position + 1].content)
        elif token.type in {"bullet_list_open", "ordered_list_open"}:
            items = _items(tokens[position + 1 : end])
            sections[-1].items.extend(items)
            sections[-1].flow.extend(_listed(items, 0))
        elif token.type == "table_open":
            sections[-1].rows.extend(_rows(tokens[position:end]))
        elif token.type == "blockquote_open":
            end = position  # what is quoted stands in the section like the rest
        position = end + 1
    return sections


def _end_of(tokens: Sequence[Token], start: int) -> int:
    """Return where the block that begins here ends."""
    if tokens[start].nesting != 1:
        return start
    return next(
        place for place in range(start + 1, len(tokens)) if tokens[place].level == tokens[start].level and tokens[place].nesting == -1
    )


def _listed(items: Sequence[Item], depth: int) -> Iterator[str]:
    for item in items:
        yield f"{'  ' * depth}- {item.text}"
        yield from _listed(item.below, depth + 1)


def _items(tokens: Sequence[Token]) -> list[Item]:
    items, position = [], 0
    while position < len(tokens):
        end = _end_of(tokens, position)
        if tokens[position].type == "list_item_open":
            items.append(_item(tokens[position + 1 : end]))
        position = end + 1
    return items


def _item(tokens: Sequence[Token]) -> Item:
    text, below, position = "", [], 0
    while position < len(tokens):
        end = _end_of(tokens, position)
        if tokens[position].type == "paragraph_open":
            text = text or tokens[position + 1].content
        elif tokens[position].type in {"bullet_list_open", "ordered_list_open"}:
            below.extend(_items(tokens[position + 1 : end]))
        position = end + 1
    return Item(text, tuple(below))


def _rows(tokens: Sequence[Token]) -> list[tuple[str, ...]]:
    rows: list[list[str]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(token.content.strip())
    return [tuple(row) for row in rows]
