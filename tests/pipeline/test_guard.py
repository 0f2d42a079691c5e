"""A run that would take the ground from under too many anchors at once publishes none of it."""

import pytest

from comind.cli.main import execute
from comind.drift.guard import MIN_FALLEN
from tests.builders.git import make_repository
from tests.pipeline.test_run import current, reported

FILES, EACH = ("books.py", "games.py"), 6  # a record names a handful of symbols


def _functions(body):
    return "".join(f"def price_{number}(item):\n    return item.cost * {number + 2}{body}\n\n\n" for number in range(EACH))


@pytest.fixture
def catalogue(tmp_path, pipeline):
    """Two files, and a change of each that was taken back."""
    repository = make_repository(tmp_path / "catalogue")
    for path in FILES:
        repository.write(path, _functions("")).commit(f"Price {path}")
        changed = repository.write(path, _functions(" + item.tax")).commit(f"Add tax to {path}")
        repository.revert(changed, f'Revert "Add tax to {path}"\n\nThis reverts commit {changed}.\n\nThe invoice adds it again.\n')
    pipeline.repositories.append(repository.path)
    return repository


def _rewrite(catalogue):
    for path in FILES:
        catalogue.write(path, _functions(" - item.discount"))
    catalogue.commit("Grant a discount")


def test_a_mass_flip_is_refused_and_the_statuses_stay(pipeline, catalogue):
    pipeline.run()
    before = current(pipeline)
    assert pipeline.lake.count("ledger_anchors") >= MIN_FALLEN
    _rewrite(catalogue)
    assert not pipeline.run(raise_on_error=False).success
    assert current(pipeline).equals(before)
    assert set(pipeline.lake.read("anchor_drift")["drift"]) == {"unchanged"}


def test_a_refused_run_says_what_would_fall_and_what_to_do(pipeline, catalogue):
    pipeline.run()
    _rewrite(catalogue)
    refused = pipeline.run(raise_on_error=False)
    (verdict,) = [one for one in refused.get_asset_check_evaluations() if one.check_name == "no_mass_flip"]
    assert not verdict.passed
    assert "12 of 12 anchors that stood would not any more: 12 body" in verdict.description
    assert "`comind run --max-flip-share 1` accepts it" in verdict.description


def test_a_person_accepts_it_and_the_run_says_which_records_flipped(pipeline, catalogue):
    pipeline.run()
    _rewrite(catalogue)
    pipeline.max_flip_share = 1.0
    accepted = pipeline.run()
    assert set(current(pipeline)["status"]) == {"stale"}
    said = reported(accepted, "ledger_current")
    assert said["flip_count"] == 2
    assert "| active | stale | subject_body_changed | 2 |" in said["flips_by_rule"]


def test_the_command_says_what_was_refused_and_takes_the_answer(pipeline, catalogue, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("DAGSTER_HOME", str(tmp_path))
    command = ["run", "--repo", str(catalogue.path), "--store", str(pipeline.store), "--no-record"]
    assert execute(command) == 0
    _rewrite(catalogue)
    assert execute(command) == 1
    assert "12 of 12 anchors that stood would not any more: 12 body; more than 30% at once" in " ".join(capsys.readouterr().err.split())
    assert execute([*command, "--max-flip-share", "1"]) == 0
    assert set(current(pipeline)["status"]) == {"stale"}
