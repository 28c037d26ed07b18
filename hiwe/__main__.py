"""`python -m hiwe` is the command `hiwe`."""

from __future__ import annotations

import sys

from hiwe.cli import main

if __name__ == "__main__":
    sys.exit(main())
