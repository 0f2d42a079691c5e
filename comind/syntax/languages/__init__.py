"""What each language's grammar calls things: one declarative table per language."""
