"""Files of a commit, changes between commits, names in a tree."""

from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comind.sources.git import FileChange, FileKind, GitRepository, TreeFile, Unreadable
from comind.sources.git.trees import escape_path, find_names
from tests.builders.git import make_repository, run_git


@pytest.fixture
def builder(tmp_path):
    return make_repository(tmp_path)


def opened(builder):
    return GitRepository.open(builder.path)


def listed(builder):
    repository = opened(builder)
    return {file.path: file for file in repository.files(repository.head)}


def present(builder, *names):
    repository = opened(builder)
    return repository.names_in_tree(repository.head, names)


def test_links_and_submodules_are_listed_as_what_they_are_and_not_entered(builder, tmp_path):
    inner = make_repository(tmp_path, "inner")
    inner.write("deep.py", "").commit("Inner")
    builder.write("run.sh", "echo\n", executable=True).write("lib/a.py", "x = 1\n").symlink("link.py", "lib/a.py").symlink("dir", "lib")
    builder.submodule("vendor/inner", inner.path).commit("All kinds")
    files = listed(builder)
    assert {path: file.kind for path, file in files.items()} == {
        ".gitmodules": "file", "dir": "symlink", "lib/a.py": "file", "link.py": "symlink", "run.sh": "executable", "vendor/inner": "submodule",
    }  # fmt: skip
    assert (files["lib/a.py"].size, files["link.py"].size, files["vendor/inner"].size) == (6, len("lib/a.py"), None)
    assert files["vendor/inner"].blob == inner.head


def test_a_loop_of_symbolic_links_is_two_links(builder):
    builder.symlink("a/loop", "../b/loop").symlink("b/loop", "../a/loop").symlink("self", ".").commit("Loops")
    assert {path: file.kind for path, file in listed(builder).items()} == dict.fromkeys(["a/loop", "b/loop", "self"], FileKind.SYMLINK)


NAMES = [
    "with space.py",
    "quo\"te'.py",
    "new\nline.py",
    "größe.py",
    "日本/ü.py",
    "-dash.py",
    "tab\t.py",
    "back\\slash.py",
    "*.py",
    "a:b.py",
]


def test_names_with_spaces_quotes_newlines_and_letters_of_any_script_stand_as_they_are(builder):
    for name in NAMES:
        builder.write(name, f"name = {name!r}\n")
    builder.commit("Odd names")
    repository = opened(builder)
    assert sorted(listed(builder)) == sorted(NAMES)
    for name in NAMES:
        blob = repository.blob_at(repository.head, name)
        assert repository.read(blob) == f"name = {name!r}\n".encode()


def test_a_name_that_is_not_utf8_is_escaped_and_found_again(builder):
    builder.write("größe".encode("latin-1") + b"/a.py", "x = 1\n").commit("Latin")
    repository = opened(builder)
    (file,) = repository.files(repository.head)
    assert (file.path, file.escaped) == ("gr\\xf6\\xdfe/a.py", True)
    assert repository.file_at(repository.head, file.path) == file
    assert list(repository.files(repository.head, "gr\\xf6\\xdfe")) == [file]


def test_files_under_a_directory_keep_their_whole_path(builder):
    builder.write("a/b/c.py", "").write("a/d.py", "").write("ab.py", "").commit("Nested")
    repository = opened(builder)
    assert [file.path for file in repository.files(repository.head, "a")] == ["a/b/c.py", "a/d.py"]
    assert list(repository.files(repository.head, "nothing")) == []
    assert list(repository.files(repository.head, "ab.py")) == []


def test_no_file_stands_at_a_directory_or_below_a_file(builder):
    builder.write("a/b.py", "").commit("Nested")
    repository = opened(builder)
    for path in ("a", "a/b.py/c", "a/", "", "../a/b.py", "missing"):
        assert repository.blob_at(repository.head, path) is None
        assert repository.file_at(repository.head, path) is None


def test_directories_nested_deeper_than_python_calls_are_walked(builder):
    depth = 1_500
    builder.write("start.py", "").commit("Start")
    blob = builder.git("hash-object", "-w", "--stdin")
    tree = make_tree(builder, f"100644 blob {blob}\tf.py")
    for _ in range(depth):
        tree = make_tree(builder, f"040000 tree {tree}\td")
    builder.git("update-ref", "refs/heads/main", builder.git("commit-tree", "-m", "Deep", tree))
    assert [file.path for file in opened(builder).files("main")] == ["d/" * depth + "f.py"]


def make_tree(builder, line):
    return run_git(builder.path, "mktree", content=f"{line}\n".encode())


def test_changes_say_what_happened_to_each_file(builder):
    body = "".join(f"line {number}\n" for number in range(30))
    builder.write("kept.py", "k\n").write("old.py", body).write("gone.py", "g\n").write("edited.py", "1\n").commit("Before")
    builder.remove("gone.py").rename("old.py", "lib/new.py").write("edited.py", "2\n").write("added.py", "a\n").write(
        "lib/new.py", body + "x\n"
    )
    builder.commit("After")
    repository = opened(builder)
    old, new = builder.commits
    changes = {change.path: change for change in repository.changed_files(old, new)}
    assert {path: (change.status, change.old_path) for path, change in changes.items()} == {
        "added.py": ("added", None), "edited.py": ("modified", "edited.py"), "gone.py": ("deleted", "gone.py"), "lib/new.py": ("renamed", "old.py"),
    }  # fmt: skip
    assert changes["edited.py"] == FileChange(
        "edited.py", "edited.py", "modified", repository.blob_at(new, "edited.py"), repository.blob_at(old, "edited.py")
    )
    assert (changes["gone.py"].blob, changes["added.py"].old_blob) == (None, None)
    assert repository.renames(old, new) == {"old.py": "lib/new.py"}
    assert {change.status for change in repository.changed_files(old, new, renames=False)} == {"added", "deleted", "modified"}


def test_a_file_that_becomes_a_link_is_one_modified_path(builder):
    builder.write("a.py", "x = 1\n").commit("File")
    (builder.path / "a.py").unlink()
    builder.symlink("a.py", "b.py").commit("Link")
    (change,) = opened(builder).changed_files(*builder.commits)
    assert (change.path, change.status) == ("a.py", "modified")


def test_a_rename_of_a_name_that_is_not_utf8_is_escaped_on_both_sides(builder):
    body = "".join(f"line {number}\n" for number in range(30))
    builder.write(b"\xff.py", body).commit("Before")
    (builder.path / os.fsdecode(b"\xff.py")).rename(builder.path / os.fsdecode(b"\xfe.py"))
    builder.commit("After")
    assert opened(builder).renames(*builder.commits) == {"\\xff.py": "\\xfe.py"}


def test_beyond_a_thousand_files_on_each_side_only_equal_contents_are_paired(builder):
    for number in range(1_001):
        builder.write(f"old/{number}.txt", f"{number}\n" * 9)
    builder.commit("Before")
    builder.rename("old", "new").write("new/0.txt", "0\n" * 8).commit("After")
    renames = opened(builder).renames(*builder.commits)
    assert len(renames) == 1_000
    assert renames["old/7.txt"] == "new/7.txt"


def test_names_count_only_as_whole_words(builder):
    builder.write("a.py", "render_template(x)\n# see old_helper\n").write("doc.md", "Use `Größe`.").commit("Words")
    assert present(builder, "render_template", "old_helper", "Größe", "render", "template", "helper", "x") == {
        "render_template", "old_helper", "Größe", "x",
    }  # fmt: skip


def test_names_between_signs_of_any_script_are_found(builder):
    builder.write("doc.md", "Use “render_template”, 使用send_file函数, naïve\u00a0url_for.").commit("Signs")
    assert present(builder, "render_template", "send_file", "url_for", "naïve", "file") == {
        "render_template",
        "send_file",
        "url_for",
        "naïve",
    }


def test_names_with_signs_are_found_where_they_end_as_words(builder):
    builder.write("a.js", "$scope.run(); el-button; operator==(a); a?b\n").commit("Signs")
    assert present(builder, "$scope", "$sco", "el-button", "l-button", "operator==", "run()", "a?", "scope") == {
        "$scope", "el-button", "operator==", "run()", "a?", "scope",
    }  # fmt: skip


def test_names_in_binary_files_do_not_count_and_those_in_utf16_do(builder):
    builder.write("a.pyc", b"\0\0helper\0\xff").write("Fuzz.java", b'String nul = "\0 and much more of it"; // fourth').write(
        "b.txt", "\ufeffother".encode("utf-16-le")
    ).write("c.py", b"caf\xe9 = third\n")
    builder.commit("Encodings")
    assert present(builder, "helper", "other", "third", "fourth") == {"other", "third", "fourth"}


def test_an_empty_tree_and_no_names_give_nothing(builder):
    builder.commit("Nothing")
    assert present(builder, "a") == set()
    assert present(builder) == set()


def test_absence_is_not_claimed_while_a_file_cannot_be_searched():
    files = [
        TreeFile("a.py", "1", FileKind.FILE, 5),
        TreeFile("gone.py", "2", FileKind.FILE, None),
        TreeFile("big", "3", FileKind.FILE, 10**9),
    ]
    found = find_names(files, ["x", "y"], lambda blob: b"x = 1" if blob == "1" else Unreadable("missing"))
    assert found.present == {"x"}
    assert found.unread == ("gone.py", "big")


def test_each_content_is_read_once_and_none_after_all_names_are_found():
    files = [TreeFile(f"{number}.py", str(number % 2), FileKind.FILE, 5) for number in range(10)]
    read: list[str] = []

    def content(blob):
        read.append(blob)
        return b"x y" if blob == "1" else b"nothing"

    assert find_names(files, ["x", "y", "z"], content).present == {"x", "y"}
    assert read == ["0", "1"]
    read.clear()
    assert find_names(files[1:], ["x"], content).present == {"x"}
    assert read == ["1"]


@given(st.binary())
def test_an_escaped_path_is_always_text(raw):
    assert escape_path(raw).encode("utf-8").decode("utf-8") == escape_path(raw)


WORD = st.text("ab_1", min_size=1, max_size=4)


@given(st.lists(WORD, max_size=6), WORD, st.sampled_from([" ", ".", "(", "-", "“", "\u00a0", "函"]))
def test_a_name_is_found_exactly_when_it_is_one_of_the_words(words, name, separator):
    text = separator.join(words).encode()
    found = find_names([TreeFile("f", "1", FileKind.FILE, len(text))], [name], lambda _: text)
    assert (name in found.present) == (name in words)


@given(st.text(max_size=8), st.text(min_size=1, max_size=4), st.text(max_size=8))
def test_a_name_that_stands_by_itself_is_never_missed(before, name, after):
    text = f"{before} {name} {after}".encode(errors="replace")
    found = find_names([TreeFile("f", "1", FileKind.FILE, len(text))], [name], lambda _: text)
    assert name in found.present or b"\0" in text or "\ufeff" in before
