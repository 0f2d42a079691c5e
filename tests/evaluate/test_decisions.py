import json

import pytest

from comind.cli.main import execute
from comind.evaluate.labels import LabelsUnreadableError
from tests.builders.git import make_repository
from tests.harvest.test_decisions import MADR, NYGARD

LABEL = {"repo": "shop/docs", "path": "adr/0001-cache.md", "is_adr": True, "title": "Cache prices in the process", "status": "accepted",
         "status_raw": "accepted", "date": "2024-05-06", "chosen": "Cache in the process",
         "options": ["Cache in the process", "Redis", "Do nothing"]}  # fmt: skip


@pytest.fixture
def measured(tmp_path, capsys):
    repository = make_repository(tmp_path / "clones", "shop+docs")
    commit = repository.write("adr/0001-cache.md", MADR).write("adr/0012-cents.md", NYGARD).write("adr/notes.md", "# Notes\n").commit()

    def measure(*labels):
        data = tmp_path / "labels.jsonl"
        data.write_text("\n".join(json.dumps({"commit": commit} | label) for label in labels))
        code = execute(["eval", "adr", str(data), "--repos", str(tmp_path / "clones"), "--json"])
        return code, json.loads(capsys.readouterr().out)

    return measure


def test_a_file_is_right_when_every_field_is(measured):
    other = {"repo": "shop/docs", "path": "adr/notes.md", "is_adr": False}
    code, figures = measured(LABEL, other)
    assert code == 0
    assert (figures["decisions"], figures["decisions_right"], figures["others"], figures["others_taken"]) == (1, 1, 1, 0)
    assert figures["share_right"] == 1.0


@pytest.mark.parametrize(
    ("field", "value"), [("title", "Other"), ("date", None), ("chosen", "Redis"), ("options", []), ("amends", ["x.md"])]
)
def test_one_wrong_field_is_a_wrong_file_and_is_named(measured, field, value):
    _, figures = measured(LABEL | {field: value})
    assert figures["decisions_right"] == 0
    assert f"adr/0001-cache.md: {field} is" in figures["wrong"][0]


def test_a_decision_that_is_missed_and_a_file_that_is_taken_are_both_wrong(measured):
    _, figures = measured(LABEL | {"path": "adr/notes.md"}, LABEL | {"path": "adr/0012-cents.md", "is_adr": False})
    assert (figures["decisions_right"], figures["others_taken"], len(figures["wrong"])) == (0, 1, 2)


def test_a_file_that_is_not_there_is_said_and_not_judged(measured):
    _, figures = measured(LABEL | {"path": "adr/gone.md"})
    assert (figures["decisions"], figures["share_right"], figures["files_missing"]) == (0, None, ["shop/docs adr/gone.md"])


def test_labels_that_are_none_are_one_line(tmp_path, capsys):
    (tmp_path / "labels.jsonl").write_text("{}\n")
    assert execute(["eval", "adr", str(tmp_path / "labels.jsonl"), "--repos", str(tmp_path)]) == LabelsUnreadableError.exit_code
    assert "has no labelled decision in line 1" in capsys.readouterr().err
