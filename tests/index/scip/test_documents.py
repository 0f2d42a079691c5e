import time

import pytest

from comind.index.scip.documents import lay_over
from comind.index.scip.messages import PositionEncoding
from comind.index.scip.symbols import read_symbol
from tests.builders.scip import defined, document, mentioned

SOURCE = "import os\n\ndef run(job):\n    job.start()\n    stop(job)\n\ndef stop(job):\n    pass\n"
MARKS = (
    mentioned("os", "python-stdlib os/__init__:"),
    defined("run", "p a/run()."),
    defined("stop", "p a/stop().", nth=1),
    mentioned("stop", "p a/stop()."),
    mentioned("start", "p jobs/Job#start()."),
)


def over(source, *marks, content=None, **said):
    return lay_over(document("a.py", source, *marks, **said), (content or source).encode())


def names(found):
    return sorted((mention.line, mention.name) for mention in found.mentions)


def test_mentions_stand_where_the_document_says():
    found = over(SOURCE, *MARKS)
    assert names(found) == [(1, "os"), (3, "run"), (4, "start"), (5, "stop"), (7, "stop")]
    assert found.is_current
    assert [mention.name for mention in found.definitions] == ["run", "stop"]
    assert [mention.is_call for mention in found.references] == [False, True, True]


@pytest.mark.parametrize("content", ["\n" + SOURCE, SOURCE.removeprefix("import os\n"), SOURCE.replace("run", "walk"), SOURCE[:20]])
def test_a_document_made_from_another_state_of_the_file_is_not_current(content):
    assert not over(SOURCE, *MARKS, content=content).is_current


def test_a_name_that_is_not_written_there_is_not_believed():
    found = over("x = 1\ny = x\n", defined("x", "p a/x."), mentioned("y", "p a/x."), mentioned("x", "p a/x.", nth=1))
    assert names(found) == [(1, "x"), (2, "x")]


def test_an_alias_and_a_constructor_are_other_names():
    source = "from b import Base as Root\nclass A(Root): ...\nA()\n"
    found = over(
        source,
        mentioned("Base as Root", "p b/Base#"),
        mentioned("Root", "p b/Base#", nth=1),
        defined("A", "p a/A#"),
        mentioned("A", "p a/A#__init__().", nth=1),
    )
    assert names(found) == [(1, "Base"), (2, "A"), (2, "Root"), (3, "A")]


def test_a_name_may_be_given_in_another_file():
    aliases = set()
    lay_over(document("a.ts", "export { A as Root }\n"), b"export { A as Root }\n", aliases=aliases)
    used = document("b.ts", "new Root()\n", mentioned("Root", "p a/A#"))
    assert [names(lay_over(used, b"new Root()\n", aliases=known)) for known in (set(), aliases)] == [[], [(1, "Root")]]


def test_keys_that_a_tool_counts_are_no_sign_of_another_state():
    assert over("x = { a: 1, b: 2, c: 3, d: 4 }\n", *(defined(name, f"p a/{name}0:") for name in "abcd")).is_current


def test_a_second_definition_that_a_tool_calls_a_mention_is_a_definition():
    found = over("def run(x): ...\ndef run(y): ...\n", defined("run", "p a/run()."), mentioned("run", "p a/run().", nth=1))
    assert [mention.is_definition for mention in found.mentions] == [True, True]


def test_a_module_is_named_by_its_last_part():
    found = over("import a.b.c\n", mentioned("a.b.c", "p `a.b.c`/__init__:"))
    assert names(found) == [(1, "c")]


def utf16(text):
    return len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize(
    ("encoding", "count"),
    [(0, utf16), (PositionEncoding.UTF8, lambda text: len(text.encode())), (PositionEncoding.UTF16, utf16), (PositionEncoding.UTF32, len)],
)
def test_characters_are_counted_as_the_document_says(encoding, count):
    source = "'ä𝔘'; run()\n"
    one = document("a.py", source, mentioned("run", "p a/run()."), encoding=encoding)
    one.occurrences[0].range[:] = [0, count("'ä𝔘'; "), count("'ä𝔘'; run")]
    assert names(lay_over(one, source.encode())) == [(1, "run")]


@pytest.mark.parametrize(
    "numbers", [[], [0], [0, 5, 5], [0, 3, 1], [-1, 0, 2], [0, -4, 2], [0, 0, 1, 2], [9, 0, 1], [0, 90, 99], [2**31 - 1, 0, 2**31 - 1]]
)
def test_a_range_that_no_text_has_is_no_mention(numbers):
    one = document("a.py", "run()\n", mentioned("run", "p a/run()."))
    one.occurrences[0].range[:] = numbers
    assert lay_over(one, b"run()\n").mentions == ()


def test_content_that_is_no_text_gives_no_mention():
    one = document("a.py", "run()\n", mentioned("run", "p a/run()."))
    assert lay_over(one, b"\xff\xfe\0\0run").mentions == ()


def test_a_name_in_a_line_of_a_megabyte_costs_about_what_one_in_a_short_line_does():
    count, symbol = 10_000, read_symbol("s npm p 1 `a.js`/run().")
    seconds = []
    for long in (False, True):
        one = document("a.js", "run()", *[mentioned("run", "p a/run().")] * count)
        for number, occurrence in enumerate(one.occurrences):
            occurrence.range[:] = [0, 2 + 6 * number, 5 + 6 * number] if long else [number, 2, 5]
        source = "ä;" + "run()," * count + "ä" * 500_000 if long else "ä;run(),\n" * count
        started = time.process_time()
        found = lay_over(one, source.encode(), lambda _: symbol)
        seconds.append(time.process_time() - started)
        assert (len(found.mentions), found.is_current) == (count, True)
    assert seconds[1] < 10 * seconds[0] + 1
