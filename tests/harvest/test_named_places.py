import pytest

from comind.harvest.named_places import PlaceFinder, names_in
from comind.records.vocabulary import Role, Scope
from comind.sources.git.repository import GitRepository
from tests.harvest.conftest import python_symbols


@pytest.fixture
def find(repository):
    repository.write("src/shop/till.py", "class Till:\n    def ring_up(self): ...\n\ndef redis(): ...\n")
    repository.write("src/shop/users.py", "from till import Till\n\ndef close(): ...\n")
    repository.write("src/other/users.py", "class Till2: ...\n\ndef close(): ...\n")
    repository.write("docs/guide.md", "").write("docs/adr/logo.png", b"\x89").write("tests/test_till.py", "class TillTest: ...\n")
    repository.write("Dockerfile.web", "").commit()
    repo = GitRepository.open(repository.path, name="example")

    def run(text, document="docs/adr/0001-a.md"):
        names = names_in(text)
        places = PlaceFinder(repo, python_symbols(repo), names).find(names, repo.head, document)
        return [(place.scope, place.path, place.name) for place in places if place.role is Role.SUBJECT or place.scope is Scope.SYMBOL]

    return run


@pytest.mark.parametrize(
    "text", ["`src/shop/till.py`", "[it](../../src/shop/till.py#L3)", "`./src/shop/till.py:12`", "`till.py`", "`/src/shop/till.py`"]
)
def test_a_file_is_known_by_its_path_from_the_root_or_the_document_or_by_its_one_name(find, text):
    assert find(text) == [(Scope.FILE, "src/shop/till.py", "src/shop/till.py")]


def test_a_file_name_that_two_files_have_means_neither(find):
    assert find("`users.py`") == []


@pytest.mark.parametrize("text", ["`src/shop`", "[there](../../src/shop/)"])
def test_a_directory_is_a_module(find, text):
    assert find(text) == [(Scope.MODULE, "src/shop", "src/shop/")]


@pytest.mark.parametrize("text", ["`Till`", "`Till.ring_up`", "`ring_up()`", "`till.Till` then `Till`"])
def test_a_definition_that_is_the_only_one_of_its_name_is_found_with_its_file(find, text):
    scopes = [scope for scope, path, _ in find(text) if path == "src/shop/till.py"]
    assert scopes[:2] == [Scope.FILE, Scope.SYMBOL]


@pytest.mark.parametrize(
    "text",
    ["`close()`", "`redis`", "`NoSuchThing`", "Till", "`a sentence of words`", "```\nTill\n```", "`TillTest`"],
    ids=["two of them", "a plain word", "none", "not marked", "prose", "an example", "a test"],
)
def test_a_word_that_names_no_one_definition_means_nothing(find, text):
    assert find(text) == []


@pytest.mark.parametrize(
    "text", ["[guide](../guide.md)", "![logo](logo.png)", "<https://example.org/src/shop/till.py>", "[x](https://a.b/till.py)"]
)
def test_documents_pictures_and_addresses_are_no_code(find, text):
    assert find(text) == []


def test_what_is_named_most_comes_first():
    assert names_in("`one` and `two`, `two` again, [three](three.py)") == ["two", "one", "three.py"]


def test_a_definition_in_the_file_that_is_called_like_it_wins_over_what_others_call_so(repository):
    repository.write("src/Till.py", "class Till: ...\n")
    for number in range(20):
        repository.write(f"src/user{number}.py", "class Till: ...\n")
    repository.commit()
    repo = GitRepository.open(repository.path, name="example")
    places = PlaceFinder(repo, python_symbols(repo), ["Till"]).find(["Till"], repo.head, "docs/adr/0001-a.md")
    assert {place.path for place in places} == {"src/Till.py"}


def test_a_word_that_stands_everywhere_means_nothing(repository):
    for number in range(20):
        repository.write(f"src/user{number}.py", "from till import Till\n")
    repository.write("src/till.py", "class Till: ...\n").write("src/shop.py", "class ShopTill(Till): ...\n").commit()
    repo = GitRepository.open(repository.path, name="example")
    assert PlaceFinder(repo, python_symbols(repo), ["Till"]).find(["Till"], repo.head, "docs/adr/0001-a.md") == []
