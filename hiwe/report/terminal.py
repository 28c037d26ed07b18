"""The report on the terminal: the three numbers, a table of the chosen forms, what was left alone.

Readable at 80 columns, on a pipe and without colours. Text of sites is never read as markup.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from hiwe.report.costs import read_costs
from hiwe.report.directory import opened
from hiwe.report.figures import read_figures
from hiwe.report.next_commands import next_commands
from hiwe.report.notes import Notes, read_notes
from hiwe.report.words import duration, moment, se, shorter, shown, told
from hiwe.repository.run import Run
from hiwe.text import count

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from rich.console import Console, RenderableType

    from hiwe.report.figures import ElementFigures, FormFigures, RunFigures
    from hiwe.repository.totals import SiteTotals

RESULT_FILES = (
    "report.html", "summary.json", "records.jsonl", "feed.json", "profile.html", "warc",
    "hiwe.sqlite", "hiwe.log",
)  # fmt: skip
LONGEST_ACTION = 60
LEAST_WIDTH = 10
LONGEST_REASON = 240  # a few lines: the reason stands at the end
STATUS_STYLES = {"finished": "green", "interrupted": "yellow", "failed": "red"}


def print_report(out: Path, console: Console) -> None:
    """Print the report of the run in `out`; RunError if there is none."""
    with opened(out) as db:
        figures = read_figures(db)
        notes = read_notes(db)
        commands = next_commands(figures, out, Run(db))
    console.print(_head(figures))
    console.print(_numbers(figures))
    for counts in _verdicts(figures):
        console.print(counts)
    if figures.chosen:
        console.print()
        console.print(_forms_table(figures))
    for title, lines in _sections(figures, notes, out):
        if lines:
            _print_title(title, console)
            for line in lines:
                _print_indented(line, console)
    _print_title("next", console)
    for command in commands:  # whole, however long: it is to be copied
        console.print(Text(f"  {command}"), soft_wrap=True)


def _print_title(title: str, console: Console) -> None:
    console.print()
    console.print(Text(title, "bold"))


def _print_indented(line: str, console: Console) -> None:
    """Print a line of a section, on as many lines as it takes, all of them indented."""
    for part in Text(line).wrap(console, max(LEAST_WIDTH, console.width - 2)):
        part.rstrip()
        console.print(Text("  ").append_text(part))


def _head(figures: RunFigures) -> Text:
    """The task, how the run ended and how long it took."""
    line = Text(shown(figures.task) or "(no task)", "bold")
    line.append(" ")
    style = "yellow" if figures.is_out_of_time else STATUS_STYLES.get(figures.status, "")
    line.append(figures.state, style)
    line.append(f" after {duration(figures.duration_s)}")
    if figures.started_at is not None:
        line.append(f", started {moment(figures.started_at)}")
    return line


def _numbers(figures: RunFigures) -> Text:
    """The three numbers that matter."""
    tally = figures.totals.tally
    numbers = (
        ("SE-strict", se(tally.se_strict, tally.submissions)),
        ("SE-lenient", se(tally.se_lenient, tally.submissions)),
        ("distinct records", f"{figures.totals.records:,}"),
    )
    return Text("   ").join(
        Text.assemble(f"{name} ", (value, "bold cyan")) for name, value in numbers
    )


def _verdicts(figures: RunFigures) -> list[Text]:
    """What the submissions came to, and what else was done: the numbers the three rest on."""
    totals = figures.totals
    parts = [f"{n:,} {str(v).replace('_', ' ')}" for v, n in figures.verdicts.items() if n]
    if figures.unanswered:
        parts.append(f"{figures.unanswered:,} unanswered")
    said = f": {', '.join(parts)}" if parts else ""
    lines = (
        f"{count(totals.tally.submissions, 'submission')}{said}",
        f"{count(totals.probes, 'probe')}, {count(totals.pages, 'page')} visited,"
        f" {count(totals.result_pages, 'result page')},"
        f" {totals.forms_chosen:,} of {count(totals.forms_seen, 'form')} chosen,"
        f" {count(totals.errors, 'error')}",
    )
    return [Text(line) for line in lines]


def _forms_table(figures: RunFigures) -> Table:
    """One group of lines a chosen form, under the line of its site."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", expand=False)
    table.add_column("chosen forms", ratio=1, overflow="fold")
    for name in ("sent", "strict", "lenient", "records", "new"):
        table.add_column(name, justify="right", no_wrap=True)
    shown_as = Counter(_sends(form) for form in figures.chosen)
    for site in figures.sites:
        forms = [form for form in figures.chosen if form.site == site.url]
        if forms:
            table.add_row(*_site_cells(site, alone=len(forms) == 1))
            for form in forms:
                table.add_row(*_form_cells(form, is_alone=shown_as[_sends(form)] == 1))
    return table


def _site_cells(site: SiteTotals, *, alone: bool) -> list[Text]:
    """The line of a site; its figures are left out where those of its one form follow."""
    tally = site.tally
    figures = (
        f"{tally.submissions:,}",
        se(tally.se_strict, tally.submissions),
        se(tally.se_lenient, tally.submissions),
        f"{site.records:,}",
    )
    cells = (shown(site.url, LONGEST_ACTION), *(("",) * 4 if alone else figures), "")
    return [Text(cell, "bold") for cell in cells]


def _form_cells(form: FormFigures, *, is_alone: bool) -> list[RenderableType]:
    """The lines of a form; its number and its page tell it from others that send to one place."""
    tally = form.tally
    about = [Text(_elements(form.elements), "dim")]
    if not is_alone:
        about.insert(
            0, Text(f"form {form.id} on {shorter(shown(form.url), LONGEST_ACTION)}", "dim")
        )
    if form.stopped:
        about.append(Text(f"stopped: {shown(form.stopped)}", "dim"))
    if form.estimate is not None:
        about.append(Text(f"coverage: {form.estimate}", "dim"))
    elif form.estimated_total is not None:
        about.append(
            Text(f"estimated to hold {count(round(form.estimated_total), 'record')}", "dim")
        )
    first = Group(
        Padding(Text(_sends(form)[1]), (0, 0, 0, 2)),
        *(Padding(line, (0, 0, 0, 4)) for line in about),
    )
    figures = (
        f"{tally.submissions:,}",
        se(tally.se_strict, tally.submissions),
        se(tally.se_lenient, tally.submissions),
        f"{form.records:,}",
        f"{form.new_records:,}",
    )
    return [first, *map(Text, figures)]


def _sends(form: FormFigures) -> tuple[str, str]:
    """The site of a form and how it is called in the table: its method and where it sends."""
    return form.site, f"{form.method} {shown(_place(form), LONGEST_ACTION)}"


def _place(form: FormFigures) -> str:
    """Where a form sends: the path of its action; of a form answered by script, its page's."""
    address = urlsplit(form.action if form.action.startswith("http") else form.url)
    return address.path or "/"


def _elements(elements: tuple[ElementFigures, ...]) -> str:
    """The labels, each with the row it matched where that has another name."""
    said = ", ".join(_element(element) for element in elements if element.fillable)
    alone = ", ".join(shown(element.title, 30) for element in elements if not element.fillable)
    return f"{said} (left alone: {alone})" if alone else said


def _element(element: ElementFigures) -> str:
    label, row = shown(element.title, 30), element.matched_row
    if row is None or row.casefold() == label.casefold():
        return label
    return f"{label} = {shown(row, 30)}"


def _sections(figures: RunFigures, notes: Notes, out: Path) -> Iterator[tuple[str, list[str]]]:
    """What stands below the table: (title, lines); a title without lines is left out."""
    yield "as a person judged a sample", list(notes.audit)
    yield "last revisit", list(notes.revisit)
    costs = read_costs(out)
    yield "cost of the last profiled session", costs.lines() if costs else []
    yield "skipped forms", _skipped(figures)
    yield "sites stopped", [
        f"{shown(site.url)}: {told(site.stopped, LONGEST_REASON)}"
        for site in figures.sites if site.stopped
    ]  # fmt: skip
    yield "closed traps", [
        f"{shown(t.host)} {shown(t.shape, 50)}: {shown(t.reason, 40)}, {t.refused:,} turned away"
        for t in notes.traps
    ]  # fmt: skip
    yield "not asked, or failed", [
        f"{count(number, kind)}: {told(reason, LONGEST_REASON)}"
        for (kind, reason), number in notes.unasked
    ]  # fmt: skip
    yield "notable", [
        f"{told(event.text, LONGEST_REASON)}"
        + (f" ({count(event.times, 'time')})" if event.times > 1 else "")
        for event in notes.events
    ]  # fmt: skip
    yield "results", _results(out)


def _skipped(figures: RunFigures) -> list[str]:
    """The skipped forms by reason, the commonest first, with an example of each."""
    reasons = Counter(form.reason for form in figures.skipped)
    examples = {form.reason: form for form in reversed(figures.skipped)}
    return [
        f"{number:>4} {shown(reason)}: e.g. {examples[reason].method} "
        f"{shown(_place(examples[reason]), 30)} on {shown(examples[reason].site, 40)}"
        for reason, number in reasons.most_common()
    ]


def _results(out: Path) -> list[str]:
    """The directory, and what of the run lies there."""
    names = [name for name in RESULT_FILES if (out / name).exists()]
    return [f"{out}: {', '.join(names)}"]
