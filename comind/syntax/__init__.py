"""Source bytes to definitions and normalised tokens in one pass. The only package that imports tree-sitter."""
