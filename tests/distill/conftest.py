"""A repository to distil, and what its gate says of commits."""

from __future__ import annotations

import pytest

from comind.distill.gate import brief_commits
from comind.harvest.sources import Reading
from comind.index.past import SymbolsAt
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository

REASON = "The cache kept stale rows after a sale, because nobody invalidates it."


def reading_of(builder, *, since=None):
    repo = GitRepository.open(builder.path, name="example")
    return Reading(repository=repo, since=since, branches=(), symbols_at=SymbolsAt(repo), progress=lambda _done, _all: None)


@pytest.fixture
def repository(tmp_path):
    found = make_repository(tmp_path)
    found.write("shop.py", "class Shop:\n    def price(self):\n        return ask()\n\n    def stock(self):\n        return 1\n").commit(
        "Start"
    )
    return found


@pytest.fixture
def judge(repository):
    """Pass commits of the repository through the gate; by default the last one."""

    def run(*commits, known=lambda _places, **_: ()):
        found = list(brief_commits(reading_of(repository), commits or [repository.commits[-1]], known))
        return found if len(commits) > 1 else found[0]

    return run
