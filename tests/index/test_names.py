"""Names of symbols: legal SCIP, stable, one integer per key."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from comind.index.names import PACKAGE_DESCRIPTOR, canonical_key, namespace, qualified_name, scip_symbol, sid_of

# The grammar of scip.proto, as one expression.
SIMPLE = r"[A-Za-z0-9_+$-]+"
NAME = rf"(?:{SIMPLE}|`(?:[^`]|``)+`)"
DESCRIPTOR = rf"(?:{NAME}[/#.:!]|{NAME}\((?:{SIMPLE})?\)\.|\[{NAME}\]|\({NAME}\))"
FIELD = r"(?:[^ ]|  )+"
SYMBOL = re.compile(rf"{FIELD} {FIELD} {FIELD} {FIELD} {DESCRIPTOR}+", re.DOTALL)
WORDS = st.text(min_size=1, max_size=8)


def test_a_symbol_has_scheme_manager_package_version_and_descriptors():
    key = canonical_key("pypi", "flask", "`flask.app`/", "Flask#run().")
    assert scip_symbol(key) == "comind pypi flask . `flask.app`/Flask#run()."


def test_the_symbol_of_a_package_is_legal():
    assert SYMBOL.fullmatch(scip_symbol(canonical_key("npm", "@vue/core", "", PACKAGE_DESCRIPTOR)))


@given(WORDS, WORDS, st.lists(WORDS, max_size=3))
def test_any_package_and_path_gives_a_legal_symbol(manager, package, directories):
    module = "".join(namespace(part) for part in directories)
    assert SYMBOL.fullmatch(scip_symbol(canonical_key(manager, package, module, "run().")))


@given(st.lists(WORDS, min_size=1, max_size=3))
def test_the_names_of_namespaces_come_back(parts):
    assert qualified_name("".join(namespace(part) for part in parts)) == ".".join(parts)


def test_qualified_names_leave_out_kinds_and_disambiguators():
    assert qualified_name("Text#of(+1).") == "Text.of"
    assert qualified_name("Text#[T]") == "Text.T"
    assert qualified_name("`$el`#`a.b`.") == "$el.a.b"


def test_the_sid_is_the_first_eight_bytes_of_blake3_signed():
    assert sid_of("") == int.from_bytes(bytes.fromhex("af1349b9f5f9a1a6"), "big", signed=True)


@given(st.text(), st.text())
def test_different_keys_have_different_sids_that_fit_the_column(one, other):
    assert -(2**63) <= sid_of(one) < 2**63
    assert (sid_of(one) == sid_of(other)) == (one == other)
