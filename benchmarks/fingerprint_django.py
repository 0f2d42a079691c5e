"""What it costs to parse the source of Django, with fingerprints, definitions and references, beside parsing it with tree-sitter alone.

    python benchmarks/fingerprint_django.py [--tree PATH] [--json]

In: a source tree; without one, the wheel of Django 5.2 is downloaded and unpacked for the run. Out: CPU seconds of one process,
the best of three for each of its ``.py`` files, summed; and their ratio.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from comind.fingerprints import parse_source
from comind.syntax.grammar import grammar_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from comind.fingerprints import Parse

REQUIREMENT = "Django==5.2.*"
REPEATS = 3
MOST_SECONDS = 2.5
MOST_RATIO = 2.4
KIB_PER_MIB = 1024  # Linux reports the peak in KiB


def main() -> None:
    """Read the arguments, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tree", type=Path, help="a folder of Python files, in place of the download")
    parser.add_argument("--json", action="store_true", help="print one object of named figures")
    arguments = parser.parse_args()
    if arguments.tree:
        figures = measure(read(arguments.tree))
    else:
        with tempfile.TemporaryDirectory() as folder:
            figures = measure(read(download(Path(folder))))
    print(json.dumps(figures) if arguments.json else "\n".join(f"{name:28} {figure}" for name, figure in figures.items()))


def download(folder: Path) -> Path:
    """Unpack Django's wheel and return where it is; nothing of it is installed or run."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", str(folder), REQUIREMENT]
    subprocess.run(command, check=True)
    tree = folder / "tree"
    for wheel in folder.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(tree)
    return tree


def read(tree: Path) -> list[bytes]:
    """Read every Python file below a folder."""
    sources = [path.read_bytes() for path in sorted(tree.rglob("*.py")) if path.is_file()]
    if not sources:
        sys.exit(f"no .py file below {tree}; give --tree a folder of Python source")
    return sources


def measure(sources: list[bytes]) -> dict[str, float]:
    """Time both ways on one file after the other, so that a busy machine slows them alike."""
    grammar = grammar_of("python")
    parsing = whole = 0.0
    for source in sources:
        rounds = [(seconds(grammar.parse, source), seconds(fingerprint, source)) for _ in range(REPEATS)]
        parsing += min(bare for bare, _ in rounds)
        whole += min(both for _, both in rounds)
    return {
        "files": len(sources),
        "source_mb": round(sum(map(len, sources)) / 1e6, 2),
        "symbols": sum(len(fingerprint(source).definitions) for source in sources),
        "tree_sitter_cpu_s": round(parsing, 3),
        "fingerprint_cpu_s": round(whole, 3),  # parsing included
        "ratio": round(whole / parsing, 2),
        "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // KIB_PER_MIB,
        "target_cpu_s": MOST_SECONDS,
        "target_ratio": MOST_RATIO,
    }


def fingerprint(source: bytes) -> Parse:
    """Do what the index does with a file."""
    return parse_source(source, "python")


def seconds(read: Callable[[bytes], object], source: bytes) -> float:
    """Return the CPU seconds that it takes to read one file once."""
    start = time.process_time()
    read(source)
    return time.process_time() - start


if __name__ == "__main__":
    main()
