"""What many checkouts of the same code cost: each content is parsed once for the organisation."""

import pytest

from tests.builders.git import make_repository
from tests.pipeline.test_run import reported

FILES = 20


@pytest.fixture
def original(tmp_path):
    repository = make_repository(tmp_path / "original")
    for number in range(FILES):
        repository.write(f"part_{number}.py", f"def part_{number}():\n    return {number}\n")
    repository.commit("Build parts")
    return repository


def test_fifty_clones_are_one_repository_and_cost_the_parsing_of_one(pipeline, original, tmp_path):
    pipeline.repositories = [original.clone(tmp_path / f"clone-{number}").path for number in range(50)]
    result = pipeline.run()
    assert reported(result, "parse_cache")["parsed_count"] == FILES
    assert pipeline.lake.count("repositories") == 1
    assert pipeline.lake.count("symbols", "path != ''") == FILES


def test_a_fork_costs_what_it_changed(pipeline, original, tmp_path):
    pipeline.repositories = [original.path]
    pipeline.run()
    fork = original.clone(tmp_path / "fork")
    fork.git("remote", "set-url", "origin", "https://forge.invalid/fork.git")
    for number in range(FILES // 10):
        fork.write(f"part_{number}.py", f"def part_{number}():\n    return -{number}\n")
    fork.commit("Negate some parts")
    fork.git("update-ref", "refs/remotes/origin/HEAD", "HEAD")
    pipeline.repositories.append(fork.path)
    result = pipeline.run()
    assert reported(result, "parse_cache")["parsed_count"] == FILES // 10
    assert pipeline.lake.count("repositories") == 2
    assert pipeline.lake.count("symbols", "path != ''") == 2 * FILES
