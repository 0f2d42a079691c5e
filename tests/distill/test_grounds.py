import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from comind.distill.grounds import flipped_words, in_source, sentence_around, words_of
from comind.distill.opposites import opposite_words


@pytest.mark.parametrize(
    ("quote", "source", "found"),
    [
        ("the file is lost", "Then the \ufb01le is lost.", "the \ufb01le is lost"),
        ("the caf\u00e9 is lost", "Then the cafe\u0301 is lost.", "the cafe\u0301 is lost"),
        ("STRASSE IST VOLL", "die Stra\u00dfe ist voll", "Stra\u00dfe ist voll"),
        ("\uff54\uff48\uff45 disk", "the disk", "the disk"),
        ("it lies", "it, however, lies", None),
        ("it lie", "it lies", None),
        ("...", "it lies...", None),
    ],
)
def test_a_quote_is_returned_as_it_stands_whatever_the_form_of_its_letters(quote, source, found):
    assert in_source(quote, source) == found


_SOURCES = st.text(st.sampled_from("aB \u00e9e\u0301\ufb01\u00bd\u00df,.-\n\uff41\u5f20_1"), min_size=1, max_size=40)


@given(source=_SOURCES, start=st.integers(0, 6), length=st.integers(1, 6))
@settings(deadline=None, max_examples=300)
def test_words_of_a_source_are_found_in_it_and_what_is_found_stands_there(source, start, length):
    words = re.findall(r"[\w\u0300-\u036f]+", source)[start : start + length]
    found = in_source(" ".join(words), source)
    if not words_of(" ".join(words)):
        assert found is None
    else:
        assert found is not None
        assert found in source
        assert words_of(found) == words_of(" ".join(words))
        assert found in sentence_around(found, source) or not sentence_around(found, source).startswith(source[:3])


INVERTED = [
    ("Globs are allowed in the list", "so globs are not allowed in the list"),
    ("The pool does not close idle connections", "the pool closes idle connections"),
    ("Sorting works without the index", "sorting works with the index"),
    ("The cache cannot be shared", "the cache can be shared between workers"),
    ("The new parser is faster", "the new parser is slower on long lines"),
    ("Plugins are loaded lazily", "plugins are loaded eagerly since then"),
    ("The field is optional", "the field is required by old clients"),
    ("Uploads are rejected", "uploads are accepted although the quota is reached"),
]
FAITHFUL = [
    ("Globs are forbidden in the list", "so globs are not allowed in the list"),
    ("Idle connections are closed by the pool", "the pool closes idle connections"),
    ("Without the index sorting fails", "sorting fails without the index"),
    ("The new parser was slower, not faster", "the new parser is slower on long lines"),
    ("The flag is disabled until the old client is gone", "disabled the flag, as the old client enables it by itself"),
    ("A smaller batch avoids the failure of the larger one", "larger batches fail"),
]


@pytest.mark.parametrize(("text", "source"), INVERTED)
def test_what_says_the_opposite_of_its_source_is_seen(text, source):
    assert flipped_words(text, source) or opposite_words(text, [source])


@pytest.mark.parametrize(("text", "source"), FAITHFUL)
def test_what_says_the_same_in_other_words_is_not_taken_for_its_opposite(text, source):
    assert not flipped_words(text, source)
    assert not opposite_words(text, [source])
