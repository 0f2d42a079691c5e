import json

import pytest

from tests.builders.notes import authorship, learnings, link, trace, write_topic


@pytest.fixture
def notes(tmp_path):
    path = tmp_path / "notes"
    declined = link("L1", "Cache the sums.", status="declined", rationale={"text": "They went stale."})
    write_topic(path, "topics/sums.md", [link("L2", "Sum in cents."), declined, link("L3", "Sum.", date="soon")])
    return path


def test_another_tools_decisions_are_told_by_why_at_once_and_once(comind, notes):
    first = comind("import", notes)
    assert (first.code, first.err) == (1, "")
    assert first.out == (
        f"memcontinuum  {notes}  4 read, 2 written, 0 already there\n"
        "  refused:       1 no_date: it has no date that can be read, but 'soon' (topics/sums.md L3)\n"
    )
    told = comind("why", "shop/cart.py", "--all", "--json").json
    assert "They went stale." in json.dumps(told)
    again = comind("import", "--from", "memcontinuum", notes, "--json")
    (report,) = again.json["stores"]
    assert (again.code, report["written"], report["already_there"]) == (1, 0, 2)
    assert report["losses"] == [
        {
            "code": "no_date",
            "refused": True,
            "count": 1,
            "why": "it has no date that can be read, but 'soon'",
            "first": ["topics/sums.md L3"],
        }
    ]


def test_a_dry_run_reports_the_losses_and_writes_nothing(comind, ledger, notes):
    ran = comind("import", notes, "--dry-run")
    assert (ran.code, ran.out.splitlines()[0]) == (1, f"memcontinuum  {notes}  4 read, 2 would be written, 0 already there")
    assert comind("import", notes, "--dry-run").out == ran.out
    assert not list(ledger.inbox.list_all().objects)


def test_refusals_stand_in_their_table_until_the_store_is_mended(comind, ledger, notes):
    comind("import", notes)
    rows = ledger.lake.read("harvest_refusals").to_dicts()
    assert [(row["source"], row["source_id"], row["code"]) for row in rows] == [("memcontinuum", "topics/sums.md L3", "no_date")]
    write_topic(notes, "topics/sums.md", [link("L3", "Sum.")])
    assert comind("import", notes).code == 0
    assert ledger.lake.read("harvest_refusals").is_empty()


def test_a_ruling_that_was_edited_after_its_import_is_refused_and_the_first_stays(comind, notes):
    write_topic(notes, "topics/sums.md", [link("L1", "Sum in cents.")])
    comind("import", notes)
    write_topic(notes, "topics/sums.md", [link("L1", "Sum in euros.")])
    ran = comind("import", notes, "--json")
    assert (ran.code, [group["code"] for group in ran.json["stores"][0]["losses"]]) == (1, ["changed_source"])
    assert "Sum in cents." in comind("show", ran.json["stores"][0]["losses"][0]["first"][0], "--json").out


def test_what_is_no_store_is_one_line(comind, tmp_path, notes):
    empty = tmp_path / "empty"
    empty.mkdir()
    nothing = comind("import", empty)
    assert (nothing.code, nothing.out) == (2, "")
    assert "no store of another tool is at" in nothing.err
    assert comind("import", empty, "--from", "memcontinuum").code == 2
    unknown = comind("import", notes, "--from", "notebook")
    assert (unknown.code, unknown.err.count("\n")) == (2, 1)
    assert "'notebook'" in unknown.err
    elsewhere = comind("import", notes, "--code", empty)
    assert (elsewhere.code, "is not inside a git repository" in elsewhere.err) == (2, True)


def test_a_csv_export_is_told_by_its_columns_and_any_other_is_refused(comind, tmp_path):
    (tmp_path / "learnings.csv").write_text(learnings({}))
    assert comind("import", tmp_path / "learnings.csv", "--json").json["stores"][0]["written"] == 1
    (tmp_path / "prices.csv").write_text("name,price\nx,1\n")
    assert comind("import", tmp_path / "prices.csv").code == 2


def test_the_notes_of_a_repository_become_rows_once_and_no_record(comind, ledger):
    note = authorship("shop/cart.py\n  s_1 3-4\n")
    ledger.repository.git("notes", "--ref=ai", "add", "-m", note)
    dry = comind("import", ".", "--dry-run", "--json").json["stores"][0]
    first, again = (comind("import", ".", "--json").json["stores"][0] for _ in range(2))
    assert [(one["origins_written"], one["origins_already_there"], one["written"]) for one in (dry, first, again)] == [
        (1, 0, 0),
        (1, 0, 0),
        (0, 1, 0),
    ]
    assert ledger.lake.read("code_origins").select("path", "lines", "tool").rows() == [("shop/cart.py", "3-4", "claude")]


def test_the_measurement_prints_what_each_store_gave_and_leaves_the_ledger_alone(comind, ledger, notes, tmp_path):
    holder = tmp_path / "stores"
    holder.mkdir()
    notes.rename(holder / "notes")
    ran = comind("eval", "interop", holder, "--code", ".")
    assert (ran.code, ran.out) == (0, "memcontinuum  notes  4 read, 2 records, 0 rows, 0 left, 1 refused\n  refused:       1 no_date\n")
    assert comind("eval", "interop", holder, "--json").json["without_code"] == ["memcontinuum notes"]
    assert not list(ledger.inbox.list_all().objects)


def test_a_file_of_lines_is_told_by_its_first_ones_from_an_export_of_ours(comind, ledger, tmp_path):
    path = tmp_path / "traces.jsonl"
    path.write_text(trace(ledger.repository.head, "shop/cart.py", (3, 4)))
    assert comind("import", path, "--json").json["stores"][0]["origins_written"] == 1
    comind("export", tmp_path / "ours.jsonl")
    assert comind("import", tmp_path / "ours.jsonl", "--json").json["whole"] is True
