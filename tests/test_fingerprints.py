"""Which hashes an edit changes, and that no source is bad enough to fail."""

from __future__ import annotations

import pytest

from comind.fingerprints import grammar_probe, parse_source
from comind.syntax.languages import LANGUAGES

BEFORE = '''
def price(item, count=1, *, tax: float = 0.2):
    """Return the price."""
    total = item.cost * count
    if total > 100:
        total = reduce_by(total, "rebate")
    return round(total * (1 + tax), 2)
'''
NOTHING, DOC, SIG, BODY, BOTH = set(), {"doc"}, {"sig"}, {"body"}, {"body", "shape"}
EDITS = {
    "comment": ("    total = item", "    # why\n    total = item", NOTHING),
    "trailing comment": ("* count\n", "* count  # why\n", NOTHING),
    "docstring": ("Return the price.", "Return what it costs.", DOC),
    "docstring layout": ("Return the price.", "\n    Return  the price.\n    ", NOTHING),
    "quotes": ('"rebate"', "'rebate'", NOTHING),
    "trailing comma": ('"rebate")', '"rebate",)', NOTHING),
    "redundant parentheses": ("if total > 100:", "if (total > 100):", NOTHING),
    "backslash": ("item.cost * count", "item.cost * \\\n        count", NOTHING),
    "one-line if": (":\n        total = red", ": total = red", NOTHING),
    "semicolon": ("* count\n", "* count;\n", NOTHING),
    "blank lines": ("* count\n", "* count\n\n\n", NOTHING),
    "implicit concatenation": ('"rebate"', '"re" "bate"', NOTHING),
    "local rename": ("total", "amount", BODY),
    "callee rename": ("reduce_by", "lower_by", BODY),
    "function rename": ("def price", "def cost", SIG),
    "operator": ("> 100", ">= 100", BOTH),
    "constant": ("100", "200", BOTH),
    "text": ("rebate", "Rebate", BOTH),
    "needed parentheses": ("(1 + tax)", "1 + tax", BOTH),
    "argument swap": ('total, "rebate"', '"rebate", total', BOTH),
    "keyword argument": (', "rebate"', ', why="rebate"', BOTH),
    "default": ("count=1", "count=2", SIG),
    "annotation": ("tax: float", "tax: int", SIG),
    "return type": ("0.2):", "0.2) -> float:", SIG),
    "parameter order": ("item, count=1", "count, item=1", SIG),
    "async": ("def price", "async def price", SIG),
    "decorator": ("def price", "@cached\ndef price", NOTHING),
}


def only(source):
    (definition,) = parse_source(source.encode(), "python").definitions
    return definition


def changed(before, after):
    """Return the names of the hashes in which two definitions differ."""
    return {name for name in ("sig", "body", "shape", "doc") if getattr(before, f"{name}_hash") != getattr(after, f"{name}_hash")}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_changes_exactly_these_hashes(edit):
    old, new, expected = EDITS[edit]
    after = BEFORE.replace(old, new)
    assert after != BEFORE
    assert changed(only(BEFORE), only(after)) == expected


def test_a_member_edit_does_not_change_its_container():
    source = b"class A:\n    x = 1\n    def f(self): return 1\n    def g(self): return 2\n"
    before = parse_source(source, "python").definitions[0]
    after = parse_source(source.replace(b"return 1", b"return 3"), "python").definitions[0]
    assert changed(before, after) == set()


@pytest.mark.parametrize(
    "edit", [(b"def g(self): return 2", b"def h(self): return 2"), (b"    def g(self): return 2\n", b""), (b"class A", b"class A(B)")]
)
def test_a_container_notices_which_members_and_bases_it_has(edit):
    source = b"class A:\n    def f(self): return 1\n    def g(self): return 2\n"
    before, after = (parse_source(one, "python").definitions[0] for one in (source, source.replace(*edit)))
    assert changed(before, after)


def test_a_definition_without_body_or_documentation_has_no_hash_of_it():
    field = parse_source(b"class A:\n    x: int\n", "python").definitions[1]
    assert (field.body_hash, field.shape_hash, field.doc_hash, field.n_tokens) == (None, None, None, 0)


def test_equal_bytes_give_equal_answers_however_often_they_are_read():
    assert parse_source(BEFORE.encode(), "python") == parse_source(BEFORE.encode(), "python")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_stamp_of_a_grammar_is_64_digits_and_its_probe_has_no_error(language):
    assert len(grammar_probe(language)) == 64
    assert parse_source(LANGUAGES[language].probe, language).error_nodes == 0


def test_a_file_that_is_not_utf_8_says_where_and_is_read_all_the_same():
    parse = parse_source(b"def f():\n    return '\xe9'\n", "python")
    assert parse.problem == "not UTF-8: byte 0xe9 in line 2; names are shown with escapes"
    assert [one.name for one in parse.definitions] == ["f"]


def test_a_nul_byte_makes_a_file_binary():
    parse = parse_source(b"def f(): pass\n\0", "python")
    assert (parse.problem, parse.definitions) == ("binary: a NUL byte at offset 14", ())


def test_a_syntax_error_leaves_what_stands_outside_of_it():
    parse = parse_source(b"def f(): return 1\n\nx = = 3 )\n\ndef g(): return 2\n", "python")
    assert parse.error_nodes
    assert "could not be parsed, the first in line 3" in parse.problem
    assert {"f", "g"} <= {one.name for one in parse.definitions}


def test_an_empty_file_defines_nothing():
    assert parse_source(b"", "python").definitions == ()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("nest", [(b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"(", b""), (b"f(", b")")])
def test_five_thousand_levels_of_nesting_do_no_harm(language, nest):
    opening, closing = nest
    parse_source(b"x = " + opening * 5_000 + b"1" + closing * 5_000 + b"\n", language)


def test_functions_nested_without_end_are_symbols_down_to_a_depth():
    levels = 5_000
    parse = parse_source(b"function f() {" * levels + b"}" * levels, "javascript")
    assert parse.error_nodes == 0
    assert 100 < len(parse.definitions) < 1_000
    assert len({one.body_hash for one in parse.definitions}) == len(parse.definitions)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_cut_off_anywhere_is_read_without_an_exception(language):
    probe = LANGUAGES[language].probe
    for end in range(0, len(probe), 7):
        parse_source(probe[:end], language)
