"""Index a repository at an old commit, then each of the commits after it, as a run after every push would.

In: a clone. Out: CPU seconds of one commit (median, 90th percentile), how many files each touched, and the first index beside it.
Follows first parents. What is timed is everything that is done for one commit: compare trees, parse new contents, write the rows.

    python benchmarks/index_commits.py --repo PATH [--last 100] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from comind.index.tree import IndexedTree, index_changes, index_tree
from comind.sources.git import GitRepository
from comind.store.location import StoreLocation
from comind.tables.lake import Lake
from comind.tables.parse_cache import LakeParseCache

TARGET_SECONDS = 0.3
MAX_FILE_BYTES = 1_000_000


def main() -> None:
    """Index, follow, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repo", type=Path, required=True)
    parser.add_argument("--last", type=int, default=100, help="commits")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as store:
        figures = followed(GitRepository.open(options.repo), Lake(StoreLocation.parse(store, os.environ)), options.last)
    print(json.dumps(figures) if options.json else "\n".join(f"{name:<24} {value}" for name, value in figures.items()))


def followed(repository: GitRepository, lake: Lake, last: int) -> dict[str, float]:
    """Index the oldest of the commits whole and the others by what they changed."""
    lake.create_missing()
    oldest, *commits = first_parents(repository.path, last + 1)
    began = time.process_time()
    write(lake, repository, index_tree(repository, oldest, LakeParseCache(lake), workers=0, max_file_bytes=MAX_FILE_BYTES))
    whole = time.process_time() - began
    seconds, touched, before = [], [], oldest
    for commit in commits:
        began = time.process_time()
        tree = index_changes(repository, before, commit, LakeParseCache(lake), workers=0, max_file_bytes=MAX_FILE_BYTES)
        write(lake, repository, tree)
        seconds.append(time.process_time() - began)
        touched.append(len(tree.paths or ()))
        before = commit
    return {
        "commits": len(commits),
        "files_touched_median": median(touched),
        "whole_cpu_s": round(whole, 2),
        "commit_cpu_s_median": round(median(seconds), 3),
        "commit_cpu_s_p90": round(quantiles(seconds, n=10)[-1], 3),
        "target_cpu_s": TARGET_SECONDS,
    }


def write(lake: Lake, repository: GitRepository, tree: IndexedTree) -> None:
    """Write the rows as the asset does."""
    lake.replace_repository_files("symbols", repository.repo_id, tree.paths, tree.symbols())
    lake.replace_repository_files("code_files", repository.repo_id, tree.paths, tree.code_files)


def first_parents(repository: Path, count: int) -> list[str]:
    """Return the ids of the last commits, the oldest first."""
    told = subprocess.run(
        ["git", "-C", repository, "rev-list", "--first-parent", f"--max-count={count}", "HEAD"], check=True, capture_output=True, text=True
    )
    return told.stdout.split()[::-1]


if __name__ == "__main__":
    main()
