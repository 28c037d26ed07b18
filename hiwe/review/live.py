"""The run at this moment, as the overview shows it and its script asks for it again."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hiwe.report.pace import Pace, last_event_id
from hiwe.report.words import duration, se, shown
from hiwe.repository.run import Run
from hiwe.repository.totals import COUNTED

if TYPE_CHECKING:
    from hiwe.report.pace import Moment, SiteMoment
    from hiwe.repository.database import Database
    from hiwe.repository.run import Event
    from hiwe.task.assist import Assist
    from hiwe.task.control import State

RATE_WINDOW_S = 60.0
EVENTS_SHOWN = 12
LONGEST_NOW = 160


@dataclass(frozen=True, slots=True)
class SiteLine:
    """A site now. `now` says what it does or waits for; `skipped`: a person left it alone."""

    url: str
    now: str
    pages: str
    forms: str
    submissions: str
    strict: str
    lenient: str
    records: str
    rate: str
    skipped: bool


@dataclass(frozen=True, slots=True)
class EventLine:
    """An event as it is told; `form` is the id of the one it is about, None for none."""

    level: str
    site: str
    text: str
    form: int | None


@dataclass(frozen=True, slots=True)
class Now:
    """The run now, every figure as it is written.

    `phase` is running, paused, stopping or how the last process left the run.
    """

    task: str
    phase: str
    says: str
    alive: bool
    figures: dict[str, str]
    sites: tuple[SiteLine, ...]
    events: tuple[EventLine, ...]

    def plain(self) -> dict[str, Any]:
        """Return what the page's script puts in place: text by the name of its place."""
        texts = {f"run.{name}": text for name, text in self.figures.items()}
        texts["run.says"] = self.says
        for place, site in enumerate(self.sites):
            for name in SITE_FIGURES:
                texts[f"site.{place}.{name}"] = getattr(site, name)
        events = [asdict(event) for event in self.events]
        return {"phase": self.phase, "sites": len(self.sites), "texts": texts, "events": events}


SITE_FIGURES = ("now", "pages", "forms", "submissions", "strict", "lenient", "records", "rate")
PHASES = {
    "running": "A crawl works on this run.",
    "paused": "Paused: nothing new is asked for until it is told to go on.",
    "stopping": "Stopping: what is under way is ended and kept.",
    "finished": "Finished.",
    "interrupted": "Interrupted; `hiwe run` goes on where it was.",
    "failed": "Failed; hiwe.log says why.",
    "killed": "Its process is gone; `hiwe run` goes on where it was.",
    "new": "Not begun.",
}


def look(db: Database, wanted: State | None, assist: Assist) -> Now:
    """Return the run now; `wanted` of the crawl that works on it, None if there is none."""
    now = time.time()
    run = Run(db)
    moment = Pace(db, after=max(0, last_event_id(db) - EVENTS_SHOWN)).look()
    rates = _rates(db, now)
    phase = _phase(run.status, wanted)
    return Now(
        task=shown(str(run.get("task", ""))),
        phase=phase,
        says=PHASES[phase],
        alive=wanted is not None,
        figures=_figures(run, moment, None if wanted is None else sum(rates.values())),
        sites=tuple(
            _site(site, rates.get(site.totals.url, 0), wanted, assist) for site in moment.sites
        ),
        events=tuple(_line(event) for event in reversed(moment.events)),
    )


def told_of_corrections(db: Database, form: int | None = None) -> list[EventLine]:
    """Return what a crawl said of a person's corrections, of one form or of all, newest first."""
    rows = db.rows(
        "SELECT level, site, text, json_extract(data, '$.form') AS form FROM events"
        " WHERE kind = 'assist' AND (:form IS NULL OR form = :form)"
        " GROUP BY level, site, text, form ORDER BY max(id) DESC LIMIT :limit",
        {"form": form, "limit": EVENTS_SHOWN},
    )
    return [
        EventLine(row["level"], shown(row["site"]), shown(row["text"], 300), row["form"])
        for row in rows
    ]


def _line(event: Event) -> EventLine:
    form = event.data.get("form")
    about = form if isinstance(form, int) else None
    return EventLine(event.level, shown(event.site), shown(event.text, 300), about)


def _phase(status: str, wanted: State | None) -> str:
    """What the run is at, from the status that its database has and what is wanted of it."""
    if wanted is not None:
        return {"pause": "paused", "stop": "stopping"}.get(wanted, "running")
    return "killed" if status == "running" else status


def _figures(run: Run, moment: Moment, rate: int | None) -> dict[str, str]:
    """The figures of the run as a whole; `rate` None: no process works on it."""
    totals, tally = moment.totals, moment.totals.tally
    return {
        "strict": se(tally.se_strict, tally.submissions),
        "lenient": se(tally.se_lenient, tally.submissions),
        "records": f"{totals.records:,}",
        "submissions": f"{tally.submissions:,}",
        "pages": f"{totals.pages:,}",
        "chosen": f"{totals.forms_chosen:,}",
        "forms": f"{totals.forms_seen:,}",
        "open": f"{totals.open_actions:,}",
        "rate": "-" if rate is None else f"{rate:,}",
        "duration": duration(run.duration_s),
    }


def _site(site: SiteMoment, rate: int, wanted: State | None, assist: Assist) -> SiteLine:
    totals, tally = site.totals, site.totals.tally
    return SiteLine(
        url=totals.url,
        now=_now(site, wanted),
        pages=f"{totals.pages:,}",
        forms=f"{totals.forms_chosen:,}",
        submissions=f"{tally.submissions:,}",
        strict=se(tally.se_strict, tally.submissions),
        lenient=se(tally.se_lenient, tally.submissions),
        records=f"{totals.records:,}",
        rate=f"{rate:,}",
        skipped=assist.site(totals.url).skip,
    )


def _now(site: SiteMoment, wanted: State | None) -> str:
    """What a site is at: what it waits for says something only while a crawl works."""
    if wanted is None and site.state in ("working", "waiting"):
        return "not worked on now"
    if wanted == "pause" and site.state == "waiting":
        return "paused"
    return shown(site.now, LONGEST_NOW)


def _rates(db: Database, now: float) -> dict[str, int]:
    """Return site -> submissions that ended within the last minute."""
    rows = db.rows(
        f"SELECT site, count(*) FROM submissions WHERE {COUNTED} AND ended_at > ? GROUP BY site",
        (now - RATE_WINDOW_S,),
    )
    return {row[0]: row[1] for row in rows}
