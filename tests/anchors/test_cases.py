import polars as pl

from comind.anchors.cases import ALWAYS, Case, decide, words


def _decided(values, *cases):
    return decide(pl.DataFrame({"n": values}, schema={"n": pl.Int64}), cases)["size"].to_list()


BIG = Case(pl.col("n") > 9, {"size": words("{n} is big")})
EVEN = Case(pl.col("n") % 2 == 0, {"size": pl.lit("even")})
REST = Case(ALWAYS, {"size": pl.lit("rest")})


def test_the_first_case_that_holds_decides():
    assert _decided([12, 4, 3], BIG, EVEN, REST) == ["12 is big", "even", "rest"]


def test_a_condition_that_is_null_does_not_hold():
    assert _decided([None], BIG, EVEN, REST) == ["rest"]


def test_a_row_for_which_no_case_holds_has_null():
    assert _decided([3, 12], BIG) == [None, "12 is big"]


def test_rows_keep_their_order_and_an_empty_frame_stays_empty():
    assert _decided([3, 12, 4, 5, 11], BIG, EVEN, REST) == ["rest", "12 is big", "even", "rest", "11 is big"]
    assert _decided([], BIG, EVEN, REST) == []


def test_a_case_may_overwrite_the_column_it_reads():
    frame = pl.DataFrame({"n": [1, 2]})
    assert decide(frame, [Case(pl.col("n") == 1, {"n": pl.col("n") * 10}), Case(ALWAYS, {"n": pl.col("n")})])["n"].to_list() == [10, 2]


def test_words_read_a_null_as_a_question_mark():
    assert pl.DataFrame({"a": [None]}, schema={"a": pl.String}).select(words("was {a}, cut to {a:3}.")).item() == "was ?, cut to ?."
