from comind.sources.git import GitRepository
from comind.sources.git.attributes import NO_MARKS, FileMarks, MarksAt
from tests.builders.git import make_repository


def test_marks_are_those_of_the_commit_and_the_nearest_file_of_attributes_decides(tmp_path):
    builder = make_repository(tmp_path)
    builder.write(".gitattributes", "gen/** linguist-generated\ncopied/* linguist-vendored=true\n*.txt text\n")
    builder.write("gen/.gitattributes", "hand.py linguist-generated=false\nown.py -linguist-generated\n")
    old = builder.commit()
    new = builder.remove(".gitattributes").remove("gen/.gitattributes").write("a.py", "").commit()
    repository = GitRepository.open(builder.path)
    marks = MarksAt(repository, old)
    assert marks.of("gen/deep/a.py") == FileMarks(is_generated=True)
    assert marks.of("gen/hand.py") == marks.of("gen/own.py") == FileMarks(is_generated=False)
    assert marks.of("copied/a.py") == FileMarks(is_vendored=True)
    assert marks.of("a.py") == NO_MARKS
    assert MarksAt(repository, new).of("gen/deep/a.py") == NO_MARKS


def test_what_a_machine_has_configured_marks_nothing_by_itself(tmp_path):
    builder = make_repository(tmp_path / "repo")
    (tmp_path / "attributes").write_text("*.py linguist-generated\n")
    builder.git("config", "core.attributesFile", str(tmp_path / "attributes"))
    head = builder.write(".gitattributes", "*.txt text\n").write("a.py", "").commit()
    assert MarksAt(GitRepository.open(builder.path), head).of("a.py") == NO_MARKS
