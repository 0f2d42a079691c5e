"""A bundle becomes a repository, or says why not."""

from __future__ import annotations

import pytest

from comind.sources.git.bundles import BundleUnreadableError, clone_bundle
from comind.sources.git.repository import GitRepository
from tests.builders.git import make_repository


def test_a_bundle_becomes_a_bare_repository_at_its_head(tmp_path):
    repository = make_repository(tmp_path)
    head = repository.write("a", "1").commit()
    repository.git("bundle", "create", "-q", str(tmp_path / "it.bundle"), "HEAD")
    cloned = clone_bundle(tmp_path / "it.bundle", tmp_path / "clone.git")
    assert GitRepository.open(cloned, name="example").head == head


def test_a_file_that_is_no_bundle_is_named(tmp_path):
    (tmp_path / "it.bundle").write_text("not a bundle")
    with pytest.raises(BundleUnreadableError, match=r"it\.bundle"):
        clone_bundle(tmp_path / "it.bundle", tmp_path / "clone.git")
