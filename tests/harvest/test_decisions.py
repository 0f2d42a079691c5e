import pytest
from hypothesis import given
from hypothesis import strategies as st

from comind.harvest.decision_dates import first_date
from comind.harvest.decision_words import STATUSES, heading_of, is_placeholder, normal_status, stands_for_no_decision
from comind.harvest.decisions import Decision, NoDecision, Option, read_decision
from comind.harvest.pages import read_page

NYGARD = """\
# 12. Keep prices in cents

Date: 2024-03-01

## Status

Superseded by [14. Use decimals](0014-use-decimals.md)

Amends [3. Store prices](./0003-store-prices.md)

## Context

Floats lose cents.

## Decision

We keep prices as integers.

- in the smallest unit

## Consequences

Division needs care.
"""
MADR = """\
---
status: "accepted"
date: 2024-05-06
decision-makers: the team
---
# Cache prices in the process

## Context and Problem Statement

Reading a price takes a query.

## Considered Options

* Cache in the process
* [Redis](https://redis.io) - a server of its own
* **Do nothing**: live with it

## Decision Outcome

Chosen option: "Cache in the process", because it needs no server.

### Consequences

* Good, because reads are quick

## Pros and Cons of the Options

### Redis

* Good, because every process sees the same
* Bad, because somebody has to run it
* Bad, because
  it can be away

### Do nothing

* Bad, because slow
"""
TABLE = """\
# Shop - Scope of the operator

|                |            |
| -------------- | ---------- |
| Date           | Sep 5th, 2023 |
| Status         | Approved |
| Authors        | [Ada](@ada) |
| Supersedes     | N/A |
| Superseded by: | [Scopes](SHOP-ADR-0009-scopes.md) |

## What
One operator.

## Why
Two collide.

## Alternatives

### Alternative 1: One per namespace

**Rejected because**: it cannot own what is shared.

### Comparison
"""
FRENCH = """\
# [Harmoniser les dates]

* Statut : mergé
* Date : 05/10/2022

## Contexte et définition du problème

Deux formats.

## Solutions étudiées

* ISO
* Locale

## Résultat de la décision

Solution retenue : "ISO", car elle est triable.
"""


def _read(text, name="0001-a-decision.md"):
    found = read_decision(name, text)
    assert isinstance(found, Decision), found
    return found


def test_nygards_form_with_its_relations():
    found = _read(NYGARD)
    assert (found.title, found.status, found.date) == ("Keep prices in cents", "superseded", "2024-03-01")
    assert found.status_raw == "Superseded by [14. Use decimals](0014-use-decimals.md)"
    assert (found.superseded_by, found.amends, found.supersedes, found.amended_by) == (
        ("0014-use-decimals.md",), ("0003-store-prices.md",), (), (),
    )  # fmt: skip
    assert found.decision == "We keep prices as integers.\n- in the smallest unit"
    assert (found.context, found.options, found.chosen) == ("Floats lose cents.", (), None)


def test_madr_with_front_matter_options_and_what_speaks_against_them():
    found = _read(MADR)
    assert (found.title, found.status, found.date, found.chosen) == (
        "Cache prices in the process", "accepted", "2024-05-06", "Cache in the process",
    )  # fmt: skip
    assert found.options == (
        Option("Cache in the process"),
        Option("Redis", ("somebody has to run it", "it can be away")),
        Option("Do nothing", ("slow",)),
    )
    assert found.decision.startswith('Chosen option: "Cache in the process", because it needs no server.')


def test_a_table_of_metadata_and_alternatives_that_are_called_so():
    found = _read(TABLE)
    assert (found.title, found.status, found.status_raw, found.date) == (
        "Shop - Scope of the operator",
        "accepted",
        "Approved",
        "2023-09-05",
    )
    assert (found.supersedes, found.superseded_by) == ((), ("SHOP-ADR-0009-scopes.md",))
    assert found.options == (Option("One per namespace", ("it cannot own what is shared.",)),)


def test_a_translated_template_with_a_title_in_brackets():
    found = _read(FRENCH)
    assert (found.title, found.status, found.date, found.chosen) == ("Harmoniser les dates", "accepted", "2022-10-05", "ISO")
    assert [option.name for option in found.options] == ["ISO", "Locale"]


@pytest.mark.parametrize(
    ("line", "status"),
    [("**Status:** Proposed | **Date:** 2024-01-02", "proposed"), ("Status: *on hold*", "on-hold"), ("Status: Depreciated.", "deprecated")],
)
def test_a_line_above_the_first_section_is_metadata(line, status):
    assert _read(f"# A\n\n{line}\n\n## Context\n\nx\n\n## Decision\n\ny\n").status == status


def test_a_status_that_is_prose_is_kept_and_has_no_normal_form():
    found = _read("# A\n\n## Status\n\nWaiting for the summer\n\n## Decision\n\ny\n")
    assert (found.status, found.status_raw) == (None, "Waiting for the summer")


def test_what_stands_in_code_comments_and_quotations_of_templates_is_not_read():
    found = _read(
        "# A\n\n```\n---\nstatus: accepted\n---\n## Status\n\nAccepted\n```\n\n<!-- Status: accepted -->\n\n## Context\n\nx\n\n## Decision\n\ny\n"
    )
    assert (found.status, found.date) == (None, None)


@pytest.mark.parametrize(
    ("outcome", "chosen"),
    [
        ("Chosen option: \"B, the 'second' one\", because x.", "B, the 'second' one"),
        ("Chosen option: “B”", "B"),
        ("Chosen option: B. It is quick.", "B"),
        ("**Chosen option**: B, because quick", "B"),
        ("Use A in the core. B was harder.", "A"),
        ("We decided for B.", "B"),
        ("- Texts are rendered using B", "B"),
        ("Use neither A nor B", None),
        ("We do not use A.", None),
        ("A and B are both fine.", None),
        ("Chosen option:\n\n- x", None),
        ("It depends.", None),
    ],
)
def test_the_chosen_option_is_what_is_said_and_never_guessed(outcome, chosen):
    assert _read(f"# T\n\n## Context\n\nx\n\n## Considered Options\n\n* A\n* B\n\n## Decision Outcome\n\n{outcome}\n").chosen == chosen


@pytest.mark.parametrize(
    ("item", "name"),
    [
        ("Option 2: Use a queue", "Use a queue"),
        ("**Queue** - with workers", "Queue"),
        ("Queue ([example](https://example.org))", "Queue"),
        ("Queue\n  [with links](https://example.org) over lines", "Queue with links over lines"),
        ('"Queue"', "Queue"),
        ("Queue \u2013 the old one", "Queue"),
        ("end-to-end test", "end-to-end test"),
    ],
)
def test_an_option_is_named_without_what_is_said_about_it(item, name):
    found = _read(f"# T\n\n## Considered Options\n\n1. {item}\n\n## Decision Outcome\n\nx\n")
    assert [option.name for option in found.options] == [name]


def test_a_list_of_descriptions_is_no_list_of_options():
    assert _read(f"# T\n\n## Alternatives\n\n* {'long ' * 40}\n* B\n\n## Context\n\nx\n\n## Decision\n\ny\n").options == ()


@pytest.mark.parametrize(
    "name",
    [
        "template.md",
        "adr-template.md",
        "0000-template.md",
        "X-ADR-0000-template.md",
        "index.md",
        "README.md",
        "adr-template-bare-minimal.md",
        "adr_template_fr.md",
    ],
)
def test_a_template_or_an_index_is_no_decision(name):
    assert isinstance(read_decision(name, NYGARD), NoDecision)


@pytest.mark.parametrize(
    "name", ["0007-index-strategy.md", "0009-use-a-template-engine.md", "ADR-004-readme-driven.md", "20240101-overview-page.md"]
)
def test_a_decision_about_templates_and_indexes_is_one(name):
    assert not stands_for_no_decision(name)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# A\n\nText.",
        "# A\n\n## Decision\n\nx\n",
        "# {short title}\n\n## Status\n\n{proposed | accepted}\n\n## Decision\n\n{x}\n",
        "## Context\n\nx\n",
    ],
)
def test_what_lacks_the_form_or_was_not_filled_in_is_no_decision(text):
    assert isinstance(read_decision("0001-a.md", text), NoDecision)


def test_broken_front_matter_is_said_and_the_rest_is_read():
    for broken, why in (("tag:General", "holds no keys"), ("a: [", "is not YAML"), ("a: &x 1\nb: *x", "is not YAML")):
        found = _read(f"---\n{broken}\n---\n\n{NYGARD}")
        assert why in found.problem
        assert found.status == "superseded"


@pytest.mark.parametrize(
    ("line", "iso"),
    [
        ("2018-08-30; Last update date: 2019-04-09", "2018-08-30"), ("December 11, 2025", "2025-12-11"), ("5 octobre 2022", "2022-10-05"),
        ("1er mars 2023", "2023-03-01"), ("22-10-2024", "2024-10-22"), ("2018-11", "2018-11"), ("January 2026", "2026-01"),
        ("insert date", None), ("January , 2026", None), ("2024-13-40", None), ("v1.2.3", None), ("12345-12-12", None),
    ],
)  # fmt: skip
def test_dates_are_read_as_people_write_them(line, iso):
    assert first_date(line) == iso


def test_every_word_for_a_status_is_found_in_any_case_and_with_what_follows():
    for normal, words in STATUSES.items():
        assert all(normal_status(f" *{word.upper()}*. ") == normal for word in words)
        assert all(normal_status(f"{word} by [x](y.md)") == normal for word in words)
    assert normal_status("acceptedly") is None


def test_a_title_that_only_begins_like_a_template_is_filled_in():
    assert not is_placeholder("Add status field")
    assert not is_placeholder("Short names for tables")
    assert is_placeholder("{short title of solved problem}")


def test_headings_are_known_with_numbers_and_accents():
    assert [heading_of(text) for text in ("1. Context", "Décision", "Status:", "Other")] == ["context", "decision", "status", None]


@given(
    text=st.text(max_size=300)
    | st.lists(st.sampled_from([NYGARD, MADR, "---\n", "```\n", "| a |\n", "> ", "* ", "\r\n", "<!--"])).map("".join)
)
def test_any_text_is_a_decision_or_says_why_not(text):
    found = read_decision("0001-a.md", text)
    assert isinstance(found, Decision) or found.why
    assert read_page(text).sections


def test_what_was_decided_keeps_the_order_of_the_text_and_the_headings_below():
    text = NYGARD.replace(
        "- in the smallest unit\n", "- in the smallest unit\n  - of the currency\n\nFloats go.\n\n### Exceptions\n\nReports.\n"
    )
    assert read_decision("0012-a.md", text).decision.splitlines() == [
        "We keep prices as integers.", "- in the smallest unit", "  - of the currency", "Floats go.", "Exceptions:", "Reports.",
    ]  # fmt: skip


def test_a_table_of_metadata_tells_what_and_why():
    read = read_decision("SHOP-ADR-0001-scope.md", TABLE)
    assert (read.decision, read.context) == ("One operator.", "Two collide.")
