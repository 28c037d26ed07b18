"""`hiwe bench`: the project's benchmarks, a table on stdout and the figures in a file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.commands.exit import DONE

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    from hiwe.bench.shelf import NAMES

    bench = commands.add_parser("bench", help="run one of the project's benchmarks")
    bench.add_argument("name", choices=NAMES, help="which benchmark")
    bench.add_argument("--json", type=Path, metavar="OUT", help="write the figures to a file")
    bench.add_argument("--misses", action="store_true", help="print each wrong answer too")
    bench.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Run the benchmark."""
    from hiwe.bench.shelf import run_bench

    result = asyncio.run(run_bench(arguments.name))
    Console().print(result.table)
    if arguments.misses:
        print(*result.misses, sep="\n")
    if arguments.json is not None:
        text = json.dumps(result.figures, indent=2, ensure_ascii=False)
        arguments.json.write_text(text + "\n", encoding="utf-8")
    return DONE
