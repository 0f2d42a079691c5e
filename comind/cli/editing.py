r"""A record as a text that a person edits, and back: TOML between two lines ``+++``, and the body as Markdown after them.

In: the plain JSON of a record; or an edited text. Out: the text; or title, trigger, body and fields, or what cannot be read.
Never judges what a text says: whether it makes a record, the rules of records decide.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from comind.cli.remember_options import FIELDS
from comind.records.problems import Problem
from comind.safety.terminal import plain

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Edited", "edit_text", "read_edited"]

_FENCE = "+++"
_PARTS = ("title", "trigger", "fields")


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """What a text says, as far as it can be read."""

    parts: Mapping[str, Any]  # title, trigger, body, fields
    problems: list[Problem] = field(default_factory=list)


def edit_text(record: Mapping[str, Any], *, about: Sequence[str] = ()) -> str:
    """Write a record for an editor.

    Args:
        record: its plain JSON.
        about: lines that say what it is about; comments, nobody reads them back.
    """
    known = [
        f"A record of kind {record['kind']}. Yours takes the place of {record['id']}, which stays in the log.",
        "What stands between the lines +++ is TOML; after them comes the body, Markdown. If nothing changes, nothing is written.",
        *about,
    ]
    head = [f"# {' '.join(plain(one).split())}" for one in known]
    top = [f"{name} = {_toml(record.get(name, ''))}" for name in ("title", "trigger")]
    return "\n".join(
        [*head, _FENCE, *top, *_field_lines(str(record["kind"]), record["fields"]), _FENCE, "", plain(record.get("body", "")), ""]
    )


def read_edited(text: str) -> Edited:
    r"""Read an edited text.

    >>> read_edited('+++\ntitle = "T"\n[fields]\nrule = "R"\n+++\n\nBody\n').parts
    {'title': 'T', 'fields': {'rule': 'R'}, 'body': 'Body'}
    """
    lines = text.replace("\r\n", "\n").split("\n")
    fences = [number for number, line in enumerate(lines) if line.strip() == _FENCE][:2]
    if len(fences) < 2:  # noqa: PLR2004 - one opens, one closes
        return Edited(parts={}, problems=[Problem("text", "unclear", "the two lines +++ around the fields are not there; put them back")])
    try:
        said = tomllib.loads("\n".join(lines[fences[0] + 1 : fences[1]]))
    except tomllib.TOMLDecodeError as error:
        return Edited(parts={}, problems=[Problem("text", "unclear", f"what stands between the lines +++ is not TOML: {error}")])
    problems = [Problem(name, "unknown_field", "is not a field here; remove it") for name in said if name not in _PARTS]
    if not isinstance(said.get("fields"), dict):
        problems.append(Problem("fields", "missing", "is needed: the part [fields]"))
    parts = {name: said[name] for name in _PARTS if name in said}
    return Edited(parts=parts | {"body": "\n".join(lines[fences[1] + 1 :]).strip()}, problems=problems)


def _field_lines(kind: str, fields: Mapping[str, Any]) -> Iterator[str]:
    yield "\n[fields]"
    for name, meaning in FIELDS[kind].items():
        value = fields.get(name)
        if name == "alternatives":
            continue
        yield f"# {meaning}"
        yield f"{name} = {_toml(value)}" if value is not None else f'# {name} = ""'
    if "alternatives" in FIELDS[kind]:
        yield f"# {FIELDS[kind]['alternatives'].partition(':')[0]}; [[fields.alternatives]] begins one."
    for alternative in fields.get("alternatives", ()):
        yield "[[fields.alternatives]]"
        yield from (f"{name} = {_toml(value)}" for name, value in alternative.items())


def _toml(value: object) -> str:
    r"""Write a value of a field.

    >>> _toml('say "no"'), _toml(value=True)
    ('"say \\"no\\""', 'true')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    text = plain(str(value))
    if "\n" not in text:
        return json.dumps(text, ensure_ascii=False)
    return '"""\n' + text.replace("\\", "\\\\").replace('"', '\\"') + '"""'
