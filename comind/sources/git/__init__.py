"""Git repositories, read-only. The only package that imports pygit2."""
