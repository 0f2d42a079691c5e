"""What language models answered, kept in the private table `distill_cache`: a question is put once.

In: request ids, answers. Out: the answers that are known. Implements `comind.distill.answers.AnswerCache`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import polars as pl

from comind.anchors.frames import schema_of
from comind.distill.answers import AnswerCode, CachedAnswer
from comind.tables.rows import in_list

if TYPE_CHECKING:
    from collections.abc import Iterable

    from comind.tables.lake import Lake

__all__ = ["LakeAnswers"]

_TABLE: Final = "distill_cache"
_COLUMNS: Final = tuple(CachedAnswer.__dataclass_fields__)


class LakeAnswers:
    """The answers of one lake."""

    def __init__(self, lake: Lake) -> None:
        self._lake = lake

    def load(self, request_ids: Iterable[str]) -> dict[str, CachedAnswer]:
        """Return those of the answers that are kept, by request id."""
        wanted = sorted(set(request_ids))
        rows = self._lake.read(_TABLE, where=in_list("request_id", wanted)) if wanted else pl.DataFrame()
        return {row["request_id"]: _answer(row) for row in rows.iter_rows(named=True)}

    def store(self, answers: Iterable[CachedAnswer]) -> None:
        """Keep answers; one that is there already stays as it is."""
        rows = [{name: getattr(answer, name) for name in _COLUMNS} for answer in answers]
        if rows:
            self._lake.insert(_TABLE, pl.DataFrame(rows, schema=schema_of(_TABLE)))


def _answer(row: dict[str, object]) -> CachedAnswer:
    told = {name: row[name] for name in _COLUMNS}
    return CachedAnswer(**(told | {"code": AnswerCode(str(row["code"]))}))  # type: ignore[arg-type]  # the columns are its fields
