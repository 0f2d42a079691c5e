import json
from dataclasses import replace

import pytest

from comind.evaluate import interop
from comind.evaluate.forbidden import forbidden_words
from comind.evaluate.interop import evaluate_interop
from comind.harvest.interop.stores import StoreKind, import_store
from comind.sources.git import GitRepository
from tests.builders.git import run_git
from tests.builders.ledger import PATH, Ledger
from tests.builders.notes import authorship, learnings, link, trace, write_checkpoint, write_packet, write_topic


@pytest.fixture
def stores(tmp_path):
    """One store of every kind: those of a repository in it, the others beside it."""
    directory = tmp_path / "stores"
    directory.mkdir()
    shop = Ledger.make(directory).repository
    head = shop.write("x.py", "x = 1\n").commit("Change\n\nEntire-Checkpoint: 0123456789ab\n")
    write_packet(shop.path, "one")
    shop.git("notes", "--ref=ai", "add", "-m", authorship(f"{PATH}\n  s_1 3-4\n  h_2 1\n"))
    write_checkpoint(shop, "0123456789ab", {"files_touched": ["x.py"]})
    (shop.path / ".agent-trace").mkdir()
    (shop.path / ".agent-trace" / "traces.jsonl").write_text(trace(head, PATH, (1, 2)))
    write_topic(directory / "notes", "topics/a.md", [link("L1", "Sum in cents."), link("L2", "Sum.", date="soon")])
    (directory / "learnings.csv").write_text(learnings({}))
    return directory


def measured(stores):
    return evaluate_interop(stores, code=stores / "shop")


def test_every_store_is_found_and_keeps_its_promises(stores):
    figures = measured(stores)
    assert {(one.source, one.path): (one.read, one.records, one.origins, one.left, one.refused) for one in figures.stores} == {
        ("coderabbit", "learnings.csv"): (1, 1, 0, 0, 0), ("memcontinuum", "notes"): (3, 1, 0, 0, 1), ("kage", "shop"): (1, 1, 0, 0, 0),
        ("git-ai", "shop"): (1, 0, 1, 1, 0), ("agent-trace", "shop"): (1, 0, 1, 0, 0), ("entire", "shop"): (1, 0, 1, 0, 0),
    }  # fmt: skip
    assert [one.broken for one in figures.stores] == [()] * 6
    assert figures.without_code == ()


def test_a_store_whose_repository_is_not_known_is_said(stores):
    assert evaluate_interop(stores).without_code == ("coderabbit learnings.csv", "memcontinuum notes")


def test_words_about_people_and_conversations_are_looked_for_in_every_kind_of_store(stores):
    repo = GitRepository.open(stores / "shop")
    paths = {StoreKind.MEMCONTINUUM: stores / "notes", StoreKind.CODERABBIT: stores / "learnings.csv"}
    words = {kind: forbidden_words(kind, paths.get(kind, stores / "shop"), repo) for kind in StoreKind}
    assert {kind: min(found) for kind, found in words.items()} == {
        StoreKind.MEMCONTINUUM: "Grace Recorder", StoreKind.KAGE: "Grace Recorder", StoreKind.CODERABBIT: "gracer",
        StoreKind.GIT_AI: "0b5e-session", StoreKind.AGENT_TRACE: "file:///home/grace/talk.jsonl", StoreKind.ENTIRE: "/home/grace/talk.jsonl",
    }  # fmt: skip
    assert "make it fast" not in words[StoreKind.GIT_AI]


def anchored_elsewhere(record):
    return record.model_copy(update={"anchors": (record.anchors[0].model_copy(update={"path": "gone.py"}),)})


@pytest.mark.parametrize(
    ("kind", "spoil", "said"),
    [
        ("kage", lambda found: found.records.append(found.records[0].model_copy(update={"body": "by Grace Recorder"})), "a word about people"),
        ("kage", lambda found: found.records.append(anchored_elsewhere(found.records.pop())), "an anchor is not there"),
        ("git-ai", lambda found: found.origins.append(replace(found.origins[0], tool="Grace Recorder <grace@recorder.uk>")), "a word about people"),
        ("git-ai", lambda found: found.origins.append(replace(found.origins[0], session_hash="0b5e")), "a row is no provenance"),
        ("entire", lambda found: found.origins.append(replace(found.origins[0], path="gone.py")), "a row is no provenance"),
    ],
)  # fmt: skip
def test_a_broken_promise_is_named(stores, monkeypatch, kind, spoil, said):
    def spoiled(*arguments):
        found = import_store(*arguments)
        if found.source == kind:
            spoil(found)
        return found

    monkeypatch.setattr(interop, "import_store", spoiled)
    broken = {one.source: " ".join(one.broken) for one in measured(stores).stores if one.broken}
    assert list(broken) == [kind]
    assert said in broken[kind]


def test_an_import_that_finds_something_else_the_second_time_is_named(stores, monkeypatch):
    counted = []

    def other_each_time(*arguments):
        found = import_store(*arguments)
        counted.append(found.source)
        found.origins = [replace(one, model=f"opus-{len(counted)}") for one in found.origins]
        return found

    monkeypatch.setattr(interop, "import_store", other_each_time)
    assert {one.source for one in measured(stores).stores if "a second import wrote" in " ".join(one.broken)} == {
        "git-ai",
        "agent-trace",
        "entire",
    }


def test_a_tool_in_an_authors_field_is_no_person(stores):
    shop = stores / "shop"
    authors = [{"author": name, "lines": [1]} for name in ("Claude Code", "Cursor", "Grace Hopperfield")]
    draft = json.dumps({"files": {PATH: {"authors": authors}}, "schema_version": "authorship/0.0.1"})
    blob = run_git(shop, "hash-object", "-w", "--stdin", content=draft.encode())
    run_git(shop, "update-ref", f"refs/ai/authorship/{'f' * 40}", blob)
    run_git(shop, "notes", "--ref=ai", "add", "-f", "-m", authorship("", prompts={"c0ffee1": {"agent_id": {"tool": "cursor"}}}))
    words = forbidden_words(StoreKind.GIT_AI, shop, GitRepository.open(shop))
    assert words & {"Claude Code", "Cursor", "Grace Hopperfield"} == {"Grace Hopperfield"}
