"""A store of its own for every test, and the inbox and lake in it."""

from uuid import uuid4

import pytest

from comind.store.inbox import Inbox
from comind.store.location import StoreLocation
from comind.tables.lake import Lake
from tests.builders.s3 import shared_s3_server


@pytest.fixture
def location(tmp_path):
    return StoreLocation.parse(str(tmp_path / "store"), {"XDG_CACHE_HOME": str(tmp_path / "cache")})


@pytest.fixture
def s3_location():
    return StoreLocation.parse(f"s3://ledger/{uuid4().hex}", shared_s3_server().env())


@pytest.fixture
def lake(location):
    return Lake(location)


@pytest.fixture
def inbox(location):
    return Inbox(location)
