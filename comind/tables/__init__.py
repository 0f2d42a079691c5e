"""The lake: every table of a store, read and written so that many processes may do it at once. Lance is imported only here."""

import os

# Lance reads this once, when it is first imported. Its default of 300 MB is too little to index a few million rows.
os.environ.setdefault("LANCE_MEM_POOL_SIZE", str(2 << 30))
