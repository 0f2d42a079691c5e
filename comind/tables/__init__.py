"""The lake: every table of a store, read and written so that many processes may do it at once. Lance is imported only here."""

import os

# Lance reads these once, when it is first imported. Its default of 300 MB is too little to index a few million rows, and it warns
# on stderr about conflicts that are handled here.
os.environ.setdefault("LANCE_MEM_POOL_SIZE", str(2 << 30))
os.environ.setdefault("LANCE_LOG", "error")
