import json

import pytest

from comind.harvest.interop.code import Code
from comind.harvest.interop.git_ai import HARVESTER_VERSION, SOURCE, import_git_ai, is_git_ai
from comind.harvest.interop.origins import origin_rows
from tests.builders.git import run_git
from tests.builders.ledger import NAME, PATH
from tests.builders.notes import authorship

ATTESTED = f"""{PATH}
  s_1::t_9 3-4,5,9-9
  s_1::t_8 4-6
  c0ffee1 12
  h_2 1-2
  ai_agent 7
"a b.py"
  s_1::t_9 1
"""


@pytest.fixture
def take(shop):
    return lambda: import_git_ai(shop.repository.path, Code(shop.git(), lambda _commit, _path: []))


def note(shop, text, commit=None):
    run_git(
        shop.repository.path,
        "notes",
        "--ref=ai",
        "add",
        "-f",
        "-F",
        "-",
        commit or shop.repository.head,
        content=text if isinstance(text, bytes) else text.encode(),
    )


def losses(found):
    return [(loss.where.partition(" ")[2] or loss.where, loss.code, loss.refused) for loss in found.losses]


def test_lines_of_one_session_are_one_row_and_nobody_elses_are_taken(take, shop):
    commit = shop.repository.write("a b.py", "x = 1\n").commit()
    note(shop, authorship(ATTESTED))
    found = take()
    rows = origin_rows(found.origins, NAME, SOURCE, HARVESTER_VERSION).to_pylist()
    assert [(row["path"], row["lines"], row["n_lines"], row["tool"], row["model"]) for row in rows] == [
        (PATH, "3-6,9,12", 6, "claude", "opus-9"), ("a b.py", "1", 1, "claude", "opus-9"),
    ]  # fmt: skip
    assert {row["commit"] for row in rows} == {commit}
    assert losses(found) == [(PATH, "by_person", False), (PATH, "unknown_session", False)]
    told = json.dumps(rows)
    assert not [word for word in ("race", "recorder", "make it", "talk", "tills", "0b5e-session") if word in told]


def test_notes_of_the_first_draft_are_read_at_their_own_refs_and_names_of_people_are_not(take, shop):
    authors = [{"author": "Cursor", "lines": [1, [3, 4], "x", [9]]}, {"author": "Grace Recorder", "lines": [2], "agent_metadata": None}]
    draft = json.dumps({"files": {PATH: {"file": PATH, "authors": authors}}, "schema_version": "authorship/0.0.1"})
    for commit, text in ((shop.repository.head, draft), (shop.repository.commit(), authorship(f"{PATH}\n  s_1 1\n"))):
        blob = run_git(shop.repository.path, "hash-object", "-w", "--stdin", content=text.encode())
        shop.repository.git("update-ref", f"refs/ai/authorship/{commit}", blob)
    found = take()
    assert sorted((one.tool, one.lines, one.model) for one in found.origins) == [
        ("Cursor", ((1, 1), (3, 4)), None),
        ("claude", ((1, 1),), "opus-9"),
    ]
    assert losses(found) == [(PATH, "by_person", False)]


def test_a_note_on_a_commit_that_the_ref_does_not_reach_is_left(take, shop):
    shop.repository.branch("side")
    stray = shop.repository.commit("Stray")
    shop.repository.switch("main")
    note(shop, authorship(f"{PATH}\n  s_1 1\n"), stray)
    assert (take().origins, losses(take())) == ([], [(stray, "not_on_ref", False)])


def test_what_is_broken_is_named_by_its_commit_and_the_rest_is_taken(take, shop):
    broken = {
        "not_json": f"{PATH}\n  s_1 1\n---\nnot json", "unknown_version": authorship("", schema_version="authorship/9.0"),
        "bad_encoding": b"\xff\xfe---\n{}",
    }  # fmt: skip
    commits = {}
    for code, text in broken.items():
        commits[code] = shop.repository.commit(code)
        note(shop, text)
    shop.repository.commit("Last")
    note(shop, authorship(f"{PATH}\n  s_1 1,2-,x,0,9-3\nnowhere.py\n  s_1 1\n  s_1\n"))
    found = take()
    assert [(one.path, one.lines) for one in found.origins] == [(PATH, ((1, 1),))]
    assert found.read == 4
    assert sorted(losses(found)) == sorted(
        [*((commit, code, True) for code, commit in commits.items()), ("nowhere.py", "place_not_found", False)]
    )


def test_a_repository_has_such_notes_only_when_their_ref_is_there(shop, tmp_path):
    assert not is_git_ai(shop.repository.path)
    note(shop, authorship(""))
    assert is_git_ai(shop.repository.path)
    assert not is_git_ai(tmp_path / "notes")
