"""A repository to harvest."""

from __future__ import annotations

import pytest

from tests.builders.git import make_repository


@pytest.fixture
def repository(tmp_path):
    return make_repository(tmp_path)
