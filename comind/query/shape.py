"""The base of every answer: a frozen dataclass whose fields are described, and its JSON.

In: nothing. Out: `Shape`. The descriptions stand in the annotations, so `docs/why-json.md` is generated from them.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["Shape"]


class Shape:
    """Something that a surface shows; a subclass is a frozen dataclass with `Annotated` fields."""

    __slots__ = ()

    def as_plain(self) -> dict[str, Any]:
        """Return the answer as plain JSON values."""
        return asdict(cast("DataclassInstance", self))

    def to_json(self) -> str:
        """Write the answer as one JSON object, in ASCII: a control character of a record is an escape, on any terminal."""
        return json.dumps(self.as_plain(), indent=2, ensure_ascii=True)
