"""Ask what a change may reach in an organisation of 1,000 repositories, beside one of ten.

In: nothing; two synthetic organisations of definitions and references are made and written as tables. Out: milliseconds per question, warm,
for definitions with at least one caller and for a hub, and the ratio of the large organisation to the small one.
Who is called how often follows a power law with exponent 2.05 (most are never called, a few by thousands), 15 % of the references lead into
another repository: the shape of ten large open-source repositories.

    python benchmarks/ripple.py [--questions 40] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl

from comind.index.publish import to_table
from comind.query.reach import BEHAVIOUR, TO_CALLERS, Reach, walk_edges
from comind.store.location import StoreLocation
from comind.tables.lake import Lake

SMALL, LARGE = 20_000, 2_000_000  # definitions
PER_REPOSITORY = 2_000
PER_FILE = 15
KINDS = {"calls": 0.66, "imports": 0.2, "references": 0.1, "extends": 0.04}
CALLS = 4.6  # per definition
ALPHA, NEVER, ACROSS = 2.05, 0.55, 0.15
HUB_CALLERS = 10_000
HOPS = 3
TARGET_MS, TARGET_HUB_MS = 50, 150


@dataclass(frozen=True)
class Organisation:
    """Tables, the definitions to ask about, and the hub."""

    lake: Lake
    called: list[int]
    hub: int


def main() -> None:
    """Make, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--json", action="store_true", help="print one object of named figures")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        small, large = (make(Path(folder) / str(size), size) for size in (SMALL, LARGE))
        figures = measure(small, large, arguments.questions)
    print(json.dumps(figures) if arguments.json else "\n".join(f"{name:28} {figure}" for name, figure in figures.items()))


def make(folder: Path, size: int) -> Organisation:
    """Write an organisation of so many definitions; sids are spread as hashes are."""
    random = np.random.default_rng(20)
    sids = random.permutation(np.arange(size, dtype=np.int64) * (2**62 // size) - 2**61)
    calls = int(size * CALLS)
    src = random.integers(0, size, calls)
    weight = np.minimum(random.pareto(ALPHA - 1, size) + 1, 20_000) * (random.random(size) > NEVER)
    sums = np.concatenate([[0.0], np.cumsum(weight)])
    home = src // PER_REPOSITORY * PER_REPOSITORY
    across = random.random(calls) < ACROSS
    low, high = np.where(across, 0, sums[home]), np.where(across, sums[-1], sums[np.minimum(home + PER_REPOSITORY, size)])
    dst = np.clip(np.searchsorted(sums, low + random.random(calls) * (high - low), side="right") - 1, 0, size - 1)
    hub = size - 1
    dst[: HUB_CALLERS + HUB_CALLERS // 20] = hub  # some of them twice from one definition
    edges = pl.DataFrame({
        "src": sids[src], "dst": sids[dst], "repository": src // PER_REPOSITORY, "file": src // PER_FILE,
        "kind": random.choice(list(KINDS), calls, p=list(KINDS.values())), "resolved_by": random.choice(["import", "typed"], calls),
        "line": random.integers(1, 900, calls), "n_places": random.geometric(0.8, calls),
    }).unique(["src", "dst"])  # fmt: skip
    lake = Lake(StoreLocation.parse(str(folder), os.environ))
    publish(lake, edges)
    called = edges["dst"].unique().sample(1_000, seed=3).to_list()
    return Organisation(lake, called, int(sids[hub]))


def publish(lake: Lake, edges: pl.DataFrame) -> None:
    """Write references as a table with its indexes."""
    rows = edges.with_columns(
        repo_id=pl.format("example.org/team/repository-{}", "repository"), path=pl.format("src/package/module_{}.py", "file")
    )
    lake.publish("edges", to_table("edges", rows.sort("repo_id", "path", "src")), inputs="benchmark")
    lake.maintain("edges")


def measure(small: Organisation, large: Organisation, questions: int) -> dict[str, float]:
    """Ask both in turn, so that a busy machine slows them alike; the first of each warms up."""
    times: dict[str, list[float]] = {name: [] for name in ("small", "large", "hub")}
    reached = []
    for number in range(questions + 1):
        for name, organisation in (("small", small), ("large", large)):
            times[name].append(asked(organisation.lake, organisation.called[number])[0])
        seconds, *hub = asked(large.lake, large.hub)
        times["hub"].append(seconds)
        reached.append(hub)
    middle = {name: median(values[1:]) * 1000 for name, values in times.items()}
    return {
        "definitions": LARGE,
        "references": large.lake.count("edges"),
        "ripple_ms": round(middle["large"], 1),
        "ripple_ms_small": round(middle["small"], 1),
        "ratio": round(middle["large"] / middle["small"], 2),
        "hub_ms": round(middle["hub"], 1),
        "hub_reached": reached[0][0],
        "hub_not_followed": reached[0][1],
        "hub_not_read": reached[0][2],
        "target_ms": TARGET_MS,
        "target_hub_ms": TARGET_HUB_MS,
    }


def asked(lake: Lake, sid: int) -> tuple[float, int, int, int]:
    """Return the seconds of one walk, how many definitions it reached, from how many it did not go on, and references left unread."""
    start = time.perf_counter()
    steps = walk_edges(lake, [sid], Reach(direction=TO_CALLERS, kinds=BEHAVIOUR, hops=HOPS))
    return time.perf_counter() - start, steps.rows.height, steps.not_followed, steps.not_read


if __name__ == "__main__":
    main()
