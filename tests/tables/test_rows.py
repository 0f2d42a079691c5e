import polars as pl
import pyarrow as pa
import pytest

from comind.schemas import TABLES
from comind.tables.errors import SchemaMismatchError
from comind.tables.rows import as_frame, conform, last_per_key, rows_not_in, with_unique_key
from tests.tables.builders import drifts, refusals, symbols


@pytest.mark.parametrize("table", sorted(TABLES))
def test_rows_survive_the_way_through_polars(table):
    empty = TABLES[table].schema.empty_table()
    assert conform(as_frame(empty), TABLES[table]).schema.equals(TABLES[table].schema, check_metadata=True)


def test_hashes_keep_their_width_through_polars():
    rows = symbols("r", {"a.py": ["f"]})
    assert conform(as_frame(rows), TABLES["symbols"]).equals(rows)


def test_a_missing_column_is_named():
    with pytest.raises(SchemaMismatchError, match="drift is missing"):
        conform(drifts("a").drop_columns(["drift"]), TABLES["anchor_drift"])


def test_an_unknown_column_is_named():
    with pytest.raises(SchemaMismatchError, match="colour is not a column"):
        conform(drifts("a").append_column("colour", pa.array(["red"])), TABLES["anchor_drift"])


def test_a_null_where_none_may_stand_is_named():
    with pytest.raises(SchemaMismatchError, match="drift must not be null"):
        conform(as_frame(drifts("a")).with_columns(drift=pl.lit(None, pl.String)), TABLES["anchor_drift"])


def test_a_column_of_another_type_is_named():
    with pytest.raises(SchemaMismatchError, match="drift is"):
        conform(as_frame(drifts("a")).with_columns(drift=pl.lit(["x"])), TABLES["anchor_drift"])


def test_columns_may_come_in_any_order():
    rows = drifts("a", "b")
    assert conform(rows.select(list(reversed(rows.column_names))), TABLES["anchor_drift"]).equals(rows)


def test_two_rows_with_one_key_are_refused():
    with pytest.raises(SchemaMismatchError, match="stands twice"):
        with_unique_key(drifts("a", "b", "a"), TABLES["anchor_drift"])


def test_the_last_row_of_a_key_is_kept():
    doubled = pa.concat_tables([refusals(a="old", b="b"), refusals(a="new")])
    assert last_per_key(doubled, TABLES["harvest_refusals"])["detail"].to_pylist() == ["b", "new"]


def test_a_row_that_stands_with_nulls_is_not_new():
    rows = symbols("r", {"a.py": ["f", "g"]})
    assert rows_not_in(rows, rows.slice(0, 2)).equals(rows.slice(2))
