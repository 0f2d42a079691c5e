"""Bytes to plain values, for files that anybody may have written.

In: the bytes of JSON, TOML, YAML, XML or text. Out: dictionaries, lists, strings, elements.
Never follows an alias, an entity or a reference; what is ambiguous (a key twice) is refused, not guessed.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import yaml

from comind.sources.manifests.model import refuse

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["decoded", "from_json", "from_toml", "from_xml", "from_yaml", "items", "section", "texts", "words"]

_DEEPEST = 100  # levels; no lockfile has ten
_INDENT = re.compile(r"^[ \-?]*", re.MULTILINE)
_BRACKET = re.compile(r"[\[\]{}]")
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])')


def decoded(content: bytes) -> str:
    """Return the text of a file; a byte order mark is dropped."""
    if b"\0" in content:
        refuse("it holds NUL bytes: binary, or UTF-16")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        refuse(f"it is not UTF-8 at byte {error.start:,}")


def from_json(content: bytes, *, trailing_commas: bool = False) -> dict[str, Any]:
    """Return the object that a JSON file holds."""
    text = decoded(content)
    if trailing_commas:
        text = _TRAILING_COMMA.sub(lambda found: found[1] or "", text)
    return _object(json.loads(text, object_pairs_hook=_once))


def from_toml(content: bytes) -> dict[str, Any]:
    """Return the tables of a TOML file."""
    return tomllib.loads(decoded(content))


def from_yaml(content: bytes) -> dict[str, Any]:
    """Return the mapping that a YAML file holds; every scalar is a string, so that ``1.10`` stays what it is."""
    text = decoded(content)
    if _is_deep(text):  # the C parser descends on the stack of the process
        refuse("it is nested too deep")
    return _object(yaml.load(text, _StringLoader))  # noqa: S506 - a safe loader


def from_xml(content: bytes) -> ET.Element:
    """Return the root element of an XML file that declares no entities; the names carry no namespace."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        refuse("it declares a document type")
    root = ET.fromstring(decoded(content))  # noqa: S314 - without a document type there is no entity to expand
    for element in root.iter():
        element.tag = str(element.tag).rpartition("}")[2]
    return root


def section(table: dict[str, Any], *path: str) -> dict[str, Any]:
    """Return a table within a table, an empty one where there is none."""
    for name in path:
        table = _object({} if (found := table.get(name)) is None or found == "" else found, name)
    return table


def items(table: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Return the tables of a list, none where there is no list."""
    found = table.get(name, [])
    if not isinstance(found, list):
        refuse(f"{name!r} is not a list")
    return [_object(one, name) for one in found]


def texts(*values: object) -> tuple[str, ...]:
    """Return those of the values that are texts with something in them.

    >>> texts("1.0", None, "", {"path": "."})
    ('1.0',)
    """
    return tuple(value.strip() for value in values if isinstance(value, str) and value.strip())


def words(found: object) -> list[str]:
    """Return the texts of a list, none for anything else."""
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


class _StringLoader(yaml.CSafeLoader):
    """Reads scalars as they are written; refuses merge keys and keys that come twice."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - the loader looks it up on its class

    def flatten_mapping(self, node: yaml.MappingNode) -> None:
        """Called by the loader for each mapping before it is built."""
        seen: set[str] = set()
        for key, _ in node.value:
            if key.value == "<<":
                refuse("it merges mappings")
            if isinstance(key.value, str) and key.value in seen:
                refuse(f"the key {key.value[:60]!r} comes twice")
            seen.add(str(key.value))


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for key, value in pairs:
        if key in made:
            refuse(f"the key {key[:60]!r} comes twice")
        made[key] = value
    return made


def _object(value: object, name: str | None = None) -> dict[str, Any]:
    if not isinstance(value, dict):
        refuse(f"{name!r} is not an object" if name else "it holds no object")
    return value


def _is_deep(text: str) -> bool:
    """Say whether a text may nest deeper than anything that a tool writes; brackets in strings count too."""
    if max((len(found[0]) for found in _INDENT.finditer(text)), default=0) > 2 * _DEEPEST:
        return True
    depth = deepest = 0
    for found in _BRACKET.finditer(text):
        depth += 1 if found[0] in "[{" else -1
        deepest = max(deepest, depth)
    return deepest > _DEEPEST
