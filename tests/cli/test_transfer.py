import json
import uuid

import pytest

from tests.builders import records as build
from tests.builders.records import v7
from tests.builders.s3 import Identity, shared_s3_server

RECORDS = [build.constraint(id=v7(1)), build.attempt(id=v7(2))]


@pytest.fixture
def exported(comind, ledger, tmp_path):
    ledger.write(*RECORDS)
    ran = comind("export", tmp_path / "ledger.ndjson.gz")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("2 records written to ")
    return tmp_path / "ledger.ndjson.gz"


def test_an_export_fills_another_ledger_which_answers_at_once(comind, exported, tmp_path):
    other = tmp_path / "other"
    ran = comind("import", exported, "--store", other)
    assert (ran.code, ran.out) == (0, "2 records written, 0 were there already, 0 are erased here, 0 lines left\n")
    assert comind("show", v7(1), "--store", other, "--json").json["record"]["id"] == v7(1)
    assert comind("import", exported, "--store", other, "--json").json["already_there"] == 2


def test_a_dry_run_says_what_would_be_written(comind, exported, tmp_path):
    ran = comind("import", exported, "--store", tmp_path / "other", "--dry-run")
    assert (ran.code, ran.out) == (0, "2 records would be written, 0 were there already, 0 are erased here, 0 lines left\n")


def test_a_damaged_line_is_a_finding_and_a_file_that_ends_early_is_not_known_whole(comind, ledger, tmp_path):
    ledger.write(*RECORDS)
    path = tmp_path / "ledger.ndjson"
    comind("export", path)
    lines = path.read_bytes().splitlines()
    path.write_bytes(b"\n".join(lines[:-1]))
    early = comind("import", path, "--store", tmp_path / "early")
    assert (early.code, early.err) == (3, f"comind: {path} is not whole: lines are missing, were changed or were left; export it again\n")
    path.write_bytes(b"\n".join([*lines[:-1], b"{", lines[-1]]))
    damaged = comind("import", path, "--store", tmp_path / "damaged")
    assert (damaged.code, damaged.err) == (1, "comind: line 4: not_json: the line is not JSON, or too long to be a record\n")


def test_an_object_that_cannot_be_read_is_a_finding_of_the_export(comind, ledger, tmp_path):
    ledger.write(*RECORDS)
    (damaged,) = (ledger.store / "_ledger" / "inbox").rglob(f"{v7(1)}*")
    damaged.write_bytes(b"{}")
    ran = comind("export", tmp_path / "a.ndjson", "--json")
    assert (ran.code, ran.json["records"], ran.json["unreadable"]) == (1, 1, 1)
    assert "its bytes are not those that were written" in ran.err
    assert json.loads((tmp_path / "a.ndjson").read_bytes().splitlines()[1])["unreadable"].endswith(damaged.name)


def test_no_store_and_no_file_are_one_line(comind, tmp_path):
    missing = comind("export", tmp_path / "a.ndjson", "--store", tmp_path / "nowhere")
    assert missing.code == 3
    assert "there is no store at" in missing.err
    assert not (tmp_path / "a.ndjson").exists()
    unread = comind("import", tmp_path / "a.ndjson")
    assert (unread.code, unread.err) == (3, f"comind: {tmp_path / 'a.ndjson'} cannot be read: there is no such file or directory\n")


def test_old_records_in_a_bucket_are_answered_at_once(comind, exported, monkeypatch):
    for name, value in shared_s3_server().env(Identity.ADMIN).items():
        monkeypatch.setenv(name, value)
    store = f"s3://ledger/{uuid.uuid4()}"
    assert comind("import", exported, "--store", store).code == 0
    assert comind("show", v7(1), "--store", store, "--json").json["record"]["id"] == v7(1)
