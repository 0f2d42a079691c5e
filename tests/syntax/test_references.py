"""What a file mentions: names as they are written, each under the definition around it."""

from __future__ import annotations

import pytest

from comind.fingerprints import parse_source


def mentioned(source, kind=None):
    parse = parse_source(source.encode(), "python")
    names = [*(definition.descriptors for definition in parse.definitions), ""]  # -1 is the file
    return [
        (names[one.definition], one.target, *(part for part in (one.member, one.name) if part))
        for one in parse.references
        if kind in {None, one.kind}
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("import a.b", [("", "a.b")]),
        ("import a.b as c, d", [("", "a.b", "c"), ("", "d")]),
        ("from m import x, y as z", [("", "m", "x", "x"), ("", "m", "y", "z")]),
        ("from . import x", [("", ".", "x", "x")]),
        ("from ..p.q import (x,\n  y)", [("", "..p.q", "x", "x"), ("", "..p.q", "y", "y")]),
        ("from .m import *", [("", ".m", "*")]),
        ("def f():\n    import a", [("f().", "a")]),
    ],
)
def test_an_import_says_module_member_and_name(source, expected):
    assert mentioned(source, "import") == expected


@pytest.mark.parametrize(
    ("callee", "expected"),
    [
        ("g", ["g"]),
        ("a.b.c", ["a.b.c"]),
        ("self.run", ["self.run"]),
        ("super().run", ["super().run", "super"]),
        ("(a.b)", ["a.b"]),
        ("a.b(1).c", ["a.b().c", "a.b"]),
        ("(a\n  .b)", ["a.b"]),
        ("größe.ändern", ["größe.ändern"]),
    ],
)
def test_a_call_says_the_chain_of_names_that_leads_to_the_callee(callee, expected):
    assert mentioned(f"def f():\n    {callee}()\n", "call") == [("f().", target) for target in expected]


@pytest.mark.parametrize("callee", ["a[0]", "(lambda: 1)", "'x'.join", "(a or b)", "(yield)", "a[0].b", "f'{x}'.y"])
def test_a_callee_that_begins_with_no_name_is_left_out(callee):
    assert mentioned(f"def f():\n    {callee}()\n", "call") == []


def test_a_mention_belongs_to_the_innermost_definition_around_it():
    source = (
        "one()\nclass A:\n    two()\n    def m(self, d=three()):\n        def n(): four()\n        return lambda: five()\nx = y = six()\n"
    )
    assert mentioned(source, "call") == [
        ("", "one"), ("A#", "two"), ("A#m().", "three"), ("A#m().n().", "four"), ("A#m().", "five"), ("y.", "six", "y"),
    ]  # fmt: skip


def test_definitions_that_share_a_statement_do_not_shift_the_others():
    assert mentioned("a, b = f(), g()\ndef h(): k()\n", "call") == [("a.", "f"), ("a.", "g"), ("h().", "k")]


def test_bases_belong_to_the_class_and_keywords_are_no_base():
    assert mentioned("class A(B, c.D[T], f(), metaclass=M):\n    class E(A): pass\n", "extends") == [
        ("A#", "B"), ("A#", "c.D"), ("A#", "f()"), ("A#E#", "A"),
    ]  # fmt: skip


def test_types_are_told_with_the_variable_that_has_them():
    source = "x: A\ndef f(p: 'B', q: C[int] | None = None, *r: D) -> E:\n    y: G = 1\n    self.z: H = 2\n"
    assert mentioned(source, "type") == [
        ("x.", "A", "x"), ("f().", "B", "p"), ("f().", "C[int]|None", "q"), ("f().", "D", "r"),
        ("f().", "E"), ("f().", "G", "y"), ("f().", "H", "self.z"),
    ]  # fmt: skip


def test_a_type_in_quotes_belongs_to_the_function_that_returns_it_not_to_the_next():
    assert mentioned("def f() -> 'A': ...\nx = 1\ndef g() -> None: ...\n", "type") == [("f().", "A"), ("g().", "None")]


def test_what_a_name_is_given_is_told_where_it_is_a_name_or_a_call():
    source = "x = A()\ndef f(self):\n    y = x\n    self.z = m.B(1)\n    w = 1\n    a, b = c\n    d[0] = e\n"
    assert mentioned(source, "value") == [("f().", "x", "y")]
    assert mentioned(source, "call") == [("x.", "A", "x"), ("f().", "m.B", "self.z")]


def test_damaged_huge_and_deep_code_ends():
    assert mentioned("def f(:\n  g(\nclass (A): h()\n", "import") == []
    assert mentioned("f" + "()" * 5_000, "call")[-1] == ("", "f")
    assert mentioned("x: " + "A" * 400 + " = " + "b" * 400 + "().c()", None) == []


def test_lines_are_those_of_the_last_part_of_the_name():
    parse = parse_source(b"(a\n .b()\n .c())\n", "python")
    assert [(one.target, one.line) for one in parse.references] == [("a.b().c", 3), ("a.b", 2)]
