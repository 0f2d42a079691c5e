"""What is found is asked for again without it, and a label that stays with a forwarder is neither right nor wrong."""

from __future__ import annotations

import json

from comind.evaluate.reanchor import evaluate_reanchor
from tests.builders.git import make_repository

PARSE = """\
def {name}(text, strict):
    words = text.split(" ")
    if strict and len(words) != 2:
        raise ValueError("two words are wanted")
    return {{word.lower(): position for position, word in enumerate(words)}}
"""


def figures_of_rename(tmp_path, before, after, *, label, qualified=None):
    """Measure one labelled row: the function `parse` in a commit, and what the label says it is in the next one."""
    repository = make_repository(tmp_path / "clones", "service")
    old, new = repository.write("a.py", before).commit(), repository.write("a.py", after).commit()
    line = 1 + after[: after.index(f"def {label}(")].count("\n")
    row = {
        "id": "row", "repo": "owner/service", "lang": "python", "kind": "method", "gap": 1, "commit_before": old, "commit_after": new,
        "file_before": "a.py", "name_before": "parse", "qname_before": "parse", "line_before": 1, "drift": "signature",
        "file_after": "a.py", "name_after": label, "qname_after": qualified or label, "start_after": line, "line_after": line,
    }  # fmt: skip
    (tmp_path / "labels.jsonl").write_text(json.dumps(row))
    return evaluate_reanchor(tmp_path / "labels.jsonl", tmp_path / "clones")


def test_nothing_is_accepted_where_nothing_like_it_came_beside(tmp_path):
    after = PARSE.format(name="parse_words") + "\n\ndef close(pool):\n    pool.shutdown(wait=True)\n"
    figures = figures_of_rename(tmp_path, PARSE.format(name="parse"), after, label="parse_words")
    assert (figures.groups["hard"].right, figures.withheld.rows, figures.withheld.accepted) == (1, 1, 0)


def test_a_twin_that_is_accepted_instead_is_counted(tmp_path):
    twin = PARSE.format(name="parse_lines").replace("strict and ", "").replace("two words are wanted", "give two")
    calls = "\n\ndef main():\n    return {0}('a b', True), {0}('c d', False)\n"
    before = PARSE.format(name="parse") + calls.format("parse")
    after = PARSE.format(name="parse_words") + "\n\n" + twin + calls.format("parse_words")
    figures = figures_of_rename(tmp_path, before, after, label="parse_words")
    assert (figures.groups["hard"].right, figures.withheld.accepted, figures.withheld.wrong) == (1, 1, ["row"])
    assert figures.as_json()["withheld"]["rows"] == 1


def test_a_label_that_stays_with_a_forwarder_is_listed_and_not_counted(tmp_path):
    forwarder = "def parse(text, strict):\n    return parse_words(text, strict)\n"
    after = PARSE.format(name="parse_words") + "\n\n" + forwarder
    figures = figures_of_rename(tmp_path, PARSE.format(name="parse"), after, label="parse")
    assert (figures.forwarders, figures.wrong, figures.groups["all"].wrong, figures.rows) == (["row"], [], 0, 1)


def test_a_label_that_follows_the_body_is_counted(tmp_path):
    forwarder = "def parse(text, strict):\n    return parse_words(text, strict)\n"
    after = PARSE.format(name="parse_words") + "\n\n" + forwarder
    figures = figures_of_rename(tmp_path, PARSE.format(name="parse"), after, label="parse_words")
    assert (figures.forwarders, figures.groups["hard"].right) == ([], 1)


def test_what_stays_in_its_place_is_not_asked_for_without_it(tmp_path):
    source = PARSE.format(name="parse")
    figures = figures_of_rename(tmp_path, source, source + "\n\nX = 1\n", label="parse", qualified="words.parse")
    assert (figures.groups["hard"].right, figures.withheld.rows) == (1, 0)
