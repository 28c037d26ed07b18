"""`hiwe lvs`: look into an LVS table: its rows, what a label matches and why, a category grown."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from hiwe.commands.exit import DONE, FAILED
from hiwe.errors import UsageError

if TYPE_CHECKING:
    import argparse

    from hiwe.commands.exit import Commands
    from hiwe.lvs.match import LabelMatch
    from hiwe.lvs.row import Row
    from hiwe.lvs.table import LvsTable

TABLE_HELP = "an LVS file, a task's configuration, or a run directory"
VALUES_SHOWN = 8  # of an element, by `match`


def add(commands: Commands) -> None:
    """Describe the commands' arguments."""
    lvs = commands.add_parser("lvs", help="look into a table of labels and fuzzy value sets")
    verbs = lvs.add_subparsers(metavar="VERB", required=True)
    show = verbs.add_parser("show", help="the rows, or the values of one row and what they earned")
    match = verbs.add_parser("match", help="which row a label matches, and why")
    expand = verbs.add_parser("expand", help="categories that hold all the examples")
    export = verbs.add_parser("export", help="the table as YAML, learned weights included")
    for verb in (show, match, export):
        verb.add_argument("table", type=Path, help=TABLE_HELP)
    show.add_argument("--row", help="label or alias of the row whose values are shown")
    show.add_argument("--language", help="show a built-in row in this language, e.g. it")
    export.add_argument("-o", "--output", type=Path, help="file to write; standard output if none")
    _add_match(match)
    _add_expand(expand)
    show.set_defaults(command=_show)
    match.set_defaults(command=_match)
    expand.set_defaults(command=_expand)
    export.set_defaults(command=_export)


def _add_match(match: argparse.ArgumentParser) -> None:
    match.add_argument("label", help="the label as a form shows it; '' for none")
    match.add_argument("--name", default="", help="name attribute of the element")
    match.add_argument("--kind", default="text", help="text (default), select, number, date...")
    match.add_argument("--option", action="append", default=[], help="one of its options; repeat")
    match.add_argument("--language", help="language of the page, e.g. it")
    match.add_argument("--sigma", type=float, default=0.75, help="least similarity, 0 to 1")


def _add_expand(expand: argparse.ArgumentParser) -> None:
    expand.add_argument("examples", nargs="+", metavar="VALUE", help="values of the category")
    expand.add_argument("--config", type=Path, help="a task whose lvs.sources are asked too")
    expand.add_argument("--label", help="print the smallest category as a row of this label")


def table_of(path: Path) -> LvsTable:
    """The table of an LVS file, of a configuration, or of a run with what it learned."""
    from hiwe.crawl.learned import table_of_run, table_of_task
    from hiwe.lvs.table import LvsTable
    from hiwe.repository.database import FILE_NAME
    from hiwe.task import load_task, read_yaml

    if path.is_dir():
        if not (path / FILE_NAME).is_file():
            raise UsageError(f"{path} holds no run; give an LVS file, a configuration or a run")
        return table_of_run(path)
    if isinstance(read_yaml(path), dict):
        table, sources = table_of_task(load_task(path))
        _tell(sources.notes)
        return table
    return LvsTable.load([path])


def _tell(notes: list[str]) -> None:
    for note in notes:
        print(f"hiwe: {note}", file=sys.stderr)


def _show(arguments: argparse.Namespace) -> int:
    table = table_of(arguments.table)
    if arguments.row is not None:
        return _show_row(table, arguments.row, arguments.language)
    shown = Table("label", "values", "provenance", "aliases", box=None)
    for row in table.rows:
        aliases = ", ".join(row.aliases)
        shown.add_row(row.label, str(len(row.values)), row.provenance.value, aliases)
    Console().print(shown)
    return DONE


def _row_called(table: LvsTable, label: str) -> Row:
    """The row of this label or alias, minding no case; UsageError lists the rows there are."""
    wanted = label.casefold().strip()
    for names in (lambda row: (row.label,), lambda row: row.aliases):
        for row in table.rows:
            if wanted in (name.casefold() for name in names(row)):
                return row
    raise UsageError(f"no row {label!r}; there are {', '.join(row.label for row in table.rows)}")


def _show_row(table: LvsTable, label: str, language: str | None) -> int:
    from hiwe.lvs.value import type_of

    row = _row_called(table, label)
    heads = ("value", "weight", "type", "provenance", "start", "successes", "failures")
    shown = Table(*heads, box=None)
    for record in table.values_of(row, language).records():
        shown.add_row(
            record.value,
            f"{record.weight:.2f}",
            type_of(record.value).value,
            record.provenance.value,
            f"{record.start:.2f}",
            f"{record.successes:.4g}",
            f"{record.failures:.4g}",
        )
    Console().print(shown)
    return DONE


def _match(arguments: argparse.Namespace) -> int:
    from hiwe.lvs.element_view import ElementView

    if not 0.0 <= arguments.sigma <= 1.0:
        raise UsageError(f"--sigma is {arguments.sigma:g}; give a number from 0 to 1")
    element = ElementView(
        label=arguments.label,
        name=arguments.name,
        kind=arguments.kind,
        domain=tuple(arguments.option),
        language=arguments.language,
    )
    table = table_of(arguments.table)
    match = table.match(element, sigma=arguments.sigma)
    print(f"{arguments.label!r} -> {_why(match)}")
    if match.runner_up:
        place = "second" if match.row else "nearest"
        print(f"{place}: {match.runner_up} (similarity {match.runner_up_similarity:.2f})")
    values = [f"{v.value} ({v.weight:.2f})" for v in table.value_set(element, match)]
    if values:
        more = f" and {len(values) - VALUES_SHOWN} more" if len(values) > VALUES_SHOWN else ""
        print(f"values: {', '.join(values[:VALUES_SHOWN])}{more}")
    return DONE if match.row or match.generic else FAILED


def _why(match: LabelMatch) -> str:
    """One line: the row, how similar and by what."""
    if match.generic:
        return "any row: a box for anything takes the values of every row"
    if match.row is None:
        return "no row"
    by = {
        "label": "its label",
        "alias": f"alias {match.by!r}",
        "concept": f"{match.by!r}, a common name of it",
        "name": f"the element's name, like {match.by!r}",
        "domain": "values in common",
    }[match.rule]
    return f"{match.row.label} (similarity {match.similarity:.2f}, by {by})"


def _expand(arguments: argparse.Namespace) -> int:
    from hiwe.crawl.learned import connectors
    from hiwe.lvs.load import dump_rows
    from hiwe.lvs.sources import Sources
    from hiwe.task import load_task
    from hiwe.task.settings import agent_name
    from hiwe.text import count

    specs: list[dict[str, Any]] = [{"type": "directory"}]
    if arguments.config is not None:
        specs += load_task(arguments.config).lvs.sources
    sources = Sources(specs, connectors(agent_name("", "")))
    found = sources.expand(arguments.examples)
    _tell(sources.notes)
    if not found:
        print("no category holds all of them", file=sys.stderr)
        return FAILED
    if arguments.label:
        print(dump_rows([found[0].row(arguments.label)]), end="")
        return DONE
    for category in found:
        size = f"{count(len(category.values), 'value')}, {category.source}"
        print(f"{category.name} ({size}): {', '.join(category.values)}")
    return DONE


def _export(arguments: argparse.Namespace) -> int:
    text = table_of(arguments.table).export()
    if arguments.output is None:
        print(text, end="")
        return DONE
    try:
        arguments.output.write_text(text, encoding="utf-8")
    except OSError as exc:
        raise UsageError(f"{arguments.output} cannot be written: {exc.strerror}") from exc
    return DONE
