"""Files to rows: blobs parsed once, packages, symbols."""
