"""What the Markdown files in `cases` say about a language holds.

A file has one block of source with the symbols that it defines, then pairs of sources, apart by a line of `=`, and the word
that says how they compare.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from comind.fingerprints import parse_source

FENCE = re.compile(r"^```(\w+) ?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OVERLOADED = {
    "java": ("class A { void put(int a) { } }", "class A { void put(String a) { } void put(int b) { } }"),
    "typescript": ("function put(a: number): void;", "function put(a: string): void;\nfunction put(b: number): void;"),
}


class Block(NamedTuple):
    """One fenced block of a file."""

    language: str
    word: str
    text: str


FILES = {
    path.stem: [Block(*found.groups()) for found in FENCE.finditer(path.read_text(encoding="utf-8"))]
    for path in sorted(Path(__file__).with_name("cases").glob("*.md"))
}


def pairs(word):
    found = [
        (one.language, *re.split(r"^=+\n", one.text, flags=re.MULTILINE)) for blocks in FILES.values() for one in blocks if one.word == word
    ]
    assert found
    return found


def symbols(source, language):
    parse = parse_source(source.encode(), language)
    assert parse.problem is None
    return [f"{one.descriptors} {one.kind}{f' {one.ordinal}' if one.ordinal else ''}" for one in parse.definitions]


def hashes(source, language):
    parse = parse_source(source.encode(), language)
    assert parse.problem is None
    found = [(one.descriptors, one.sig_hash, one.body_hash, one.shape_hash) for one in parse.definitions]
    assert found
    return found


def test_every_file_has_blocks_of_each_kind():
    for language, blocks in FILES.items():
        assert {block.word for block in blocks} >= {"", "same", "differ"}, language


@pytest.mark.parametrize("language", FILES)
def test_a_sample_defines_exactly_these_symbols(language):
    source, expected = (block.text for block in FILES[language] if not block.word)
    assert symbols(source, language) == expected.splitlines()


@pytest.mark.parametrize(("language", "one", "other"), pairs("same"))
def test_these_have_the_same_fingerprints(language, one, other):
    assert hashes(one, language) == hashes(other, language)


@pytest.mark.parametrize(("language", "one", "other"), pairs("differ"))
def test_these_have_another_body(language, one, other):
    (*_, first), (*_, second) = hashes(one, language), hashes(other, language)
    assert first[0] == second[0]
    assert first[2] != second[2]


@pytest.mark.parametrize(
    ("language", "before", "after"), [*pairs("overloads"), *[(language, *pair) for language, pair in OVERLOADED.items()]]
)
def test_an_overload_put_above_others_leaves_their_symbols_as_they_are(language, before, after):
    old, new = symbols(before, language), symbols(after, language)
    assert len(new) == len(old) + 1
    assert not [one.descriptors for one in parse_source(after.encode(), language).definitions if one.ordinal]
    assert [one for one in new if one in old] == old
