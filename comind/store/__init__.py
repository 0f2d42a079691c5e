"""The user's object store: where objects lie, create-only writes, listings. Its clients are imported only here."""
