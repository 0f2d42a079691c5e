"""`comind harvest mr --from FILE`: what files tell, broken ones too."""

import json
import subprocess
import sys

import pytest

from comind.store.location import StoreLocation
from comind.tables.lake import Lake
from tests.builders.forges import BASE, HEAD, MERGE, at, comment, discussion, merge_request, note, pull_request, review_thread

COMMAND = "/comind remember constraint: Prices are never cached\nThey went stale."


@pytest.fixture
def file(tmp_path):
    def write(content, name="requests.json"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


@pytest.fixture
def rows(ledger):
    def read():
        return Lake(StoreLocation.parse(str(ledger.store), {})).read("merge_requests").sort("number")

    return read


def listed(count=3):
    return [merge_request(iid) | {"discussions": [discussion("d", note(iid, COMMAND))]} for iid in range(1, count + 1)]


EXPORTED = {
    "iid": 9, "title": "Cache prices", "description": None, "state": "closed", "author_id": 1, "assignee_id": None, "merge_commit_sha": None,
    "created_at": at(1), "updated_at": at(9), "metrics": {"merged_at": None, "latest_closed_at": at(8)},
    "merge_request_reviewers": [{"user_id": 2}],
    "merge_request_diff": {"base_commit_sha": BASE, "head_commit_sha": HEAD, "merge_request_diff_files": [
        {"utf8_diff": "--- a/shop.py\n+++ b/shop.py\n@@ -3,2 +3,2 @@\n ctx\n-old\n+new\n", "new_path": "shop.py", "old_path": "shop.py", "new_file": False},
    ]},
    "notes": [
        {"id": 5, "note": "Closing because it went stale, says Bob Builder.", "author_id": 2, "author": {"name": "Bob Builder"}, "created_at": at(8),
         "updated_at": at(8), "system": False, "type": "DiffNote", "resolved_at": at(8), "discussion_id": "d1",
         "position": {"new_path": "shop.py", "new_line": 4, "head_sha": HEAD}},
        {"id": 6, "note": "closed", "author_id": 2, "author": {"name": "Bob Builder"}, "created_at": at(8), "updated_at": at(8), "system": True},
    ],
}  # fmt: skip
PRINTED = {
    "number": 4, "title": "Cache prices", "body": "", "state": "MERGED", "url": "https://github.com/group/shop/pull/4", "author": {"login": "ada", "is_bot": False},
    "createdAt": "2026-03-01T00:00:00Z", "updatedAt": "2026-03-04T00:00:00Z", "mergedAt": "2026-03-04T00:00:00Z", "closedAt": None,
    "mergeCommit": {"oid": MERGE}, "headRefOid": HEAD,
    "comments": [{"id": "c1", "author": {"login": "bob"}, "authorAssociation": "MEMBER", "body": COMMAND, "createdAt": "2026-03-02T00:00:00Z", "includesCreatedEdit": True, "url": "https://github.com/group/shop/pull/4#c1"}],
    "reviews": [{"id": "r1", "author": {"login": "bob"}, "authorAssociation": "MEMBER", "body": "Fine", "submittedAt": "2026-03-03T00:00:00Z", "state": "APPROVED"}],
}  # fmt: skip


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(listed()),
        json.dumps(listed(), indent=2),
        "\n".join(map(json.dumps, listed())),
        json.dumps(listed()[:1]) + "\n" + json.dumps(listed()[1:]),  # pages that were printed one after the other
        "\ufeff" + json.dumps(listed()),
        "\n".join(json.dumps(one, indent=1) for one in listed()),
    ],
    ids=["array", "indented", "lines", "pages", "marked", "indented lines"],
)
def test_every_common_way_to_write_many_requests_is_read(comind, file, rows, content):
    ran = comind("harvest", "mr", "--from", file(content))
    assert ran.code == 0
    assert (
        ran.err == "comind: no clone of git.example.com/group/shop is known here; `comind run --repo PATH` makes records of its requests\n"
    )
    assert ran.out == "3 requests read, 3 of them new or changed, 0 parts left; records written: 0, findings refused: 0\n"
    assert rows()["request_id"].to_list() == [f"git.example.com/group/shop!{n}" for n in (1, 2, 3)]
    assert set(rows()["read_from"]) == {"file"}


def test_records_are_made_at_once_where_there_is_a_clone(comind, ledger, file):
    ledger.repository.git("remote", "set-url", "origin", "https://git.example.com/group/shop.git")
    head = ledger.repository.write("prices.py", "def price(item):\n    return item.cost\n").commit("Price things")
    file_of_two = [merge_request(1, merge_commit_sha=head) | {"discussions": [discussion("d", note(1, COMMAND))]}, listed(2)[1]]
    path = file(json.dumps(file_of_two))
    ran = comind("harvest", "mr", "--from", path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "2 requests read, 2 of them new or changed, 0 parts left; records written: 1, findings refused: 1\n"
    assert "Prices are never cached" in comind("log").out
    again = comind("harvest", "mr", "--from", path, "--json").json
    assert (again["written"], again["records"], again["refused"]) == (0, 0, 1)


def test_the_same_file_again_changes_nothing_and_an_older_reading_does_not_win(comind, file, rows):
    path, old = file(json.dumps(listed())), file(json.dumps([merge_request(1, updated_at="2025-01-01T00:00:00Z", title="Old")]), "old.json")
    comind("harvest", "mr", "--from", path)
    before = rows()
    assert comind("harvest", "mr", "--from", path, "--json").json["written"] == 0
    assert comind("harvest", "mr", "--from", old, "--json").json["written"] == 0
    assert rows().equals(before)


def test_a_project_export_of_gitlab_is_read_without_a_name_of_anybody(comind, file, rows):
    path = file(json.dumps(EXPORTED), "merge_requests.ndjson")
    left = comind("harvest", "mr", "--from", path)
    assert (left.code, left.err) == (
        1,
        "comind: line 1: is no merge or pull request: its `web_url` does not say which project it is of; --project HOST/PATH does\n",
    )
    assert comind("harvest", "mr", "--from", path, "--project", "gitlab.com/group/shop").code == 0
    (row,) = rows().iter_rows(named=True)
    assert (row["request_id"], row["state"], row["base_commit"]) == ("gitlab.com/group/shop!9", "closed", BASE)
    (thread,) = row["threads"]
    assert (thread["resolved"], thread["line"], thread["notes"][0]["writer"]) == (True, 4, "reviewer")
    assert thread["notes"][0]["text"] == "Closing because it went stale, says [person]."
    assert row["changes"] == [{"path": "shop.py", "path_before": "shop.py", "spans": [{"first": 4, "last": 4}]}]


def test_what_gh_prints_and_what_the_interface_answers_are_read(comind, file, rows):
    answered = pull_request(5) | {"reviewThreads": [review_thread("t", comment("c", "Guard it"))]}
    comind("harvest", "mr", "--from", file(json.dumps([PRINTED, answered])))
    printed, told = rows().sort("number").iter_rows(named=True)
    assert (printed["request_id"], printed["state"], printed["merge_commit"]) == ("github.com/group/shop!4", "merged", MERGE)
    assert [(thread["notes"][0]["writer"], thread["notes"][0]["edited"]) for thread in printed["threads"]] == [
        ("reviewer", True),
        ("reviewer", False),
    ]
    assert told["threads"][0]["resolved"] is True


def test_a_broken_line_costs_that_line(comind, file, rows):
    one, two, three = map(json.dumps, listed())
    content = "\n".join([one, two[: len(two) // 2], "[1, 2]", "null", '{"iid": "x"}', three]).encode() + b"\n\xff\xfe\n"
    ran = comind("harvest", "mr", "--from", file(content), "--json")
    assert ran.code == 1
    assert [(part["where"], part["code"]) for part in ran.json["left"]] == [
        ("line 2", "not_json"), ("line 3", "not_a_request"), ("line 4", "not_a_request"), ("line 5", "not_a_request"), ("line 7", "not_json"),
    ]  # fmt: skip
    assert rows()["number"].to_list() == [1, 3]


def test_an_array_that_breaks_off_keeps_what_was_whole_and_says_where(comind, file, rows):
    content = json.dumps(listed())
    ran = comind("harvest", "mr", "--from", file(content[: len(content) - 40]))
    assert (ran.code, ran.err.splitlines()[:1]) == (1, ["comind: value 3: breaks off here; what follows it is not read"])
    assert rows()["number"].to_list() == [1, 2]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (merge_request(1) | {"title": None}, "its `title` is missing"),
        (merge_request(1) | {"updated_at": "soon"}, "its `updated_at` is not a time"),
        (merge_request(1) | {"state": "lost"}, "its `state` is not one that GitLab has"),
        (merge_request(1) | {"discussions": "none"}, "its `discussions` is not a list of objects"),
        (merge_request(1) | {"iid": -1}, "its `iid` is not a number from 0"),
        (pull_request(1) | {"state": "lost", "merged_at": None}, "its `state` is not one that GitHub has"),
        ({"hello": "world", "web_url": "https://git.example.com/group/shop/pull/1"}, "its `number` is missing"),
    ],
)
def test_something_of_another_shape_is_named_by_the_field(comind, file, raw, said):
    ran = comind("harvest", "mr", "--from", file(json.dumps([raw])))
    assert ran.code == 1
    assert ran.err == f"comind: value 1: is no merge or pull request: {said}\n"


def test_half_a_character_in_a_text_does_not_stop_anything(comind, file, rows):
    ran = comind("harvest", "mr", "--from", file(json.dumps([merge_request(1, title="Half \ud800", description="\udfff")])))
    assert ran.code == 0
    assert rows()["title"].to_list() == ["Half ?"]


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["mr"], 2, "Missing option '--from'"),
        (["letters", "--from", "x"], 2, "'letters' cannot be harvested from a file; mr (merge and pull requests) can"),
        (["mr", "--from", "nowhere.json"], 3, "nowhere.json cannot be read: there is no such file or directory"),
        (["mr", "--from", "x", "--project", "shop"], 2, "'shop' is no project; write HOST/PATH"),
    ],
)
def test_a_wrong_question_is_one_line(comind, arguments, code, said):
    ran = comind("harvest", *arguments)
    assert ran.code == code
    assert said in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("content", ["", "   \n\n", "[]"])
def test_a_file_without_a_request_says_so(comind, file, content):
    ran = comind("harvest", "mr", "--from", file(content))
    assert ran.code == 3
    assert ran.err.endswith("requests.json holds no merge or pull request\n")


def test_fifty_megabytes_are_read_piece_by_piece(file):
    request = json.dumps(merge_request(1, unknown="word " * 10_000))
    path = file("[" + ",".join([request] * (50_000_000 // len(request))) + "]", "large.json")
    program = (
        "import sys, resource\n"
        "from comind.sources.forges.exported import requests_in\n"
        "from comind.store.bulk import read_chunks\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "print(sum(1 for _ in requests_in(read_chunks(sys.argv[1]))), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=300, check=True)
    count, grown = map(int, ran.stdout.split())
    assert count == 50_000_000 // len(request)
    assert grown < 40_000  # kilobytes: less than the file
