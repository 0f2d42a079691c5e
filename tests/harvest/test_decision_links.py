from dataclasses import dataclass

import pytest

from comind.harvest.decision_links import Succession, find_links, shared_numbers


@dataclass
class Doc:
    path: str
    supersedes: tuple = ()
    superseded_by: tuple = ()
    amends: tuple = ()
    amended_by: tuple = ()


def pairs(*documents):
    return [(one.old, one.new) for one in find_links(documents).successions]


def test_the_document_that_was_changed_for_it_is_the_one_that_says_so():
    old, new = Doc("adr/0001-a.md", superseded_by=("0002-b.md",)), Doc("adr/0002-b.md", supersedes=("1",))
    assert find_links([new, old]).successions == (Succession("adr/0001-a.md", "adr/0002-b.md", said_by="adr/0001-a.md"),)


def test_a_number_means_the_document_of_the_same_folder_first():
    near, far = Doc("web/adr/0002-b.md"), Doc("api/adr/0002-b.md")
    assert pairs(Doc("web/adr/0001-a.md", superseded_by=("2",)), near, far) == [("web/adr/0001-a.md", "web/adr/0002-b.md")]


def test_a_number_does_not_reach_into_another_log_but_a_file_name_does():
    far = Doc("api/adr/0002-b.md")
    assert pairs(Doc("web/adr/0001-a.md", superseded_by=("2",)), far) == []
    assert pairs(Doc("web/adr/0001-a.md", superseded_by=("0002-b.md",)), far) == [("web/adr/0001-a.md", "api/adr/0002-b.md")]


def test_a_circle_of_any_length_is_no_succession_and_what_leads_to_it_is():
    circle = [Doc(f"adr/000{n}-x.md", superseded_by=(str(n % 3 + 1),)) for n in (1, 2, 3)]
    outside = Doc("adr/0009-y.md", superseded_by=("1",))
    links = find_links([*circle, outside])
    assert links.circles == (("adr/0001-x.md", "adr/0002-x.md", "adr/0003-x.md"),)
    assert [(one.old, one.new) for one in links.successions] == [("adr/0009-y.md", "adr/0001-x.md")]
    assert links.doubts_of("adr/0002-x.md")[0][0] == "cyclic_supersession"


def test_a_document_that_supersedes_itself_is_a_circle_of_one():
    links = find_links([Doc("adr/0001-a.md", superseded_by=("1",))])
    assert (links.successions, links.circles) == ((), (("adr/0001-a.md",),))


@pytest.mark.parametrize("name", ["7", "0007-gone.md"])
def test_a_name_of_nothing_is_a_doubt(name):
    assert find_links([Doc("adr/0001-a.md", superseded_by=(name,))]).doubts_of("adr/0001-a.md") == [
        ("unknown_document", f"names {name}, which is not one decision that was made here")
    ]


def test_numbers_are_shared_within_a_folder_only():
    paths = ["adr/0001-a.md", "adr/0001-b.md", "web/adr/0001-c.md", "adr/0002-d.md", "adr/e.md"]
    assert shared_numbers(paths) == {("adr", 1): ["adr/0001-a.md", "adr/0001-b.md"]}


def test_an_amendment_is_no_succession():
    links = find_links([Doc("adr/0001-a.md", amended_by=("2",)), Doc("adr/0002-b.md", amends=("0001-a.md",))])
    assert (links.successions, [(one.old, one.new) for one in links.amendments]) == ((), [("adr/0001-a.md", "adr/0002-b.md")])
