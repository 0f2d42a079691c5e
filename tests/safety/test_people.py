import pytest

from comind.safety import Level, inspect, scrub
from comind.safety.people import people_findings


def address(local="ada", host="lovelace.uk"):
    return f"{local}@{host}"


@pytest.mark.parametrize(
    "line",
    [
        "Signed-off-by: Ada Lovelace <ADDRESS>",
        "Co-authored-by: dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>",
        "co-authored-by: Ada <ADDRESS>",
        "Co-Authored-By: Ada",
        "Reviewed-by: ada",
        "Reported-and-tested-by: Ada Lovelace <ADDRESS>",
        "Suggested-by: @ada",
        "Acked-by: Ада Лавлейс",
        "Submitted by:\tAda Lovelace",
        "Reviewed by: Henning P. Schmiedehausen",
        "Submitted by: Ludwig van Beethoven and Ada Lovelace",
        "Submitted by: ADDRESS (Ada L)",
        "Author: Ada Lovelace <ADDRESS>",
        "Cc: Ada Lovelace <ADDRESS>, x",
        "cc: @ada",
        "> Signed-off-by: Ada Lovelace <ADDRESS>",
        "  * Tested-by: Ada",
    ],
)
def test_a_line_that_names_a_person_goes_as_a_whole(line):
    text = f"Undo the cache.\n\nIt was stale.\n{line.replace('ADDRESS', address())}\nRefs: #12"
    assert scrub(text).text == "Undo the cache.\n\nIt was stale.\nRefs: #12"
    assert [finding.code for finding in inspect(text)] == ["person_trailer"]


@pytest.mark.parametrize(
    "line",
    [
        "Reviewed-on: https://go-review.googlesource.com/c/tools/+/1234",
        "Reviewed by: the build",
        "Tested by: unit tests in tests/cache_test.py",
        "Tested-by: tests/cache_test.py",
        "Fixed-by: 1b0ff4dd6a2e",
        "Found-by: #1234",
        "Submitted by:",
        "Author: unknown",
        "Credits: see the AUTHORS file",
        "Tested: the cache holds",
        "Rejected: Redis | stale grants",
    ],
)
def test_a_line_that_names_no_one_stays(line):
    assert scrub(line).text == line
    assert inspect(line) == []


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("ask ADDRESS about it", "ask [address] about it"),
        ("ask <ADDRESS>.", "ask [address]."),
        ("from Ada Lovelace <ADDRESS>: stale", "from [person]: stale"),
        ("Better coverage from Nathan B. Beyer [ADDRESS].", "Better coverage from [person]."),
        ("From: Gary Gregory [mailto:ADDRESS]", "From: [person]"),
        ("mail (ADDRESS) bounced", "mail [address] bounced"),
        ("schreib an jörg.ADDRESS", "schreib an [address]"),
        ("请联系ADDRESS谢谢", "请联系[address]谢谢"),
        ("See ADDRESS, ADDRESS", "See [address], [address]"),
    ],
)
def test_an_address_goes_and_a_name_before_it(text, clean):
    scrubbed = scrub(text.replace("ADDRESS", address()))
    assert scrubbed.text == clean
    assert all(finding.level is Level.REFUSE for finding in scrubbed.findings)


@pytest.mark.parametrize(
    "text",
    [
        "git@github.com:pallets/flask.git",
        "ssh://git@host.example.com/x",
        "mail user@example.com in the test",
        "no mail to noreply@github.com",
        "actions/setup-java@v1.4.0",
        "react-dom/server@18.3.1",
        "node_modules/.pnpm/hono@3.10.1/node_modules",
        "wildfly@26.1.0.Final",
        "icon@2x.png and logo@dark.svg",
        "@angular/core and @types/node",
        "the `@` in a@b",
        "x@y.z is short",
        "postgresql://postgres@localhost/app",
        "matrix @ vector.T",
    ],
)
def test_an_at_sign_without_a_person_stays(text):
    assert scrub(text).text == text
    assert people_findings(text) == []


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Thanks @ada-l for the report", "Thanks [person] for the report"),
        ("thanks to @ada, @bob and @eve!", "thanks to [person]!"),
        ("reported by @ada in #12", "reported by [person] in #12"),
        ("* fix after @thinkerou review", "* fix after [person] review"),
        ("Per @usualoma: q values are 1", "Per [person]: q values are 1"),
        ("reviewed by a human - @schneems.", "reviewed by a human - [person]."),
        ("cc @ada", "cc [person]"),
        ("@ada's patch", "[person]'s patch"),
    ],
)
def test_a_handle_goes_where_it_is_surely_one(text, clean):
    assert scrub(text).text == clean


@pytest.mark.parametrize(
    "text",
    [
        "Add @since tags and @Override", "replaced by @Nullable", "fix by @property", "use @app.route('/')", "Convert to @Nested test classes",
        "bump `@hono/node-server`", "{@code x} and {@link Y}", "the @jsx pragma", "thanks to @deprecated", "the Javadoc @param's text", "by @types/node",
        "suggested by @typescript-eslint/unbound-method", "@Test methods are public", "obtained from @pytest.fixture",
    ],
)  # fmt: skip
def test_an_annotation_is_no_handle(text):
    assert scrub(text).text == text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("This closes #20. Thanks to Ben Ripkens.", "This closes #20. Thanks to [person]."),
        ("Thanks to\nJuan Pablo Santos Rodríguez.", "Thanks to\n[person]."),
        ("Thanks to Fabian Lange and Thomas Neidhart.", "Thanks to [person]."),
        ("Applying Ville Skyttä's patch from LANG-761", "Applying [person]'s patch from LANG-761"),
        ("Patch supplied by Stian Soiland-Reyes", "Patch supplied by [person]"),
        ("as recommended by Ludwig van Beethoven on the list", "as recommended by [person] on the list"),
    ],
)
def test_a_name_after_words_of_thanks_is_flagged_and_taken_out(text, clean):
    scrubbed = scrub(text)
    assert scrubbed.text == clean
    assert {finding.level for finding in scrubbed.findings} == {Level.FLAG}


@pytest.mark.parametrize("text", ["Reported by Error Prone", "tests suggested by Clover", "found by the fuzzer", "Thanks to Python 3.11", "patch from LANG-704",
                                  "thanks to StringUtils", "use theme provided by pallets", "Port from Apache Commons", "fix by Visual Studio Code"])  # fmt: skip
def test_a_tool_or_a_single_word_is_no_name(text):
    assert people_findings(text) == []


def test_the_owner_of_a_branch_and_of_a_url_is_left_out():
    text = "Merge pull request #12 from ada/patch-1\n\nMerge branch 'main' of https://ada@forge.example.com/x"
    assert scrub(text).text == "Merge pull request #12\n\nMerge branch 'main' of https://forge.example.com/x"


def test_a_finding_never_says_whose_mark_it_is():
    text = f"Signed-off-by: Ada Lovelace <{address()}>\nThanks to Grace Hopper, cc @ada. Mail {address('eve')}"
    for finding in inspect(text):
        assert not {"Ada", "Lovelace", "Grace", "Hopper", "eve", "ada"} & set(finding.what.split())
