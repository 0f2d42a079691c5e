"""Deleted and added files are one where each is the other's most similar."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from comind.anchors.renamed_files import renamed_files


@pytest.mark.parametrize(
    ("deleted", "added", "renamed"),
    [
        (["a/x.py"], ["b/x.py"], {"a/x.py": "b/x.py"}),
        (["a/x.py"], ["a/y.py"], {"a/x.py": "a/y.py"}),
        (["a/one.py", "a/two.py"], ["b/one.py", "b/two.py"], {"a/one.py": "b/one.py", "a/two.py": "b/two.py"}),
        (["a/x.py", "b/x.py"], ["src/b/x.py", "src/a/x.py"], {"a/x.py": "src/a/x.py", "b/x.py": "src/b/x.py"}),
        (["in/Input1.java", "in/Input2.java"], ["in/InputA.java", "in/InputB.java"], {}),
        (["a/x.py"], [], {}),
    ],
)
def test_files_with_equal_contents_are_paired_by_name_and_path_where_that_is_clear(deleted, added, renamed):
    text = SimpleNamespace(text="abcdefgh")
    found = renamed_files(
        dict.fromkeys(deleted, "blob"), dict.fromkeys(added, "blob"), dict.fromkeys(deleted, text), dict.fromkeys(added, text)
    )
    assert found == renamed


def test_the_most_similar_contents_are_one_file():
    old = {"a/x.py": SimpleNamespace(text="abcdefgh"), "a/y.py": SimpleNamespace(text="stuvwxyz")}
    new = {
        "a/p.py": SimpleNamespace(text="stuvwxyy"),
        "a/q.py": SimpleNamespace(text="abcdefgg"),
        "a/r.py": SimpleNamespace(text="12345678"),
    }
    found = renamed_files({path: path for path in old}, {path: path for path in new}, old, new)
    assert found == {"a/x.py": "a/q.py", "a/y.py": "a/p.py"}
