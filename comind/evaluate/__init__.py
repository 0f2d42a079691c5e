"""Measurements of how right the rules are, on labelled data."""
