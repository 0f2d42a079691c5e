"""Source bytes to definitions and normalised tokens in one pass. The only package that imports tree-sitter."""

from comind.syntax.languages import known_names, language_of

__all__ = ["known_names", "language_of"]
