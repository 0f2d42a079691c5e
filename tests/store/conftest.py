import os
import uuid

import pytest

from comind.store.location import Patience, StoreLocation
from tests.builders.s3 import Identity, shared_s3_server

pytest.register_assert_rewrite("tests.store.contract")


@pytest.fixture(autouse=True)
def _no_credentials_of_the_person_who_runs_the_tests(monkeypatch):
    for name in os.environ:
        if name.startswith(("AWS_", "GOOGLE_", "AZURE_")):
            monkeypatch.delenv(name)


@pytest.fixture
def local_location(tmp_path):
    return StoreLocation.parse(str(tmp_path / "store"), {"XDG_CACHE_HOME": str(tmp_path / "cache")})


@pytest.fixture
def s3_store():
    """One store on the shared server, seen by any identity: ``s3_store(Identity.READER)``."""
    uri, patience = f"s3://ledger/{uuid.uuid4()}", Patience(request_seconds=90)  # the loser of a race of 32 waits up to 31 seconds
    return lambda identity=Identity.ADMIN: StoreLocation.parse(uri, shared_s3_server().env(identity), patience=patience)
