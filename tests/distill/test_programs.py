"""Programs that commit, and files that nobody writes."""

from __future__ import annotations

import pytest

from comind.distill.programs import is_program, only_documents, only_made_by_programs
from comind.sources.git.history import PathChange
from comind.sources.git.signatures import Signature


@pytest.mark.parametrize(
    "name",
    [
        "dependabot[bot]",
        "Renovate Bot",
        "OpenStack Proposal Bot",
        "pre-commit-ci[bot]",
        "SDL Wiki Bot",
        "engine-flutter-autoroll",
        "weblate",
    ],
)
def test_a_program_is_told_by_its_name(name):
    assert is_program(Signature(name, "x@example.uk"))


@pytest.mark.parametrize(
    "name", ["Abbot Lee", "Robotnik", "Jenkinson", "Boris Robert", "copilot-swe-agent[bot]", "claude[bot]", "", "\ufffd"]
)
def test_people_and_agents_that_write_code_are_no_programs(name):
    assert not is_program(Signature(name, "x@example.uk"))


def change(path):
    return PathChange(path, "a", "b")


def test_one_file_that_somebody_writes_is_enough():
    assert only_made_by_programs([change("vendor/a.go"), change("x_pb2.py")], lambda _blob: b"")
    assert not only_made_by_programs([change("vendor/a.go"), change("shop.py")], lambda _blob: b"x = 1\n")


def test_content_that_cannot_be_read_is_taken_for_somebodys():
    assert not only_made_by_programs([change("api.go")], lambda _blob: None)


def test_documents_are_documents_change_logs_and_lock_files():
    assert only_documents([change("README.md"), change("CHANGES"), change("Cargo.lock")])
    assert not only_documents([change("README.md"), change("shop.py")])
