"""The command line: arguments, logging, exit codes. One short function per command."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from hiwe import __version__
from hiwe.errors import HiweError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_INTERRUPTED = 0, 1, 2, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code (contract: 0, 1, 2, 130)."""
    parser = _parser()
    try:
        arguments = parser.parse_args(argv)
    except SystemExit as leave:  # argparse leaves by itself; tests want a number
        return leave.code if isinstance(leave.code, int) else EXIT_USAGE
    _set_up_logging(verbose=arguments.verbose)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        return command(arguments)
    except HiweError as error:
        print(f"hiwe: {error}", file=sys.stderr)
        return EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILED
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # `hiwe report | head`
        sys.stderr.close()
        return EXIT_DONE


def _set_up_logging(*, verbose: bool) -> None:
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(levelname).1s %(name)s: %(message)s"))
    root = logging.getLogger("hiwe")
    root.handlers[:] = [handler]
    root.setLevel(logging.DEBUG if verbose else logging.WARNING)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="hiwe", description="Get out the data that only a search form shows."
    )
    parser.add_argument("--version", action="version", version=f"hiwe {__version__}")
    parser.add_argument("-v", "--verbose", action="store_true", help="log each decision")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for add in (
        _add_run,
        _add_inspect,
        _add_report,
        _add_export,
        _add_init,
        _add_doctor,
        _add_fixtures,
    ):
        add(commands)
    return parser


def _add_run(commands: Commands) -> None:
    run = commands.add_parser("run", help="run a task, resume it, or visit it again")
    run.add_argument("config", type=Path, help="the task, a YAML file")
    run.add_argument("--out", type=Path, help="run directory (default: runs/<task>)")
    run.add_argument(
        "--fresh", action="store_true", help="start anew; an old run directory is moved aside"
    )
    run.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        dest="overrides",
        help="override one configuration key, e.g. ranking.function=average",
    )
    run.add_argument("--workers", type=int, help="tabs that work at once")
    run.add_argument("--engine", choices=["local", "ray"], default="local")
    run.add_argument("--quiet", action="store_true", help="no progress, no table")
    run.set_defaults(command=_run)


def _run(arguments: argparse.Namespace) -> int:
    from hiwe.crawl.run import run_task
    from hiwe.report.html import write_html
    from hiwe.report.progress import progress_for
    from hiwe.report.summary import write_summary
    from hiwe.report.terminal import print_report
    from hiwe.task import load_task

    overrides = list(arguments.overrides)
    if arguments.workers is not None:
        overrides.append(f"workers={arguments.workers}")
    if arguments.engine != "local":
        raise UsageError("--engine ray is not in this version; leave it out to run locally")
    task = load_task(arguments.config, overrides=overrides)
    out = arguments.out or Path(task.output)
    progress = progress_for(Console(stderr=True), quiet=arguments.quiet)
    status = asyncio.run(run_task(task, out, fresh=arguments.fresh, progress=progress))
    write_summary(out)
    write_html(out)
    if not arguments.quiet:
        print_report(out, Console())
    return {"finished": EXIT_DONE, "interrupted": EXIT_INTERRUPTED}.get(status, EXIT_FAILED)


def _add_inspect(commands: Commands) -> None:
    inspect = commands.add_parser("inspect", help="list the forms of pages; sends nothing")
    inspect.add_argument("pages", nargs="+", metavar="URL_OR_FILE")
    inspect.add_argument("--json", action="store_true", help="one JSON object a page")
    inspect.add_argument("--screenshot", type=Path, metavar="OUT.png")
    inspect.set_defaults(command=_inspect)


def _inspect(arguments: argparse.Namespace) -> int:
    from hiwe.look import look

    if arguments.screenshot is not None and len(arguments.pages) > 1:
        raise UsageError("--screenshot takes one page; give one URL or file")
    done = asyncio.run(
        look(
            arguments.pages,
            as_json=arguments.json,
            screenshot=arguments.screenshot,
            console=Console(),
        )
    )
    return EXIT_DONE if done else EXIT_FAILED


def _add_report(commands: Commands) -> None:
    report = commands.add_parser("report", help="submission efficiency and harvest of a run")
    report.add_argument("directory", type=Path)
    report.add_argument("--open", action="store_true", help="open report.html in a browser")
    report.set_defaults(command=_report)


def _report(arguments: argparse.Namespace) -> int:
    from hiwe.report.html import write_html
    from hiwe.report.terminal import print_report

    print_report(arguments.directory, Console())
    path = write_html(arguments.directory)
    if arguments.open:
        import webbrowser

        webbrowser.open(path.resolve().as_uri())
    return EXIT_DONE


def _add_export(commands: Commands) -> None:
    export = commands.add_parser("export", help="records or archive in another format")
    export.add_argument("directory", type=Path)
    export.add_argument(
        "--format", required=True, choices=["jsonl", "csv", "parquet", "sqlite", "warc", "wacz"]
    )
    export.add_argument("-o", "--output", type=Path)
    export.set_defaults(command=_export)


def _export(arguments: argparse.Namespace) -> int:
    from hiwe.repository.export import export

    print(export(arguments.directory, arguments.format, arguments.output))
    return EXIT_DONE


def _add_init(commands: Commands) -> None:
    init = commands.add_parser("init", help="write a commented starting configuration")
    init.add_argument("config", type=Path, nargs="?", default=Path("task.yaml"))
    init.set_defaults(command=_init)


def _init(arguments: argparse.Namespace) -> int:
    from hiwe.init import starter_config

    path: Path = arguments.config
    if path.exists():
        raise UsageError(f"{path} exists; give another name, nothing was overwritten")
    path.write_text(starter_config(), encoding="utf-8")
    print(path)
    return EXIT_DONE


def _add_doctor(commands: Commands) -> None:
    doctor = commands.add_parser("doctor", help="check browser, versions and write access")
    doctor.set_defaults(command=_doctor)


def _doctor(arguments: argparse.Namespace) -> int:
    from hiwe.doctor import checks

    found = checks()
    for check in found:
        print(f"{'ok  ' if check.ok else 'FAIL'} {check.name}: {check.detail}")
        if not check.ok and check.mend:
            print(f"     {check.mend}")
    return EXIT_DONE if all(check.ok for check in found) else EXIT_FAILED


def _add_fixtures(commands: Commands) -> None:
    fixtures = commands.add_parser("fixtures", help="the bundled sites to try things on")
    verbs = fixtures.add_subparsers(metavar="VERB", required=True)
    serve = verbs.add_parser("serve", help="serve them on loopback until Ctrl-C")
    serve.add_argument("names", nargs="*", metavar="NAME", help="which sites (default: all)")
    serve.set_defaults(command=_serve_fixtures)


def _serve_fixtures(arguments: argparse.Namespace) -> int:
    from hiwe_fixtures.__main__ import main as serve

    return serve(arguments.names) or EXIT_DONE
