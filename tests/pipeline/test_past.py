"""A question about an old commit is answered as a run at that commit would have it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from comind.index.exclusions import ExclusionRules
from comind.query.checkouts import Checkouts
from comind.query.past import PastReader
from comind.query.past_cache import PastCache
from comind.query.pending import open_view
from comind.query.resolve import Asked
from comind.query.why import ask_why, ask_why_then
from comind.records.codec import encode
from comind.sources.git import GitRepository
from comind.status.policy import Policy
from comind.store.inbox import Inbox
from tests.builders.git import make_repository, run_git
from tests.builders.records import constraint, retracts, v7
from tests.pipeline.conftest import Pipeline

REPO = "forge.invalid/shop"
FIRST = datetime(2024, 1, 1, tzinfo=UTC)
NEVER_DORMANT = Policy(dormant_after=timedelta(days=36_500))
BODY = "    amount = 0\n    for item in items:\n        if item.price < 0:\n            raise ValueError(item)\n        amount += item.price * {}\n    return amount\n"


class History:
    """A shop whose code moves about, and what people wrote down meanwhile."""

    def __init__(self, directory, seed):
        self.random = Random(seed)
        self.repository = make_repository(directory / "grown")
        self.repository.git("remote", "add", "origin", f"https://{REPO}.git")
        self.repository.write("pyproject.toml", '[project]\nname = "shop"\nversion = "1.0"\n')
        self.records = []  # (when, record)
        self.path, self.names = "shop/cart.py", [f"part_{number}" for number in range(6)]
        self.factors = dict.fromkeys(self.names, 2)
        self.commit("Open the shop")

    def commit(self, message):
        source = "".join(f"def {name}(items):\n{BODY.format(self.factors[name])}\n\n" for name in self.names)
        # Whoever calls a part is concerned by what becomes of it.
        callers = "".join(f"def use_{name}(cart):\n    return {name}(cart.items)\n\n\n" for name in self.names)
        self.repository.write(self.path, source + callers)
        return self.repository.commit(message, when=self.now)

    @property
    def now(self):
        return FIRST + timedelta(days=len(self.repository.commits))

    def grow(self):
        name = self.random.choice(self.names)
        match self.random.choice(["edit", "rename", "move", "delete", "revert", "merge"]):
            case "edit":
                self.factors[name] += 1
                self.commit(f"Charge more for {name}")
            case "rename":
                new = f"{name}_renamed"
                self.names[self.names.index(name)], self.factors[new] = new, self.factors[name]
                self.commit(f"Rename {name}")
            case "move":
                old, self.path = self.path, f"shop/cart_{len(self.repository.commits)}.py"
                self.repository.rename(old, self.path)
                self.commit("Move the cart")
            case "delete" if len(self.names) > 3:
                self.names.remove(name)
                self.commit(f"Drop {name}")
            case "merge":
                self.repository.branch(f"side-{len(self.repository.commits)}")
                self.factors[name] += 5
                self.commit("Try on the side")
                self.repository.switch("main").merge(f"side-{len(self.repository.commits) - 1}")
            case _:
                self.factors[name] += 3
                tried = self.commit(f"Raise the price of {name}")
                self.factors[name] -= 3
                self.repository.revert(tried, f'Revert "Raise the price of {name}"\n\nThis reverts commit {tried}.\n', when=self.now)

    def write_down(self):
        """A person anchors a constraint to what stands now, or takes one back, half a day after the last commit."""
        when = self.now - timedelta(hours=12)
        record_id = v7(len(self.records), ms=int(when.timestamp() * 1000))
        constraints = [record for _, record in self.records if record.kind == "constraint"]
        if len(constraints) > 2 and self.random.random() < 0.3:
            self.records.append((when, retracts(self.random.choice(constraints).id, id=record_id)))
            return
        anchor = {"scope": "symbol", "repo": REPO, "path": self.path, "commit": self.repository.head}
        module = self.path.removesuffix(".py").replace("/", ".")
        anchor["symbol"] = f"comind pypi shop 1.0 `{module}`/{self.random.choice(['', 'use_'])}{self.random.choice(self.names)}()."
        provenance = {"author_kind": "human", "source": "cli", "repo": REPO}
        self.records.append((when, constraint(id=record_id, anchors=[anchor], evidence=[], provenance=provenance)))


@pytest.fixture
def history(tmp_path):
    grown = History(tmp_path, seed=20)
    for _ in range(9):
        grown.grow()
        grown.write_down()
    return grown


def run_at(commit, history, directory, written):
    """A pipeline that has run on a clone whose newest commit this is, with what had been written by then."""
    clone = make_repository(directory, "clone")
    run_git(clone.path, "fetch", "-q", history.repository.path.as_uri(), *history.repository.git("branch", "--format=%(refname)").split())
    run_git(clone.path, "fetch", "-q", history.repository.path.as_uri(), "main")
    run_git(clone.path, "reset", "-q", "--hard", commit)
    clone.git("remote", "add", "origin", f"https://{REPO}.git")
    pipeline = Pipeline(directory)
    pipeline.repositories.append(clone.path)
    Inbox(pipeline.location).put_many([(record.id, encode(record)) for record in written])
    pipeline.run()
    return pipeline


def answers(pipeline, questions):
    view = open_view(pipeline.lake, Inbox(pipeline.location), NEVER_DORMANT, now=datetime.now(UTC))
    checkouts = Checkouts(pipeline.repositories[0])
    return [ask_why(view, Asked(text=one, repo=REPO, every_trust=True), checkouts) for one in questions]


def without_ref(answer):
    """A run names its ref, a question about the past the commit."""
    covered = tuple(replace(one, ref=None) for one in answer.coverage.repositories)
    return replace(answer, as_of=None, coverage=replace(answer.coverage, repositories=covered))


def test_an_answer_about_a_commit_is_that_of_a_run_there(tmp_path, monkeypatch, history):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "comind.toml").write_text("dormant_after_days = 36500\n")
    monkeypatch.chdir(tmp_path)
    commits = history.repository.commits
    whole = run_at(history.repository.head, history, tmp_path / "whole", [record for _, record in history.records])
    reader = PastReader(
        lake=whole.lake, inbox=Inbox(whole.location), cache=PastCache(tmp_path / "past"), policy=NEVER_DORMANT,
        rules=ExclusionRules(), max_file_bytes=1_000_000, workers=0,
    )  # fmt: skip
    repository = GitRepository.open(whole.repositories[0])
    names = [f"{use}part_{number}{suffix}" for number in range(6) for suffix in ("", "_renamed") for use in ("", "use_")]
    statuses, flags = [], set()
    for commit in Random(3).sample(commits[4:-1], 3):
        past = repository.at(commit)
        then = run_at(commit, history, tmp_path / commit[:8], [one for when, one in history.records if when <= past.head_time])
        expected = [without_ref(one) for one in answers(then, names)]
        for _ in range(2):  # the second time from what the first left behind
            view = reader.open(past, now=datetime.now(UTC))
            assert [without_ref(ask_why_then(view, Asked(text=one, every_trust=True))) for one in names] == expected
        flags |= {flag for one in expected for record in one.records for flag in record.record.flags}
        statuses += [record.record.status for one in expected for record in one.records]
    assert len(statuses) > 5
    assert len(set(statuses)) > 1
    assert "callee_changed" in flags
