"""`hiwe bench`: the project's benchmarks, a table on stdout, the figures and plots in files."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe.commands.exit import DONE, FAILED

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands


def add(commands: Commands) -> None:
    """Describe the command's arguments."""
    from hiwe.bench.shelf import NAMES

    bench = commands.add_parser("bench", help="run one of the project's benchmarks")
    bench.add_argument("name", choices=NAMES, help="which benchmark")
    bench.add_argument("--quick", action="store_true", help="the part that takes seconds")
    bench.add_argument(
        "--json", type=Path, metavar="OUT",
        help="write the figures to a file, with the machine and the versions they come from",
    )  # fmt: skip
    bench.add_argument("--charts", type=Path, metavar="DIR", help="draw its plots into a folder")
    bench.add_argument("--misses", action="store_true", help="print each wrong answer too")
    bench.set_defaults(command=execute)


def execute(arguments: argparse.Namespace) -> int:
    """Run the benchmark."""
    from hiwe.bench.draw import draw
    from hiwe.bench.machine import machine
    from hiwe.bench.shelf import run_bench

    measured_on = machine()
    result = asyncio.run(run_bench(arguments.name, quick=arguments.quick))
    Console().print(result.table)
    if arguments.misses:
        print(*result.misses, sep="\n")
    if arguments.json is not None:
        figures = {**result.figures, "machine": measured_on}
        text = json.dumps(figures, indent=2, ensure_ascii=False)
        arguments.json.write_text(text + "\n", encoding="utf-8")
    if arguments.charts is not None:
        draw(result.plots, arguments.charts)
    print(*result.failed, sep="\n", end="\n" if result.failed else "")
    return FAILED if result.failed else DONE
