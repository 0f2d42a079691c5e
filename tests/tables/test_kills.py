"""Folds that die at any moment, and what the next one makes of it."""

import random
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from comind.store.inbox import Inbox
from comind.tables import merge
from comind.tables.catalog import Table
from comind.tables.compact import fast_fold, reconcile
from comind.tables.lake import Lake
from tests.tables.blind import NOW
from tests.tables.inboxes import mixed_objects, tables_for, tables_of, write

OBJECTS = mixed_objects(30)


def test_killed_folds_and_a_rerun_give_the_same_rows(location):
    write(location, OBJECTS)
    chance = random.Random(4)
    command = [sys.executable, "-m", "tests.tables.racing", location.root]
    victims = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    for commits, victim in enumerate(victims):
        with victim:
            assert victim.stdout.readline() == "ready\n"
            enough = commits_in(location) + commits
            victim.stdin.write(" ".join(chance.sample(sorted(OBJECTS), len(OBJECTS))) + "\n")
            victim.stdin.flush()
            time.sleep(chance.uniform(0, 0.05))
            while commits_in(location) < enough and victim.poll() is None:
                time.sleep(0.001)
            victim.kill()
            victim.wait()
    assert signal.SIGKILL in [-victim.returncode for victim in victims]
    assert 0 < Lake(location).count("ledger_records") < len(OBJECTS)
    fast_fold(Lake(location), Inbox(location), now=NOW)
    assert tables_of(Lake(location)) == tables_for(OBJECTS)


def commits_in(location):
    return sum(1 for _ in Path(location.root).glob("_ledger/tables/*/_versions/*.manifest"))


class DiedError(BaseException):
    """The process ends here; nothing of it runs any more."""


@pytest.mark.parametrize("finish", ["fast", "full"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_fold_that_dies_at_any_write_is_finished_by_the_next(location, monkeypatch, moment, finish):
    """Dies at the first write, runs on to the second, and so on until one gets through."""
    objects = list(OBJECTS.items())
    monkeypatch.setattr(merge, "BATCH", 12)
    for last in count(1):
        write(location, dict(objects[: 15 * last]))
        if not dies_at(location, monkeypatch, 1 + last % 7, moment) and 15 * last >= len(objects):
            break
    lake = Lake(location)
    _ = fast_fold(lake, Inbox(location), now=NOW) if finish == "fast" else reconcile(lake, Inbox(location))
    assert tables_of(lake) == tables_for(OBJECTS)


def dies_at(location, monkeypatch, number, moment):
    """Run a fold that dies before or after its write of this number; say whether it died."""
    writes = count(1)

    def deadly(write):
        def wrapped(*arguments):
            dying = next(writes) == number
            if dying and moment == "before":
                raise DiedError
            done = write(*arguments)
            if dying:
                raise DiedError
            return done

        return wrapped

    with monkeypatch.context() as patch:
        for owner, name in ((Table, "extend"), (merge, "update_where"), (merge, "upsert"), (merge, "delete")):
            patch.setattr(owner, name, deadly(getattr(owner, name)))
        try:
            fast_fold(Lake(location), Inbox(location), now=NOW)
        except DiedError:
            return True
    return False
