"""The command line on a real S3 server, with identities that may only write or only read."""

from __future__ import annotations

import json
import uuid

import pytest

from tests.builders.s3 import Identity, shared_s3_server

pytestmark = pytest.mark.s3

RULE = ("--rule", "Prices are never negative", "--severity", "must")


@pytest.fixture
def as_identity(comind, monkeypatch):
    """Run a command line as an identity on a store of its own."""
    monkeypatch.setenv("COMIND_STORE", f"s3://ledger/{uuid.uuid4()}")

    def run(identity, *arguments, **options):
        for name, value in shared_s3_server().env(identity).items():
            monkeypatch.setenv(name, value)
        return comind(*arguments, **options)

    return run


def test_who_may_only_write_to_the_inbox_can_remember_and_who_may_only_read_sees_it_as_t3(as_identity, ledger):
    symbol = ("--on", ledger.anchor()["symbol"], "--path", "shop/cart.py", "--commit", ledger.repository.head)
    ran = as_identity(Identity.INBOX_WRITER, "remember", "constraint", *symbol, *RULE, "--json")
    assert (ran.code, ran.err) == (0, "")
    shown = as_identity(Identity.READER, "show", ran.json["id"], "--json").json["record"]
    assert (shown["trust"], shown["status"], shown["title"]) == ("T3", "active", "Prices are never negative")
    refused = as_identity(Identity.READER, "remember", "constraint", "--on", "file:shop/cart.py", *RULE)
    assert (refused.code, refused.out, refused.err.count("\n")) == (3, "", 1)


def test_a_relation_by_who_may_not_read_takes_effect_and_needs_the_whole_id(as_identity):
    record = as_identity(Identity.INBOX_WRITER, "remember", "constraint", "--on", "file:shop/cart.py", *RULE, "--json").json["id"]
    cut = as_identity(Identity.INBOX_WRITER, "remember", "retracts", record[:13], "--reason", "No")
    assert (cut.code, cut.err.count("\n")) == (2, 1)
    assert as_identity(Identity.INBOX_WRITER, "remember", "retracts", record, "--reason", "No").code == 0
    assert as_identity(Identity.READER, "show", record, "--json").json["record"]["status"] == "retracted"


@pytest.mark.parametrize("identity", [Identity.INBOX_WRITER, Identity.STRANGER])
@pytest.mark.parametrize(
    "arguments", [("why", "Cart.total"), ("log",), ("status",), ("remember", "question", "--on", "Cart", "--question", "Q?")]
)
def test_who_may_not_read_could_not_find_out(as_identity, identity, arguments):
    as_identity(Identity.ADMIN, "remember", "constraint", "--on", "file:shop/cart.py", *RULE)
    ran = as_identity(identity, *arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert shared_s3_server().env(identity)["AWS_SECRET_ACCESS_KEY"] not in ran.err


def test_a_record_on_standard_input_can_be_written_without_reading(as_identity, ledger):
    said = {"kind": "gotcha", "title": "T", "trigger": "when", "fields": {"symptom": "S", "cause": "C"}, "anchors": [ledger.anchor()]}
    assert as_identity(Identity.INBOX_WRITER, "remember", "-", stdin=json.dumps(said).encode()).code == 0
