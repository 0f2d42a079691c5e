from dataclasses import dataclass

import polars as pl
import pytest

from comind.index.blobs import MemoryParseCache
from comind.index.edges import PLACES
from comind.index.scip.mapping import Outline, SymbolMap
from comind.index.scip.places import read_places
from comind.index.scip.stream import ScipIndexError, ScipSource
from comind.index.tree import index_tree
from comind.sources.git import GitRepository
from tests.builders.clocks import CLOCK, CLOCK_MARKS, SHOP, SHOP_MARKS, make_clocks
from tests.builders.scip import defined, document, index, mentioned


@dataclass
class Organisation:
    repositories: dict
    symbols: pl.DataFrame
    files: pl.DataFrame

    def read(self, name, content, **said):
        repository = self.repositories[name]

        def contents(path):
            blob = repository.blob_at(repository.head, path)
            return repository.read(blob) if blob else None

        of_repository = pl.col("repo_id") == name
        outline = Outline(self.symbols.filter(of_repository), self.files.filter(of_repository))
        source = ScipSource.of_bytes("index.scip", content)
        return read_places(source, contents, outline, SymbolMap(self.symbols, self.files), repo_id=name, **said)

    def rows(self, name, content, **said):
        places = self.read(name, content, **said).places
        return sorted(
            (row["line"], row["kind"], self.key(row["src"]), self.key(row["dst"])) for row in places.to_dicts() if row["dst"] is not None
        )

    def key(self, sid):
        found = self.symbols.filter(pl.col("sid") == sid)["canonical_key"].to_list()
        return found[0].rpartition(" . ")[2] if found else "(module)"


@pytest.fixture(scope="module")
def organisation(tmp_path_factory):
    repositories, trees = {}, []
    for name, builder in make_clocks(tmp_path_factory.mktemp("organisation")).items():
        repositories[name] = one = GitRepository.open(builder.path, name=name)
        trees.append(index_tree(one, one.head, MemoryParseCache(), workers=0, max_file_bytes=10_000))
    symbols = pl.concat([pl.from_arrow(tree.symbols()) for tree in trees])
    return Organisation(repositories, symbols, pl.concat([pl.from_arrow(tree.code_files) for tree in trees]))


def clock(*more):
    return index(document("src/clock/clock.py", CLOCK, *CLOCK_MARKS), *more)


def shop(*marks):
    return index(document("shop.py", SHOP, *(marks or SHOP_MARKS)))


def test_mentions_become_places_within_the_definitions_around_them(organisation):
    assert organisation.rows("clock", clock()) == [
        (10, "calls", "`clock.clock`/start().", "`clock.clock`/Clock#"),
        (11, "calls", "`clock.clock`/start().", "`clock.clock`/Clock#tick()."),
        (15, "calls", "(module)", "`clock.clock`/start()."),
    ]


def test_definitions_of_another_repository_are_found_whatever_case_version_and_source_root_say(organisation):
    assert organisation.rows("shop", shop()) == [
        (1, "references", "(module)", "`clock.clock`/Clock#"),
        (1, "references", "(module)", "`clock.clock`/start()."),
        (5, "extends", "shop/Watch#", "`clock.clock`/Clock#"),
        (5, "references", "shop/Watch#", "`clock.clock`/Clock#"),
        (6, "extends", "shop/Watch#tick().", "`clock.clock`/Clock#tick()."),
        (7, "calls", "shop/Watch#tick().", "`clock.clock`/start()."),
    ]


def test_our_own_references_say_what_is_done_with_a_name(organisation):
    src = organisation.symbols.filter(pl.col("name") == "Watch")["sid"][0]
    ours = pl.DataFrame(
        [("shop", "shop.py", 5, "Clock", "extends", src, None, None), ("shop", "shop.py", 1, "start", "imports", 5, None, None)],
        schema=PLACES,
        orient="row",
    )
    rows = organisation.rows("shop", shop(), ours=ours)
    assert [row for row in rows if row[0] == 5] == [(5, "extends", "shop/Watch#", "`clock.clock`/Clock#")]
    assert [row[1] for row in rows if row[0] in {1, 7}] == ["imports", "references", "references"]


def test_what_is_not_indexed_has_a_place_without_a_destination(organisation):
    places = organisation.read("shop", shop()).places
    assert places.filter(pl.col("name") == "dumps").select("line", "dst", "resolved_by").rows() == [(7, None, "scip")]


def test_a_symbol_means_what_the_index_defines_before_what_it_is_called(organisation):
    marks = [defined("start", "other odd/start()."), mentioned("start", "other odd/start().", nth=1)]
    rows = organisation.rows("clock", index(document("src/clock/clock.py", CLOCK, *marks)))
    assert rows == [(15, "calls", "(module)", "`clock.clock`/start().")]


def test_documents_that_do_not_fit_the_commit_are_told_and_give_nothing(organisation):
    old = document("src/clock/clock.py", "import os\n" + CLOCK, *CLOCK_MARKS)
    found = organisation.read("clock", index(old, document("gone.py", CLOCK, *CLOCK_MARKS)))
    assert (found.stale, found.missing, found.current, found.places.height) == (("src/clock/clock.py",), ("gone.py",), 0, 0)
    assert found.made_by == "scip-test 1"


def test_a_file_of_two_projects_counts_once(organisation):
    twice = index(*[document("src/clock/clock.py", CLOCK, *CLOCK_MARKS)] * 2)
    assert organisation.rows("clock", twice) == organisation.rows("clock", clock())


def test_an_index_of_a_directory_is_laid_over_that_directory(organisation):
    content = index(document("clock/clock.py", CLOCK, *CLOCK_MARKS))
    assert organisation.rows("clock", content, directory="src") == organisation.rows("clock", clock())


def test_a_cut_off_index_gives_no_place(organisation):
    with pytest.raises(ScipIndexError, match="cut off"):
        organisation.read("clock", clock()[:-2])


def test_a_path_that_leads_out_of_the_repository_is_missing(organisation):
    found = organisation.read("clock", index(document("../../etc/passwd", CLOCK, *CLOCK_MARKS), document("", CLOCK, *CLOCK_MARKS)))
    assert found.current == 0
    assert len(found.missing) == 2
