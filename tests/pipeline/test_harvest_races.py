"""Two real processes that harvest one repository into one store at the same time."""

import os
import subprocess
import sys
from collections import Counter

import pytest

from comind.store.inbox import Inbox
from comind.store.location import StoreLocation

HARVEST = """
import sys
from comind_assets.harvest import document_harvest, git_harvest
from comind_resources.ledger import LedgerResource

ledger = LedgerResource(store=sys.argv[1], repositories=[sys.argv[2]])
bodies = [lambda: git_harvest(ledger=ledger), lambda: list(document_harvest(ledger=ledger))]
print("ready", flush=True)
sys.stdin.readline()
for body in bodies if sys.argv[3] == "forward" else reversed(bodies):
    body()
"""
DECISION = "# {n}. Keep prices in cents {n}\n\n## Status\n\nAccepted\n\n## Context\n\nFloats.\n\n## Decision\n\nWe will keep integers.\n"


@pytest.fixture
def told(shop):
    """A repository in which every source has something to say."""
    for number in range(1, 9):
        shop.write(f"docs/adr/{number:04}-decide.md", DECISION.format(n=number))
        shop.write("shop.py", f"def price(item):\n    return item.cost * {number}\n")
        shop.commit(
            f"Step {number}\n\nLore-id: {number:08x}\nRejected: Redis {number} | stale\nConstraint: Every price is a number {number}\n"
        )
    return shop


def start(pipeline, repository, order):
    command = [sys.executable, "-c", HARVEST, str(pipeline.store), str(repository.path), order]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    )


def test_each_record_is_written_once_whoever_comes_first(pipeline, told):
    runners = [start(pipeline, told, order) for order in ("forward", "backward")]
    assert [runner.stdout.readline() for runner in runners] == ["ready\n"] * 2
    for runner in runners:
        runner.stdin.write("go\n")
        runner.stdin.flush()
    assert [runner.communicate(timeout=120) and runner.returncode for runner in runners] == [0, 0]
    objects = Inbox(StoreLocation.parse(str(pipeline.store), {})).list_all().objects
    assert len(objects) == 1 + 8 + 16  # the revert, the documents, the trailers
    assert set(Counter(one.record_id for one in objects).values()) == {1}
    pipeline.repositories = [told.path]
    before = pipeline.objects()
    pipeline.run()
    assert pipeline.objects() == before
    assert pipeline.lake.count("ledger_records") == len(objects)
    assert sorted(pipeline.lake.read("git_harvest")["source"]) == ["reverts", "trailers"]
    assert pipeline.lake.count("unreadable_objects") == 0
