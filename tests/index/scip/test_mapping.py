import polars as pl
import pytest

from comind.index.names import sid_of
from comind.index.scip.documents import Mention
from comind.index.scip.mapping import Outline, SymbolMap
from comind.index.scip.symbols import read_symbol

FILES = pl.DataFrame(
    [("a.py", "pypi p", "`p.a`/"), ("b.py", "pypi p", "`p.b`/"), ("c.txt", None, None)], schema=["path", "package", "module"], orient="row"
)
DEFINITIONS = [
    ("a.py", "`p.a`/Key#", 1, 9), ("a.py", "`p.a`/Key#get().", 2, 4), ("a.py", "`p.a`/Key#put(int).", 5, 6), ("a.py", "`p.a`/Key#put(str).", 7, 8),
    ("a.py", "`p.a`/Key#get().get().", 3, 3), ("b.py", "`p.b`/Box#get().", 1, 2), ("b.py", "`p.b`/Box#size.", 3, 3), ("c.py", "`p.c`/Box#size.", 3, 3),
]  # fmt: skip


def rows():
    for path, descriptors, start, end in DEFINITIONS:
        symbol = read_symbol(f"s python p 1 {descriptors}")
        key = f"pypi p . {descriptors}"
        yield path, sid_of(key), key, symbol.name, ".".join(symbol.names), start, end


COLUMNS = ["path", "sid", "canonical_key", "name", "qualified_name", "start_line", "end_line"]
SYMBOLS = pl.DataFrame(list(rows()), schema=COLUMNS, orient="row")

KEYS = {sid: key.removeprefix("pypi p . ") for sid, key in SYMBOLS.select("sid", "canonical_key").iter_rows()}


def meant(descriptors, package="python P"):
    sid = SymbolMap(SYMBOLS, FILES).sid(f"s {package} 1 {descriptors}")
    return KEYS.get(sid, sid)


@pytest.mark.parametrize(
    ("descriptors", "key"),
    [
        ("`p.a`/Key#get().", "`p.a`/Key#get()."),
        ("`src.p.a`/Key#get().", "`p.a`/Key#get()."),
        ("`elsewhere`/Key#get().", "`p.a`/Key#get()."),
        ("`p.z`/Box#get(+1).", "`p.b`/Box#get()."),
        ("`p.z`/Box#size.", None),  # two classes have it
        ("`p.a`/Key#put(+1).", None),  # two overloads, and a count does not say which
        ("`p.a`/Key#get().(default)", None),
        ("`p.z`/Key#", None),
        ("`p.b`/Box#size().", "`p.b`/Box#size."),
        ("`p.a`/__init__:", sid_of("pypi p . `p.a`/")),
        ("`p.z`/__init__:", None),
    ],
)
def test_a_symbol_means_the_only_definition_that_it_can_mean(descriptors, key):
    assert meant(descriptors) == key


def test_a_package_of_somebody_else_means_nothing_and_is_not_ours():
    assert meant("`p.a`/Key#get().", "python q") is None
    found = SymbolMap(SYMBOLS, FILES)
    assert (found.is_ours("s python q 1 `p.a`/Key#"), found.is_ours("s python P 1 `p.z`/Key#"), found.is_ours("local 1")) == (
        False,
        True,
        False,
    )


def test_what_an_index_defines_stands_above_what_its_name_says():
    found = SymbolMap(SYMBOLS, FILES)
    found.learn("s python p 1 `p.z`/Box#size.", 5)
    assert found.sid("s python p 1 `p.z`/Box#size.") == 5


def test_a_symbol_that_an_index_gives_to_two_definitions_means_neither_unless_it_is_the_name_of_one():
    found = SymbolMap(SYMBOLS, FILES)
    for sid in (5, 6, sid_of("pypi p . `p.a`/Key#get().")):
        found.learn("s python p 1 `p.z`/Box#size.", sid)
        found.learn("s python p 1 `p.a`/Key#get().", sid)
    assert found.sid("s python p 1 `p.z`/Box#size.") is None
    assert len(found.sids("s python p 1 `p.z`/Box#size.")) == 3
    assert found.sid("s python p 1 `p.a`/Key#get().") == sid_of("pypi p . `p.a`/Key#get().")


def around(path, line):
    sid = Outline(SYMBOLS, FILES).around(path, line)
    return KEYS.get(sid, sid)


@pytest.mark.parametrize(
    ("path", "line", "key"),
    [("a.py", 1, "Key#"), ("a.py", 2, "Key#get()."), ("a.py", 3, "Key#get().get()."), ("a.py", 4, "Key#get()."), ("a.py", 9, "Key#")],
)
def test_a_line_belongs_to_the_innermost_definition(path, line, key):
    assert around(path, line) == f"`p.a`/{key}"


def test_a_line_at_top_level_belongs_to_the_module_and_one_of_an_unknown_file_to_nothing():
    assert around("a.py", 99) == sid_of("pypi p . `p.a`/")
    assert around("none.py", 1) is None


@pytest.mark.parametrize(
    ("descriptors", "line", "key"),
    [
        ("`q`/Key#get().", 2, "Key#get()."),
        ("`q`/Key#get().get().", 3, "Key#get().get()."),
        ("`q`/Key#put(+1).", 7, "Key#put(str)."),
        ("`q`/Key#put().(get)", 2, None),
        ("`q`/Key#get.", 2, "Key#get()."),  # a value that is a function
        ("`q`/Other#get.", 2, None),
        ("`q`/Key#get().", 12, None),
    ],
)
def test_a_definition_of_an_index_is_ours_by_line_name_and_form(descriptors, line, key):
    symbol = read_symbol(f"s python p 1 {descriptors}")
    mention = Mention(line=line, name=symbol.name, symbol="", is_definition=True, is_import=False, is_call=False)
    assert Outline(SYMBOLS, FILES).defined("a.py", mention, symbol) == (key and sid_of(f"pypi p . `p.a`/{key}"))
