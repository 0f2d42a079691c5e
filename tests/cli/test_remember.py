from __future__ import annotations

import json

import pytest

from comind.cli.remember_options import EXAMPLES, FIELDS, IDS, SUMMARIES
from comind.records import parts
from comind.records.vocabulary import Kind, RelationKind
from comind.store.layout import INBOX

RULE = ("remember", "constraint", "--on", "Cart.total", "--rule", "Prices are never negative", "--severity", "must")


@pytest.fixture
def written(ledger):
    """Every record in the inbox, as plain JSON."""
    return lambda: [json.loads(path.read_bytes()) for path in sorted(ledger.store.glob(f"{INBOX}/*/*.json"))]


KINDS = {
    Kind.INTENT: ("--need", "Sum a cart"),
    Kind.DECISION: ("--chosen", "Add up", "--alternative", "A query | the database is slow", "--reversibility", "easy"),
    Kind.ATTEMPT: ("--approach", "Cache totals", "--outcome", "reverted", "--evidence", "HEAD"),
    Kind.CONSTRAINT: ("--rule", "Never negative", "--severity", "must"),
    Kind.GOTCHA: ("--symptom", "Total is off", "--cause", "Floats", "--workaround", "Cents"),
    Kind.QUESTION: ("--question", "Who rounds?", "--blocking"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_written_as_one_object_that_why_shows(comind, written, kind):
    ran = comind("remember", kind, "--on", "Cart.total", *KINDS[kind])
    assert (ran.code, ran.err) == (0, "")
    [record] = written()
    assert record["kind"] == kind
    assert record["provenance"]["author_kind"] == "human"
    assert record["provenance"]["source"] == "cli"
    assert "actor" not in record["provenance"]
    [one] = comind("why", "Cart.total", "--json").json["records"]
    assert one["record"]["id"] == record["id"]


def test_every_field_of_every_kind_has_an_option_and_every_option_a_field():
    classes = {kind: getattr(parts, f"{kind.capitalize()}Fields") for kind in (*Kind, *RelationKind)}
    assert {kind: {*FIELDS[kind], *IDS.get(kind, ())} for kind in classes} == {kind: set(one.model_fields) for kind, one in classes.items()}
    assert set(SUMMARIES) == set(EXAMPLES) == {*Kind, *RelationKind, "-"}


def test_title_and_trigger_are_made_of_the_fields_and_the_subject(comind, written):
    comind("remember", "attempt", "--on", "Cart.total", *KINDS[Kind.ATTEMPT])
    [record] = written()
    assert (record["title"], record["trigger"]) == ("Cache totals — reverted", "relevant when editing Cart.total")


def test_a_long_claim_makes_a_title_that_fits(comind, written):
    comind("remember", "constraint", "--on", "Cart.total", "--rule", "word " * 60, "--severity", "must")
    [record] = written()
    assert len(record["title"]) <= 120
    assert record["title"].endswith("…")


def test_the_anchor_is_the_symbol_as_it_is_at_the_indexed_head(comind, written, ledger):
    comind(*RULE)
    [record] = written()
    assert record["anchors"] == [ledger.anchor(start_line=9, end_line=16)]


@pytest.mark.parametrize(
    ("on", "scope", "path"),
    [
        ("file:shop/cart.py", "file", "shop/cart.py"),
        ("module:shop", "module", "shop"),
        ("shop/cart.py", "file", "shop/cart.py"),
        ("shop/cart.py:12", "symbol", "shop/cart.py"),
        ("shop", "module", "shop"),
        ("repo", "repo", None),
        ("org", "org", None),
        ("dep:pypi/flask@>=3,<4", "dependency", None),
        ("dep:npm/@types/node@^20", "dependency", None),
    ],
)
def test_on_takes_places_of_every_scope(comind, written, on, scope, path):
    assert comind("remember", "constraint", "--on", on, "--rule", "Never", "--severity", "must").code == 0
    [anchor] = written()[0]["anchors"]
    assert (anchor["scope"], anchor.get("path")) == (scope, path)


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("issue:https://tracker.example/1", {"kind": "issue", "url": "https://tracker.example/1"}),
        ("https://wiki.example/page", {"kind": "document", "url": "https://wiki.example/page"}),
        ("test:tests/test_cart.py", {"kind": "test", "path": "tests/test_cart.py", "repo": "example.org/shop"}),
        ("shop/cart.py", {"kind": "document", "path": "shop/cart.py", "repo": "example.org/shop"}),
        ("error:ValueError: negative", {"kind": "error", "quote": "ValueError: negative"}),
    ],
)
def test_evidence_is_told_by_its_form(comind, written, text, evidence):
    comind(*RULE, "--evidence", text)
    assert written()[0]["evidence"] == [evidence]


def test_evidence_commits_are_completed_by_the_checkout(comind, written, ledger):
    comind(*RULE, "--evidence", f"revert:{ledger.repository.head[:8]}")
    assert written()[0]["evidence"] == [{"kind": "revert", "commit": ledger.repository.head, "repo": "example.org/shop"}]


def test_everything_wrong_is_said_at_once_and_nothing_is_written(comind, written):
    ran = comind(
        "remember", "attempt", "--on", "nothing", "--evidence", "deadbeef", "--field", "foo", "--outcome", "lost", "--title", "x" * 200
    )
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    for said in ("--on: 'nothing'", "--evidence: no commit 'deadbeef'", "--field: 'foo'", "--approach: ", "--outcome: ", "--title: "):
        assert said in ran.err
    assert written() == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("constraint", "--rule", "Never", "--severity", "must"), "--on: "),
        (("constraint", "--on", "Cart.total", "--rule", "Never", "--severity", "maybe"), "--severity: "),
        (("decision", "--on", "Cart.total", "--chosen", "This"), "--alternative: "),
        (("decision", "--on", "Cart.total", "--chosen", "This", "--alternative", "That"), "'That' is not 'OPTION | WHY NOT'"),
        (("attempt", "--on", "Cart.total", "--approach", "A", "--outcome", "failed"), "evidence"),
        (("constraint", "--on", "file:nowhere.py", "--rule", "N", "--severity", "must"), "'nowhere.py' is no file of example.org/shop at"),
        (("constraint", "--on", "module:nowhere", "--rule", "N", "--severity", "must"), "'nowhere' is no directory of example.org/shop at"),
        (("constraint", "--on", "dep:flask", "--rule", "N", "--severity", "must"), "'dep:flask' is not a dependency; write dep:"),
        (("constraint", "--on", "file:shop/cart.py", "--commit", "beef" * 10, "--rule", "N", "--severity", "must"), "no commit 'beef"),
        (("question", "--on", "Cart", "--question", "Mail ada@example.com about AKIAIOSFODNN7EXAMPLE"), "--question: "),
        (("retracts", "00000000", "--reason", "wrong"), "no record has the id '00000000'"),
        (("confirms",), "Missing argument"),
        (("frobnicate",), "No such command 'frobnicate'"),
        (("constraint", "--frob", "x"), "--frob"),
    ],
)
def test_bad_input_is_one_line_with_exit_code_2_and_writes_nothing(comind, written, arguments, said):
    ran = comind("remember", *arguments)
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err
    assert written() == []


def test_a_secret_is_refused_without_being_repeated(comind):
    ran = comind("remember", "question", "--on", "Cart", "--question", "Is AKIAIOSFODNN7EXAMPLE still in use?")
    assert ran.code == 2
    assert "AKIAIOSFODNN7EXAMPLE" not in ran.err


def test_an_agent_says_so(comind, written):
    comind(*RULE, "--agent", "helper", "--model", "small", "--actor", "k7")
    provenance = written()[0]["provenance"]
    assert [provenance[name] for name in ("author_kind", "agent", "model", "actor")] == ["agent", "helper", "small", "k7"]


@pytest.mark.parametrize("where", [("-",), ("--json", "-"), ("-", "--json")])
def test_a_whole_record_is_read_from_standard_input(comind, written, ledger, where):
    said = {
        "kind": "gotcha",
        "title": "Total is off",
        "trigger": "when adding",
        "fields": {"symptom": "S", "cause": "C"},
        "anchors": [ledger.anchor()],
    }
    ran = comind("remember", *where, stdin=json.dumps(said).encode())
    assert (ran.code, ran.err) == (0, "")
    [record] = written()
    assert {name: record[name] for name in said} == said
    if "--json" in where:
        assert ran.json["id"] == record["id"]


@pytest.mark.parametrize(
    ("stdin", "said"), [(b"", "is not the JSON object"), (b"[]", "it is a list"), (b"{", "is not the JSON"), (b'{"kind":"x"}', "kind")]
)
def test_what_is_no_record_on_standard_input_is_refused_in_a_line(comind, written, stdin, said):
    ran = comind("remember", "-", stdin=stdin)
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert said in ran.err
    assert written() == []


def test_writing_the_same_bytes_twice_writes_once_and_other_bytes_under_the_id_are_refused(comind, written, ledger):
    said = {"kind": "gotcha", "title": "T", "trigger": "when", "fields": {"symptom": "S", "cause": "C"}, "anchors": [ledger.anchor()]}
    said["id"] = comind(*RULE, "--json").json["id"][:-4] + "beef"
    first, second = (comind("remember", "--json", "-", stdin=json.dumps(said).encode()) for _ in range(2))
    assert (first.json["outcome"], second.json["outcome"], len(written())) == ("created", "already_there", 2)
    other = comind("remember", "-", stdin=json.dumps(said | {"title": "U"}).encode())
    assert (other.code, len(written())) == (2, 2)
    assert "has the id" in other.err


def remembered(comind):
    return comind(*RULE, "--json").json["id"]


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (("retracts", "--reason", "It may be negative"), "retracted"),
        (("confirms",), "active"),
        (("disputes", "--reason", "It may be negative"), "active"),
    ],
)
def test_relations_take_effect_at_once(comind, arguments, status):
    record_id = remembered(comind)
    verb, *options = arguments
    assert comind("remember", verb, record_id, *options).code == 0
    shown = comind("show", record_id, "--json").json["record"]
    assert shown["status"] == status
    assert [relation["kind"] for relation in shown["relations"]] == [verb]


def test_a_relation_takes_the_lamport_time_after_what_it_cites(comind, written):
    record_id = remembered(comind)
    comind("remember", "disputes", record_id[:18], "--reason", "No")
    assert [(one["kind"], one["lamport"]) for one in written()] == [("constraint", 0), ("disputes", 1)]
    assert written()[1]["fields"]["id"] == record_id


def test_a_confirmation_is_of_the_commit_that_is_checked_out(comind, written, ledger):
    comind("remember", "confirms", remembered(comind))
    assert written()[1]["fields"]["at_commit"] == ledger.repository.head


def test_one_record_takes_the_place_of_another(comind):
    old, new = remembered(comind), remembered(comind)
    assert comind("remember", "supersedes", old, new).code == 0
    assert [comind("show", one, "--json").json["record"]["status"] for one in (old, new)] == ["superseded", "active"]
    assert comind("remember", "relates", old, new, "--label", "same rule").code == 0


def test_nothing_is_looked_up_for_a_symbol_that_is_written_out(comind, written, ledger, monkeypatch):
    monkeypatch.setattr("comind.cli.context.Session.view", property(lambda _: pytest.fail("it read the tables")))
    symbol = ledger.anchor()["symbol"]
    head = ledger.repository.head
    ran = comind("remember", "constraint", "--on", symbol, "--path", "shop/cart.py", "--commit", head, "--rule", "N", "--severity", "must")
    assert (ran.code, ran.err) == (0, "")
    assert written()[0]["anchors"] == [ledger.anchor()]


def test_a_store_that_cannot_be_written_says_so(comind, tmp_path):
    (tmp_path / "file").write_text("not a directory")
    ran = comind(
        "remember", "constraint", "--on", "file:shop/cart.py", "--rule", "N", "--severity", "must", "--store", tmp_path / "file" / "store"
    )
    assert (ran.code, ran.out, ran.err.count("\n")) == (3, "", 1)
    assert ran.err.startswith("comind: cannot ")


def test_outside_a_repository_a_place_needs_to_be_told(comind, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path / "home")
    ran = comind("remember", "constraint", "--on", "file:shop/cart.py", "--rule", "N", "--severity", "must")
    assert (ran.code, ran.err) == (
        2,
        "comind: --on: 'shop/cart.py' needs a repository; run this inside a checkout, or name one with --repo\n",
    )
    told = ("--repo", "example.org/shop", "--commit", "a" * 40)
    assert comind("remember", "constraint", "--on", "file:shop/cart.py", "--rule", "N", "--severity", "must", *told).code == 0
