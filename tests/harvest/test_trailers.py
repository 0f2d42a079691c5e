import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from comind.harvest.trailers import read_trailers
from comind.sources.git.trailer_log import trailers_by_git
from tests.builders.git import make_repository

PIECES = (
    "Subject", "Text that is prose.", "Rejected: Redis | stale", "Rejected:a file", "Signed-off-by: A", "(cherry picked from commit 1)",
    "  folded on", "\ttabbed", "", "", "# a comment", "---", "Conflicts:", "Key with blank: x", "Odd-Key :y", "Empty:", "http://x", "Ünder: z",
    "# ------------------------ >8 ------------------------",
)  # fmt: skip


def _read(message):
    return [str(trailer) for trailer in read_trailers(message)]


@pytest.mark.parametrize(
    ("message", "trailers"),
    [
        ("S\n\nA: 1\nA: 2\n", ["A: 1", "A: 2"]),
        ("S\n\nText\n\nA: 1\n  more\n\tand more\nB: 2\n", ["A: 1 more and more", "B: 2"]),
        ("A: 1\n", []),
        ("S\n\nText: is\nprose here\n", []),
        ("S\n\nprose\nprose\nA: 1\nSigned-off-by: X\n", ["A: 1", "Signed-off-by: X"]),
        ("S\n\nprose\nprose\nprose\nprose\nSigned-off-by: X\n", []),
        ("S\n\nA: 1\n\n# comment\n", ["A: 1"]),
        ("S\n\nA: 1\n---\nB: 2\n", []),
        ("S\n\nA: 1\n\nConflicts:\n\ta.py\n", ["A: 1"]),
        ("", []),
    ],
)
def test_trailers_are_read_by_the_rules_of_git(message, trailers):
    assert _read(message) == trailers


def test_any_message_is_read_as_git_reads_it(tmp_path):
    repository = make_repository(tmp_path)
    messages = {}

    @settings(max_examples=150, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(lines=st.lists(st.sampled_from(PIECES), min_size=1, max_size=9), end=st.sampled_from(["", "\n", "\n\n"]))
    def collect(lines, end):
        messages["S\n\n" + "\n".join(lines) + end] = None

    collect()
    for number, message in enumerate(messages):
        (tmp_path / f"message-{number}").write_text(message, encoding="utf-8")
        tree = repository.git("mktree", "--missing")
        commit = repository.git("commit-tree", tree, "-F", str(tmp_path / f"message-{number}"))
        repository.git("update-ref", f"refs/heads/message-{number}", commit)
        messages[message] = commit
    by_git = trailers_by_git(repository.path)
    read = {commit: "\n".join(_read(message)) for message, commit in messages.items()}
    assert {commit: by_git[commit] for commit in read} == read
    assert any(by_git.values())
