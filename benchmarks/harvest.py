"""Harvest a whole history, then what is new in it, then nothing: what each costs, and in what relation.

In: a clone. Out: CPU seconds of this process and its parsers, by asset, as text or JSON. Each round is a store of its own; `new` reads the
newest commits on top of the rest, so its share of `cold` says whether the cost grows with what is new.

    python benchmarks/harvest.py --repo PATH [--new 50] [--json]
"""

import argparse
import json
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

from comind_assets.harvest import document_harvest, git_harvest
from comind_resources.ledger import LedgerResource

TARGET_COLD_SECONDS = 60.0  # of the history of commons-lang, about 9,700 commits
TARGET_NOTHING_SECONDS = 1.0
ASSETS: dict[str, Callable[[LedgerResource], Iterable[object]]] = {
    "git_harvest": lambda ledger: [git_harvest(ledger=ledger)],
    "document_harvest": lambda ledger: list(document_harvest(ledger=ledger)),
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--new", type=int, default=50, help="commits that the second harvest finds new")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    figures = measured(options.repo.resolve(), options.new)
    print(json.dumps(figures) if options.json else "\n".join(f"{name:<36} {value}" for name, value in figures.items()))


def measured(repository: Path, new: int) -> dict[str, float]:
    """CPU seconds of three harvests of a clone."""
    with tempfile.TemporaryDirectory() as home:
        clone = Path(home, "clone")
        git(Path(home), "clone", "-q", "--bare", str(repository), str(clone))
        head = git(clone, "rev-parse", "HEAD")
        ledger = LedgerResource(store=str(Path(home, "store")), repositories=[str(clone)])
        figures: dict[str, float] = {"commits": int(git(clone, "rev-list", "--count", "HEAD")), "new_commits": new}
        for step, commit in (("old", f"{head}~{new}"), ("new", head), ("nothing", head)):
            git(clone, "update-ref", "--no-deref", "HEAD", git(clone, "rev-parse", commit))
            figures |= {f"{name}_{step}_cpu_seconds": seconds for name, seconds in timed(ledger).items()}
        whole = LedgerResource(store=str(Path(home, "other")), repositories=[str(clone)])
        figures |= {f"{name}_cold_cpu_seconds": seconds for name, seconds in timed(whole).items()}
    for step in ("new", "nothing"):
        share = sum(figures[f"{name}_{step}_cpu_seconds"] for name in ASSETS) / sum(figures[f"{name}_cold_cpu_seconds"] for name in ASSETS)
        figures[f"{step}_over_cold"] = round(share, 4)
    return figures | {"target_cold_cpu_seconds": TARGET_COLD_SECONDS, "target_nothing_cpu_seconds": TARGET_NOTHING_SECONDS}


def timed(ledger: LedgerResource) -> dict[str, float]:
    """CPU seconds of one harvest, by asset."""
    spent = {}
    for name, harvest in ASSETS.items():
        began = cpu_seconds()
        harvest(ledger)
        spent[name] = round(cpu_seconds() - began, 2)
    return spent


def cpu_seconds() -> float:
    """Of this process and of the parsers that have ended."""
    used = [getrusage(who) for who in (RUSAGE_SELF, RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def git(directory: Path, *arguments: str) -> str:
    """Run git and return what it printed."""
    return subprocess.run(["git", "-C", str(directory), *arguments], check=True, capture_output=True, text=True).stdout.strip()


if __name__ == "__main__":
    main()
