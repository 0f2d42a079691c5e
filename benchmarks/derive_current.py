"""How long `ledger_current` takes to derive, and how that grows: 10,000 and 100,000 records, two anchors each.

    python benchmarks/derive_current.py

Prints CPU and wall time of the best of a few runs (all cores count) and the ratio of the two sizes. 12 % of the rows are relations,
half of the records were harvested and have evidence checks; a tenth of the anchors moved, a tenth drifted, some are gone.
"""

from __future__ import annotations

import json
import random
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import polars as pl

from comind.anchors.explode import list_anchors
from comind.anchors.frames import conform, schema_of
from comind.anchors.locate import locate_anchors
from comind.canonical import canonical_bytes
from comind.drift.classify import classify_drift
from comind.ids import derived_id, new_id
from comind.status.derive import derive_current
from comind.status.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 3
REPO, OLD, HEAD = "github.com/example/service", "0a" * 20, "0f" * 20
NOW = datetime(2026, 11, 30, tzinfo=UTC)
PER_FILE = 12


def synthetic_records(n: int, rng: random.Random) -> pl.DataFrame:
    """Return `ledger_records`: n records with two anchors each, and 12 % as many relations about them."""
    rows = [_reason(number, 4 * n, rng) for number in range(n)]
    ids = [row["id"] for row in rows]
    rows += [_relation(rng.choice(ids), rng.choice(ids), rng) for _ in range(n * 12 // 100)]
    return pl.DataFrame(rows, schema=schema_of("ledger_records"))


def _row(raw: dict, when: datetime, **columns: object) -> dict:
    provenance = raw["provenance"]
    row = dict.fromkeys(schema_of("ledger_records"))
    known = {"id": raw["id"], "kind": raw["kind"], "lamport": raw["lamport"], "recorded_at": when, "record": canonical_bytes(raw).decode()}
    return (
        row
        | known
        | {"author_kind": provenance["author_kind"], "source": provenance["source"], "content_hash": "", "object_key": ""}
        | columns
    )


def _reason(number: int, symbols: int, rng: random.Random) -> dict:
    harvested = rng.random() < 0.5  # noqa: PLR2004 - half of them
    when = NOW - timedelta(days=rng.randrange(400))
    provenance = {"author_kind": "human", "source": "cli"}
    if harvested:
        provenance = {
            "author_kind": "harvested",
            "source": "git",
            "harvester": "reverts/1",
            "source_time": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
    raw = {
        "schema": 1, "id": derived_id("benchmark", str(number)) if harvested else new_id(), "lamport": 0, "kind": "attempt",
        "provenance": provenance, "title": f"Attempt {number}", "trigger": "when adding a cache", "body": "word " * 80,
        "anchors": [_anchor(rng.randrange(symbols)) for _ in range(2)], "evidence": [{"kind": "revert", "repo": REPO, "commit": OLD}],
        "fields": {"approach": "Cache it", "outcome": "reverted"},
    }  # fmt: skip
    return _row(raw, when, repo_id=REPO, title=raw["title"], trigger=raw["trigger"], body=raw["body"])


def _anchor(symbol: int) -> dict:
    path, key = _place(symbol)
    return {"scope": "symbol", "repo": REPO, "path": path, "symbol": key.replace(" . ", " 1.0 ").join(("comind ", "")), "commit": OLD}


def _place(symbol: int) -> tuple[str, str]:
    module = f"service/m{symbol // PER_FILE}"
    return f"src/{module}.py", f"pypi service . {module}/f{symbol}()."


def _relation(subject: str, successor: str, rng: random.Random) -> dict:
    kind = rng.choice(["supersedes", "retracts", "confirms", "confirms", "disputes"])
    fields = {
        "supersedes": {"old": subject, "new": successor, "override": True},
        "confirms": {"id": subject, "at_commit": HEAD},
    }.get(kind, {"id": subject, "reason": "It does not hold"})
    raw = {
        "schema": 1, "id": new_id(), "lamport": 1, "kind": kind, "fields": fields,
        "provenance": {"author_kind": rng.choice(["human", "agent"]), "source": "cli"},
    }  # fmt: skip
    return _row(raw, NOW - timedelta(days=rng.randrange(90)), subject_id=subject, successor_id=successor if kind == "supersedes" else None)


def fingerprinted(anchors: pl.DataFrame, rng: random.Random) -> tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]:
    """Return anchors with fingerprints, and `symbols` and `code_files` in which a tenth changed, a tenth is gone, a tenth moved."""
    body = (pl.col("sid").cast(pl.String).str.zfill(32).str.tail(16)).cast(pl.Binary)
    stamps = {"fingerprint_version": pl.lit("1"), "grammar_probe": pl.lit("p"), "n_tokens": pl.lit(60), "ordinal": pl.lit(0, pl.Int32)}
    known = anchors.with_columns(
        body_hash=body, sig_hash=body, shape_hash=body, n_twins=pl.lit(0), start_line=pl.lit(1), end_line=pl.lit(9), **stamps
    )
    symbols = known.unique("sid", maintain_order=True).with_columns(fate=pl.Series([rng.random() for _ in range(known["sid"].n_unique())]))
    fate = pl.col("fate")
    now = symbols.filter(fate > 0.1).with_columns(  # noqa: PLR2004 - shares of a tenth
        body_hash=pl.when(fate < 0.2).then(pl.lit(b"changed, changed")).otherwise("body_hash"),  # noqa: PLR2004
        path=pl.when(fate > 0.9).then(pl.lit("src/service/new.py")).otherwise("path"),  # noqa: PLR2004
        kind=pl.lit("function"),
    )
    files = now.select("repo_id", "path").unique().with_columns(status=pl.lit("parsed"))
    return known, conform(now, schema_of("symbols")), conform(files, schema_of("code_files"))


def checks_of(records: pl.DataFrame) -> pl.DataFrame:
    """Return a proven check for each harvested record."""
    harvested = records.filter(pl.col("author_kind") == "harvested")
    proven = harvested.select(
        check_id=pl.col("id") + "#0 revert_is_inverse", record_id="id", check=pl.lit("revert_is_inverse"), result=pl.lit("proven"),
        detail=pl.lit("the diff of the revert is the inverse of the reverted one"),
    )  # fmt: skip
    return conform(proven, schema_of("evidence_checks"))


def best(run: Callable[[], object]) -> dict[str, float]:
    """Return the smallest CPU and wall seconds of a few runs."""
    cpu, wall = [], []
    for _ in range(RUNS):
        began = time.process_time(), time.perf_counter()
        run()
        cpu.append(time.process_time() - began[0])
        wall.append(time.perf_counter() - began[1])
    return {"cpu_seconds": round(min(cpu), 3), "wall_seconds": round(min(wall), 3)}


def measure(n: int) -> dict[str, dict[str, float]]:
    """Return what each step costs for n records."""
    rng = random.Random(7)  # noqa: S311 - made-up data, the same in every run
    records = synthetic_records(n, rng)
    anchors, symbols, files = fingerprinted(list_anchors(records), rng)
    world = {"renames": {(REPO, OLD): {}}, "heads": {REPO: HEAD}}
    names = pl.DataFrame(schema={"repo_id": pl.String, "name": pl.String, "present": pl.Boolean})
    locations = locate_anchors(anchors, symbols, files, names_present=names, **world)
    drift, checks = classify_drift(anchors, locations, symbols), checks_of(records)
    current = derive_current(records, anchors, locations, drift, checks, policy=Policy(), as_of=NOW)
    print(f"{n:,} records:", dict(current["status"].value_counts(sort=True).iter_rows()))
    return {
        "list anchors": best(lambda: list_anchors(records)),
        "locate": best(lambda: locate_anchors(anchors, symbols, files, names_present=names, **world)),
        "classify drift": best(lambda: classify_drift(anchors, locations, symbols)),
        "derive current": best(lambda: derive_current(records, anchors, locations, drift, checks, policy=Policy(), as_of=NOW)),
    }


def main() -> None:
    """Measure both sizes and print the figures."""
    small, large = measure(10_000), measure(100_000)
    ratios = {step: round(large[step]["cpu_seconds"] / small[step]["cpu_seconds"], 1) for step in large}
    print(json.dumps({"10,000 records": small, "100,000 records": large, "cpu ratio": ratios}, indent=2))


if __name__ == "__main__":
    main()
