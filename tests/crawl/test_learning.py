"""Learning with its place in the database: sources asked for labels, the table a run began with."""

from __future__ import annotations

import pytest

from hiwe.crawl.learning import Learning
from hiwe.crawl.stores import Stores
from hiwe.lvs import ElementView, LvsTable, Provenance
from hiwe.lvs.load import parse_rows
from hiwe.lvs.readers import Connectors
from hiwe.lvs.sources import RETRY_S, Sources
from hiwe.report.growth import read_growth
from hiwe.repository.database import Database
from hiwe.task.settings import Matching
from tests.submission.film_library import element, form

TABLE = "[{label: Director, values: {Ang Lee: 1.0, Ron Howard: 0.9}}, {label: Title}]"
FORM = form(element("f1", label="Director"), element("f2", label="Shipyard"))


class Place:
    """A source with an address for each label; `answers` None: it is down."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.is_up = True
        self.now = 0.0

    def fetch(self, url: str) -> bytes:
        self.asked.append(url)
        if not self.is_up:
            raise OSError("down")
        return b'["Gdansk", "Genova"]' if "Shipyard" in url else b"[]"

    def sources(self, **spec: str) -> Sources:
        made = {"type": "json", "url": "http://h/?q={label}", **spec}
        return Sources([made], Connectors(fetch=self.fetch), clock=lambda: self.now)


@pytest.fixture
def stores():
    with Database(None) as db:
        yield Stores.of(db)


def learning(stores: Stores, sources: Sources | None = None, *, enabled: bool = True) -> Learning:
    return Learning(LvsTable(parse_rows(TABLE)), stores, enabled=enabled, sources=sources)


def test_a_label_that_matches_nothing_is_asked_of_the_sources(stores: Stores) -> None:
    place = Place()
    taught = learning(stores, place.sources())
    matches = taught.matches(FORM, Matching(), at=1.0)
    assert matches[1].row is not None
    assert [matches[0].row and matches[0].row.label, matches[1].row.label] == [
        "Director",
        "Shipyard",
    ]
    values = matches[1].row.values
    assert list(values) == ["Gdansk", "Genova"]
    assert values.provenance("Gdansk") is Provenance.SOURCE
    assert place.asked == ["http://h/?q=Shipyard"]


def test_what_a_source_gave_is_there_after_a_restart(stores: Stores) -> None:
    learning(stores, Place().sources()).matches(FORM, Matching(), at=1.0)
    again = learning(stores)
    again.restore()
    row = again.lvs.row("Shipyard")
    assert row is not None
    assert list(row.values) == ["Gdansk", "Genova"]


def test_a_source_that_was_down_is_told_of_and_gives_its_row_later(stores: Stores) -> None:
    place = Place()
    place.is_up = False
    sources = place.sources(url="http://h/Shipyard", label="Yard")
    assert sources.rows() == []
    taught = learning(stores, sources)
    taught.matches(FORM, Matching(), at=1.0)
    assert taught.lvs.row("Yard") is None
    place.now, place.is_up = RETRY_S, True
    taught.matches(FORM, Matching(), at=2.0)
    row = taught.lvs.row("Yard")
    assert row is not None
    assert list(row.values) == ["Gdansk", "Genova"]


def test_the_report_starts_from_the_table_that_the_run_began_with(stores: Stores) -> None:
    taught = learning(stores)
    taught.begin()
    shown = ElementView("Genre", kind="select", domain=("Drama", "Western", "Horror"))
    taught.from_domains([(shown, taught.lvs.match(shown))], at=1.0)
    taught.begin()  # a resumed run has not begun anew
    growth = read_growth(stores.db)
    assert growth.start == (("explicit", 2),)
    assert growth.start_rows == 2
    assert growth.by_provenance == (("experience", 3),)


def test_without_learning_nothing_is_noted_of_domains(stores: Stores) -> None:
    taught = learning(stores, enabled=False)
    shown = ElementView("Genre", kind="select", domain=("Drama", "Western"))
    taught.from_domains([(shown, taught.lvs.match(shown))], at=1.0)
    assert len(taught.lvs.rows) == 2
    assert stores.experience.changes() == []
