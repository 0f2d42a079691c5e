"""What the processes of a race do. Each function is one process's part; all start together.

Runs in processes of its own (`Racers`), which stay alive between races: starting one costs a second.
"""

import multiprocessing
import sys
import traceback
from dataclasses import dataclass

from comind.store.location import StoreLocation
from comind.tables import merge, upkeep
from comind.tables.compact import fast_fold, reconcile
from comind.tables.errors import PublishConflictError
from comind.tables.lake import Lake
from comind.tables.parse_cache import LakeParseCache
from tests.tables.blind import NOW, Blind
from tests.tables.builders import drifts, refusals, rows_of, symbols

_barrier = None


@dataclass
class Failed:
    """What a process died of, as text: not every exception can travel."""

    traceback: str


class Racers:
    """Some processes that run one function at the same moment."""

    def __init__(self, count):
        context = multiprocessing.get_context("spawn")
        self.count = count
        self._pool = context.Pool(count, _join, (context.Barrier(count),))

    def race(self, part, arguments):
        """Run `part(*arguments[i])` in process i; return what each returned."""
        assert len(arguments) == self.count
        outcomes = self._pool.map(_run, [(part, each) for each in arguments], chunksize=1)
        assert [outcome for outcome in outcomes if isinstance(outcome, Failed)] == []
        return outcomes

    def stop(self):
        self._pool.terminate()
        self._pool.join()


def _join(barrier):
    global _barrier  # noqa: PLW0603 - a pool's processes are told things only this way
    _barrier = barrier
    upkeep._SMALL_FILES, upkeep._INDEX_FROM = 4, 30  # so that writers index and join files while others write


def _run(task):
    part, arguments = task
    try:
        _barrier.wait(60)
        return part(*arguments)
    except Exception:  # noqa: BLE001 - whatever it is, the test shows it
        return Failed(traceback.format_exc())


def fold(location, keys):
    return fast_fold(Lake(location), Blind(location), now=NOW, hand_over=keys).folded


def fold_everything(location):
    return reconcile(Lake(location), Blind(location)).folded


def replace_files(location, repo_id, writer, rounds):
    """Index some of the same files again and again, with rows that say who wrote them."""
    lake = Lake(location)
    for turn in range(rounds):
        files = {f"f{(writer + step) % 5}.py": [f"w{writer}t{turn}", "same"] for step in range(3)}
        lake.replace_repository_files("symbols", repo_id, list(files), symbols(repo_id, files, head=f"{writer:020}{turn:020}"))


def publish_next(location, rounds):
    """Count up in a derived table, each time from what stands; return how often that was refused."""
    lake, refused, done = Lake(location), 0, 0
    while done < rounds:
        version, count = lake.version("anchor_drift"), int(lake.inputs_of("anchor_drift") or 0)
        rows = drifts(*(f"a{number}" for number in range(count % 7 + 1)))
        try:
            lake.publish("anchor_drift", rows, inputs=str(count + 1), expected_version=version)
        except PublishConflictError:
            refused += 1
        else:
            done += 1
    return refused


def write_state(location, writer, rounds):
    """Write the same keys as everybody and some of one's own, and add parses."""
    lake = Lake(location)
    for turn in range(rounds):
        shared = {f"shared{number}": str(turn) for number in range(20)}
        lake.upsert("harvest_refusals", refusals(**shared, **{f"own{writer}x{turn}": "mine"}))
        LakeParseCache(lake).add(rows_of("parse_cache", [{"key": f"k{turn}"}, {"key": f"own{writer}x{turn}"}]))


def main():
    """Fold the keys that stdin names, five at a time, and say when: `python -m tests.tables.racing STORE`."""
    location = StoreLocation.parse(sys.argv[1], {})
    merge.BATCH = 5  # many commits, so that there is much to be killed between
    print("ready", flush=True)  # noqa: T201 - the test waits for it
    fast_fold(Lake(location), Blind(location), now=NOW, hand_over=sys.stdin.readline().split())


if __name__ == "__main__":
    main()
