"""One small file of each format of manifests and lockfiles, as the tools write them.

In: nothing. Out: `SAMPLES`, texts by path. They agree where the formats can say the same.
"""

from __future__ import annotations

__all__ = ["SAMPLES"]

_CARGO = """version = 4

[[package]]
name = "memchr"
version = "2.8.3"
source = "registry+index"

[[package]]
name = "own"
version = "0.1.0"
dependencies = [
 "serde",
 "syn 2.0.0",
]

[[package]]
name = "serde"
version = "1.0.229"
source = "registry+index"
dependencies = ["memchr", "syn 1.0.0"]

[[package]]
name = "syn"
version = "1.0.0"
source = "registry+index"

[[package]]
name = "syn"
version = "2.0.0"
source = "registry+index"
"""
_UV = """version = 1

[[package]]
name = "idna"
version = "3.11"
source = { registry = "index" }

[[package]]
name = "own"
source = { editable = "." }
dependencies = [{ name = "zope-interface" }]

[package.dev-dependencies]
dev = [{ name = "pytest" }]

[package.metadata]
requires-dist = [{ name = "zope-interface", specifier = ">=7" }]

[[package]]
name = "pytest"
version = "9.0"
source = { registry = "index" }

[[package]]
name = "zope-interface"
version = "7.1"
source = { registry = "index" }
dependencies = [{ name = "idna" }]
"""
_POETRY = """[[package]]
name = "Zope.Interface"
version = "7.1"
optional = false
groups = ["main"]

[[package]]
name = "black"
version = "24.4.2"
optional = false
groups = ["dev"]
"""
_PIPFILE = """{
    "_meta": {"pipfile-spec": 6},
    "default": {"idna": {"version": "==3.11"}},
    "develop": {"black": {"version": "==24.4.2"}}
}
"""
_NPM = """{
  "lockfileVersion": 3,
  "packages": {
    "": {"name": "own", "version": "1.0.0", "devDependencies": {"vitest": "^3"}, "dependencies": {"chalk": "^4"}},
    "node_modules/chalk": {"version": "4.1.2"},
    "node_modules/debug": {"version": "4.4.0", "dev": true},
    "node_modules/vitest": {"version": "3.2.4", "dev": true, "dependencies": {"chalk": "^5", "debug": "*"}},
    "node_modules/vitest/node_modules/chalk": {"version": "5.6.2", "dev": true}
  }
}
"""
_YARN = """# yarn lockfile v1


"@scope/part@^1.0.0", "@scope/part@^1.2.0":
  version "1.2.3"
  resolved "https://registry.invalid/part.tgz#0"
  dependencies:
    ms "^2.1.1"

ms@^2.1.1:
  version "2.1.3"
"""
_BERRY = """__metadata:
  version: 8

"@scope/part@npm:^1.0.0":
  version: 1.2.3
  resolution: "@scope/part@npm:1.2.3"
  dependencies:
    ms: "npm:^2.1.1"
  languageName: node
  linkType: hard

"ms@npm:^2.1.1":
  version: 2.1.3
  resolution: "ms@npm:2.1.3"
  languageName: node
  linkType: hard

"own@workspace:.":
  version: 0.0.0-use.local
  resolution: "own@workspace:."
  dependencies:
    "@scope/part": "npm:^1.0.0"
  languageName: unknown
  linkType: soft
"""
_PNPM = """lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      '@scope/part':
        specifier: ^1.0.0
        version: 1.2.3(ms@2.1.3)
      local:
        specifier: workspace:*
        version: link:packages/local

packages:

  '@scope/part@1.2.3':
    resolution: {integrity: sha512-0}

  ms@2.1.3:
    resolution: {integrity: sha512-0}

snapshots:

  '@scope/part@1.2.3(ms@2.1.3)':
    dependencies:
      ms: 2.1.3

  ms@2.1.3: {}
"""
_BUN = """{
  "lockfileVersion": 1,
  "workspaces": {
    "": {"name": "own", "dependencies": {"chalk": "^4", },},
  },
  "packages": {
    "chalk": ["chalk@4.1.2", "", {}, "sha512-0"],
    "ms": ["ms@2.1.3", "", {}, "sha512-0"],
    "vitest/chalk": ["chalk@5.6.2", "", {}, "sha512-0"],
  },
}
"""
_DENO = """{
  "version": "4",
  "specifiers": {"jsr:@std/path@^1.0.3": "1.0.6", "jsr:@std/internal@^1": "1.0.5", "npm:ms@*": "2.1.3"},
  "jsr": {"@std/path@1.0.6": {"dependencies": ["jsr:@std/internal"]}, "@std/internal@1.0.5": {}},
  "npm": {"ms@2.1.3": {}},
  "workspace": {"dependencies": ["jsr:@std/path@^1.0.3"]}
}
"""
_GO_SUM = """golang.org/x/net v0.56.0/go.mod h1:0=
golang.org/x/net v0.57.0 h1:0=
golang.org/x/net v0.57.0/go.mod h1:0=
"""
_GO_MOD = """module example.org/own

go 1.24

require golang.org/x/net v0.57.0

require (
\tgolang.org/x/sys v0.40.0 // indirect
)
"""
_GEMFILE = """PATH
  remote: .
  specs:
    own (0.1.0)

GEM
  remote: https://rubygems.invalid/
  specs:
    ffi (1.17.0)
    ffi (1.17.0-arm64-darwin)
    jekyll (4.3.3)
      ffi (~> 1.0)

PLATFORMS
  ruby

DEPENDENCIES
  jekyll (~> 4.3.3)
  own!

BUNDLED WITH
   2.5.10
"""
_SWIFT = """{
  "pins" : [
    {"identity" : "promises", "kind" : "remoteSourceControl", "state" : {"revision" : "0", "version" : "2.4.0"}}
  ],
  "version" : 2
}
"""
_REQUIREMENTS = """# what we need
Zope.Interface[test]==7.1 ; python_version >= "3.9"  # pinned
idna>=3
-r other.txt
"""
_FLAKE = """{"nodes": {
  "nixpkgs": {"locked": {"rev": "%s", "type": "github"}, "original": {"id": "nixpkgs", "ref": "nixos-unstable", "type": "indirect"}},
  "root": {"inputs": {"nixpkgs": "nixpkgs"}}}, "root": "root", "version": 7}
""" % ("a" * 40)
_CENTRAL = """<Project>
  <PropertyGroup><S3>4.0.1</S3></PropertyGroup>
  <ItemGroup>
    <PackageVersion Include="AWSSDK.Core" Version="[3.7.500.5, 4)" />
    <PackageVersion Include="AWSSDK.S3" Version="$(S3)" />
  </ItemGroup>
  <ItemGroup Condition=" '$(TargetFramework)' == 'net8.0' "><PackageVersion Include="Entity.Core" Version="8.0.22" /></ItemGroup>
  <ItemGroup Condition=" '$(TargetFramework)' == 'net9.0' "><PackageVersion Include="Entity.Core" Version="9.0.15" /></ItemGroup>
</Project>
"""
_COMPOSER = """{
  "packages": [{"name": "Vendor/Part", "version": "1.2.3"}],
  "packages-dev": [{"name": "vendor/tests", "version": "v2.0.0"}]
}
"""
_MIX = """%{
  "castore": {:git, "https://git.invalid/castore.git", "0123", [branch: "main"]},
  "plug": {:hex, :plug, "1.13.6", "00", [:mix], [{:mime, "~> 1.0", [hex: :mime]}], "hexpm", "00"},
}
"""
_PODFILE = """PODS:
  - Mockingjay (2.0.1):
    - Mockingjay/Core (= 2.0.1)
  - Mockingjay/Core (2.0.1):
    - URITemplate (~> 2.0)
  - URITemplate (2.0.3)

DEPENDENCIES:
  - Mockingjay

COCOAPODS: 1.9.1
"""
_GRADLE = """# This is a Gradle generated file for dependency locking.
com.google.code.gson:gson:2.9.0=annotationProcessor
com.google.code.gson:gson:2.9.1=compileClasspath,runtimeClasspath
empty=testAnnotationProcessor
"""
_NUGET = """{
  "version": 2,
  "dependencies": {
    "net8.0": {
      "Newtonsoft.Json": {"type": "Direct", "requested": "[13.0.1, )", "resolved": "13.0.3"},
      "Build.Tasks": {"type": "Transitive", "resolved": "8.0.0"}
    }
  }
}
"""
_CATALOG = """[versions]
guava = "33.6.0-jre"
range = { strictly = "[1, 2[" }

[libraries]
guava = { module = "com.google.guava:guava", version.ref = "guava" }
ranged = { group = "a", name = "b", version.ref = "range" }

[plugins]
kotlin = "org.jetbrains.kotlin.jvm:2.2.21"
"""
SAMPLES = {
    "Cargo.lock": _CARGO, "uv.lock": _UV, "poetry.lock": _POETRY, "Pipfile.lock": _PIPFILE, "package-lock.json": _NPM,
    "yarn.lock": _YARN, "berry/yarn.lock": _BERRY, "pnpm-lock.yaml": _PNPM, "bun.lock": _BUN, "deno.lock": _DENO,
    "go.sum": _GO_SUM, "go.mod": _GO_MOD, "Gemfile.lock": _GEMFILE, "Package.resolved": _SWIFT, "requirements.txt": _REQUIREMENTS,
    "flake.lock": _FLAKE, "Directory.Packages.props": _CENTRAL, "composer.lock": _COMPOSER, "mix.lock": _MIX,
    "Podfile.lock": _PODFILE, "gradle.lockfile": _GRADLE, "packages.lock.json": _NUGET, "gradle/libs.versions.toml": _CATALOG,
}  # fmt: skip
