"""Likeness alone takes a declaration to a place only where it is great, and never makes it sure."""

from __future__ import annotations

import pytest

from comind.anchors.changes import Place
from comind.anchors.follow import Follower
from comind.anchors.support import Support, is_enough, support_of
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository

SEND = """\
def {name}(queue):
    for number in range(queue.limit):
        message = queue.take(timeout=number)
        if message is None or message.expired:
            continue
        {call}(message, retries=queue.retries)
"""


@pytest.mark.parametrize(
    ("values", "support"),
    [
        ({"bsim": 0.9}, Support.LIKENESS),
        ({"bsim": 0.9, "prev": 1.0}, Support.NEIGHBOUR),
        ({"bsim": 0.9, "prev": 0.7, "next": 0.7}, Support.LIKENESS),
        ({"bsim": 0.9, "prev": 1.0, "next": 1.0}, Support.PLACE),
        ({"bsim": 0.9, "sub": 0.4}, Support.TOLD),
        ({"bsim": 1.0, "beq": True}, Support.TOLD),
        ({"bsim": 0.5, "name_eq": 1.0}, Support.TOLD),
        ({"name_eq": 1.0, "same_cont": 1.0}, Support.LIKENESS),
    ],
)
def test_names_calls_and_neighbours_support_a_pair(values, support):
    assert support_of(values) is support


@pytest.mark.parametrize(
    ("group", "values", "p", "enough"),
    [
        ("method", {"bsim": 0.7}, 0.9, False),
        ("method", {"bsim": 0.7, "next": 1.0}, 0.9, True),
        ("method", {"bsim": 0.4, "next": 1.0}, 0.9, False),
        ("method", {"bsim": 0.4, "sub": 0.5}, 0.5, True),
        ("method", {"bsim": 0.9}, 0.8, True),
        ("method", {"bsim": 0.9}, 0.6, False),
        ("method", {"bsim": 1.0, "beq": True}, 0.4, False),
        ("class", {"bsim": 0.6, "name_sim": 0.9, "lead": 1.0}, 0.9, True),
        ("class", {"bsim": 0.6, "name_sim": 0.9, "lead": 0.1}, 0.9, False),
        ("field", {"name_eq": 1.0}, 0.9, False),
        ("field", {"name_eq": 1.0, "nobody": 1.0}, 0.6, True),
        ("field", {"nobody": 1.0}, 0.6, False),
    ],
)
def test_the_less_else_a_pair_is_known_by_the_more_alike_it_has_to_be(group, values, p, enough):
    assert is_enough(group, values, p) is enough


def followed(tmp_path, before, after):
    repository = make_repository(tmp_path)
    start = repository.write("a.py", before).commit()
    repository.write("a.py", after).commit()
    return Follower(GitRepository.open(repository.path)).follow(Place("a.py", "send().", 0), start, repository.head)


def test_a_rename_that_no_caller_shows_is_likely_at_most(tmp_path):
    after = SEND.format(name="send_all", call="log") + "\n\nLIMIT = 3\n"
    found = followed(tmp_path, SEND.format(name="send", call="deliver"), after)
    assert (found.place, found.level) == (Place("a.py", "send_all().", 0), "likely")


def test_a_rename_that_callers_show_is_sure(tmp_path):
    calls = "\n\ndef main(queue, other):\n    {0}(queue)\n    return {0}(other)\n"
    before = SEND.format(name="send", call="deliver") + calls.format("send")
    after = SEND.format(name="send_all", call="log") + calls.format("send_all")
    found = followed(tmp_path, before, after)
    assert (found.place, found.level) == (Place("a.py", "send_all().", 0), "sure")
