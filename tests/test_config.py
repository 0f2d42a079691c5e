import os
from pathlib import Path

import pytest

from comind.config import ConfigurationError, DistillSettings, ForgeEntry, RepositoryEntry, load_settings, remember_checkouts


def settings(cwd: Path, env=None, **flags):
    return load_settings(cwd=cwd, env={"HOME": str(cwd / "home")} | (env or {}), **flags)


def test_without_anything_said_the_store_is_below_xdg_data_home(tmp_path):
    found = settings(tmp_path, {"XDG_DATA_HOME": str(tmp_path / "data")})
    assert found.store == str(tmp_path / "data" / "comind" / "store")
    assert found.repositories == ()


def test_the_nearest_file_above_is_read_and_its_paths_are_relative_to_it(tmp_path):
    (tmp_path / "comind.toml").write_text(
        'store = "store"\nrepositories = ["a", { path = "../b", name = "bee", branches = ["v1"], scip = ["b.scip"] }]\n'
    )
    below = tmp_path / "deep" / "er"
    below.mkdir(parents=True)
    found = settings(below)
    assert found.store == str(tmp_path / "store")
    assert found.repositories == (
        RepositoryEntry(path=tmp_path / "a"),
        RepositoryEntry(path=tmp_path.parent / "b", name="bee", branches=("v1",), scip=(tmp_path / "b.scip",)),
    )


def test_a_flag_beats_the_environment_and_the_environment_beats_the_file(tmp_path):
    (tmp_path / "comind.toml").write_text('store = "s3://file/"\n')
    env = {"COMIND_STORE": "s3://environment"}
    assert settings(tmp_path).store == "s3://file"
    assert settings(tmp_path, env).store == "s3://environment"
    assert settings(tmp_path, env, store="s3://flag").store == "s3://flag"


def test_repositories_of_the_environment_are_joined_by_the_path_separator(tmp_path):
    env = {"COMIND_REPOS": os.pathsep.join(["one", "/two"])}
    assert [entry.path for entry in settings(tmp_path, env).repositories] == [tmp_path / "one", Path("/two")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("store = [", "is not TOML"),
        ("stor = 1", "stor: Extra inputs are not permitted"),
        ('workers = "two"', "workers: Input should be a valid integer"),
        ('[[forges]]\nhost = "git.example.com"\nkind = "gitea"', "forges.0.kind: Input should be 'gitlab' or 'github'"),
        (
            '[[forges]]\nhost = "git.example.com"\nkind = "gitlab"\nurl = "https://token@git.example.com"',
            "forges.0.url: String should match",
        ),
        ('repositories = [{ path = "a", project = "shop" }]', "project: String should match pattern"),
        ('[distill]\nendpoint = "https://key@models.example.com/v1"', "distill.endpoint: String should match pattern"),
        ('[distill]\nsources = ["sessions"]', "distill.sources.0: Input should be 'git', 'mr' or 'document'"),
        ("max_flip_share = 2.0", "max_flip_share: Input should be less than or equal to 1"),
    ],
)
def test_a_wrong_file_is_one_line_that_names_it_and_what_is_wrong(tmp_path, text, said):
    (tmp_path / "comind.toml").write_text(text)
    with pytest.raises(ConfigurationError, match=said) as caught:
        settings(tmp_path)
    assert str(tmp_path / "comind.toml") in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_forge_of_ones_own_and_the_project_of_a_repository_are_said_in_the_file(tmp_path):
    (tmp_path / "comind.toml").write_text(
        '[[repositories]]\npath = "a"\nproject = "git.example.com/group/shop"\n[[forges]]\nhost = "git.example.com"\nkind = "gitlab"\n'
    )
    found = settings(tmp_path)
    assert found.repositories == (RepositoryEntry(path=tmp_path / "a", project="git.example.com/group/shop"),)
    assert found.forges == (ForgeEntry(host="git.example.com", kind="gitlab"),)


def test_the_model_that_reads_prose_is_configured_without_its_key(tmp_path):
    (tmp_path / "comind.toml").write_text(
        '[distill]\nendpoint = "http://127.0.0.1:8080/v1"\nmodel = "small"\nmax_calls = 9\nmax_cost = 2\nsources = ["git"]\n'
    )
    found = settings(tmp_path).distill
    assert found.is_on
    assert (found.endpoint, found.model, found.max_calls, found.max_cost) == ("http://127.0.0.1:8080/v1", "small", 9, 2.0)
    assert found.sources == ("git",)
    assert found.concurrency == DistillSettings().concurrency


def test_the_environment_names_an_endpoint_and_a_model_too(tmp_path):
    env = {"COMIND_DISTILL_ENDPOINT": "https://models.example.com/v1", "COMIND_DISTILL_MODEL": "large"}
    assert not settings(tmp_path).distill.is_on
    assert settings(tmp_path, env).distill == DistillSettings(endpoint="https://models.example.com/v1", model="large")


def test_an_endpoint_of_the_environment_that_is_no_address_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="COMIND_DISTILL_ENDPOINT"):
        settings(tmp_path, {"COMIND_DISTILL_ENDPOINT": "localhost:8080"})


def test_a_worker_count_that_is_no_number_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="COMIND_WORKERS"):
        settings(tmp_path, {"COMIND_WORKERS": "many"})


def test_a_checkout_is_remembered_for_its_store_alone_while_it_exists(tmp_path):
    (tmp_path / "clone").mkdir()
    env = {"HOME": str(tmp_path / "home")}
    here = settings(tmp_path, store="here")
    remember_checkouts(here, [RepositoryEntry(path=tmp_path / "clone")], env)
    assert settings(tmp_path, store="here").watched == (RepositoryEntry(path=tmp_path / "clone"),)
    assert settings(tmp_path, store="elsewhere").watched == ()
    (tmp_path / "clone").rmdir()
    assert settings(tmp_path, store="here").watched == ()


def test_what_is_said_is_watched_instead_of_what_is_remembered(tmp_path):
    (tmp_path / "clone").mkdir()
    remember_checkouts(settings(tmp_path, store="s"), [RepositoryEntry(path=tmp_path / "clone")], {"HOME": str(tmp_path / "home")})
    assert [entry.path.name for entry in settings(tmp_path, store="s", repositories=["other"]).watched] == ["other"]


def test_a_damaged_memory_of_checkouts_is_no_error(tmp_path):
    state = tmp_path / "home/.local/state/comind"
    state.mkdir(parents=True)
    (state / "checkouts.json").write_text("{")
    assert settings(tmp_path).remembered == ()
