"""A run that finds nothing new, beside the same graph of assets with empty bodies.

In: a repository. Out: seconds from process start to end, medians, as text or JSON. The difference is what our stages add to Dagster's own
start, its events and its checks; each run is a new process on one instance, both kinds in turn.

    python benchmarks/second_run.py --repo PATH [--rounds 5] [--json]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from pathlib import Path
from statistics import median

import dagster as dg

from comind_assets.definitions import defs
from comind_sensors.jobs import RUN_JOB

TARGET_ADDED_SECONDS = 2.0
ROOT = Path(__file__).parents[1]


def main() -> None:
    """Run once, then time runs with nothing new."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--hollow", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.hollow:
        run_hollow()
        return
    figures = timed(options.repo.resolve(), options.rounds)
    print(json.dumps(figures) if options.json else "\n".join(f"{name:<24} {value}" for name, value in figures.items()))


def timed(repository: Path, rounds: int) -> dict[str, float]:
    """Medians over interleaved rounds; the first run of each kind is not counted."""
    with tempfile.TemporaryDirectory() as home:
        (Path(home) / "dagster.yaml").write_bytes((ROOT / "dagster.yaml").read_bytes())
        environment = {**os.environ, "DAGSTER_HOME": home, "XDG_STATE_HOME": home, "COMIND_STORE": f"{home}/store", "PYTHONPATH": str(ROOT)}
        commands = {
            "hollow": [sys.executable, __file__, "--hollow", "--repo", "."],
            "second_run": [
                sys.executable,
                "-c",
                "import sys; from comind.cli.main import main; sys.exit(main())",
                "run",
                "--repo",
                str(repository),
            ],
        }
        seconds: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds + 1):
            for name, command in commands.items():
                began = time.perf_counter()
                subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
                seconds[name].append(time.perf_counter() - began)
    medians = {f"{name}_seconds": round(median(all_of[1:]), 2) for name, all_of in seconds.items()}
    added = medians["second_run_seconds"] - medians["hollow_seconds"]
    return {**medians, "added_seconds": round(added, 2), "target_added_seconds": TARGET_ADDED_SECONDS}


def run_hollow() -> None:
    """Execute the run job's graph with bodies that do nothing."""
    graph = defs.resolve_job_def(RUN_JOB).asset_layer.asset_graph
    definitions = dg.Definitions(
        assets=[hollow_asset(key, graph.get(key).parent_keys) for key in graph.executable_asset_keys],
        asset_checks=[hollow_check(check) for check in graph.asset_check_keys],
        jobs=[dg.define_asset_job("hollow", selection=dg.AssetSelection.all())],
        executor=dg.in_process_executor,
    )
    definitions.resolve_job_def("hollow").execute_in_process(
        instance=dg.DagsterInstance.get(), run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}}
    )


def hollow_asset(key: dg.AssetKey, parents: Collection[dg.AssetKey]) -> dg.AssetsDefinition:
    """Return an asset of that name and place in the graph that does nothing."""

    @dg.asset(key=key, deps=list(parents))
    def nothing(context: dg.AssetExecutionContext) -> None:
        context.add_output_metadata({"rows": 0})

    return nothing


def hollow_check(key: dg.AssetCheckKey) -> dg.AssetChecksDefinition:
    """Return a check of that name that always passes."""

    @dg.asset_check(asset=key.asset_key, name=key.name, blocking=True)
    def passes() -> dg.AssetCheckResult:
        return dg.AssetCheckResult(passed=True)

    return passes


if __name__ == "__main__":
    main()
