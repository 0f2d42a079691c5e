"""Versions and ranges mean what the documentation of their ecosystem says; what means nothing there is unknown."""

from __future__ import annotations

from itertools import pairwise

import pytest

from comind.drift.versions import compare_versions, in_range

IN_ORDER = {
    # semver.org, 11
    "npm": ["1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.2.0", "1.10.0", "2.0.0"],
    # Go Modules Reference: pseudo-versions stand before what they lead to
    "gomod": ["v0.0.0-20191109021931-daa7c04131f5", "v1.2.3-pre", "v1.2.3-pre.0.20191109021931-daa7c04131f5", "v1.2.3", "v1.2.4-0.20191109021931-daa7c04131f5", "v1.2.4", "v2.0.0+incompatible"],
    # PEP 440
    "pypi": ["1.0.dev456", "1.0a1", "1.0a2.dev456", "1.0a12.dev456", "1.0a12", "1.0b1.dev456", "1.0b2", "1.0b2.post345", "1.0rc1.dev456", "1.0rc1", "1.0", "1.0+abc.5", "1.0.post456.dev34", "1.0.post456", "1.1.dev1", "1!0.1"],
    # Gem::Version
    "gem": ["1.0.a", "1.0.a10", "1.0.b1", "1.0.rc1", "1.0", "1.0.1", "1.0.9", "1.0.10", "1.9", "1.10", "2"],
    # POM reference, Version Order Specification
    "maven": ["1-alpha", "1-beta", "1-milestone", "1-rc", "1-snapshot", "1", "1-sp", "1-foo", "1-foo2", "1-foo10", "1-1", "1.1", "1.2", "1.10", "2.0-SNAPSHOT", "2.0", "31.1-jre"],
    # NuGet package versioning
    "nuget": ["1.0.1-alpha", "1.0.1-alpha10", "1.0.1-alpha2", "1.0.1-beta", "1.0.1-open", "1.0.1-rc", "1.0.1-zzz", "1.0.1", "1.0.1.1", "1.0.2"],
    "composer": ["1.0.0-dev", "1.0.0-alpha1", "1.0.0-alpha2", "1.0.0-beta1", "1.0.0-RC1", "1.0.0-RC10", "v1.0.0", "1.0.0-patch1", "1.0.0.1", "1.1"],
}  # fmt: skip
SAME = [
    ("npm", "v1.0.0", "1.0.0+build.5"), ("pypi", "1.0", "1.0.0"), ("pypi", "1.0-RC.1", "1.0rc1"), ("gem", "1", "1.0.0"), ("gem", "1.10.0.beta2", "1.10.beta2"),
    ("gem", "1.17.2-x86_64-linux-gnu", "1.17.2"), ("maven", "1", "1.0.0"), ("maven", "1-ga", "1"), ("maven", "1.0.0-foo.0.0", "1-foo"),
    ("maven", "1.0.0-0.0.0", "1-final-ga"), ("maven", "1a1", "1-alpha-1"), ("maven", "1-rc", "1-CR"), ("nuget", "1.0", "1.0.0.0"),
    ("nuget", "1.0-BETA", "1.0.0-beta"), ("composer", "1.0", "v1.0.0"), ("cocoapods", "2.0", "2.0.0"),
]  # fmt: skip

# (ecosystem, range, versions in it, versions out of it)
RANGES = [
    # node-semver: README
    ("npm", ">=1.2.7", ["1.2.7", "1.2.8", "2.5.3", "1.3.9"], ["1.2.6", "1.1.0"]),
    ("npm", ">=1.2.7 <1.3.0", ["1.2.7", "1.2.8", "1.2.99"], ["1.2.6", "1.3.0", "1.1.0"]),
    ("npm", "1.2.7 || >=1.2.9 <2.0.0", ["1.2.7", "1.2.9", "1.4.6"], ["1.2.8", "2.0.0"]),
    ("npm", ">1.2.3-alpha.3", ["1.2.3-alpha.7", "3.4.5"], ["3.4.5-alpha.9", "1.2.3-alpha.3"]),
    ("npm", "1.2.3 - 2.3.4", ["1.2.3", "2.3.4"], ["2.3.5", "1.2.2"]),
    ("npm", "1.2 - 2.3.4", ["1.2.0"], ["1.1.9"]),
    ("npm", "1.2.3 - 2.3", ["2.3.9"], ["2.4.0", "2.4.0-beta"]),
    ("npm", "1.2.3 - 2", ["2.9.9"], ["3.0.0"]),
    ("npm", "*", ["0.0.0", "9.9.9"], ["1.0.0-beta"]),
    ("npm", "", ["1.0.0"], []),
    ("npm", "1.x", ["1.0.0", "1.9.9"], ["2.0.0", "0.9.9"]),
    ("npm", "1.2.x", ["1.2.0"], ["1.3.0"]),
    ("npm", "1", ["1.5.0"], ["2.0.0"]),
    ("npm", "~1.2.3", ["1.2.3", "1.2.9"], ["1.3.0", "1.2.2"]),
    ("npm", "~1.2", ["1.2.0"], ["1.3.0"]),
    ("npm", "~1", ["1.9.0"], ["2.0.0"]),
    ("npm", "~0.2.3", ["0.2.9"], ["0.3.0"]),
    ("npm", "~1.2.3-beta.2", ["1.2.3-beta.4", "1.2.4"], ["1.2.4-beta.2"]),
    ("npm", "^1.2.3", ["1.2.3", "1.9.9"], ["2.0.0", "2.0.0-rc.1", "1.2.2"]),
    ("npm", "^0.2.3", ["0.2.9"], ["0.3.0"]),
    ("npm", "^0.0.3", ["0.0.3"], ["0.0.4"]),
    ("npm", "^1.2.3-beta.2", ["1.2.3-beta.4", "1.3.0"], ["1.2.4-beta.2", "1.2.3-beta.1"]),
    ("npm", "^0.0.3-beta", ["0.0.3-pr.2", "0.0.3"], ["0.0.4"]),
    ("npm", "^1.2.x", ["1.9.0"], ["2.0.0"]),
    ("npm", "^0.0.x", ["0.0.9"], ["0.1.0"]),
    ("npm", "^0.0", ["0.0.9"], ["0.1.0"]),
    ("npm", "^0.x", ["0.9.9"], ["1.0.0"]),
    ("npm", "> 1.2", ["1.3.0"], ["1.2.9"]),
    ("npm", "<= 1.2", ["1.2.9"], ["1.3.0"]),
    ("npm", ">=1.0.0-rc.1 <2.0.0", ["1.0.0-rc.2", "1.0.0"], ["1.1.0-rc.1", "2.0.0-rc.1"]),
    ("npm", "=v1.2.3", ["1.2.3"], ["1.2.4"]),
    ("jsr", "^1.0.3", ["1.0.10"], ["2.0.0"]),
    # Cargo book: Specifying Dependencies
    ("cargo", "1.2.3", ["1.2.3", "1.9.0"], ["2.0.0", "1.2.2"]),
    ("cargo", "1.2", ["1.2.0"], ["2.0.0"]),
    ("cargo", "1", ["1.0.0"], ["2.0.0"]),
    ("cargo", "0.2.3", ["0.2.9"], ["0.3.0"]),
    ("cargo", "0.2", ["0.2.9"], ["0.3.0"]),
    ("cargo", "0.0.3", ["0.0.3"], ["0.0.4"]),
    ("cargo", "0.0", ["0.0.9"], ["0.1.0"]),
    ("cargo", "0", ["0.9.9"], ["1.0.0"]),
    ("cargo", "~1.2.3", ["1.2.9"], ["1.3.0"]),
    ("cargo", "~1", ["1.9.9"], ["2.0.0"]),
    ("cargo", "*", ["3.0.0"], ["3.0.0-alpha"]),
    ("cargo", "1.*", ["1.9.9"], ["2.0.0"]),
    ("cargo", "1.2.*", ["1.2.9"], ["1.3.0"]),
    ("cargo", ">= 1.2, < 1.5", ["1.2.0", "1.4.9"], ["1.5.0", "1.1.0"]),
    ("cargo", "= 1.2.3", ["1.2.3", "1.2.3+build"], ["1.2.4"]),
    ("cargo", "=1.2", ["1.2.9"], ["1.3.0"]),
    ("cargo", "1.0.0-alpha.1", ["1.0.0-alpha.2", "1.0.0", "1.5.0"], ["1.1.0-alpha.1"]),
    ("cargo", "1.0", ["1.0.0"], ["1.0.0-alpha", "1.1.0-beta"]),
    # PEP 440, and Poetry
    ("pypi", "~=2.2", ["2.2", "2.9"], ["3.0", "2.1"]),
    ("pypi", "~=1.4.5", ["1.4.9"], ["1.5.0"]),
    ("pypi", "~=2.2.post3", ["2.2.post3", "2.3"], ["2.2", "3.0"]),
    ("pypi", "==1.1.*", ["1.1", "1.1a1", "1.1.post1"], ["1.2"]),
    ("pypi", "!=1.5.*", ["1.4", "1.6"], ["1.5.1"]),
    ("pypi", ">=1.0,<2.0", ["1.0", "1.9", "1.5rc1"], ["2.0", "2.0rc1"]),
    ("pypi", ">1.7", ["1.7.1"], ["1.7.0.post1", "1.7"]),
    ("pypi", "===1.0", ["1.0"], ["1.0.0"]),
    ("pypi", ">=1 ; python_version < '3.9'", ["1"], ["0"]),
    ("pypi", "^1.2.3", ["1.9"], ["2.0", "2.0rc1", "1.2.2"]),
    ("pypi", "^0.2.3", ["0.2.9"], ["0.3"]),
    ("pypi", "^0.0.3", ["0.0.3"], ["0.0.4"]),
    ("pypi", "^0.0", ["0.0.9"], ["0.1"]),
    ("pypi", "~1.2.3", ["1.2.9"], ["1.3"]),
    ("pypi", "~1.2", ["1.2.9"], ["1.3"]),
    ("pypi", "~1", ["1.9"], ["2.0"]),
    ("pypi", "^1.2 || ^3", ["3.1"], ["2.0"]),
    ("pypi", "*", ["1.0"], []),
    ("pypi", "1.2.3", ["1.2.3"], ["1.2.4"]),
    # RubyGems guides: Patterns; Gem::Requirement
    ("gem", "~> 2.2", ["2.2.0", "2.9", "2.2.0-java"], ["3.0", "3.0.a", "2.1"]),
    ("gem", "~> 2.2.0", ["2.2.9"], ["2.3.0"]),
    ("gem", "~> 3", ["3.0", "3.9"], ["4.0", "2.9"]),
    ("gem", "~> 1.0.a", ["1.0.b", "1.0", "1.9"], ["2.0"]),
    ("gem", ">= 2.2.0, < 3", ["2.2.0", "3.0.a"], ["3.0"]),
    ("gem", "= 1.0", ["1.0.0"], ["1.0.1"]),
    ("gem", "!= 1.0", ["1.1"], ["1.0"]),
    ("gem", "1.0", ["1.0"], ["1.1"]),
    ("cocoapods", "~> 0.1.2", ["0.1.9"], ["0.2"]),
    # POM reference: Dependency Version Requirement Specification; Gradle's manual
    ("maven", "[1.0]", ["1.0"], ["1.1"]),
    ("maven", "(,1.0]", ["1.0", "0.9"], ["1.1"]),
    ("maven", "[1.2,1.3]", ["1.2", "1.3"], ["1.3.1", "1.1"]),
    ("maven", "[1.0,2.0)", ["1.0", "1.9", "2.0-SNAPSHOT"], ["2.0", "1.0-SNAPSHOT"]),
    ("maven", "[1.5,)", ["1.5", "9"], ["1.4"]),
    ("maven", "(,1.0],[1.2,)", ["0.9", "1.2"], ["1.1"]),
    ("maven", "(,1.1),(1.1,)", ["1.0", "1.2"], ["1.1"]),
    ("maven", "1.0", ["1.0", "1.0.0"], []),
    ("maven", "[1.2, 2.0[", ["1.9"], ["2.0"]),
    ("maven", "]1.0, 2.0]", ["2.0"], ["1.0"]),
    ("maven", "1.3.+", ["1.3.7"], ["1.4"]),
    ("maven", "+", ["9"], []),
    # NuGet: Version ranges
    ("nuget", "1.0", ["1.0", "2.5"], ["0.9", "1.0-beta"]),
    ("nuget", "[1.0,)", ["1.0"], ["0.9"]),
    ("nuget", "(1.0,)", ["1.0.1"], ["1.0"]),
    ("nuget", "[1.0]", ["1.0.0"], ["1.0.1"]),
    ("nuget", "(,1.0]", ["1.0"], ["1.1"]),
    ("nuget", "(,1.0)", ["0.9"], ["1.0"]),
    ("nuget", "[1.0,2.0]", ["2.0"], ["2.0.1"]),
    ("nuget", "(1.0,2.0)", ["1.5"], ["1.0", "2.0"]),
    ("nuget", "[3.7.500.5, 4)", ["3.7.500.5", "3.9"], ["4.0", "3.7.500.4"]),
    ("nuget", "1.1.*", ["1.1.7"], ["1.2.0"]),
    ("nuget", "*", ["1.0"], []),
    # of Composer: Versions and constraints
    ("composer", "1.0.2", ["1.0.2", "v1.0.2"], ["1.0.3"]),
    ("composer", ">=1.0 <1.1 || >=1.2", ["1.0.5", "1.2"], ["1.1"]),
    ("composer", ">=1.0,<2.0", ["1.5"], ["2.0", "2.0.0-beta1"]),
    ("composer", "1.0 - 2.0", ["1.0", "2.0.9"], ["2.1"]),
    ("composer", "1.0.0 - 2.1.0", ["2.1.0"], ["2.1.1"]),
    ("composer", "1.0.*", ["1.0.9"], ["1.1"]),
    ("composer", "~1.2", ["1.9"], ["2.0", "1.1"]),
    ("composer", "~1.2.3", ["1.2.9"], ["1.3"]),
    ("composer", "^1.2.3", ["1.9"], ["2.0", "2.0-alpha"]),
    ("composer", "^0.3", ["0.3.9"], ["0.4"]),
    ("composer", "^0.0.3", ["0.0.3"], ["0.0.4"]),
    ("composer", ">=1.2", ["1.2.0-beta1", "1.2"], ["1.1"]),
    ("composer", "!=1.2", ["1.3"], ["1.2"]),
    ("composer", "^2.0|^3.0", ["3.1"], ["4.0"]),
    ("composer", "^1.0@dev", ["1.5"], ["2.0"]),
    ("composer", "*", ["1.0"], []),
    # of Elixir, its Version
    ("hex", "~> 2.0.0", ["2.0.0", "2.0.9"], ["2.1.0"]),
    ("hex", "~> 2.0", ["2.9.0"], ["3.0.0", "3.0.0-rc.1"]),
    ("hex", "~> 2.1.3-dev", ["2.1.3-dev", "2.1.9"], ["2.2.0"]),
    ("hex", ">= 2.0.0 and < 2.1.0", ["2.0.5"], ["2.1.0"]),
    ("hex", "~> 1.0 or ~> 2.0", ["2.5.0"], ["3.0.0"]),
    ("hex", "== 1.0.0", ["1.0.0"], ["1.0.1"]),
    ("hex", "> 1.0.0 and != 1.0.5", ["1.0.4"], ["1.0.5"]),
    # of Swift, its Package.Dependency
    ("swift", 'from: "1.2.3"', ["1.9.0"], ["2.0.0", "1.2.2"]),
    ("swift", '"1.2.3"..<"1.2.6"', ["1.2.5"], ["1.2.6"]),
    ("swift", '"1.2.3"..."1.2.6"', ["1.2.6"], ["1.2.7"]),
    ("swift", 'exact: "1.2.3"', ["1.2.3"], ["1.2.4"]),
    ("swift", 'upToNextMinor: from: "1.2.3"', ["1.2.9"], ["1.3.0"]),
    # Go Modules Reference
    ("gomod", "v1.2.3", ["v1.2.3", "v1.9.0"], ["v1.2.2", "v1.2.3-pre"]),
    ("gomod", "[v1.0.0, v1.9.9]", ["v1.0.0", "v1.9.9"], ["v2.0.0"]),
    ("gomod", ">=v1.2.0 <v1.5.0", ["v1.4.9"], ["v1.5.0"]),
]  # fmt: skip
UNKNOWN = [
    ("npm", "1.0.0", "latest"), ("npm", "1.0.0", "workspace:*"), ("npm", "1.0.0", "git+ssh://git@host.invalid/a.git#semver:^1"),
    ("npm", "1.0.0", "file:../a"), ("npm", "1.0.0", "user/repo"), ("npm", "1.0.0", "catalog:"), ("npm", "1.0.0", "^1 || latest"),
    ("npm", "1.0", "^1"), ("npm", "", "^1"), ("npm", "1.0.0", "https://host.invalid/a.tgz"),
    ("cargo", "1.0.0", "https://host.invalid/a"), ("cargo", "1.0.0", ">=1 <2 <"), ("cargo", "1.0.0", ""),
    ("pypi", "1.0", "git+https://host.invalid/a@main"), ("pypi", "dynamic", ">=1"), ("pypi", "1.0", "~=1"), ("pypi", "1.0", "latest"),
    ("gomod", "v1.0.0", "latest"), ("gomod", "master", ">=v1.0.0"),
    ("gem", "1.0", "github: a/b"), ("gem", "1.0", ""), ("gem", "1." * 30 + "1", "~> 1"),
    ("maven", "1.0", "2.0"), ("maven", "1.0", "LATEST"), ("maven", "1.0", "${version}"), ("maven", "1.0", "latest.release"), ("maven", "1.0", "[1.0,2.0) x"),
    ("nuget", "2.0-beta", "[1.0,2.0)"), ("nuget", "1.0-beta", "1.0.*"), ("nuget", "1.0", "$(Version)"),
    ("composer", "dev-main", "^1.0"), ("composer", "1.0", "dev-main"), ("composer", "1.0", "self.version"),
    ("hex", "1.0.0", "~> 1"), ("hex", "0123abc", "~> 1.0"), ("swift", "1.0.0", 'branch: "main"'),
    ("nix", "abc", "abc"), ("gradle-catalog", "1.0", "1.0"), ("none", "1.0", "1.0"), ("npm", "1.0.0", "1.0.0 || " * 500),
]  # fmt: skip


@pytest.mark.parametrize("ecosystem", IN_ORDER)
def test_versions_stand_in_the_order_of_their_ecosystem(ecosystem):
    for lower, higher in pairwise(IN_ORDER[ecosystem]):
        assert (compare_versions(ecosystem, lower, higher), compare_versions(ecosystem, higher, lower)) == (-1, 1), (lower, higher)


@pytest.mark.parametrize(("ecosystem", "left", "right"), SAME)
def test_one_version_may_be_written_in_several_ways(ecosystem, left, right):
    assert compare_versions(ecosystem, left, right) == 0


@pytest.mark.parametrize(("ecosystem", "text", "inside", "outside"), RANGES)
def test_a_range_holds_what_its_documentation_says(ecosystem, text, inside, outside):
    assert {version: str(in_range(ecosystem, version, text)) for version in (*inside, *outside)} == dict.fromkeys(
        inside, "in"
    ) | dict.fromkeys(outside, "out")


@pytest.mark.parametrize(("ecosystem", "version", "text"), UNKNOWN)
def test_what_does_not_compare_is_unknown(ecosystem, version, text):
    assert in_range(ecosystem, version, text) == "unknown"


def test_what_has_no_order_does_not_compare():
    assert (
        compare_versions("pypi", "1.0", "dynamic"),
        compare_versions("nix", "1", "2"),
        compare_versions("npm", "9" * 2000, "1.0.0"),
    ) == (None, None, None)
