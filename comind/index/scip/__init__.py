"""Indexes that other tools made: SCIP files, read document by document and joined to our own symbols by canonical key."""
