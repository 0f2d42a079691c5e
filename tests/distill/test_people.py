"""The people around a commit, and texts without them."""

from __future__ import annotations

import pytest

from comind.distill.people import people_around, without_handles, without_thanks
from comind.sources.git.signatures import Signature

GRACE = Signature("Grace B. Hopper", "ghopper@navy.mil")


@pytest.mark.parametrize(("text", "expected"), [
    ("As Grace B. Hopper found, it fails.", "As [person] found, it fails."),
    ("grace.b.hopper found it", "[person] found it"),
    ("Hopper's lock", "[person]'s lock"),
    ("ask ghopper", "ask [person]"),
    ("as Grace said, within the grace period", "as [person] said, within the grace period"),
    ("Grace periods end.", "Grace periods end."),
    ("`hopper` and src/hopper stay", "`hopper` and src/hopper stay"),
])  # fmt: skip
def test_whoever_signed_is_named_no_more(text, expected):
    assert people_around([GRACE], []).without(text) == expected


def test_whoever_is_named_in_a_trailer_is_named_no_more():
    people = people_around([], ["Fix\n\nReported-by: Katherine Johnson <kjohnson@nasa.gov>\nReviewed-by: Dorothy Vaughan\n"])
    assert people.without("Johnson and Vaughan agreed") == "[person] and [person] agreed"
    assert people.parts == {"katherine", "johnson", "kjohnson", "dorothy", "vaughan"}


@pytest.mark.parametrize("name", ["王伟", "김민준", "山田太郎"])
def test_a_name_without_blanks_around_it_goes(name):
    assert name not in people_around([Signature(name, "x@example.cn")], []).without(f"问题由{name}发现因为缓存失效")


def test_words_of_the_code_are_no_names():
    people = people_around([Signature("Jelle Black", "black@example.uk")], [], code={"black"})
    assert people.without("Black formats it; ask Jelle Black.") == "Black formats it; ask [person]."
    assert people.parts == {"jelle"}


def test_names_that_are_broken_do_no_harm():
    people = people_around([Signature("", ""), Signature("\ufffd\ufffd (x", "@"), Signature("a-z", "+@x")], ["-by: <>\nX-by: (((\n"])
    assert people.without("Nothing (x) a-z changes") == "Nothing (x) a-z changes"


@pytest.mark.parametrize(("text", "paths", "expected"), [
    ("cc @ada-l, @bob.", [], "cc [person], [person]."),
    ("the @RequestParam of @ada", ["Shop.java"], "the @RequestParam of [person]"),
    ("the @RequestParam", ["shop.py"], "the [person]"),
    ("@pytest.fixture, @scope/pack, a@b.uk, git@host:x, @app(1), `@ada`", [], "@pytest.fixture, @scope/pack, a@b.uk, git@host:x, @app(1), `@ada`"),
])  # fmt: skip
def test_handles_go_and_marks_of_code_stay(text, paths, expected):
    assert without_handles(text, paths) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("Fixed the hint (thanks, Daniel!)", "Fixed the hint"),
    ("It broke. Many thanks to Ada for the report. It is fixed.", "It broke. It is fixed."),
    ("It works thanks to the new cache.", "It works thanks to the new cache."),
])  # fmt: skip
def test_thanks_go_and_causes_stay(text, expected):
    assert without_thanks(text) == expected
