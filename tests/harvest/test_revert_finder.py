"""A message proposes and the diffs decide: what is a revert of what, in real repositories."""

from __future__ import annotations

import pytest

from comind.harvest.message_index import MessageIndex
from comind.harvest.revert_finder import Doubt, FindingKind, RevertFinder, RevertFinding
from comind.sources.git.history import History
from comind.sources.git.repository import GitRepository

BASE = "".join(f"line {number}\n" for number in range(30))


@pytest.fixture
def repository(repository):
    repository.write("a", BASE).write("b", BASE).commit("Start")
    return repository


def edit(repository, path, *changes):
    """Replace lines by number; None takes a line away."""
    lines = (repository.path / path).read_text().splitlines()
    for number, text in changes:
        lines[number] = text
    return repository.write(path, "".join(f"{line}\n" for line in lines if line is not None))


def find(repository, commit):
    repo = GitRepository.open(repository.path, name="example")
    history = History(repo)
    return RevertFinder(history, MessageIndex(map(history.text, history.walk(repo.head)))).find(commit)


def targets(outcome):
    return [target.commit for target in outcome.targets] if isinstance(outcome, RevertFinding) else outcome


def attempt(repository, message="Cache permission checks", path="a"):
    return edit(repository, path, (3, f"cache of {message[:5]}"), (4, "keep it for an hour"), (5, "ask again")).commit(message)


def undo(repository, message, path="a"):
    return edit(repository, path, (3, "line 3"), (4, "line 4"), (5, "line 5")).commit(message)


@pytest.mark.parametrize(
    ("tried", "undone"),
    [
        ("Cache it", "Revert it\n\nThis reverts commit {sha}."),
        ("Cache it", "Undoing {short}"),
        ("Cache permission checks", 'Revert "Cache permission checks" (#9)'),
        ("Cache permission checks (#8)", "Revert PR #8 (#9)"),
        ("Merge request\n\nSee merge request g/p!8", "Revert !8"),
        ("Cache\n\ngit-svn-id: https://svn.example.org/trunk@1090004 13f79535-47bb", "Rolling back r1090004"),
        ("Cache\n\ngit-svn-id: https://svn.example.org/trunk@1090004 13f79535-47bb", "Rolling back 1090004 - too slow"),
        ("Cache\n\nChange-Id: I" + "1f" * 20, "Revert it\n\nReverts I" + "1f" * 20),
        ("Cache\n\nReviewed-on: https://go-review.example.org/c/tools/+/4321", "undo CL 4321"),
        ("Cache\n\nDifferential Revision: D7777", "Revert D7777: it broke tests"),
        ("LANG-580: cache", "Backing out LANG-580"),
        ("cache permission checks", "revert: cache permission checks"),
        ("Whatever", "Revert my last change"),
        ("Whatever", "Oops. Back out last change."),
        ("Whatever", "回退上次修改"),
        ("Whatever", "Faster again\n\nThis rolls back what I did yesterday."),
        ("Whatever", "Revert commit of another repository\n\nThis reverts commit " + "7d" * 20 + "."),
    ],
)
def test_a_commit_that_is_undone_is_found_by_any_name_or_none(repository, tried, undone):
    target = attempt(repository, tried)
    edit(repository, "b", (9, "meanwhile")).commit("Something else (#10)")
    commit = undo(repository, undone.format(sha=target, short=target[:8]))
    outcome = find(repository, commit)
    assert targets(outcome) == [target]
    assert outcome.kind is FindingKind.REVERT
    assert not outcome.partial


@pytest.mark.parametrize(
    "message",
    [
        "Add a rollback command",
        "Revert to the old wording",
        'Improve the tests (#12)\n\n* Add tests\n\n* Revert "Add tests"\n\nThis reverts commit ' + "7d" * 20 + ".",
        "Tune it\n\nThis will be reverted once the server is fixed.",
        "Tune it\n\nThis isn't an outright revert of it.",
        "Document that the option was reverted by " + "7d" * 20,
    ],
)
def test_words_alone_are_no_revert(repository, message):
    attempt(repository)
    commit = edit(repository, "a", (20, "something new"), (21, "and more")).commit(message)
    assert not isinstance(find(repository, commit), RevertFinding)


def test_a_commit_that_claims_nothing_is_not_looked_at(repository):
    attempt(repository)
    assert find(repository, undo(repository, "Clean up")) is None


def test_a_named_commit_that_is_not_undone_is_a_doubt(repository):
    target = attempt(repository)
    commit = edit(repository, "b", (20, "something new")).commit(f"Revert the cache\n\nThis reverts commit {target}.")
    assert find(repository, commit) == Doubt(commit, "not_inverse", f"names {target[:12]}, whose change it does not undo")


def test_a_claim_about_nothing_that_can_be_found_is_a_doubt(repository):
    outcome = find(repository, edit(repository, "b", (20, "something new")).commit("Revert the cache"))
    assert isinstance(outcome, Doubt)
    assert outcome.code == "target_not_found"


def test_a_commit_that_is_only_mentioned_is_no_target(repository):
    better = attempt(repository, "A better fix", path="b")
    target = attempt(repository, "A cache")
    commit = undo(repository, f"Revert {target[:10]}\n\nBetter fixed by {better[:10]}.")
    assert targets(find(repository, commit)) == [target]


def test_a_commit_that_came_later_is_no_target(repository):
    attempt(repository)
    commit = undo(repository, 'Revert "Cache permission checks"')
    repository.branch("later")
    attempt(repository)
    assert targets(find(repository, commit)) == [repository.commits[1]]


def test_the_latest_of_two_equal_attempts_is_the_one_undone(repository):
    attempt(repository)
    edit(repository, "a", (3, "line 3"), (4, "line 4"), (5, "line 5")).commit("Tidy")
    second = attempt(repository)
    assert targets(find(repository, undo(repository, 'Revert "Cache permission checks"'))) == [second]


def test_a_merge_is_undone_as_a_whole_and_its_second_parent_is_no_target(repository):
    repository.branch("side")
    inner = attempt(repository)
    repository.switch("main")
    edit(repository, "b", (9, "meanwhile")).commit()
    merge = repository.merge("side", "Merge pull request #8 from x/side\n\nCache permission checks")
    message = f'Revert "Merge pull request #8 from x/side"\n\nThis reverts commit {merge}, reversing\nchanges made to {inner}.'
    assert targets(find(repository, undo(repository, message))) == [merge]


def test_an_issue_leads_to_the_commit_and_not_to_its_merge(repository):
    repository.branch("side")
    inner = attempt(repository, "Fixed issue #524")
    repository.switch("main")
    edit(repository, "b", (9, "meanwhile")).commit()
    repository.merge("side", "Merge pull request #583 from x/side\n\nFixed issue #524")
    assert targets(find(repository, undo(repository, "Ask each time again. This reverts #524"))) == [inner]


def test_a_merge_of_a_revert_is_no_revert_itself(repository):
    target = attempt(repository)
    repository.branch("revert-8")
    commit = repository.revert(target)
    repository.switch("main")
    edit(repository, "b", (9, "meanwhile")).commit()
    merge = repository.merge("revert-8", 'Merge pull request #9 from x/revert-8\n\nRevert "Cache permission checks"')
    assert find(repository, merge) is None
    assert targets(find(repository, commit)) == [target]


def test_a_revert_among_other_changes_is_compound(repository):
    target = attempt(repository)
    edit(repository, "a", *((number, f"rewritten {number}") for number in range(10, 25)))
    outcome = find(repository, undo(repository, f"Rework the checks\n\nThis reverts commit {target}."))
    assert targets(outcome) == [target]
    assert outcome.targets[0].inverse.cover_target == 1.0
    assert outcome.targets[0].inverse.cover_revert < 0.5
    assert not outcome.partial


def test_a_revert_of_a_part_is_partial(repository):
    target = edit(repository, "a", *((number, f"cached {number}") for number in range(3, 13))).commit("Cache")
    outcome = find(repository, undo(repository, f"Partially reverts {target[:9]}"))
    assert targets(outcome) == [target]
    assert outcome.partial


def test_several_commits_that_are_undone_together_are_all_targets(repository):
    first = attempt(repository, "Cache it")
    second = edit(repository, "b", (3, "cached"), (4, "cached, too")).commit("Cache more")
    edit(repository, "b", (3, "line 3"), (4, "line 4"))
    outcome = find(repository, undo(repository, f"Revert the caches\n\nThis reverts commits {first[:9]} and {second[:9]}."))
    assert set(targets(outcome)) == {first, second}


def test_commits_of_which_one_undid_a_part_of_the_other_are_undone_as_their_sum(repository):
    first = attempt(repository, "Cache it")
    second = edit(repository, "a", (4, "keep it for a day")).commit("Keep it longer")
    outcome = find(repository, undo(repository, f"Revert the cache\n\nReverts commits:\n\n{first}\n{second}"))
    assert set(targets(outcome)) == {first, second}


def test_undoing_a_revert_brings_the_attempt_back(repository):
    target = attempt(repository)
    first = repository.revert(target)
    second = repository.revert(first)
    third = repository.revert(second)
    assert [find(repository, commit).kind for commit in (first, second, third)] == [
        FindingKind.REVERT,
        FindingKind.RELAND,
        FindingKind.REVERT,
    ]
    assert targets(find(repository, third)) == [second]


def test_a_long_chain_of_reverts_of_reverts_is_followed(repository):
    commit = attempt(repository)
    tree = [repository.git("rev-parse", f"{name}^{{tree}}") for name in ("HEAD~1", "HEAD")]
    for number in range(400):
        message = f"Revert that\n\nThis reverts commit {commit}."
        commit = repository.git("commit-tree", tree[number % 2], "-p", commit, "-m", message)
    repository.git("reset", "-q", "--hard", commit)
    assert find(repository, commit).kind is FindingKind.RELAND


@pytest.mark.parametrize("body", ["", "\n\nThis reverts commit {revert}."], ids=["subject", "id"])
def test_reapplying_names_the_revert_by_the_subject_of_the_attempt(repository, body):
    target = attempt(repository)
    revert = repository.revert(target)
    repository.git("cherry-pick", "--no-commit", target)
    outcome = find(repository, repository.commit('Reapply "Cache permission checks"' + body.format(revert=revert)))
    assert targets(outcome) == [revert]
    assert outcome.kind is FindingKind.RELAND


def test_a_pointer_in_the_victims_message_is_enough(repository):
    tried = attempt(repository, "Cache it\n\n[Reverted by r1755931]\n\ngit-svn-id: https://svn.example.org/trunk@1755930 13f79535-47bb")
    commit = undo(repository, "Ask each time\n\ngit-svn-id: https://svn.example.org/trunk@1755931 13f79535-47bb")
    assert targets(find(repository, commit)) == [tried]


def test_a_content_that_is_missing_is_a_doubt(repository):
    target = attempt(repository)
    commit = undo(repository, f"Revert {target[:9]}")
    blob = repository.git("rev-parse", f"{commit}:a")
    (repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    outcome = find(repository, commit)
    assert isinstance(outcome, Doubt)
    assert outcome.code == "missing_content"


def test_what_was_added_later_or_elsewhere_does_not_change_the_answer(repository, tmp_path):
    target = attempt(repository)
    commit = undo(repository, "Revert " + target[:4] + "zz the last change")
    before = find(repository, commit)
    repository.branch("other")
    for _ in range(3):
        attempt(repository)
        undo(repository, "Revert the last change")
    assert find(repository, commit) == before
    bare = repository.clone(tmp_path / "bare.git", "--bare")
    assert find(bare, commit) == before
