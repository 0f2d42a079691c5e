"""The lake: Lance tables in the user's store. The only package that imports lance and lancedb."""
