"""Nothing that can be sent of a source names a person or holds a secret, an address, a handle or a hidden character."""

from __future__ import annotations

import itertools
import unicodedata

import pytest

from comind.distill.brief import Brief, KnownRecord, SpanRole
from comind.distill.prompt import messages
from comind.records.vocabulary import Kind
from comind.safety import inspect

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" * 2
PLANTED = (
    "Grace", "Hopper", "grace", "hopper", "Lovelace", "Katherine", "Johnson", "kjohnson", "zuse", "@", "mitsuko", "turing", "Alan", "AKIA",
    "ghp_", "hunter9", "\u200b", "\u200d", "\x1b", "\x07", "\u2028",
)  # fmt: skip
MESSAGE = f"""Grace Hopper's cache goes (thanks, Ada Lovelace!)

The cache kept stale rows because nobody invalidates it, as Grace said and @mitsuko confirmed; ask grace.hopper@navy.mil\u200b or
see https://grace:hunter9xyz@ci.navy.mil/1 with token {SECRET}.

Hopper noticed that it fails on Windows since the lock is not released\x1b[31m. cc @zuse-k @turing

AKIAQ3EXAMPLE7EXAMPL was used there, so it must be rotated\u2028before the release, otherwise uploads fail. \u200bKjohnson wrote: kjohnson.

Reported-by: Katherine Johnson <kjohnson@nasa.gov>
Co-authored-by: Alan Turing <alan@bletchley.uk>
Signed-off-by: Grace Hopper <grace.hopper@navy.mil>
"""


def sent(brief):
    """Every string of a brief that a question may hold."""
    assert isinstance(brief, Brief), brief
    yield from (span.text for span in brief.spans)
    yield from itertools.chain.from_iterable((place.path, place.name, place.symbol or "") for place in brief.places)
    yield from itertools.chain.from_iterable((one.record_id, one.title, one.trigger) for one in brief.known)


def assert_clean(brief):
    strings = [*sent(brief), messages(brief)[-1].content]
    assert len(strings) > 3
    for text in strings:
        assert [word for word in PLANTED if word in text and not text.startswith("comind ")] == [], text
        assert [one.code for one in inspect(text)] == [], text
        assert all(unicodedata.category(character) not in {"Cc", "Cf", "Co", "Cs"} or character == "\n" for character in text)


@pytest.fixture
def signed(repository):
    """Commit as Grace Hopper."""

    def run(message):
        repository.commit(message)
        repository.git("commit", "-q", "--amend", "--no-edit", "--author", "Grace Hopper <grace.hopper@navy.mil>")
        repository.commits[-1] = repository.head
        return repository.head

    return run


def known(_places, **_):
    yield KnownRecord(record_id="k1", kind=Kind.DECISION, title="Keep the lock", trigger="Before changing it", is_human_backed=True)
    yield KnownRecord(record_id="k2", kind=Kind.DECISION, title="Ask grace.hopper@navy.mil", trigger="Always", is_human_backed=True)


def test_a_commit_full_of_people_and_secrets_leaks_nothing(repository, judge, signed):
    repository.write("shop.py", "class Shop:\n    def price(self):\n        return 3\n").write("people/grace@navy.mil.py", "x = 1\n")
    repository.write("keys/AKIAQ3EXAMPLE7EXAMPL.txt", "x\n").write("odd\u200bname.py", "y = 2\n")
    signed(MESSAGE)
    brief = judge(known=known)
    assert_clean(brief)
    assert any("stale rows because nobody invalidates it" in span.text for span in brief.spans)
    assert [place.name for place in brief.places] == ["Shop.price"] or len(brief.places) > 1
    assert [one.record_id for one in brief.known] == ["k1"]


def test_what_was_undone_leaks_nothing(repository, judge, signed):
    repository.write("shop.py", "class Shop:\n    def price(self):\n        return 3\n")
    target = signed(MESSAGE)
    sha = repository.revert(
        target, f"Undo the cache\n\nThis reverts commit {target}. Users lost orders, as Turing saw; Alan Turing was right.\n"
    )
    brief = judge(sha, known=known)
    assert brief.spans[-1].role is SpanRole.UNDONE
    assert_clean(brief)


def test_names_are_given_for_checking_answers(repository, judge, signed):
    repository.write("shop.py", "class Shop:\n    def price(self):\n        return 3\n")
    signed(MESSAGE)
    assert {"hopper", "katherine", "johnson", "kjohnson", "turing"} <= judge().names
    assert all(len(name) >= 3 and name == name.casefold() for name in judge().names)


def test_names_that_are_ordinary_words_or_words_of_the_code_stay_in_the_text(repository, judge):
    repository.write("shop.py", "class Shop:\n    def price(self):\n        return 3\n")
    repository.commit("Keep the lock\n\nThe Shop will fail otherwise, because Mark runs twice. Seen by Will Shop, as Will said.")
    repository.git("commit", "-q", "--amend", "--no-edit", "--author", "Will Shop <will.shop@example.uk>")
    brief = judge(repository.head)
    assert brief.spans[1].text == "The Shop will fail otherwise, because Mark runs twice. Seen by [person], as [person] said."


@pytest.mark.parametrize("text", ["@Override `@mitsuko` @app.route(x) npm i @scope/pack user@host:path.git @media"])
def test_marks_of_code_stay(repository, judge, text):
    repository.write("Shop.java", "class Shop { int price() { return 3; } }\n")
    repository.commit(f"Keep the lock\n\nIt fails otherwise, because {text} is called twice.")
    assert text in judge().spans[1].text
