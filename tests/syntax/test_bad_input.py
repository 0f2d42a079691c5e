"""Input that nobody wrote by hand: it gives a parse in bounded time and depth, whatever the language."""

from __future__ import annotations

from pathlib import Path

import pytest

from comind.fingerprints import parse_source
from comind.syntax.languages import LANGUAGES
from comind.syntax.slices import CLOSE

DEEP = 10_000
NOT_CODE = {
    "parentheses": b"x = " + b"(" * DEEP + b"1" + b")" * DEEP + b"\n",
    "braces": b"{" * DEEP + b"}" * DEEP,
    "invalid UTF-8": b"f(\xe9\xff)\n" * 10,
    "UTF-16": "int f() {}\n".encode("utf-16"),
    "NUL": b"x = 1\0\n",
    "nothing": b"",
}
CASES = Path(__file__).with_name("cases")


def sample(language):
    text = (CASES / f"{language}.md").read_text(encoding="utf-8")
    return text.partition(f"```{language}\n")[2].partition("\n```")[0] + "\n"


def hashes(source, language):
    return [(one.descriptors, one.sig_hash, one.body_hash) for one in parse_source(source, language).definitions]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NOT_CODE)
def test_what_is_no_code_is_parsed_to_something_that_owns_up_to_it(language, name):
    parse = parse_source(NOT_CODE[name], language)
    has_reason = parse.problem is not None
    assert has_reason or parse.error_nodes == 0
    assert has_reason or name not in {"invalid UTF-8", "UTF-16", "NUL"}
    assert CLOSE not in {one.name.encode() for one in parse.definitions}


@pytest.mark.parametrize("language", sorted(path.stem for path in CASES.glob("*.md")))
def test_line_ends_and_a_byte_order_mark_change_no_fingerprint(language):
    source = sample(language).encode()
    expected = hashes(source, language)
    assert expected
    assert hashes(source.replace(b"\n", b"\r\n"), language) == expected
    assert hashes(b"\xef\xbb\xbf" + source, language) == expected
