"""Source bytes to definitions and normalised tokens in one pass. The only package that imports tree-sitter."""

from comind.syntax.languages import language_of

__all__ = ["language_of"]
