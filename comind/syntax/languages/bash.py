"""Shell scripts: Bash, and what it understands of others."""

from __future__ import annotations

from comind.syntax.languages.model import Importing, Language, Place, References, Rule, SymbolKind, Wrapping

__all__ = ["BASH"]

_PROBE = rb"""
# doc
X=1
readonly Y=2
declare -r Z="a$X"
f() { local a=1; echo "a${b:-1}" 'q' $(ls); }
function g { if [[ $a == b ]]; then :; elif x; then y; else z; fi; for i in a b; do echo; done; while a; do b; done
cat <<EOF
heredoc $x
EOF
}
case $x in a|b) y;; *) z;; esac
A+=(1 2); a=$((1 + 2)); b && c || ! d | e > f 2>&1
"""

_REFERENCES = References(
    calls=frozenset({"command"}),
    members=(),
    worded=frozenset({"command_name"}),
    import_calls={"source": "", ".": ""},
    importing=Importing.CALLS,
)
BASH = Language(
    name="bash",
    grammar="bash",
    suffixes=(".sh", ".bash", ".ksh", ".bats"),
    file_names=(".bashrc", ".bash_profile", ".profile", "PKGBUILD", "APKBUILD"),
    definitions={
        "function_definition": Rule(kind=SymbolKind.FUNCTION),
        "variable_assignment": Rule(kind=SymbolKind.VARIABLE, body=("value",), place=Place.DIRECTLY),
    },
    wrappers={"declaration_command": Wrapping(extends=True, is_shared=True)},
    identifiers=frozenset({"variable_name"}),
    other_names=frozenset({"word"}),
    comments=frozenset({"comment"}),
    doc_comments=(b"#",),
    verbatim=frozenset(
        {"word", "raw_string", "ansi_c_string", "string", "number", "regex", "extglob_pattern", "heredoc_body", "heredoc_content",
         "test_operator", "concatenation", "arithmetic_expansion", "expansion"}
    ),
    transparent=frozenset(),
    dropped=frozenset({";", "(", ")"}),
    references=_REFERENCES,
    probe=_PROBE,
)  # fmt: skip
