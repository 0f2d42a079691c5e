import time

import pytest
from hypothesis import given

from comind.records.scip import symbol_problem
from tests.builders import records as make


@given(make.symbols)
def test_a_symbol_of_the_grammar_is_legal(symbol):
    assert symbol_problem(symbol) is None


@pytest.mark.parametrize(
    "symbol",
    [
        "comind pypi flask 3.0.0 flask/app/Flask#run().",
        "comind . . . main/",
        "comind npm @scope/pkg . src/`index.ts`/Hono#`#path`.",
        "comind maven org.apache/commons  lang 3 org/apache/StringUtils#isEmpty(+1).",
        "comind gomod github.com/gin-gonic/gin v1 gin/Engine#[T]",
        "comind cargo a 1 a/f().(x)",
        "comind cargo a 1 a/m!",
        "comind pypi a 1 a/`a``b`:",
    ],
)
def test_each_form_of_descriptor_is_legal(symbol):
    assert symbol_problem(symbol) is None


@pytest.mark.parametrize(
    "symbol",
    ["", "flask", "comind pypi flask 3.0", "comind pypi flask 3.0 ", "comind pypi flask 3.0 flask", "comind  pypi flask 3.0 a/", "comind pypi flask 3.0 a b/",
     "comind pypi flask 3.0 `a/", "comind pypi flask 3.0 a()", "local 3", "comind pypi  3.0 a/", "comind pypi flask 3.0 ``/"],
)  # fmt: skip
def test_what_breaks_the_grammar_is_told(symbol):
    assert symbol_problem(symbol)


def test_a_hostile_symbol_costs_no_more_than_its_length():
    started = time.process_time()
    for symbol in ("comind a b c " + "`" * 200_000, "comind" + " " * 200_000, "comind a b c " + "a(" * 100_000):
        assert symbol_problem(symbol)
    assert time.process_time() - started < 2
