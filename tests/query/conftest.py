from __future__ import annotations

import pytest

from tests.builders.ledger import Ledger


@pytest.fixture(scope="session")
def indexed_shop(tmp_path_factory):
    return Ledger.make(tmp_path_factory.mktemp("indexed")).index()


@pytest.fixture
def ledger(indexed_shop, tmp_path):
    """A repository that is indexed, and nothing recorded yet."""
    return indexed_shop.copy_to(tmp_path)
