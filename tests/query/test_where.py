from __future__ import annotations

import lance
import polars as pl
import pytest

from comind.query.view import FrameTables
from comind.query.where import all_of, among, any_of, below, ends, equal, mentions, starts

TEXTS = [
    "",
    "a",
    "A.b",
    "a%b",
    "a_b",
    "it's",
    "''",
    "a\\b",
    "a(b",
    "[x]",
    "a\nb",
    "É",
    "src/flask",
    "src/flask/app.py",
    "src/flask_x/app.py",
    "-- ;",
    None,
]


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The same rows as a Lance table and as a frame."""
    rows = pl.DataFrame({"id": TEXTS, "number": list(range(len(TEXTS)))})
    path = str(tmp_path_factory.mktemp("rows") / "rows.lance")
    lance.write_dataset(rows.to_arrow(), path)
    return lance.dataset(path), FrameTables({"rows": rows})


@pytest.mark.parametrize("text", [text for text in TEXTS if text] + ["b", ".", "\\", "(", "%", "'", "src", "no such"])
@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (equal, lambda value, text: value == text),
        (starts, lambda value, text: value.startswith(text)),
        (ends, lambda value, text: value.endswith(text)),
        (below, lambda value, text: value.startswith(f"{text}/")),
        (mentions, lambda value, text: text.lower() in value.lower()),
        (lambda column, text: among(column, [text, "a"]), lambda value, text: value in {text, "a"}),
        (lambda column, text: any_of(equal(column, text), equal("number", 1)), lambda value, text: value in {text, "a"}),
        (lambda column, text: all_of(equal(column, text), among("number", [])), lambda _value, _text: False),
    ],
    ids=["equal", "starts", "ends", "below", "mentions", "among", "any_of", "all_of"],
)
def test_lance_and_polars_read_a_condition_alike_and_as_it_is_meant(both, condition, holds, text):
    table, frames = both
    where = condition("id", text)
    meant = [number for number, value in enumerate(TEXTS) if value is not None and holds(value, text)]
    assert sorted(table.to_table(filter=where)["number"].to_pylist()) == meant
    assert frames.read("rows", where=where)["number"].to_list() == meant
