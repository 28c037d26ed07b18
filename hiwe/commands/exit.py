"""Exit codes of the commands (contract), and the parser they add themselves to."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from typing import TypeAlias

    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

DONE, FAILED, USAGE, INTERRUPTED = 0, 1, 2, 130
