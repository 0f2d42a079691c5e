"""One reason told again and again in real history: picked onto a branch, undone and landed again, retold in other words."""

import json
from pathlib import Path

import polars as pl

from tests.builders.git import make_repository
from tests.builders.models import scripted_model
from tests.pipeline.test_distilling import metadata

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "distill" / "cases" / "duplicates.jsonl").read_text().splitlines()][:12]
MOST = 0.02  # of the drafts


def told(said):
    return f"{said['title']}, because of this: {said['body']} It did not work, since nobody expects that, and it must not be done again."


def code(number, step):
    return f"def step_{number}(basket):\n    return basket.total + {step}\n"


def plant(repository):
    """Give every reason four times, each of them a commit that the walk of the first parent, or of a merge, comes to."""
    for number in range(len(CASES)):
        repository.write(f"step_{number}.py", code(number, 0))
    repository.write("log.txt", "start\n").commit("Sell things")
    repository.branch("release").switch("main")
    for number, case in enumerate(CASES):
        first = repository.write(f"step_{number}.py", code(number, 1)).commit(f"Compute step {number} anew\n\n{told(case['one'])}")
        repository.switch("release")
        repository.git("cherry-pick", first)
        repository.switch("main")
        repository.revert(first, f"Revert step {number}\n\nThis reverts commit {first}.")
        repository.write(f"step_{number}.py", code(number, 1)).commit(f"Reland step {number}\n\n{told(case['one'])}")
        repository.write(f"step_{number}.py", code(number, 2)).commit(f"Look at step {number} again\n\n{told(case['again'])}")
    repository.git("merge", "-q", "-s", "ours", "release", "-m", "Merge the release")


def answering(request, _):
    """Say what a commit says, in the words of the case that it was made of."""
    asked = request["messages"][-1]["content"]
    said, kind = next((case[name], case["kind"]) for case in CASES for name in ("again", "one") if case[name]["title"] in asked)
    op = {
        "op": "new", "known": None, "kind": kind, "title": said["title"], "body": said["body"], "trigger": said["trigger"],
        "outcome": "failed" if kind == "attempt" else "n/a", "alternatives": [], "anchors": ["S1"],
        "evidence": [{"span": "E2", "quote": said["title"]}], "reason": None,
    }  # fmt: skip
    return json.dumps({"verdict": "record", "ops": [op]})


def test_a_reason_that_is_told_again_becomes_one_draft(pipeline, tmp_path):
    repository = make_repository(tmp_path / "shop")
    plant(repository)
    pipeline.repositories.append(repository.path)
    with scripted_model(answering) as (model, url):
        (tmp_path / "comind.toml").write_text(f'[distill]\nendpoint = "{url}"\nmodel = "scripted"\nsources = ["git"]\n')
        first = metadata(pipeline.run(), "distilled_proposals")
        calls = model.calls
        assert metadata(pipeline.run(), "distilled_proposals")["records_written_count"] == 0
        assert model.calls == calls
    assert calls >= 2 * len(CASES), "the copies were not even asked about"
    proposals = pipeline.lake.read("distilled_proposals")
    unflagged = proposals.filter((pl.col("verdict") == "kept") & pl.col("code").is_null())
    again = max(unflagged.height - len(CASES), 0)
    told_again = f"{first['records_written_count']} drafts of {len(CASES)} reasons told four times; {again} of them again and unflagged"
    assert unflagged.height >= len(CASES) - 1
    assert again / unflagged.height <= MOST, told_again
