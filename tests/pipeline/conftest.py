import os

import dagster as dg
import pytest

from comind.schemas import TABLES
from comind.store.location import StoreLocation
from comind.tables.lake import Lake
from comind_assets.definitions import defs
from comind_sensors.jobs import RUN_JOB
from tests.builders.git import make_repository

CACHED = "def price(item):\n    return CACHE.setdefault(item, item.cost * 2)\n"
PLAIN = "def price(item):\n    return item.cost * 2\n"


class Pipeline:
    """One store, some repositories, an instance of Dagster that forgets."""

    def __init__(self, tmp_path):
        self.store = tmp_path / "store"
        self.repositories = []
        self.max_flip_share = 0.0
        self.instance = dg.DagsterInstance.ephemeral(tempdir=str(tmp_path))

    @property
    def resource(self):
        repositories = [str(path) for path in self.repositories]
        return {"ledger": {"config": {"store": str(self.store), "repositories": repositories, "max_flip_share": self.max_flip_share}}}

    @property
    def location(self):
        return StoreLocation.parse(str(self.store), os.environ)

    @property
    def lake(self):
        return Lake(self.location)

    def run(self, job=RUN_JOB, *, raise_on_error=True, **config):
        quiet = {"console": {"config": {"log_level": "CRITICAL"}}}
        return defs.resolve_job_def(job).execute_in_process(
            instance=self.instance,
            raise_on_error=raise_on_error,
            run_config={"loggers": quiet, "resources": self.resource} | config,
        )

    def versions(self):
        return {name: self.lake.version(name) for name in TABLES}

    def objects(self):
        return {str(path.relative_to(self.store)) for path in (self.store / "_ledger" / "inbox").rglob("*")}


@pytest.fixture
def pipeline(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    for name in ("COMIND_STORE", "COMIND_REPOS"):
        monkeypatch.delenv(name, raising=False)
    return Pipeline(tmp_path)


@pytest.fixture
def shop(tmp_path, pipeline):
    """A repository with one attempt that was taken back."""
    repository = make_repository(tmp_path / "shop")
    repository.write("shop.py", PLAIN).commit("Sell things")
    cached = repository.write("shop.py", CACHED).commit("Cache prices")
    repository.revert(cached, f'Revert "Cache prices"\n\nThis reverts commit {cached}.\n\nPrices went stale after every sale.\n')
    pipeline.repositories.append(repository.path)
    return repository
