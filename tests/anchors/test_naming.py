import pytest

from comind.anchors.naming import names_of


@pytest.mark.parametrize(
    ("symbol", "key", "name", "qualified"),
    [
        ("comind pypi flask 3.0 `flask.app`/Flask#run().", "pypi flask . `flask.app`/Flask#run().", "run", "Flask.run"),
        ("comind pypi flask . `flask.app`/Flask#run().", "pypi flask . `flask.app`/Flask#run().", "run", "Flask.run"),
        ("comind repo my  repo . `a b`/f().", "repo my  repo . `a b`/f().", "f", "f"),
        ("comind cargo x 1 m/`impl Display for X`#fmt().", "cargo x . m/`impl Display for X`#fmt().", "fmt", "impl Display for X.fmt"),
        ("comind maven a:b 1 org/Text#of(+1).", "maven a:b . org/Text#of(+1).", "of", "Text.of"),
    ],
)
def test_a_symbol_keeps_its_key_over_releases_and_names_its_containers(symbol, key, name, qualified):
    names = names_of(symbol)
    assert (names.canonical_key, names.name, names.qualified_name) == (key, name, qualified)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "local 12",
        "not a symbol",
        "comind pypi flask 3.0 `flask.app`/",
        "comind pypi flask 3.0 ",
        "comind maven a:b 1 org/Text#of(int,char).",
    ],
)
def test_what_is_no_symbol_or_no_definition_has_no_names(text):
    assert names_of(text) is None
