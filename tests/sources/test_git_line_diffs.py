"""Two changes are compared by their lines per path, whatever stands around them."""

from __future__ import annotations

import pytest

from comind.sources.git.line_diffs import FileDiff, Hunk, Inverse, LineDiff, inverse_of, joint_inverse, read_patch, similarity


def change(path="a.py", *, added=(), removed=()):
    return LineDiff((FileDiff(path, "1", "2", (), tuple(removed), tuple(added)),))


def test_the_opposite_change_is_the_whole_inverse():
    done, undone = change(added=[b"x", b"y"], removed=[b"z"]), change(added=[b"z"], removed=[b"y", b"x"])
    assert inverse_of(done, undone) == Inverse(1.0, 1.0, 1.0, 3)


def test_the_same_change_is_no_inverse_but_alike():
    done = change(added=[b"x", b"y"])
    assert inverse_of(done, done).dice == 0.0
    assert similarity(done, done) == 1.0


def test_a_line_that_was_added_twice_and_removed_once_counts_once():
    assert inverse_of(change(added=[b"x", b"x"]), change(removed=[b"x"])) == Inverse(2 / 3, 0.5, 1.0, 1)


def test_the_same_line_in_another_file_does_not_count():
    assert inverse_of(change("a.py", added=[b"x"]), change("b.py", removed=[b"x"])).shared == 0


def test_nothing_is_the_inverse_of_an_empty_change():
    assert inverse_of(change(), change(removed=[b"x"])) == Inverse()


def test_undoing_two_changes_at_once_is_measured_on_what_they_did_together():
    first, second = change(added=[b"draft"]), change(added=[b"final"], removed=[b"draft"])
    undone = change(removed=[b"final"])
    assert joint_inverse([first, second], undone).dice == 1.0
    assert inverse_of(first, undone).dice == 0.0


def test_header_lines_and_missing_line_ends_are_no_lines_of_the_file():
    patch = b"diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1,2 @@\n-old\n\\ No newline at end of file\n+--- dashes\n+new\n"
    assert read_patch("a", "1", "2", patch) == FileDiff("a", "1", "2", (Hunk(1, 1, 1, 2),), (b"old",), (b"--- dashes", b"new"))


@pytest.mark.parametrize("patch", [b"@@ -1 +1 @@\n-\x00\n+\x01\n", b"old mode 100644\nnew mode 100755\n"], ids=["binary", "mode"])
def test_a_change_without_lines_is_compared_by_its_contents(patch):
    done, undone = read_patch("a", "1" * 40, "2" * 40, patch), read_patch("a", "2" * 40, "1" * 40, patch)
    assert inverse_of(LineDiff((done,)), LineDiff((undone,))).dice == 1.0
    assert done.hunks == ()
