"""The README says what the code does; what is not printed from the code is checked here."""

import os
import re
from pathlib import Path

import pytest

from comind.cli.verbs import VERBS
from comind.config import load_settings
from comind.records.vocabulary import Kind, RelationKind, Scope
from comind.schemas import TABLES
from comind.sources.forges.projects import project_of
from comind.status.derive import STATUS_TABLE
from docs.record_example import record

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("verb", VERBS)
def test_every_command_is_described_with_its_help(verb):
    assert f"### `comind {verb}`" in README


@pytest.mark.parametrize("table", TABLES)
def test_every_table_is_in_the_catalogue_with_every_column(table):
    assert f"#### `{table}`" in README
    assert all(f"| `{column}` |" in README for column in TABLES[table].schema.names)


def test_every_status_and_every_word_of_the_ledger_is_named():
    for word in [*(row.status for row in STATUS_TABLE), *Kind, *RelationKind, *Scope]:
        assert str(word).removesuffix("s") in README, word


def test_the_example_is_in_the_readme_as_it_was_recorded():
    assert (ROOT / "docs" / "example.txt").read_text(encoding="utf-8").rstrip() in README


@pytest.mark.skipif(
    "COMIND_EXAMPLE_REPO" not in os.environ, reason="COMIND_EXAMPLE_REPO names a clone or bundle of Flask to run the example on"
)
def test_the_example_comes_out_the_same_when_its_commands_run_again():
    assert record(Path(os.environ["COMIND_EXAMPLE_REPO"]).absolute()) == (ROOT / "docs" / "example.txt").read_text(encoding="utf-8")


def test_the_configuration_that_is_shown_can_be_read(tmp_path):
    general, forges, distill = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    (tmp_path / "comind.toml").write_text(forges, encoding="utf-8")
    settings = load_settings(cwd=tmp_path, env={})
    project = project_of(settings.repositories[0].project, settings.forges)
    assert (project.url, project.token_variable) == ("https://git.example.com/api/v4", "SHOP_TOKEN")
    (tmp_path / "comind.toml").write_text(general, encoding="utf-8")
    settings = load_settings(cwd=tmp_path, env={})
    assert settings.store == "s3://bucket/prefix"
    assert settings.leave_out
    assert settings.keep
    (tmp_path / "comind.toml").write_text(distill, encoding="utf-8")
    told = load_settings(cwd=tmp_path, env={}).distill
    assert told.is_on
    assert told.output_price == 0.6
