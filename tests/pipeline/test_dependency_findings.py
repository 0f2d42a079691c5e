"""An attempt that failed under old versions says so once the lockfile has left them: now, and as of any commit."""

from datetime import UTC, datetime

from comind.index.exclusions import ExclusionRules
from comind.query.past import PastReader
from comind.query.past_cache import PastCache
from comind.query.resolve import Asked
from comind.query.why import ask_why_then
from comind.records.codec import encode
from comind.sources.git import GitRepository
from comind.status.policy import Policy
from comind.store.inbox import Inbox
from tests.builders.records import attempt, v7


def test_a_lockfile_that_moves_meets_the_condition_of_a_retry(pipeline, shop, tmp_path):
    repository = GitRepository.open(shop.path)
    old = shop.write("requirements.txt", "httpx==0.22.0\n").commit("Pin httpx")
    anchors = [
        {"scope": "symbol", "repo": repository.repo_id, "path": "shop.py", "commit": old, "symbol": "comind . . . shop/price()."},
        {"scope": "dependency", "package": "pypi httpx", "version_range": "<0.23"},
    ]
    provenance = {"author_kind": "human", "source": "cli", "repo": repository.repo_id}
    written = attempt(
        id=v7(1), anchors=anchors, evidence=[{"kind": "commit", "repo": repository.repo_id, "commit": old}], provenance=provenance
    )
    Inbox(pipeline.location).put_many([(written.id, encode(written))])
    pipeline.run()
    assert not {"retry_condition_met", "unknown_location"} & flags(pipeline, written)
    new = shop.write("requirements.txt", "httpx==0.27.0\n").commit("Update httpx")
    pipeline.run()
    assert "retry_condition_met" in flags(pipeline, written)
    (found,) = pipeline.lake.read("dependency_findings").to_dicts()
    assert (found["commit"], found["versions"]) == (new, ["0.27.0"])
    assert found["detail"] == f"requirements.txt of {repository.repo_id} has httpx 0.27.0, outside <0.23"
    reader = PastReader(
        lake=pipeline.lake, inbox=Inbox(pipeline.location), cache=PastCache(tmp_path / "past"), policy=Policy(),
        rules=ExclusionRules(), max_file_bytes=1_000_000, workers=0,
    )  # fmt: skip
    shown = {}
    for commit in (old, new):
        past = reader.open(GitRepository.open(shop.path).at(commit), now=datetime.now(UTC))
        answer = ask_why_then(past, Asked(text="price", every_trust=True))
        shown[commit] = next(one.record.cascade for one in answer.records if one.record.id == written.id)
    assert shown == {old: (), new: (found["detail"],)}


def flags(pipeline, record):
    return set(pipeline.lake.read("ledger_current", where=f"id = '{record.id}'")["flags"][0])
