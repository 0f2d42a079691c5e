"""Reverts of real repositories become records: the same bytes wherever and in however many steps they are harvested."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from comind.harvest.reverts import HARVESTER_VERSION, harvest_reverts
from comind.records.codec import decode, encode
from comind.records.limits import MAX_BODY_BYTES, MAX_TITLE_CHARS, MAX_TRIGGER_CHARS
from comind.records.validate import validate
from comind.records.vocabulary import AuthorKind, EvidenceKind, Kind, Outcome, RelationKind, Role, Scope
from comind.sources.git.errors import CommitNotFoundError
from comind.sources.git.repository import GitRepository

BEFORE = """import os


class Checks:
    def allowed(self, user):
        return ask_directory(user)

    def denied(self, user):
        return not self.allowed(user)
"""
CACHED = """import os


class Checks:
    def allowed(self, user):
        if user not in CACHE:
            CACHE[user] = ask_directory(user)
        return CACHE[user]

    def forget(self, user):
        CACHE.pop(user, None)

    def denied(self, user):
        return not self.allowed(user)
"""


@pytest.fixture
def reverted(repository):
    """A cache that was tried and undone."""
    repository.write("authz.py", BEFORE).write("CHANGES", "1.0\n").commit("Start")
    target = (
        repository.write("authz.py", CACHED)
        .write("CHANGES", "1.0\n- cache\n")
        .commit("Cache permission checks (#7)\n\nThe directory is slow.")
    )
    repository.revert(
        target, f'Revert "Cache permission checks" (#8)\n\nThis reverts commit {target}.\n\nRevoked grants stayed valid for an hour.\n'
    )
    return repository


class _Definition(NamedTuple):
    symbol: str
    qualified_name: str
    start_line: int
    end_line: int


def attempts(found):
    return [record for record in found.records if record.kind is Kind.ATTEMPT]


def retractions(found):
    return [record for record in found.records if record.kind is RelationKind.RETRACTS]


def contents(*harvests):
    return {encode(record) for found in harvests for record in found.records}


def refusals(found):
    return {(refusal.source_id, refusal.code) for refusal in found.refusals}


def test_a_revert_becomes_an_attempt_with_both_commits_and_the_reason(reverted, harvest):
    _, target, revert = reverted.commits
    found = harvest(reverted)
    (record,) = found.records
    assert (found.position, found.read, found.refusals) == (revert, 3, [])
    assert record.title == "Reverted: Cache permission checks (#7)"
    assert record.fields.outcome is Outcome.REVERTED
    assert record.fields.approach == "Cache permission checks (#7). The directory is slow."
    assert [(part.kind, part.commit) for part in record.evidence] == [(EvidenceKind.REVERT, revert), (EvidenceKind.REVERTED, target)]
    assert record.evidence[0].quote == "Revoked grants stayed valid for an hour."
    assert "> Revoked grants stayed valid for an hour." in record.body
    assert f"git show {revert[:12]}" in record.body
    assert "wholly" in record.body
    assert record.valid_from == revert
    assert (record.provenance.author_kind, record.provenance.harvester, record.lamport) == (AuthorKind.HARVESTED, HARVESTER_VERSION, 0)
    assert record.provenance.source_time == "2024-01-01T02:00:00Z"


def test_its_anchors_are_what_the_revert_touched_then_what_it_took_away(reverted, harvest):
    (record,) = harvest(reverted).records
    _, target, revert = reverted.commits
    named = [(anchor.role, anchor.scope, (anchor.symbol or anchor.path).rpartition("/")[2], anchor.commit) for anchor in record.anchors]
    assert named == [
        (Role.SUBJECT, Scope.SYMBOL, "Checks#allowed().", revert),
        (Role.SUBJECT, Scope.SYMBOL, "Checks#", revert),
        (Role.CONTEXT, Scope.SYMBOL, "Checks#forget().", target),
        (Role.CONTEXT, Scope.FILE, "CHANGES", revert),
    ]
    assert {anchor.repo for anchor in record.anchors} == {"example"}
    assert (record.anchors[0].start_line, record.anchors[0].end_line) == (5, 6)
    assert record.trigger == "Before changing `Checks.allowed`, `Checks`, or trying again: Cache permission checks (#7)"


def test_every_record_is_valid_and_reads_back(reverted, harvest):
    reverted.revert(reverted.commits[2])
    for record in harvest(reverted).records:
        assert validate(record) == []
        assert decode(encode(record)) == record


def test_a_second_harvest_finds_the_same_bytes_and_one_from_the_head_nothing(reverted, harvest):
    first, second = harvest(reverted), harvest(reverted)
    assert contents(first) == contents(second)
    again = harvest(reverted, since=first.position)
    assert (again.position, again.read, again.records, again.refusals) == (first.position, 0, [], [])


@pytest.mark.parametrize("half", range(6))
def test_two_harvests_find_what_one_finds(reverted, harvest, half):
    reverted.write("other", "1\n").commit("Something else")
    reverted.write("authz.py", CACHED).write("CHANGES", "1.0\n- cache\n").commit("Cache permission checks again")
    reverted.revert(reverted.commits[-1], "Back out last change, it was stale again")
    whole = harvest(reverted)
    assert (len(attempts(whole)), len(retractions(whole))) == (2, 1)
    early = harvest(reverted, ref=reverted.commits[half])
    late = harvest(reverted, since=reverted.commits[half])
    assert contents(early, late) == contents(whole)
    assert early.read + late.read == whole.read


def test_every_clone_gives_the_same_bytes(reverted, harvest, tmp_path):
    here = contents(harvest(reverted))
    bare = reverted.clone(tmp_path / "elsewhere" / "bare.git", "--bare")
    assert contents(harvest(bare)) == here
    reverted.branch("work").write("authz.py", BEFORE + "\n\nX = 1\n").commit("Local work")
    assert contents(harvest(reverted)) == here


def test_a_head_that_is_gone_is_read_from_the_start(reverted, harvest):
    assert contents(harvest(reverted, since="f" * 40)) == contents(harvest(reverted))


@pytest.mark.parametrize(
    "message", ['Revert "Revert "Cache permission checks""', 'Reapply "Cache permission checks"', "Faster permission checks"]
)
def test_an_attempt_that_came_back_is_retracted(reverted, harvest, message):
    _, target, _ = reverted.commits
    reverted.git("cherry-pick", "--no-commit", target)
    again = reverted.commit(message)
    found = harvest(reverted)
    (attempt,), (retraction,) = attempts(found), retractions(found)
    assert retraction.fields.id == attempt.id
    assert retraction.evidence[0].commit == again
    assert again[:12] in retraction.fields.reason


def test_undoing_it_for_the_third_time_is_an_attempt_again(reverted, harvest):
    reverted.revert(reverted.commits[2])
    reverted.revert(reverted.commits[3])
    found = harvest(reverted)
    first, again = attempts(found)
    assert first.title == again.title == "Reverted: Cache permission checks (#7)"
    assert first.id != again.id
    assert [retraction.fields.id for retraction in retractions(found)] == [first.id]
    assert refusals(found) == {(reverted.commits[3], "reland")}


def test_a_claim_that_the_diffs_do_not_show_is_refused_with_its_reason(repository, harvest):
    repository.write("a", "1\n").commit("Start")
    lone = repository.write("a", "2\n").commit("Revert the cache")
    found = harvest(repository)
    assert found.records == []
    assert refusals(found) == {(lone, "target_not_found")}
    assert found.refusals[0].refusal_id == f"reverts example {lone}"


def test_persons_and_secrets_do_not_enter_a_record(repository, harvest):
    token = "ghp_" + "x7Kq2mZ9vB4nL1sT8wR3yU6cA5dE0fG2hJ4k"
    repository.write("a.py", BEFORE).commit("Start")
    target = repository.write("a.py", CACHED).commit(
        "Cache it\n\nIt is slow, as Ada <ada@lovelace.uk> says.\n\nSigned-off-by: Ada Lovelace <ada@lovelace.uk>"
    )
    repository.revert(
        target,
        f"Revert the cache\n\nThis reverts commit {target}.\n\nIt logged {token} in clear.\n\nReviewed-by: Grace Hopper <grace@navy.mil>",
    )
    (content,) = contents(harvest(repository))
    for word in (token, "ada@", "Lovelace", "Grace", "navy"):
        assert word.encode() not in content


def test_a_text_with_hidden_controls_is_refused_and_not_written(repository, harvest):
    repository.write("a.py", BEFORE).commit("Start")
    target = repository.write("a.py", CACHED).commit("Cache it \u202eelbaliava")
    revert = repository.revert(target, f"Revert it\n\nThis reverts commit {target}.")
    repository.write("a.py", CACHED).commit("Cache it")  # nothing is retracted that was not written
    found = harvest(repository)
    assert found.records == []
    assert (revert, "quarantined") in refusals(found)
    assert "hidden_bidi" in found.refusals[0].detail


def test_a_definition_without_a_legal_symbol_is_refused_and_not_raised(reverted):
    repo = GitRepository.open(reverted.path, name="example")
    nameless = _Definition("no symbol", "x", 1, 99)
    found = harvest_reverts(repo, since=None, symbols_at=lambda *_: [nameless])
    assert found.records == []
    assert refusals(found) == {(reverted.commits[2], "invalid_record")}


def test_a_missing_content_is_refused_and_not_raised(reverted, harvest):
    blob = reverted.git("rev-parse", f"{reverted.commits[1]}:CHANGES")
    (reverted.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    assert refusals(harvest(reverted)) == {(reverted.commits[2], "missing_content")}


def test_a_shallow_clone_is_read_as_far_as_it_goes(reverted, harvest, tmp_path):
    found = harvest(reverted.clone(tmp_path / "shallow", "--depth=1"))
    assert (found.read, found.records) == (1, [])


def test_texts_beyond_the_limits_are_cut(repository, harvest):
    repository.write("a.py", BEFORE).commit("Start")
    target = repository.write("a.py", CACHED).commit("Cache " + "größere " * 60 + "\n\n" + "Because it is slow. " * 90)
    for number in range(60):
        repository.write(f"{'directory/' * 15}{number}.py", "x = 1\n")
    repository.write("a.py", BEFORE).commit(f"Revert {target[:10]}\n\n" + "Es war veraltet und überflüssig. " * 90)
    (record,) = harvest(repository).records
    assert len(record.title) <= MAX_TITLE_CHARS
    assert len(record.trigger) <= MAX_TRIGGER_CHARS
    assert len(record.body.encode()) <= MAX_BODY_BYTES
    assert record.body.endswith(f"with `git show {target[:12]}`.")
    assert "Anchored to the 8 of 62 places that changed most." in record.body


def test_a_path_that_is_not_utf8_is_harvested(repository, harvest):
    repository.write(b"gr\xf6\xdfe", "1\n").commit("Start")
    target = repository.write(b"gr\xf6\xdfe", "2\n").commit("Tune")
    repository.revert(target)
    (record,) = harvest(repository).records
    assert record.anchors[0].path == "gr\\xf6\\xdfe"


def test_a_merge_is_called_by_what_it_merged(repository, harvest):
    repository.write("a.py", BEFORE).commit("Start")
    repository.branch("side").write("a.py", CACHED).commit("Cache permission checks")
    repository.switch("main").write("b", "1\n").commit("Other")
    merge = repository.merge("side", "Merge pull request #7 from someone/side")
    repository.write("a.py", BEFORE).commit(f'Revert "Merge pull request #7 from someone/side"\n\nThis reverts commit {merge}.')
    (record,) = harvest(repository).records
    assert record.title == "Reverted: Cache permission checks (#7)"
    assert "someone" not in encode(record).decode()


def test_a_target_with_another_subject_is_called_by_the_one_that_the_revert_quotes(repository, harvest):
    repository.write("a.py", BEFORE).commit("Start")
    repository.write("a.py", CACHED).commit("Fixed #1846")
    repository.write("a.py", BEFORE).commit('Revert "Adds a cache." (#1865)')
    (record,) = harvest(repository).records
    assert record.title == "Reverted: Adds a cache."
    assert record.fields.approach == "Adds a cache. Fixed #1846"


def test_a_release_branch_adds_its_own_reverts_and_no_copies(reverted, harvest):
    _, target, revert = reverted.commits
    reverted.git("switch", "-q", "-c", "2.x", target)
    copy = reverted.revert(target, f'[2.x] Revert "Cache permission checks" (#8)\n\nThis reverts commit {target}.')
    twin = reverted.write("b", "1\n").commit("Tune it")
    own = reverted.revert(twin, "Revert that, it made no difference")
    reverted.switch("main")
    on_main, with_branch = harvest(reverted), harvest(reverted, branches=["2.x"])
    assert contents(on_main) < contents(with_branch)
    assert {record.evidence[0].commit for record in with_branch.records} == {revert, own}
    assert refusals(with_branch) == {(copy, "same_revert")}
    assert contents(harvest(reverted, since=reverted.head, branches=["2.x"])) == contents(with_branch) - contents(on_main)


def test_a_branch_that_does_not_exist_is_named(reverted, harvest):
    with pytest.raises(CommitNotFoundError, match=r"9\.x"):
        harvest(reverted, branches=["9.x"])


def test_progress_counts_every_commit(reverted):
    told = []
    repo = GitRepository.open(reverted.path, name="example")
    harvest_reverts(repo, since=None, symbols_at=lambda *_: [], progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_when_it_was_undone_is_the_committers_time_in_utc(repository, harvest):
    repository.write("a", "1\n").commit("Start")
    target = repository.write("a", "2\n").commit("Tune")
    repository.revert(target, when=datetime.fromisoformat("2024-06-01T01:30:00+05:30").astimezone(UTC))
    (record,) = harvest(repository).records
    assert record.provenance.source_time == "2024-05-31T20:00:00Z"
    assert "(2024-05-31, 151 days later)" in record.body
