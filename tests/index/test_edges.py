import polars as pl

from comind.index.edges import PLACES, fold_places, with_scip
from comind.schemas import TABLES

HEADS = pl.DataFrame({"repo_id": ["r"], "head_commit": ["c0"]})


def place(line=1, name="run", *, path="a.py", kind="calls", src=1, dst=2, by="import"):  # noqa: PLR0913
    return ("r", path, line, name, kind, src, dst, by)


def places(*rows):
    return pl.DataFrame(rows, schema=PLACES, orient="row")


def edges(*rows):
    return [row for row in fold_places(places(*rows), HEADS).to_pylist() if row["path"]]


def test_rows_have_the_schema_of_the_table_even_without_places():
    table = fold_places(places(), HEADS)
    assert table.schema.equals(TABLES["edges"].schema)
    assert table.select(["path", "kind", "head_commit"]).to_pylist() == [{"path": "", "kind": "repository", "head_commit": "c0"}]


def test_an_edge_is_as_sure_as_the_surest_of_its_places():
    (edge,) = edges(place(9, by="unique_name"), place(5, by="typed"), place(7, by="import"))
    assert (edge["resolved_by"], edge["line"], edge["n_places"]) == ("import", 5, 3)


def test_what_is_done_with_a_definition_tells_edges_apart():
    assert [edge["kind"] for edge in edges(place(kind="imports"), place(kind="calls"), place(3, kind="calls"))] == ["calls", "imports"]


def test_one_definition_that_is_mentioned_in_two_files_has_an_edge_in_each():
    assert [edge["path"] for edge in edges(place(path="b.py"), place(path="a.py"))] == ["a.py", "b.py"]


def test_a_definition_that_mentions_itself_or_nothing_that_is_known_has_no_edge():
    assert edges(place(src=2, dst=2), place(dst=None, by=None)) == []


def test_an_index_of_a_type_checker_stands_above_our_own_answer():
    ours = places(place(1, dst=2), place(2, dst=2, by="unique_name"), place(3, "other", dst=3))
    theirs = places(place(1, dst=5, by="scip"), place(2, dst=None, by="scip"))
    assert with_scip(ours, theirs).select("line", "dst", "resolved_by").sort("line").rows() == [
        (1, 5, "scip"), (2, None, "scip"), (3, 3, "import"),
    ]  # fmt: skip
