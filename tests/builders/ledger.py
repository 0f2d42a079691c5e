"""A real ledger in a directory: a git repository, a store with real tables, records folded and derived as the pipeline does it.

``Ledger.make(tmp_path)`` commits a small repository; ``index()`` fills the code tables, ``write()`` puts records into the inbox,
``fold()`` folds them, ``derive()`` works out what is known of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from shutil import copytree
from typing import TYPE_CHECKING, Self

import polars as pl

from comind.anchors.explode import anchored_files, explode_anchors
from comind.anchors.frames import NAMES
from comind.anchors.head import heads_of
from comind.anchors.locate import locate_anchors
from comind.drift.classify import classify_drift
from comind.index.blobs import MemoryParseCache, cache_key
from comind.index.edges import fold_places
from comind.index.past import definitions_at
from comind.index.resolve.organisation import Organisation
from comind.index.tree import index_tree
from comind.query.checkouts import Checkouts
from comind.query.pending import open_view
from comind.records.codec import encode
from comind.sources.git import GitRepository
from comind.status.derive import derive_current
from comind.status.policy import Policy
from comind.store.inbox import Inbox
from comind.store.location import StoreLocation
from comind.tables.compact import fast_fold
from comind.tables.lake import Lake
from tests.builders.git import RepositoryBuilder, make_repository

if TYPE_CHECKING:
    from pathlib import Path

NAME = "example.org/shop"
PATH = "shop/cart.py"
SOURCE = '''\
"""A cart."""

LIMIT = 10


class Cart:
    """What somebody wants to buy."""

    def total(self, items, discount):
        """Add up the prices."""
        amount = 0
        for item in items:
            if item.price < 0:
                raise ValueError(item)
            amount += item.price * item.count
        return amount - discount

    def empty(self):
        return not self.items


def checkout(cart, card):
    return card.charge(cart.total(cart.items, 0))
'''


@dataclass
class Ledger:
    """A store and the repository that it knows."""

    repository: RepositoryBuilder
    store: Path

    @classmethod
    def make(cls, directory: Path) -> Self:
        repository = make_repository(directory, "shop")
        repository.git("remote", "add", "origin", f"https://{NAME}.git")
        repository.write("pyproject.toml", '[project]\nname = "shop"\nversion = "1.0"\n').write(PATH, SOURCE).commit("Sell things")
        return cls(repository, directory / "store")

    def copy_to(self, directory: Path) -> Self:
        """Copy repository and store; tests share one that was indexed once."""
        copytree(self.repository.path, directory / "shop")
        copytree(self.store, directory / "store")
        return type(self)(RepositoryBuilder(directory / "shop", list(self.repository.commits)), directory / "store")

    @property
    def location(self):
        return StoreLocation.parse(str(self.store), {"HOME": str(self.store.parent / "home")})

    @property
    def lake(self):
        return Lake(self.location)

    @property
    def inbox(self):
        return Inbox(self.location)

    def git(self):
        return GitRepository.open(self.repository.path)

    def index(self) -> Self:
        repo = self.git()
        cache = MemoryParseCache()
        tree = index_tree(repo, repo.head, cache, workers=0, max_file_bytes=1_000_000)
        self.lake.replace_repository_files("code_files", NAME, None, tree.code_files)
        self.lake.replace_repository_files("symbols", NAME, None, tree.symbols())
        files = pl.DataFrame(pl.from_arrow(tree.code_files))
        organisation = Organisation(files, lambda _, requests: cache.lookup([cache_key(one.blob, one.language) for one in requests]))
        heads = files.filter(pl.col("path") == "").select("repo_id", "head_commit")
        self.lake.replace_repository_files("edges", NAME, None, fold_places(organisation.places(NAME), heads))
        return self

    def write(self, *records) -> Self:
        self.inbox.put_many([(record.id, encode(record)) for record in records])
        return self

    def fold(self) -> Self:
        fast_fold(self.lake, self.inbox, now=datetime.now(UTC))
        return self

    def derive(self, *, as_of=None) -> Self:
        lake, repo = self.lake, self.git()
        records, symbols, files = lake.read("ledger_records"), lake.read("symbols"), lake.read("code_files")
        places = [(commit, path) for _, commit, path in anchored_files(records).iter_rows()]
        code = definitions_at(repo, places, MemoryParseCache(), workers=0) if places else pl.DataFrame()
        anchors = explode_anchors(records, code)
        locations = locate_anchors(anchors, symbols, files, renames={}, names_present=pl.DataFrame(schema=NAMES), heads=heads_of(files))
        drift = classify_drift(anchors, locations, symbols)
        checks = lake.read("evidence_checks")
        current = derive_current(records, anchors, locations, drift, checks, policy=Policy(), as_of=as_of or datetime.now(UTC))
        tables = {"ledger_anchors": anchors, "anchor_locations": locations, "anchor_drift": drift, "ledger_current": current}
        for name, rows in tables.items():
            lake.publish(name, rows, inputs="test")
        return self

    def view(self, *, now=None, policy=None):
        return open_view(self.lake, self.inbox, policy or Policy(), now=now or datetime.now(UTC))

    def checkouts(self):
        return Checkouts(self.repository.path)

    def anchor(self, descriptors="`shop.cart`/Cart#total().", **more):
        """Plain JSON of an anchor at the head."""
        anchor = {
            "scope": "symbol",
            "repo": NAME,
            "path": PATH,
            "symbol": f"comind pypi shop . {descriptors}",
            "commit": self.repository.head,
        }
        return anchor | more
