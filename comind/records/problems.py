"""What is wrong with a record: one value per problem, all of them in one error.

In: findings of pydantic, of the rules, of `comind.safety`. Out: `Problem` values that name the field and say what to do.
A message never repeats the value it complains about: that may be a secret or a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from comind.errors import UsageError
from comind.records.parts import FORMS
from comind.records.vocabulary import Kind, RelationKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

__all__ = ["Problem", "RecordInvalidError", "shape_problems"]

_TAGS = frozenset((*Kind, *RelationKind))


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that keeps a record from being written."""

    field: str  # path such as `anchors[0].commit`; empty for the record as a whole
    code: str  # machine-readable
    message: str  # what to do, in words

    def __str__(self) -> str:
        """Say it in one line."""
        return f"{self.field or 'record'}: {self.message}"


class RecordInvalidError(UsageError):
    """A record breaks the rules; `problems` holds every one of them."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(map(str, self.problems)))


def shape_problems(error: ValidationError) -> list[Problem]:
    """Translate what pydantic found into problems, in the order it found them."""
    return [_problem(details) for details in error.errors(include_url=False, include_input=False)]


def _problem(details: ErrorDetails) -> Problem:
    context: Mapping[str, Any] = details.get("ctx", {})
    code, words = _WORDS.get(details["type"], ("wrong_type", ""))
    message = words.format(**context) if words else details["msg"].lower()
    if code == "bad_form":
        message = FORMS.get(context["pattern"], message)
    return Problem(_path(details["loc"]), code, message)


def _path(location: tuple[int | str, ...]) -> str:
    steps = location[1:] if location and location[0] in _TAGS else location  # pydantic names the member of the union first
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")


_WORDS = {
    "missing": ("missing", "is needed; add it"),
    "extra_forbidden": ("unknown_field", "is not a field here; remove it"),
    "enum": ("unknown_word", "must be one of {expected}"),
    "literal_error": ("unknown_word", "must be {expected}"),
    "union_tag_invalid": ("unknown_kind", "the kind must be one of {expected_tags}"),
    "union_tag_not_found": ("unknown_kind", f"the kind is needed: one of {', '.join((*Kind, *RelationKind))}"),
    "string_too_long": ("too_long", "shorten it to {max_length} characters"),
    "string_too_short": ("empty", "write something, or leave the field out"),
    "string_pattern_mismatch": ("bad_form", "must match {pattern}"),
    "too_long": ("too_many", "keep the {max_length} that matter most"),
    "too_short": ("too_few", "give at least {min_length}"),
    "greater_than_equal": ("out_of_range", "must be at least {ge}"),
    "less_than_equal": ("out_of_range", "must be at most {le}"),
    "string_type": ("wrong_type", "must be text"),
    "int_type": ("wrong_type", "must be a whole number"),
    "bool_type": ("wrong_type", "must be true or false"),
    "tuple_type": ("wrong_type", "must be a list"),
    "dict_type": ("wrong_type", "must be an object"),
    "model_type": ("wrong_type", "must be an object"),
    "model_attributes_type": ("wrong_type", "must be an object"),
    "string_unicode": ("not_unicode", "must be valid Unicode text"),
    "json_invalid": ("not_json", "must be JSON"),
}
