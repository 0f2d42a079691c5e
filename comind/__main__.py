"""`python -m comind` is `comind`."""

from __future__ import annotations

from comind.cli.main import main

if __name__ == "__main__":
    main()
