"""Fields of JSON that somebody else wrote, by name and type.

In: parsed JSON. Out: values of the type asked for; or `NotARequestError`, which names the field. A field that is null is missing.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from comind.sources.forges.errors import ForgeError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NotARequestError", "Raw", "commit", "flag", "inner", "moment", "name_of", "needed", "number", "objects", "word"]

_T = TypeVar("_T")
Raw: TypeAlias = "Mapping[str, Any]"
_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_MANY = 2**53


class NotARequestError(ForgeError):
    """A JSON value is no merge or pull request."""

    def __init__(self, field: str, problem: str) -> None:
        self.field, self.problem = field, problem
        super().__init__(f"is no merge or pull request: its `{field}` {problem}")


def needed(value: Any, name: str) -> Any:  # noqa: ANN401 - any JSON in, the same out
    """Return a value that must be there."""
    if value is None:
        raise NotARequestError(name, "is missing")
    return value


def word(raw: Raw, name: str) -> str | None:
    """Return a text, in which half a character becomes a replacement character."""
    found = _typed(raw, name, str, "a text")
    return found if found is None or found.isascii() else found.encode(errors="replace").decode()


def number(raw: Raw, name: str) -> int | None:
    """Return a whole number from 0."""
    found = _typed(raw, name, int, "a number")
    if isinstance(found, bool) or (found is not None and not 0 <= found < _MANY):
        raise NotARequestError(name, "is not a number from 0")
    return found


def flag(raw: Raw, name: str) -> bool:
    """Say whether something holds; what is missing does not."""
    return bool(_typed(raw, name, bool, "true or false"))


def inner(raw: Raw, name: str) -> Raw | None:
    """Return an object."""
    return _typed(raw, name, dict, "an object")


def objects(raw: Raw, name: str) -> list[Raw]:
    """Return the objects of a list, or of the `nodes` of a GraphQL connection; what is null in it is left out."""
    found = raw.get(name)
    listed = found.get("nodes") if isinstance(found, dict) else found
    if listed is None:
        return []
    if not isinstance(listed, list) or not all(one is None or isinstance(one, dict) for one in listed):
        raise NotARequestError(name, "is not a list of objects")
    return [one for one in listed if one is not None]


def moment(raw: Raw, name: str) -> datetime | None:
    """Return a time, in UTC."""
    found = word(raw, name)
    if found is None:
        return None
    try:
        read = datetime.fromisoformat(found.replace(" UTC", "+00:00"))
    except ValueError:
        raise NotARequestError(name, "is not a time") from None
    return read.replace(tzinfo=UTC) if read.tzinfo is None else read.astimezone(UTC)


def commit(raw: Raw, name: str) -> str | None:
    """Return a full commit id; None for anything else."""
    found = raw.get(name)
    return found if isinstance(found, str) and _COMMIT.fullmatch(found) else None


def name_of(account: Raw | None) -> str | None:
    """Return what tells accounts of one forge apart."""
    found = (account or {}).get("username") or (account or {}).get("login")
    return found.lower() if isinstance(found, str) else None


def _typed(raw: Raw, name: str, kind: type[_T], what: str) -> _T | None:
    found = raw.get(name)
    if found is not None and not isinstance(found, kind):
        raise NotARequestError(name, f"is not {what}")
    return found
