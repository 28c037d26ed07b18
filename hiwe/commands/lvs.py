"""`hiwe lvs`: look into an LVS table: its rows, what a label matches and why, a category grown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from hiwe.commands.exit import DONE, FAILED
from hiwe.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands
    from hiwe.lvs.table import LvsTable


def add(commands: Commands) -> None:
    """Describe the commands' arguments."""
    lvs = commands.add_parser("lvs", help="look into a table of labels and fuzzy value sets")
    verbs = lvs.add_subparsers(metavar="VERB", required=True)
    show = verbs.add_parser("show", help="the rows, or the values of one row")
    match = verbs.add_parser("match", help="which row a label matches, and why")
    expand = verbs.add_parser("expand", help="categories that hold all the examples")
    export = verbs.add_parser("export", help="the table as YAML, learned weights included")
    for verb in (show, match, export):
        verb.add_argument("table", type=Path, help="an LVS file, a task's configuration, or a run")
    show.add_argument("--row", help="label of the row whose values are shown")
    match.add_argument("label", help="the label as a form shows it")
    match.add_argument("--name", default="", help="name of the element")
    match.add_argument("--language", help="language of the page, e.g. it")
    match.add_argument("--sigma", type=float, default=0.75)
    expand.add_argument("examples", nargs="+", metavar="VALUE")
    expand.add_argument("--config", type=Path, help="a task whose lvs.sources are asked too")
    show.set_defaults(command=_show)
    match.set_defaults(command=_match)
    expand.set_defaults(command=_expand)
    export.set_defaults(command=_export)


def table_of(path: Path) -> LvsTable:
    """The table of an LVS file, of a configuration, or of a run with what it learned."""
    from hiwe.crawl.learned import table_of_run
    from hiwe.lvs.table import LvsTable
    from hiwe.repository.database import FILE_NAME
    from hiwe.task import load_task, read_yaml

    if path.is_dir():
        if not (path / FILE_NAME).is_file():
            raise UsageError(f"{path} holds no run; give an LVS file, a configuration or a run")
        return table_of_run(path)
    if isinstance(read_yaml(path), dict):
        task = load_task(path)
        return LvsTable.load(task.lvs.tables, builtin=task.lvs.builtin)
    return LvsTable.load([path])


def _show(arguments: argparse.Namespace) -> int:
    table = table_of(arguments.table)
    if arguments.row is not None:
        return _show_row(table, arguments.row)
    shown = Table("label", "values", "provenance", "aliases", box=None)
    for row in table.rows:
        aliases = ", ".join(row.aliases)
        shown.add_row(row.label, str(len(row.values)), row.provenance.value, aliases)
    Console().print(shown)
    return DONE


def _show_row(table: LvsTable, label: str) -> int:
    row = table.row(label)
    if row is None:
        raise UsageError(f"no row {label!r}; there are {', '.join(r.label for r in table.rows)}")
    shown = Table("value", "weight", "provenance", "successes", "failures", box=None)
    for record in row.values.records():
        shown.add_row(
            record.value,
            f"{record.weight:.2f}",
            record.provenance.value,
            f"{record.successes:g}",
            f"{record.failures:g}",
        )
    Console().print(shown)
    return DONE


def _match(arguments: argparse.Namespace) -> int:
    from hiwe.lvs.element_view import ElementView

    element = ElementView(
        label=arguments.label, name=arguments.name, kind="text", domain=(),
        language=arguments.language, pattern=None, maxlength=None, minimum=None, maximum=None,
        step=None, placeholder=None,
    )  # fmt: skip
    match = table_of(arguments.table).match(element, sigma=arguments.sigma)
    row = match.row.label if match.row else "none"
    print(f"{arguments.label!r} -> {row} (similarity {match.similarity:.2f}, rule {match.rule})")
    if match.runner_up:
        print(f"second: {match.runner_up} (similarity {match.runner_up_similarity:.2f})")
    return DONE if match.row or match.generic else FAILED


def _expand(arguments: argparse.Namespace) -> int:
    from hiwe.crawl.learned import connectors
    from hiwe.lvs.sources import Sources
    from hiwe.task import load_task
    from hiwe.task.settings import agent_name

    specs: list[dict[str, Any]] = [{"type": "directory"}]
    if arguments.config is not None:
        specs += load_task(arguments.config).lvs.sources
    sources = Sources(specs, connectors(agent_name("", "")))
    found = sources.expand(arguments.examples)
    for category in found:
        print(f"{category.name} ({category.source}): {', '.join(category.values)}")
    for note in sources.notes:
        print(note)
    if not found:
        print("no category holds all of them")
    return DONE if found else FAILED


def _export(arguments: argparse.Namespace) -> int:
    print(table_of(arguments.table).export(), end="")
    return DONE
