from comind.sources.git import GitRepository
from comind.sources.git.refs import list_notes, list_refs
from tests.builders.git import make_repository


def test_refs_are_listed_below_a_prefix_with_what_they_point_at(tmp_path):
    built = make_repository(tmp_path)
    commit = built.write("a.py", "x = 1\n").commit()
    blob = built.git("rev-parse", "HEAD:a.py")
    built.git("update-ref", f"refs/ai/authorship/{commit}", blob)
    built.git("symbolic-ref", "refs/ai/nowhere", "refs/heads/gone")
    repo = GitRepository.open(built.path)
    assert list_refs(repo, "refs/ai/") == {f"refs/ai/authorship/{commit}": blob}
    assert list_refs(repo, "refs/none/") == {}


def test_notes_are_found_however_deep_they_are_fanned_out(tmp_path):
    built = make_repository(tmp_path)
    commits = [built.write("a.py", f"x = {number}\n").commit() for number in range(2)]
    for commit in commits:
        built.git("notes", "--ref=ai", "add", "-m", f"note on {commit}", commit)
    flat = list_notes(GitRepository.open(built.path), "refs/notes/ai")
    assert sorted(flat) == sorted(commits)
    built.git("read-tree", "--empty")
    for commit, blob in flat.items():
        built.git("update-index", "--add", "--cacheinfo", f"100644,{blob},{commit[:2]}/{commit[2:]}")
    built.git("update-ref", "refs/notes/ai", built.git("commit-tree", "-m", "fan out", built.git("write-tree")))
    repo = GitRepository.open(built.path)
    assert list_notes(repo, "refs/notes/ai") == flat
    assert list_notes(repo, "refs/notes/none") == {}
