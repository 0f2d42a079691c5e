import pytest
from hypothesis import given

from comind.index.scip.symbols import read_symbol
from tests.builders import records as make


def keys(text):
    return list(read_symbol(text).possible_keys())


@pytest.mark.parametrize(
    ("symbol", "key"),
    [
        ("scip-python python Flask 3.1.3 `flask.app`/Flask#run().", "pypi flask . `flask.app`/Flask#run()."),
        ("scip-python python my_Package.x 1 a/b.", "pypi my-package-x . a/b."),
        ("scip-python python flask 1 `flask.globals`/app_ctx.app_ctx.", "pypi flask . `flask.globals`/app_ctx."),
        ("scip-python python flask 1 flask/__init__:", "pypi flask . flask/"),
        ("scip-typescript npm @vue/core 3.5.1 `ref.ts`/Ref#`<constructor>`().", "npm @vue/core . `ref.ts`/Ref#constructor()."),
        ("scip-typescript npm hono 4 `hono.ts`/Hono#`<get>routes`().", "npm hono . `hono.ts`/Hono#routes()."),
        ("semanticdb maven maven/org.apache/text 1 org/apache/Text#`<init>`(+1).", "maven org.apache:text . org/apache/Text#Text(+1)."),
        ("scip-go gomod github.com/gin-gonic/gin v1 `github.com/gin-gonic/gin`/Default().", "gomod github.com/gin-gonic/gin . `github.com/gin-gonic/gin`/Default()."),
        ("rust-analyzer cargo tokio 1.0 runtime/impl#[Runtime]block_on().", "cargo tokio . runtime/Runtime#block_on()."),
        ("rust-analyzer cargo tokio 1.0 io/impl#[Stdin][Read]read().", "cargo tokio . io/Stdin#[Read]read()."),
        ("s npm my  name 1 a/`b``c`.", "npm my  name . a/`b``c`."),
    ],
)  # fmt: skip
def test_each_tool_is_read_into_our_spelling(symbol, key):
    assert keys(symbol)[0] == key


def test_source_roots_are_stripped_one_after_the_other():
    assert keys("s python p 1 `lib.src.p.a`/C#") == ["pypi p . `lib.src.p.a`/C#", "pypi p . `src.p.a`/C#", "pypi p . `p.a`/C#"]
    assert keys("s npm p 1 packages/a/src/`x.ts`/C#")[1:] == ["npm p . `x.ts`/C#"]


def test_a_value_may_be_a_function_and_a_function_a_value():
    assert keys("s npm p 1 `x.ts`/sign.") == ["npm p . `x.ts`/sign.", "npm p . `x.ts`/sign()."]
    assert keys("s npm p 1 `x.ts`/sign().") == ["npm p . `x.ts`/sign().", "npm p . `x.ts`/sign."]


@pytest.mark.parametrize(
    "text", ["", "local 3", "s python p", "s python p 1 ", "s python p 1 a", "s python p 1 a/ b", "s python p 1 `a/", "s python p 1 a()"]
)
def test_what_is_local_or_no_symbol_is_none(text):
    assert read_symbol(text) is None


@given(make.symbols)
def test_every_symbol_of_the_grammar_can_be_read(symbol):
    assert read_symbol(symbol) is not None


def test_the_tail_names_a_member_with_its_type_and_nothing_else():
    assert read_symbol("s maven g/a 1 p/Text#put(+2).").tail() == "Text#put()."
    assert read_symbol("s npm a 1 `x.ts`/Text#put.").tail() == "Text#put()."
    assert [read_symbol(f"s npm a 1 p/{rest}").tail() for rest in ("q/", "`x.ts`/f().", "f().(x)")] == [None, None, None]
