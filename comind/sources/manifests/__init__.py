"""Manifests and lockfiles: what a repository says about the packages it uses."""

from comind.sources.manifests.model import Dependency, Reading, Scope, Use, canonical_name
from comind.sources.manifests.registry import MAX_LOCKFILE_BYTES, READER_VERSION, format_of, is_vendored, read_dependencies

__all__ = [
    "MAX_LOCKFILE_BYTES", "READER_VERSION", "Dependency", "Reading", "Scope", "Use", "canonical_name", "format_of", "is_vendored",
    "read_dependencies",
]  # fmt: skip
