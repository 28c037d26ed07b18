"""Reanalyse: verdicts and records again from the archive alone, after rules improved.

Every result page lies in the archive with a note of what it answers (`Reading.note`); the form
page lies there too. So the analysis runs as it did in the crawl, in the same order, without the
site and without the database.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hiwe.crawl.missing_pages import HONEST
from hiwe.form.find import find_forms
from hiwe.repository.warc_reader import read_page, read_pages
from hiwe.response.analyse import analyse
from hiwe.response.verdict import FormKnowledge, hit_records, judge

if TYPE_CHECKING:
    from hiwe.form.form import Form
    from hiwe.page.page import Page
    from hiwe.repository.archive_place import Place
    from hiwe.repository.warc_reader import ArchivedPage
    from hiwe.response.response import Judgement, Record


@dataclass(frozen=True, slots=True)
class Reanalysis:
    """A submission judged again: its form's fingerprint, its key, the verdict, its records."""

    form: str
    key: str
    probe: bool
    judgement: Judgement
    records: tuple[Record, ...]


def reanalyse(archive: Place) -> list[Reanalysis]:
    """Judge every archived submission again, in the order they were sent.

    `archive` is where a run's archive lies (`archive_of`). An assignment that had to be sent again
    counts with its last answer.
    """
    answers: dict[tuple[str, str], list[ArchivedPage]] = {}
    missing: dict[tuple[str, str], ArchivedPage] = {}
    for page in read_pages(archive):
        if page.note.get("purpose") not in ("result", "missing"):
            continue
        identity = (page.note["form"], page.note["key"])
        if page.note["purpose"] == "missing":
            missing[identity] = page
            continue
        if page.note["page"] == 0:
            answers.pop(identity, None)
            answers[identity] = []
        answers[identity].append(page)
    bench = _Bench(archive)
    return [
        bench.judge(*identity, pages, missing.get(identity)) for identity, pages in answers.items()
    ]


class _Bench:
    """What is known of each form while its answers are judged one after the other."""

    def __init__(self, archive: Place) -> None:
        self._archive = archive
        self._forms: dict[str, tuple[Page, Form | None]] = {}
        self._knowledge: dict[str, FormKnowledge] = {}

    def judge(
        self, form: str, key: str, pages: list[ArchivedPage], missing: ArchivedPage | None
    ) -> Reanalysis:
        """Judge one submission by its first page, take the records of all.

        `missing` is the answer to a made-up path that was asked for beside it.
        """
        knowledge = self._knowledge.get(form, FormKnowledge())
        if missing is not None:
            knowledge = self._with_missing(knowledge, missing)
        records: dict[str, Record] = {}
        first = None
        for page in pages:
            features = self._features(page)
            judgement = judge(features, knowledge)
            first = first or (features, judgement)
            for record in hit_records(features, judgement, knowledge):
                records.setdefault(record.key, record)
        assert first is not None, "an answer has a first page"
        probe = bool(pages[0].note["probe"])
        known = knowledge.probed(first[0]) if probe else knowledge
        self._knowledge[form] = known.learned(first[0], first[1], key)
        return Reanalysis(form, key, probe, first[1], tuple(records.values()))

    def _with_missing(self, knowledge: FormKnowledge, page: ArchivedPage) -> FormKnowledge:
        features = self._features(page)
        honest = features.status >= HONEST or not features.significant
        return knowledge if honest else knowledge.with_missing(features)

    def _features(self, page: ArchivedPage) -> Any:
        note = page.note
        form_page, form = self._form(note["form_page"], note.get("fingerprint", note["form"]))
        return analyse(
            page.page,
            form_page=form_page,
            form=form,
            landed=note["landed"],
            values=tuple(note["values"]),
            outcome_reason=note["reason"],
        )

    def _form(self, ref: str, fingerprint: str) -> tuple[Page, Form | None]:
        if ref not in self._forms:
            page = read_page(self._archive, ref).page
            forms = {form.fingerprint: form for form in find_forms(page)}
            self._forms[ref] = (page, forms.get(fingerprint))
        return self._forms[ref]
