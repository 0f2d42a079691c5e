"""Which spellings are one to a fingerprint, and which differ in a comma or a bracket that means something.

Every case is the body of a function; what is compared is its body hash.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from comind.fingerprints import parse_source
from comind.syntax.grammar import Action, grammar_of
from comind.syntax.languages import LANGUAGES
from comind.syntax.walk import walk

FRAMES = {
    "python": "def f():\n    {}\n",
    "javascript": "function f() {{ {} }}",
    "typescript": "function f() {{ {} }}",
    "tsx": "function f() {{ {} }}",
    "go": "package p\nfunc f() {{ {} }}\n",
    "java": "class A {{ void f() {{ {} }} }}",
    "rust": "fn f() {{ {} }}",
}
SAME = {
    "python": [
        ("x = 'a'", 'x = "a"'),
        ("x = 'it\\'s'", 'x = "it\'s"'),
        ("x = u'a'", "x = 'a'"),
        ("x = Rb'\\d'", "x = bR'\\d'"),
        ("x = '''a'''", "x = 'a'"),
        ("x = '\\xAB'", "x = '\\xab'"),
        ("x = 'a' 'b'", "x = ('a'\n      'b')"),
        ("x = 'a' 'b'", "x = 'ab'"),
        ("x = f'{a}' 'b{'", "x = f'{a}b{{'"),
        ('x = f"{a["k"]}"', "x = f'{ a[\"k\"] }'"),
        ("x = (1,)", "x = 1,"),
        ("x = 0XFF + .5 + 1E5 + 10L if 0 else 1_000", "x = 0xff + 0.5 + 1e5 + 10L if 0 else 1000"),
        ("for x in (a, b): y", "for (x) in a, b: y"),
        ("return (yield a)", "return ((yield a))"),
        ("del (a, b)", "del a, b"),
        ("g(x for x in y)", "g((x for x in y))"),
        ("class A(): x", "class A: x"),
        ("x = '''a\n  b'''", "x = '''a\r\n  b'''"),
        ("with (a as b, c): d", "with a as b, c: d"),
    ],
    "javascript": [
        ("return 'a'", 'return "a";'),
        ("g(x => x)", "g((x) => x)"),
        ("g({ 'a': 1 })", "g({ a: 1, })"),
        ("x = 1.0 + 0XA", "x = 1 + 0xa"),
        ("a; ; b", "a\nb"),
        ("x = `a\n${b}`", "x = `a\r\n${b}`"),
        ("return (a && b) || c", "return a && b || c"),
        ("return <a b='c'>\n  text\n</a>", 'return (<a b="c">text</a>)'),
    ],
    "typescript": [
        ("type T = | 'a' | B", 'type T = "a" | B'),
        ("type T = A | (B)", "type T = A | B"),
        ("type T = { a: 1, b: 2 }", "type T = { a: 1; b: 2; }"),
        ("g((x) => x)", "g(x => x)"),
        ("type T = { 'a'?: 1 }", "type T = { a?: 1 }"),
    ],
    "tsx": [("return <a>{' '}b</a>", 'return <a>{" "}b</a>')],
    "go": [("g(a, b,\n)", "g(a, b)"), ("return 0XFF", "return 0xff")],
    "java": [("g((a) + b);", "g(a + b);"), ("g((a) -> b);", "g(a -> b);"), ("int[] a = {1, 2,};", "int[] a = {1, 2};")],
    "rust": [
        ("match a { 1 => { b } _ => c }", "match a { 1 => b, _ => c, }"),
        ("g(|x| { x })", "g(|x| x)"),
        ("match a { 1 => { b!() } _ => c }", "match a { 1 => b!(), _ => c }"),
        ("if a { return b }", "if a { return b; }"),
        ("g(a, b,)", "g(a, b)"),
        ("print!(a, b,)", "print!(a, b)"),
        ("print!(a::<B,>())", "print!(a::<B>())"),
        ("let a = 0xFF_u8;", "let a = 0xffu8;"),
    ],
}
DIFFERENT = {
    "python": [
        ("x = (a + b) * c", "x = a + b * c"),
        ("x = (a,)", "x = a"),
        ("g((a, b))", "g(a, b)"),
        ("x = a[1:, 2]", "x = a[1:2]"),
        ("x = b'a'", "x = 'a'"),
        ("x = f'a'", "x = 'a'"),
        ("x = '\\d'", "x = '\\\\n'"),
        ("x = r'\\n'", "x = '\\n'"),
        ("x = f'{a}'", "x = f'{{a}}'"),
        ("x = f'{a = }'", "x = f'{a=}'"),
        ("x = f'{a:>3}'", "x = f'{a:>4}'"),
        ("x = f'{a:{b}}'", "x = f'{a:{c}}'"),
        ("x = 1.0", "x = 1"),
        ("x = 0x1e5", "x = 1e5"),
        ("x = 'a', 'b'", "x = 'a' 'b'"),
        ("x = not (a in b)", "x = (not a) in b"),
        ("assert (a, b)", "assert a, b"),
        ("x = b'\\uABCD'", "x = b'\\uabcd'"),
    ],
    "javascript": [
        ("for (a; ; ) b", "for (; a; ) b"),
        ("for (; a; ) b", "for (; ; a) b"),
        ("x = [, a]", "x = [a]"),
        ("x = [a, , b]", "x = [a, b]"),
        ("x = [a, , ]", "x = [a, ]"),
        ("x = { 'a-b': 1 }", "x = { 'a_b': 1 }"),
        ("x = { [a]: 1 }", "x = { a: 1 }"),
        ("g((a, b))", "g(a, b)"),
        ("x = `a${b}`", "x = `a` + b"),
        ("x = '1'", "x = 1"),
        ("return <b> a</b>", "return <b>a</b>"),
    ],
    "typescript": [("type T = (A | B)[]", "type T = A | B[]"), ("type T = A | B", "type T = A & B"), ("x = a | b", "x = a & b")],
    "tsx": [("return <a>b c</a>", "return <a>bc</a>")],
    "go": [
        ("for a; ; { }", "for ; a; { }"),
        ("if f(); x { }", "if f() { x }"),
        ("switch f(); { }", "switch f() { }"),
        ("return (a + b) * c", "return a + b * c"),
    ],
    "java": [("for (a(); ; ) b();", "for (; ; a()) b();"), ('String a = "1";', "int a = 1;"), ("int a = 1;", "long a = 1L;")],
    "rust": [
        ("g()", "g();"),
        ("if a { b() }", "if a { b(); }"),
        ("[a; n]", "[a, n]"),
        ("(a,)", "(a)"),
        ("assert!(a, -b)", "assert!(a - b)"),
        ("m!((a))", "m!({a})"),
        ("m!(a)", "m!(b)"),
        ("let a = 1u8;", "let a = 1u16;"),
        ("g(|x| { x; })", "g(|x| { x })"),
        ("match a { _ => { b!(); } }", "match a { _ => b!() }"),
    ],
}


def body(language, text):
    source = FRAMES[language].format(text)
    return next(one.body_hash for one in parse_source(source.encode(), language).definitions if one.name == "f")


def cases(table):
    return [(language, *pair) for language, pairs in table.items() for pair in pairs]


def test_every_language_has_cases_of_both_kinds():
    in_files = {path.stem for path in Path(__file__).with_name("cases").glob("*.md")}
    assert SAME.keys() == DIFFERENT.keys()
    assert SAME.keys() | in_files == LANGUAGES.keys()


@pytest.mark.parametrize(("language", "one", "other"), cases(SAME))
def test_these_are_one(language, one, other):
    assert body(language, one) == body(language, other)


@pytest.mark.parametrize(("language", "one", "other"), cases(DIFFERENT))
def test_these_differ(language, one, other):
    assert body(language, one) != body(language, other)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_a_probe_is_spelt_as_its_kind(language):
    grammar, probe = grammar_of(language), LANGUAGES[language].probe
    waiting, seen = [grammar.parse(probe).root_node], 0
    while waiting:
        node = waiting.pop()
        if grammar.actions[node.kind_id] == Action.WORD:
            seen += 1
            written = b" ".join(probe[node.start_byte : node.end_byte].split())
            assert written == grammar.tokens[node.kind_id] or node.type == "unique symbol"
        elif grammar.actions[node.kind_id] not in {Action.STRING, Action.VERBATIM, Action.COMMENT, Action.SKIP}:
            waiting += node.children
    assert seen > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_names_only_kinds_that_its_grammar_has(language):
    page, grammar = LANGUAGES[language], grammar_of(language)
    named = {token[1:].decode() for token in grammar.tokens if token.startswith(b"(")}
    words = {token.decode() for token in grammar.tokens}
    planned = set(page.definitions) | set(page.wrappers) | set(page.special)
    listed = page.identifiers | page.comments | page.strings | page.numbers | page.verbatim | page.transparent | page.name_lists
    unknown = {kind for kind in planned | listed if kind not in named and page.synonyms.get(kind, "") not in named}
    assert unknown == set()
    assert page.dropped <= words | named | {""}


@pytest.mark.parametrize("language", LANGUAGES)
def test_reading_leaves_no_node_open_and_no_marker_unclosed(language):
    grammar, probe = grammar_of(language), LANGUAGES[language].probe
    stream = walk(grammar.parse(probe), probe, grammar)
    depth = 0
    for token in stream.outline:
        depth += token.startswith(b"(") - (token == b")")
        assert depth >= 0
    assert depth == 0
    assert stream.outline.count(b"\1") == len(stream.words)
