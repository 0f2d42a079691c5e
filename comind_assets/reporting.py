"""What every asset says of itself: columns, keys and previews from the one schema per table.

In: table names and frames. Out: Dagster specs and metadata. Never reads or writes a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import dagster as dg
import polars as pl

from comind.schemas import TABLES
from comind.store.layout import PRIVATE_TABLES
from comind.store.layout import TABLES as PUBLIC_TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

__all__ = ["OWNER", "as_markdown", "column_schema", "materialized", "preview", "table_spec"]

OWNER = "team:platform"
_PREVIEW_ROWS = 5
_PREVIEW_CHARACTERS = 60
_PREVIEW_KINDS = (pl.String, pl.Int64, pl.Int32, pl.Boolean, pl.Datetime)


def table_spec(name: str, *, group: str, kinds: set[str], deps: Iterable[str] = (), code_version: str = "1") -> dg.AssetSpec:
    """Describe the asset that fills a table, from the table's own schema."""
    table = TABLES[name]
    return dg.AssetSpec(
        name,
        group_name=group,
        kinds=kinds | {"lance"},
        deps=list(deps),
        owners=[OWNER],
        code_version=code_version,
        description=f"{table.row} Key: {', '.join(f'`{column}`' for column in table.key)}.",
        metadata={
            "dagster/column_schema": column_schema(name),
            "dagster/table_name": f"{PRIVATE_TABLES if table.private else PUBLIC_TABLES}/{name}.lance",
            "role": table.role.value,
        },
    )


def column_schema(name: str) -> dg.TableSchema:
    """Turn a table's Arrow schema into the columns that the UI shows, units included."""
    return dg.TableSchema(columns=[_column(field) for field in TABLES[name].schema])


def materialized(
    name: str,
    rows: pl.DataFrame,
    *,
    changed: bool,
    **facts: dg.MetadataValue[Any] | str | float,
) -> dg.MaterializeResult[None]:
    """Report one table: rows, a preview unless it is private, and the figures of this run (units in the keys)."""
    shown = {} if TABLES[name].private else {"preview": preview(rows)}
    return dg.MaterializeResult(asset_key=name, metadata={"dagster/row_count": rows.height, "written": changed, **shown, **facts})


def preview(rows: pl.DataFrame) -> dg.MetadataValue[Any]:
    """Show the first rows, and of them what fits in a cell."""
    shown = [name for name, kind in rows.schema.items() if isinstance(kind, _PREVIEW_KINDS)]
    return as_markdown(rows.select(shown), at_most=_PREVIEW_ROWS)


def as_markdown(rows: pl.DataFrame, *, at_most: int = 40) -> dg.MetadataValue[Any]:
    """Show rows as a Markdown table that says how many it leaves out; record text is data, so cells cannot break out of it."""
    if rows.is_empty():
        return dg.MetadataValue.md("no rows")
    lines = [_row(rows.columns), _row(["---"] * rows.width), *(_row(map(_cell, row)) for row in rows.head(at_most).iter_rows())]
    left_out = [f"\n… and {rows.height - at_most} more"] if rows.height > at_most else []
    return dg.MetadataValue.md("\n".join(lines + left_out))


def _column(field: pa.Field[Any]) -> dg.TableColumn:
    told = {key.decode(): value.decode() for key, value in (field.metadata or {}).items()}
    unit = f" [{told['unit']}]" if "unit" in told else ""
    return dg.TableColumn(
        name=field.name,
        type=str(field.type),
        description=told.get("description", "") + unit,
        constraints=dg.TableColumnConstraints(nullable=field.nullable),
    )


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    clean = "".join(character if character.isprintable() else " " for character in text)
    short = clean if len(clean) <= _PREVIEW_CHARACTERS else clean[: _PREVIEW_CHARACTERS - 1] + "…"
    return short.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;").replace("`", "'")
