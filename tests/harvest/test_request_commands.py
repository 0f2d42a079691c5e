"""Commands in comments: what is understood, what is none, and what is said about the rest."""

import pytest

from comind.harvest.request_commands import BadCommand, Command, commands_in, fields_of
from comind.records.vocabulary import Kind


def only(text):
    (command,) = commands_in(text)
    return command


def fields(text):
    return fields_of(only(text))


@pytest.mark.parametrize(
    "text",
    [
        "We could use /comind remember here",
        "> /comind remember constraint: Quoted",
        "```\n/comind remember constraint: An example\n```",
        "    /comind remember constraint: Indented code",
        "/comindx remember constraint: Another bot",
    ],
)
def test_a_command_begins_a_line_of_prose_or_is_none(text):
    assert commands_in(text) == []


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_fields_come_first_and_the_rest_is_the_text(line_end):
    text = line_end.join([
        "Agreed.", "/comind remember constraint: Never cache prices", "on: shop.py Shop.price", "on: cart.py", "severity: must",
        "Retry when: later", "Prices went stale.", "severity: no field any more",
    ])  # fmt: skip
    command = only(text)
    assert (command.kind, command.title, command.places) == (Kind.CONSTRAINT, "Never cache prices", ("shop.py Shop.price", "cart.py"))
    assert command.body == "Retry when: later\nPrices went stale.\nseverity: no field any more"
    assert fields_of(command) == {"rule": "Never cache prices", "severity": "must"}


def test_a_comment_may_hold_several_commands_each_with_its_own_text():
    first, second = commands_in(
        "/comind remember question: Why two locks?\nNobody knows.\n/comind remember intent: Sell once\ntrigger: Before a sale"
    )
    assert (first.position, first.body, second.position, second.body, second.trigger) == (0, "Nobody knows.", 1, "", "Before a sale")


def test_code_below_a_command_stays_in_its_text():
    assert only("/comind remember intent: Sell\n```\n/comind remember x\n```").body == "```\n/comind remember x\n```"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("/comind remember intent: Sell once", {"need": "Sell once"}),
        ("/comind remember attempt Cache prices", {"approach": "Cache prices", "outcome": "failed"}),
        (
            "/comind remember attempt: Cache\noutcome: abandoned\nretry when: 2.0",
            {"approach": "Cache", "outcome": "abandoned", "retry_when": "2.0"},
        ),
        ("/comind remember constraint: Lock first", {"rule": "Lock first", "severity": "should"}),
        ("/comind remember Gotcha: It hangs\ncause: two locks", {"symptom": "It hangs", "cause": "two locks"}),
        ("/comind remember question: Why?", {"question": "Why?"}),
        (
            "/comind remember decision: Use a queue\ninstead of: threads | they deadlock | at times",
            {"chosen": "Use a queue", "alternatives": [{"option": "threads", "why_not": "they deadlock | at times"}]},
        ),
        ("/comind remember decision: Use a queue", {"chosen": "Use a queue", "alternatives": []}),
    ],
)
def test_the_title_says_what_nothing_else_says(text, told):
    assert fields(text) == told


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("/comind", "unclear"),
        ("/comind remember", "unclear"),
        ("/comind forget constraint: x", "unclear"),
        ("/comind remember rule: Lock first", "unclear"),
        ("/comind remember constraint:", "no_title"),
    ],
)
def test_a_command_that_cannot_be_understood_says_how_to_write_it(text, code):
    command = only(text)
    assert isinstance(command, BadCommand)
    assert command.code == code
    assert "write `/comind remember KIND: TITLE`" in command.problem


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("/comind remember gotcha: It hangs", "no_cause"),
        ("/comind remember constraint: x\nseverity: deadly", "bad_field"),
        ("/comind remember attempt: x\noutcome: great", "bad_field"),
        ("/comind remember decision: x\ninstead of: threads", "bad_field"),
    ],
)
def test_fields_that_cannot_be_meant_are_said(text, code):
    assert isinstance(only(text), Command)
    assert fields(text).code == code
