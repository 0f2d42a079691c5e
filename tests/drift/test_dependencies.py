"""What versions say of records that are about a dependency."""

import pytest

from comind.anchors.explode import list_anchors
from comind.drift.dependencies import find_dependencies
from tests.builders.frames import frame, record_row
from tests.builders.records import attempt, constraint, gotcha, raw_anchor

REPO, OTHER, HEAD = "github.com/example/service", "github.com/example/other", "a" * 40


def resolved(*rows):
    """`dependencies` of two repositories: (repo, path, ecosystem, package, versions)."""
    own = [{"repo_id": repo, "path": "", "ecosystem": "", "package": "", "use": "own", "head_commit": HEAD} for repo in (REPO, OTHER)]
    found = [
        {"repo_id": repo, "path": path, "ecosystem": ecosystem, "package": package, "use": "direct", "versions": versions}
        for repo, path, ecosystem, package, versions in rows
    ]
    blank = {"reader_version": "1"}
    return frame("dependencies", [blank | row for row in own + found])


def about(build, package, text, *, beside=(), **more):
    anchor = {"scope": "dependency", "package": package, "version_range": text}
    return build(anchors=[anchor, *beside], **more)


def findings(record, *rows):
    records = frame("ledger_records", [record_row(record)])
    found = find_dependencies(records, list_anchors(records), resolved(*rows))
    return [(row["repo_id"], row["path"], row["verdict"], row["rule"]) for row in found.to_dicts()]


@pytest.mark.parametrize(
    ("build", "versions", "verdict", "rule"),
    [
        (attempt, ["0.22.0"], "in", "none"),
        (attempt, ["0.27.0"], "out", "retry_condition_met"),
        (attempt, ["0.22.0", "0.27.0"], "mixed", "none"),
        (attempt, ["0.27.0", "main"], "unknown", "none"),
        (constraint, ["0.22.0"], "in", "none"),
        (constraint, ["0.22.0", "0.27.0"], "mixed", "re_check"),
        (constraint, ["main"], "unknown", "none"),
        (gotcha, ["0.27.0"], "out", "none"),
    ],
)
def test_an_attempt_waits_for_all_versions_and_a_constraint_for_any(build, versions, verdict, rule):
    found = findings(about(build, "pypi httpx", "<0.23"), (REPO, "uv.lock", "pypi", "httpx", versions))
    assert found == [(REPO, "uv.lock", verdict, rule)]


def test_a_name_is_compared_as_its_ecosystem_compares_names():
    assert findings(about(attempt, "pypi Zope.Interface", "<5"), (REPO, "uv.lock", "pypi", "zope-interface", ["6.0"])) == [
        (REPO, "uv.lock", "out", "retry_condition_met")
    ]


def test_each_lockfile_speaks_for_itself():
    rows = [(REPO, f"{place}/uv.lock", "pypi", "httpx", [version]) for place, version in (("new", "0.27.0"), ("old", "0.22.0"))]
    assert findings(about(attempt, "pypi httpx", "<0.23"), *rows) == [
        (REPO, "new/uv.lock", "out", "retry_condition_met"),
        (REPO, "old/uv.lock", "in", "none"),
    ]


def test_only_the_repositories_of_a_record_are_asked_and_all_when_it_names_none():
    rows = [(repo, "uv.lock", "pypi", "httpx", ["0.27.0"]) for repo in (REPO, OTHER)]
    nowhere = {"author_kind": "human", "source": "cli", "repo": None}
    named = about(attempt, "pypi httpx", "<0.23", beside=[raw_anchor(repo=OTHER)], provenance=nowhere)
    assert [repo for repo, *_ in findings(about(attempt, "pypi httpx", "<0.23"), *rows)] == [REPO]
    assert [repo for repo, *_ in findings(named, *rows)] == [OTHER]
    assert [repo for repo, *_ in findings(about(attempt, "pypi httpx", "<0.23", provenance=nowhere), *rows)] == [OTHER, REPO]


@pytest.mark.parametrize(
    ("package", "text"), [("nix hello", "<1"), ("pypi httpx", "not a range"), ("pypi httpx", "<" * 5000), ("unheard-of thing", "1")]
)
def test_what_does_not_compare_is_unknown_and_raises_nothing(package, text):
    rows = [(REPO, "uv.lock", "pypi", "httpx", ["0.27.0"]), (REPO, "flake.lock", "nix", "hello", ["2.1"])]
    assert all((verdict, rule) == ("unknown", "none") for *_, verdict, rule in findings(about(attempt, package, text[:100]), *rows))


def test_a_manifest_that_resolves_nothing_says_nothing():
    assert findings(about(attempt, "pypi httpx", "<0.23"), (REPO, "pyproject.toml", "pypi", "httpx", [])) == []
