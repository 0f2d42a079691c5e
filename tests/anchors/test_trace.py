"""The times of a declaration are told in commits, with what it was against the beginning."""

import pytest

from comind.anchors.changes import Place
from comind.anchors.follow import Follower
from comind.anchors.trace import trace
from comind.sources.git.repository import GitRepository
from tests.anchors.test_follow import OTHER, PARSE
from tests.builders.git import make_repository


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path)


def states(repository, start, end="HEAD", descriptors="parse()."):
    opened = GitRepository.open(repository.path)
    found = trace(Follower(opened), Place("a.py", descriptors, 0), start, opened.resolve(end))
    return [(one.state, one.start, one.place and one.place.path, one.edits) for one in found.stretches], found.problem


def edited(text, name="parse"):
    return PARSE.format(name=name).replace("two words are wanted", text)


def test_each_change_of_state_begins_a_stretch(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    repository.write("b.py", "x = 1\n").commit()
    changed = repository.write("a.py", edited("exactly two")).commit()
    repository.write("a.py", edited("just two")).commit()
    moved = repository.rename("a.py", "c.py").commit()
    gone = repository.write("c.py", OTHER.format(name="load")).commit()
    assert states(repository, start) == (
        [("unchanged", start, "a.py", 0), ("body", changed, "a.py", 1), ("body", moved, "c.py", 0), ("deleted", gone, None, 0)],
        "",
    )


def test_a_change_that_was_taken_back_ends_its_stretch(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    changed = repository.write("a.py", edited("exactly two")).commit()
    back = repository.revert(changed)
    assert states(repository, start) == (
        [("unchanged", start, "a.py", 0), ("body", changed, "a.py", 0), ("unchanged", back, "a.py", 0)],
        "",
    )


def test_formatting_begins_no_stretch(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    repository.write("a.py", "# about words\n\n" + PARSE.format(name="parse").replace("    ", "\t").replace('"', "'")).commit()
    assert states(repository, start) == ([("unchanged", start, "a.py", 0)], "")


def test_what_a_side_branch_did_happens_in_the_merge(repository):
    start = repository.write("a.py", PARSE.format(name="parse")).commit()
    repository.branch("side").write("a.py", edited("exactly two")).commit()
    repository.switch("main").write("b.py", "x = 1\n").commit()
    merged = repository.merge("side")
    assert states(repository, start)[0] == [("unchanged", start, "a.py", 0), ("body", merged, "a.py", 0)]


def test_a_commit_that_does_not_lead_there_has_no_stretches(repository):
    repository.write("a.py", PARSE.format(name="parse")).commit()
    aside = repository.branch("side").write("b.py", "x = 1\n").commit()
    repository.switch("main").write("b.py", "x = 2\n").commit()
    assert states(repository, aside, "main") == (
        [],
        f"{aside[:12]} does not lead to {repository.head[:12]}; only where it is there is known",
    )
    assert "is not in this clone" in states(repository, "0" * 40)[1]
