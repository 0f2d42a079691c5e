import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comind.safety import Level, inspect, plain, plain_html, plain_line, scrub
from comind.safety.hidden import hidden_findings

TAGGED = "".join(chr(0xE0000 + ord(letter)) for letter in "obey")


@pytest.mark.parametrize(
    ("text", "code", "level"),
    [
        (f"fine{TAGGED}", "hidden_tag", Level.QUARANTINE),
        ("a\u202eb", "hidden_bidi", Level.QUARANTINE),
        ("a\u2066\u2069b", "hidden_bidi", Level.QUARANTINE),
        ("a\u200fb", "hidden_bidi", Level.QUARANTINE),
        ("\u061ca", "hidden_bidi", Level.QUARANTINE),
        ("a\ufe01\ufe02\ufe0e", "hidden_selector", Level.QUARANTINE),
        ("a\U000e0101\U000e0102", "hidden_selector", Level.QUARANTINE),
        ("a\ufe05b", "hidden_invisible", Level.REFUSE),
        ("a\u200bb", "hidden_invisible", Level.REFUSE),
        ("a\u2060b", "hidden_invisible", Level.REFUSE),
        ("a\ufeffb", "hidden_invisible", Level.REFUSE),
        ("soft\u00adhyphen", "hidden_invisible", Level.REFUSE),
        ("a\u200db", "hidden_invisible", Level.REFUSE),
        ("a\u3164b", "hidden_invisible", Level.REFUSE),
        ("a\u2028b", "hidden_invisible", Level.REFUSE),
        ("a\x00b", "control", Level.REFUSE),
        ("a\x07b", "control", Level.REFUSE),
        ("a\x7fb", "control", Level.REFUSE),
        ("a\x85b", "control", Level.REFUSE),
        ("a\rb", "control", Level.REFUSE),
        ("a\x1b[31mb", "terminal_escape", Level.REFUSE),
        ("a\x1b]0;title\x07b", "terminal_escape", Level.REFUSE),
        ("a\x1b]8;;http://evil\x1b\\b", "terminal_escape", Level.REFUSE),
        ("a\x1bPq#0\x1b\\b", "terminal_escape", Level.REFUSE),
        ("a\x1bcb", "terminal_escape", Level.REFUSE),
        ("a\x9b2Jb", "terminal_escape", Level.REFUSE),
        ("a\x1b", "control", Level.REFUSE),
    ],
)
def test_a_hidden_character_is_found_and_taken_out(text, code, level):
    (finding,) = hidden_findings(text)
    assert (finding.code, finding.level) == (code, level)
    assert inspect(text) == [finding]
    scrubbed = scrub(text)
    assert hidden_findings(scrubbed.text) == []
    assert scrubbed.quarantine is (level is Level.QUARANTINE)
    assert scrubbed.quarantine_code == (code if level is Level.QUARANTINE else None)


@pytest.mark.parametrize(
    "text",
    [
        "plain ASCII\n\twith a tab\r\nand a Windows line end",
        "Ünïcödé, 日本語, русский, עברית, العربية",
        "e\u0301 combining",
        "👩\u200d💻 and 🏳\ufe0f\u200d🌈 and ☺\ufe0f and 1\ufe0f\u20e3 and 👍🏽",
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",  # Persian spells with a non-joiner
        "क\u094d\u200dष",  # Devanagari asks for a half form with a joiner
        "葛\U000e0100城",  # a Japanese name picks its form of the character
        "non\u00a0breaking and thin\u2009spaces",
        "private \ue0b0 use",
    ],
)
def test_what_a_script_needs_stays(text):
    assert hidden_findings(text) == []
    assert scrub(text).text == text.replace("\r\n", "\n")


@given(st.text() | st.text(st.characters(categories=["Cf", "Cc", "Mn", "So", "Lo", "Zl"])))
def test_nothing_hidden_is_left_after_one_pass(text):
    for clean in (scrub(text).text, plain(text)):
        assert hidden_findings(clean) == []
        assert all(unicodedata.category(character) != "Cc" or character in "\n\t" for character in clean)
    assert plain(plain(text)) == plain(text)
    assert scrub(scrub(text).text).text == scrub(text).text


@given(st.text(st.sampled_from("ab\x1b\x9b[]()P31;mH?7\x07\\ \n\u202e\u200d👩☺\ufe0f")))
def test_no_escape_is_born_of_what_is_left_of_another(text):
    assert hidden_findings(plain(text)) == []
    assert "\x1b" not in plain(text)


@given(st.text() | st.text(st.sampled_from("\x1b]P^[x\x07\x9c\\")), st.text(), st.sampled_from(["\u202e", "\x1b[2J", "\u200b", TAGGED]))
def test_nothing_around_it_keeps_a_hidden_character_from_being_found(before, after, hidden):
    start = len(before) + 1
    findings = inspect(f"{before}x{hidden}x{after}")
    around = [finding for finding in findings if finding.where[0] <= start and start + len(hidden) <= finding.where[1]]
    assert around
    if hidden in {"\u202e", TAGGED}:
        assert max(finding.level for finding in around) is Level.QUARANTINE


def test_a_finding_tells_where_it_stands():
    assert [finding.where for finding in inspect("ab\u202ec\x1b[2Jd\u200b")] == [(2, 3), (4, 8), (9, 10)]


def test_an_escape_without_an_end_takes_no_text_with_it():
    assert plain("a\x1b]0;the rest stays") == "a0;the rest stays"


def test_text_for_a_screen_is_what_a_reader_sees():
    text = "[bold]x[/bold] \x1b[1mbold\x1b[0m\x1b]8;;http://evil\x07link\x1b]8;;\x07\ud800 \u202eabc" + TAGGED
    assert plain(text) == "[bold]x[/bold] boldlink\ufffd abc"
    assert plain_line("a\n\n  b\u2028c\td") == "a b c d"
    assert plain_html('<img src=x onerror="a&b">\x1b[0m') == "&lt;img src=x onerror=&quot;a&amp;b&quot;&gt;"
