"""A question about a commit that cannot be read whole is answered with what is unknown, never with a guess or a crash."""

from datetime import UTC, datetime

import pytest

from comind.index.exclusions import ExclusionRules
from comind.query.past import PastReader
from comind.query.past_cache import PastCache
from comind.query.resolve import Asked
from comind.query.why import ask_why_then
from comind.sources.git import GitRepository
from comind.sources.git.errors import CommitNotFoundError
from comind.status.policy import Policy
from tests.builders.ledger import NAME, PATH
from tests.builders.records import constraint, v7

OLD = int(datetime(2023, 12, 31, tzinfo=UTC).timestamp() * 1000)


@pytest.fixture
def told(ledger):
    """A constraint on `Cart.total` as it stood at the first commit, and a second commit that touched another function."""
    provenance = {"author_kind": "human", "source": "cli", "repo": NAME}
    ledger.write(constraint(id=v7(1, ms=OLD), anchors=[ledger.anchor()], evidence=[], provenance=provenance)).fold().derive()
    source = (ledger.repository.path / PATH).read_text()
    ledger.repository.write(PATH, source.replace("not self.items", "len(self.items) == 0")).commit("Count")
    return ledger


def asked(ledger, repository, commit="HEAD", text="Cart.total"):
    reader = PastReader(
        lake=ledger.lake, inbox=ledger.inbox, cache=PastCache(None), policy=Policy(),
        rules=ExclusionRules(), max_file_bytes=1_000_000, workers=0,
    )  # fmt: skip
    past = reader.open(repository.at(repository.resolve(commit)), now=datetime.now(UTC))
    return ask_why_then(past, Asked(text=text, every_trust=True))


def test_a_record_is_answered_at_every_commit_since_it_was_written(told):
    for commit in told.repository.commits:
        (found,) = asked(told, told.git(), commit).records
        assert (found.anchor.now.commit, found.anchor.now.drift) == (commit, "unchanged")


def test_a_shallow_clone_answers_what_it_holds_and_says_what_it_does_not(told, tmp_path):
    clone = told.repository.clone(tmp_path / "clone", "--depth=1")
    shallow = GitRepository.open(clone.path, name=NAME)
    (found,) = asked(told, shallow).records
    assert found.anchor.now.drift in {"unchanged", "unknown"}
    with pytest.raises(CommitNotFoundError, match="unshallow"):
        asked(told, shallow, told.repository.commits[0])


def test_a_content_that_is_missing_is_a_gap_of_the_answer(told):
    blob = told.repository.git("rev-parse", f"HEAD:{PATH}")
    (told.repository.path / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    answer = asked(told, told.git(), text=PATH)
    assert answer.subject.path == PATH
    assert any("was not parsed whole" in gap for gap in answer.coverage.gaps)


def test_a_history_that_was_rewritten_leaves_the_record_unknown_and_not_orphaned(told):
    told.repository.git("checkout", "-q", "--orphan", "rewritten")
    told.repository.write(PATH, "def start(cart):\n    return cart.total\n").commit("Start over", when=datetime(2024, 1, 2, tzinfo=UTC))
    (found,) = asked(told, told.git(), "rewritten", text="total").records
    assert (found.record.status, found.anchor.now.matched_by) == ("active", "unknown")
    assert "no history leads" in found.anchor.now.detail
