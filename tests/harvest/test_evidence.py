"""What evidence claims about commits is shown by git, or it is said what kept it from being shown."""

from __future__ import annotations

import pytest

from comind.harvest.evidence import check_evidence
from comind.schemas import TABLES
from comind.sources.git.repository import GitRepository
from tests.builders.records import attempt

BASE = [f"line {number}\n" for number in range(60)]


@pytest.fixture
def repository(repository):
    repository.write("a", "".join(BASE)).commit("Start")
    return repository


def write(repository, *changes):
    lines = BASE.copy()
    for number, text in changes:
        lines[number] = f"{text}\n"
    return repository.write("a", "".join(lines))


def record(revert, *targets, repo="example"):
    evidence = [
        {"kind": "revert", "repo": repo, "commit": revert},
        *({"kind": "reverted", "repo": repo, "commit": target} for target in targets),
    ]
    return attempt(evidence=evidence)


def check(builder, *records):
    repo = GitRepository.open(builder.path, name="example")
    return check_evidence(records, repo)


def inverse(builder, revert, *targets):
    rows = [row for row in check(builder, record(revert, *targets)).to_pylist() if row["check"] == "revert_is_inverse"]
    assert len(rows) == 1
    return rows[0]["result"], rows[0]["detail"]


def test_each_commit_and_the_revert_have_a_row_of_their_own(repository):
    target = write(repository, (3, "cached")).commit()
    revert = repository.revert(target)
    tried = record(revert, target)
    rows = check(repository, tried)
    assert rows.schema == TABLES["evidence_checks"].schema
    assert {(row["check_id"], row["result"], row["commit"]) for row in rows.to_pylist()} == {
        (f"{tried.id}#0 on_indexed_ref", "proven", revert),
        (f"{tried.id}#0 revert_is_inverse", "proven", revert),
        (f"{tried.id}#1 on_indexed_ref", "proven", target),
    }


def test_gits_own_revert_proves_it(repository):
    target = write(repository, (3, "cached")).commit()
    write(repository, (3, "cached"), (50, "unrelated")).commit()
    result, detail = inverse(repository, repository.revert(target), target)
    assert (result, "same tree" in detail) == ("proven", True)


def test_lines_prove_it_where_gits_merge_conflicts(repository):
    target = write(repository, *((number, "cached") for number in range(3, 9))).commit()
    write(repository, *((number, "cached") for number in range(3, 9)), (9, "next to it")).commit()
    revert = write(repository, (9, "next to it")).commit("Undo by hand")
    result, detail = inverse(repository, revert, target)
    assert (result, "100.0%" in detail, "conflicts" in detail) == ("proven", True, True)


def test_a_target_that_is_undone_among_other_changes_is_proven_and_said_so(repository):
    target = write(repository, (3, "cached")).commit()
    result, detail = inverse(repository, write(repository, (50, "more")).commit("Undo and more"), target)
    assert (result, "does more" in detail) == ("proven", True)


def test_a_part_that_is_undone_alone_is_proven_and_said_so(repository):
    target = write(repository, (3, "cached"), (30, "cached")).commit()
    result, detail = inverse(repository, write(repository, (30, "cached")).commit("Undo in part"), target)
    assert (result, "50.0% of it" in detail) == ("proven", True)


def test_what_is_only_alike_is_not_proven(repository):
    target = write(repository, (3, "cached"), (4, "cached, too")).commit()
    revert = write(repository, (4, "something else"), (5, "and else")).commit("Undo, sort of")
    assert inverse(repository, revert, target)[0] == "unverifiable"


def test_what_has_nothing_to_do_with_it_is_refuted(repository):
    target = write(repository, (3, "cached")).commit()
    assert inverse(repository, write(repository, (3, "cached"), (50, "more")).commit(), target)[0] == "refuted"


def test_several_targets_are_proven_together(repository):
    first = write(repository, (3, "cached")).commit()
    second = write(repository, (3, "cached"), (30, "cached")).commit()
    assert inverse(repository, write(repository).commit("Undo both"), first, second)[0] == "proven"


def test_a_commit_on_another_branch_is_not_on_the_indexed_ref(repository):
    repository.branch("side")
    target = write(repository, (3, "cached")).commit()
    revert = repository.revert(target)
    repository.switch("main")
    results = {row["check"]: row["result"] for row in check(repository, record(revert, target)).to_pylist()}
    assert results == {"on_indexed_ref": "refuted", "revert_is_inverse": "proven"}


def test_a_commit_that_is_not_in_the_clone_is_unverifiable(repository, tmp_path):
    target = write(repository, (3, "cached")).commit()
    revert = repository.revert(target)
    shallow = repository.clone(tmp_path / "shallow", "--depth=1")
    rows = check(shallow, record(revert, target)).to_pylist()
    assert [(row["check"], row["result"]) for row in rows] == [
        ("on_indexed_ref", "proven"),
        ("revert_is_inverse", "unverifiable"),
        ("on_indexed_ref", "unverifiable"),
    ]
    assert "--unshallow" in rows[2]["detail"]


def test_a_content_that_is_not_in_the_clone_makes_it_unverifiable(repository):
    target = write(repository, (3, "cached")).commit()
    write(repository, (3, "cached"), (50, "unrelated")).commit()
    revert = repository.revert(target)
    blob = repository.git("rev-parse", f"{target}:a")
    (repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert inverse(repository, revert, target)[0] == "unverifiable"


def test_evidence_of_other_repositories_is_left_out(repository):
    target = write(repository, (3, "cached")).commit()
    assert check(repository, record(repository.revert(target), target, repo="elsewhere")).num_rows == 0


def test_a_document_is_proven_by_standing_in_its_commit_and_refuted_by_not(repository):
    commit = write(repository, (3, "cached")).commit()
    there, nowhere = (attempt(evidence=[{"kind": "document", "repo": "example", "commit": commit, "path": path}]) for path in ("a", "b"))
    assert [row["result"] for row in check(repository, there).to_pylist()] == ["proven"]
    assert [row["result"] for row in check(repository, nowhere).to_pylist()] == ["refuted"]
