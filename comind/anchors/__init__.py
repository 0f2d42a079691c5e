"""Where the symbol that a record was anchored to is now."""
