"""A declaration is followed through renames, moves, merges and splits, and is called gone when it went."""

from __future__ import annotations

import pytest

from comind.anchors.changes import Place
from comind.anchors.follow import Follower
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository

PARSE = """\
def {name}(text, strict):
    words = text.split(" ")
    if strict and len(words) != 2:
        raise ValueError("two words are wanted")
    return {{word.lower(): position for position, word in enumerate(words)}}
"""
OTHER = """\
def {name}(path, limit):
    with open(path) as file:
        lines = [line.rstrip() for line in file if not line.startswith("#")]
    return lines[:limit] or None
"""


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path)


def follow(repository, path, descriptors, start, end="HEAD"):
    """Where a declaration is at the end: rung, path and descriptors, or rung and the problem."""
    opened = GitRepository.open(repository.path)
    return Follower(opened).follow(Place(path, descriptors, 0), start, opened.resolve(end))


def where(found):
    return (found.matched_by, *(found.place[:2] if found.place else (None, None)))


def test_what_is_still_there_is_the_same_without_any_history(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    repository.write("a.py", OTHER.format(name="load") + "\n\n" + PARSE.format(name="parse")).commit()
    assert where(follow(repository, "a.py", "parse().", start)) == ("same", "a.py", "parse().")


def test_a_rename_is_found_in_the_commit_that_made_it(repository):
    calls = "\n\ndef main():\n    return {0}('a b', True), {0}('c d', False)\n"
    start = repository.write("a.py", PARSE.format(name="parse") + calls.format("parse")).commit()
    repository.write("b.py", "x = 1\n").commit()
    renamed = repository.write("a.py", PARSE.format(name="read_words") + calls.format("read_words")).commit()
    repository.write("b.py", "x = 2\n").commit()
    found = follow(repository, "a.py", "parse().", start)
    assert where(found) == ("similar", "a.py", "read_words().")
    assert (found.moves, found.level) == ((renamed,), "sure")


def test_a_method_follows_its_file_and_then_its_class(repository):
    body = "    def run(self, job):\n        self.started = job.now()\n        return job.result(self.timeout, retry=False)\n"
    more = "    def stop(self):\n        self.started = None\n        self.pool.shutdown(wait=True)\n"
    start = repository.write("old/worker.py", f"class Worker:\n{body}\n{more}").commit()
    repository.rename("old/worker.py", "new/worker.py").commit()
    repository.write("new/worker.py", f"class Runner:\n{body}\n{more}").commit()
    found = follow(repository, "old/worker.py", "Worker#run().", start)
    assert where(found) == ("container", "new/worker.py", "Runner#run().")
    assert found.moves == tuple(repository.commits[1:])


def test_functions_of_a_file_that_was_split_are_in_both_halves(repository):
    start = repository.write("a.py", PARSE.format(name="parse") + "\n\n" + OTHER.format(name="load")).commit()
    repository.remove("a.py").write("parsing.py", PARSE.format(name="parse")).write("loading.py", OTHER.format(name="load")).commit()
    assert where(follow(repository, "a.py", "parse().", start))[1:] == ("parsing.py", "parse().")
    assert where(follow(repository, "a.py", "load().", start))[1:] == ("loading.py", "load().")


def test_an_overload_that_was_removed_is_not_its_sibling(repository):
    one = "  int size(String text) { int n = 0; for (char c : text.toCharArray()) if (c != ' ') n++; return n; }\n"
    two = "  int size(int[] numbers) { int n = 0; for (int number : numbers) if (number > 0) n++; return n; }\n"
    start = repository.write("A.java", f"class A {{\n{one}{two}}}\n").commit()
    repository.write("A.java", f"class A {{\n{two}}}\n").commit()
    assert where(follow(repository, "A.java", "A#size(String).", start)) == ("deleted", None, None)


def test_a_parameter_that_was_added_to_an_overload_keeps_its_anchor(repository):
    body = "{ if (text == null) { throw new IllegalStateException(name()); } return text.trim().length() + offset(); }"
    start = repository.write("A.java", f"class A {{\n  int size(String text) {body}\n}}\n").commit()
    repository.write("A.java", f"class A {{\n  int size(String text, int from) {body}\n}}\n").commit()
    assert where(follow(repository, "A.java", "A#size(String).", start)) == ("params", "A.java", "A#size(String+int).")


def test_an_inlined_function_is_deleted(repository):
    start = repository.write(
        "a.py", "def half(x):\n    return x / 2\n\n\ndef area(a, h):\n    print(a, h)\n    return half(a * h)\n"
    ).commit()
    repository.write("a.py", "def area(a, h):\n    print(a, h)\n    return a * h / 2\n").commit()
    found = follow(repository, "a.py", "half().", start)
    assert (where(found), found.moves) == (("deleted", None, None), (repository.head,))


def test_two_equal_homes_are_candidates_and_nothing_is_guessed(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    twins = PARSE.format(name="parse_left") + "\n\n" + PARSE.format(name="parse_west")
    repository.write("a.py", f"VERSION = 1\n\n\n{twins}\n\n{OTHER.format(name='load')}").commit()
    found = follow(repository, "a.py", "parse().", start)
    assert where(found) == ("ambiguous", None, None)
    assert {place.descriptors for place in found.candidates} == {"parse_left().", "parse_west()."}


def test_a_rename_on_a_side_branch_is_found_there(repository):
    start = repository.write("a.py", PARSE.format(name="parse") + "\n\ndef use():\n    return parse('a b', 1)\n").commit()
    repository.branch("side")
    renamed = repository.write("a.py", PARSE.format(name="split") + "\n\ndef use():\n    return split('a b', 1)\n").commit()
    repository.switch("main").write("b.py", OTHER.format(name="load")).commit()
    merge = repository.merge("side")
    found = follow(repository, "a.py", "parse().", start)
    assert where(found) == ("similar", "a.py", "split().")
    assert set(found.moves) <= {renamed, merge}


def test_the_body_is_followed_and_the_forwarder_is_reported(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    forwarder = "def parse(text, strict):\n    return parse_words(text, strict)\n"
    repository.write("a.py", PARSE.format(name="parse_words") + "\n\n" + forwarder).commit()
    found = follow(repository, "a.py", "parse().", start)
    assert where(found) == ("similar", "a.py", "parse_words().")
    assert found.forwarder


def test_a_body_that_gave_up_its_name_is_followed_although_the_name_got_a_similar_body(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    edited = PARSE.format(name="parse").replace("two words are wanted", "give two").replace("lower", "upper")
    repository.write("a.py", edited + "\n\n" + PARSE.format(name="parse_lower")).commit()
    repository.write("b.py", "x = 1\n").commit()
    assert where(follow(repository, "a.py", "parse().", start)) == ("similar", "a.py", "parse_lower().")


def test_a_name_that_another_got_long_ago_is_not_taken_for_the_old_one(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    given = PARSE.format(name="parse").replace("two words are wanted", "give two")
    renamed = repository.write("a.py", given + "\n\n" + PARSE.format(name="parse_lower")).commit()
    longer = "    if text.startswith(COMMENT) or not text.strip():\n        return None\n    text = text.replace(TAB, SPACE).strip(SPACE)\n    words ="
    for body in (given, given.replace("    words =", longer)):
        repository.write("a.py", body + "\n\n" + PARSE.format(name="parse_lower").replace("    words =", longer)).commit()
    found = follow(repository, "a.py", "parse().", start)
    assert (where(found), found.moves) == (("similar", "a.py", "parse_lower()."), (renamed,))


def test_names_that_move_on_by_one_take_no_body_along(repository):
    one, two = PARSE.format(name="parse"), OTHER.format(name="load") + "    # comment\n\n\nX = [load]\n"
    start = repository.write("a.py", one + "\n\n" + two).commit()
    repository.write("a.py", PARSE.format(name="load") + "\n\n" + two.replace("load", "load_lines")).commit()
    assert where(follow(repository, "a.py", "parse().", start)) == ("similar", "a.py", "load().")
    assert where(follow(repository, "a.py", "load().", start)) == ("similar", "a.py", "load_lines().")


def test_a_helper_that_went_into_its_only_caller_is_deleted(repository):
    start = repository.write(
        "a.py", PARSE.format(name="_parse") + "\n\ndef parse(text, strict):\n    return _parse(text, strict)\n"
    ).commit()
    repository.write("a.py", PARSE.format(name="parse")).commit()
    assert where(follow(repository, "a.py", "_parse().", start)) == ("deleted", None, None)
    assert where(follow(repository, "a.py", "parse().", start)) == ("same", "a.py", "parse().")


def test_an_anchor_that_is_newer_than_the_target_is_followed_back(repository):
    old = repository.write("a.py", PARSE.format(name="parse") + "\n\ndef use():\n    return parse('a b', 1)\n").commit()
    new = repository.write("a.py", PARSE.format(name="split") + "\n\ndef use():\n    return split('a b', 1)\n").commit()
    assert where(follow(repository, "a.py", "split().", new, old)) == ("similar", "a.py", "parse().")


def test_an_anchor_on_another_branch_is_followed_over_the_common_ancestor(repository):
    repository.write("a.py", PARSE.format(name="parse")).commit()
    repository.branch("side")
    side = repository.write("b.py", "x = 1\n").commit()
    repository.switch("main").rename("a.py", "c.py").commit()
    assert where(follow(repository, "a.py", "parse().", side)) == ("file_moved", "c.py", "parse().")


def test_a_commit_that_is_gone_and_a_history_that_was_rewritten_are_unknown(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    gone = follow(repository, "a.py", "parse().", "f" * 40)
    assert (gone.matched_by, "is not in this clone" in gone.problem) == ("unknown", True)
    repository.git("checkout", "-q", "--orphan", "rewritten")
    repository.write("a.py", PARSE.format(name="split")).commit()
    rewritten = follow(repository, "a.py", "parse().", start)
    assert (rewritten.matched_by, "no history leads" in rewritten.problem) == ("unknown", True)


def test_a_shallow_clone_says_that_it_is_shallow(repository, tmp_path):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    repository.write("a.py", PARSE.format(name="split")).commit()
    opened = GitRepository.open(repository.clone(tmp_path / "clone", "--depth=1").path, name="service")
    found = Follower(opened).follow(Place("a.py", "parse().", 0), start, opened.head)
    assert (found.matched_by, "git fetch --unshallow" in found.problem) == ("unknown", True)


def test_a_file_whose_content_is_missing_is_unknown(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    repository.write("a.py", PARSE.format(name="split")).commit()
    blob = repository.git("rev-parse", f"{start}:a.py")
    (repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    found = follow(repository, "a.py", "parse().", start)
    assert (found.matched_by, "missing" in found.problem) == ("unknown", True)


def test_merges_that_cross_do_not_hide_where_a_symbol_went(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).write("b.py", "x = 1\n").commit()
    repository.branch("side").rename("a.py", "words.py").commit()
    repository.switch("main").write("b.py", "x = 2\n").commit()
    repository.branch("main-then").switch("side").branch("side-then")
    repository.switch("main").merge("side-then")
    repository.switch("side").merge("main-then")
    repository.write("c.py", "y = 1\n").commit()
    repository.switch("main").write("d.py", "z = 1\n").commit()
    crossed = repository.merge("side")
    assert len(repository.git("merge-base", "--all", "main^1", "side").split()) == 2
    assert where(follow(repository, "a.py", "parse().", start, crossed)) == ("file_moved", "words.py", "parse().")
    assert where(follow(repository, "words.py", "parse().", repository.git("rev-parse", "side"), "main^1")) == (
        "same",
        "words.py",
        "parse().",
    )
