"""The live picture: a line a site, the totals, the last few events; it fits the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from hiwe.report.words import duration, se, shown
from hiwe.text import count

if TYPE_CHECKING:
    from rich.console import ConsoleDimensions, RenderableType

    from hiwe.report.pace import Moment, SiteMoment
    from hiwe.repository.run import Event

STATE_STYLES = {"working": "green", "waiting": "yellow", "done": "dim", "stopped": "red"}
STATE_ORDER = {"working": 0, "waiting": 1, "stopped": 2, "done": 3}
LEVEL_STYLES = {"warning": "yellow", "error": "red"}
FIGURES = ("pages", "forms", "sent", "SE", "records", "/min")
NARROW_FIGURES = ("sent", "SE", "records")
FRAME_LINES = 4  # table head, totals, 'more sites', a line left free below
MOST_EVENTS = 5
NARROW = 72  # columns: below, only what matters most is shown


def picture(moment: Moment, size: ConsoleDimensions) -> RenderableType:
    """Return the state of a run as lines that fit a window of this size."""
    space = max(1, size.height - FRAME_LINES)
    shown_events = min(MOST_EVENTS, max(0, space - len(moment.sites)), len(moment.last))
    room = space - shown_events
    sites = moment.sites
    if len(sites) > room:
        sites = tuple(sorted(sites, key=lambda site: STATE_ORDER[site.state]))[:room]
    parts: list[RenderableType] = [_sites_table(sites, size.width)]
    if len(sites) < len(moment.sites):
        parts.append(Text(f"... and {count(len(moment.sites) - len(sites), 'more site')}", "dim"))
    totals = totals_line(moment).append(f", {duration(moment.elapsed_s)}")
    parts.append(_one_line(totals))
    events = moment.last[len(moment.last) - shown_events :]
    parts += [_one_line(event_line(event)) for event in events]
    return Group(*parts)


def _sites_table(sites: tuple[SiteMoment, ...], width: int) -> Table:
    """One line a site; what it does or waits for takes the room that is left."""
    table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold", width=width)
    table.add_column("site", no_wrap=True, overflow="ellipsis", max_width=max(12, width // 4))
    narrow = width < NARROW
    for name in NARROW_FIGURES if narrow else FIGURES:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("now", no_wrap=True, overflow="ellipsis", ratio=1)
    for site in sites:
        figures = _figures(site)
        cells = [figures[name] for name in FIGURES if not narrow or name in NARROW_FIGURES]
        now = Text(shown(site.now, 200), STATE_STYLES[site.state])
        table.add_row(Text(short_site(site.totals.url)), *map(Text, cells), now)
    return table


def _figures(site: SiteMoment) -> dict[str, str]:
    """Return column -> what it says of a site."""
    totals, tally = site.totals, site.totals.tally
    return {
        "pages": f"{totals.pages:,}",
        "forms": f"{totals.forms_chosen:,}",
        "sent": f"{tally.submissions:,}",
        "SE": se(tally.se_strict, tally.submissions),
        "records": f"{totals.records:,}",
        "/min": "-" if site.rate is None else f"{site.rate:.0f}",
    }


def short_site(url: str) -> str:
    """Return a site's address as short as it stays clear: no scheme of the web, no end slash."""
    for scheme in ("http://", "https://"):
        url = url.removeprefix(scheme)
    return shown(url).rstrip("/")


def totals_line(moment: Moment) -> Text:
    """Return the run's figures as one line."""
    totals, tally = moment.totals, moment.totals.tally
    line = Text()
    line.append(count(totals.records, "record"), "bold cyan")
    line.append(f", {tally.submissions:,} sent")
    line.append(f", SE {se(tally.se_strict, tally.submissions)} strict")
    line.append(f", {se(tally.se_lenient, tally.submissions)} lenient")
    if moment.rate is not None:
        line.append(f", {moment.rate:.0f}/min")
    return line.append(f", {totals.open_actions:,} to do")


def event_line(event: Event) -> Text:
    """Return an event as one line: its site, what happened."""
    line = Text()
    if event.site:
        line.append(f"{short_site(event.site)}: ", "dim")
    line.append(shown(event.text, 300), LEVEL_STYLES.get(event.level, ""))
    return line


def _one_line(text: Text) -> Text:
    """The text cut at the window's edge: a wrapped line would make the picture jump."""
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
