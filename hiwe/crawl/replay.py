"""Replay: the outcomes a form has had, rebuilt from the database in the order they happened."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hiwe.page.page import Option
from hiwe.repository.codec import from_plain, to_plain
from hiwe.response.response import Verdict
from hiwe.submission.chain import Step
from hiwe.submission.outcome import Outcome
from hiwe.submission.values import ElementValues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hiwe.crawl.stores import Stores
    from hiwe.engine.action import Submitted
    from hiwe.response.response import Judgement
    from hiwe.submission.assignment import ValueAssignment

MOST_RECORDS = 3000  # of a site that are read again, the first ones found
STEP = "step"  # state of a submission that only led on to a further form
Domains = tuple[tuple[int, tuple[Option, ...]], ...]


def values_from(plain: Any) -> tuple[ElementValues, ...]:
    """The value sets of a form's elements, as they were when it was chosen."""
    return from_plain(tuple[ElementValues, ...], plain)


def steps_from(plain: Any) -> tuple[Step, ...]:
    """The forms to be sent before a form shows, as they were when it was chosen."""
    return from_plain(tuple[Step, ...], plain)


def step_outcome(assignment: ValueAssignment, key: str) -> Outcome:
    """What the plan is told of an assignment that led on to a further form.

    The way that it opened counts as its one record: it is worth going, once.
    """
    return Outcome(
        template=assignment.template,
        bindings=assignment.bindings,
        verdict=Verdict.RESULTS,
        records=frozenset({f"step:{key}"}),
        new_records=1,
    )


def outcome_of(
    assignment: ValueAssignment,
    judgement: Judgement | None,
    answer: Submitted | None,
    *,
    keys: frozenset[str],
    new_records: int,
    missing: tuple[int, ...] = (),
) -> Outcome:
    """What the plan is told of a submission; `judgement` None: no request left."""
    total = None
    if answer is not None and answer.pages and answer.pages[0].features.count is not None:
        total = answer.pages[0].features.count.total
    return Outcome(
        template=assignment.template,
        bindings=assignment.bindings,
        verdict=judgement.verdict if judgement else Verdict.INVALID,
        records=keys,
        new_records=new_records,
        truncated=bool(judgement and judgement.truncated),
        total=total,
        sent=judgement is not None,
        discover=assignment.discover,
        domains=answer.domains if answer else (),
        missing=missing,
    )


def facts_of(outcome: Outcome) -> dict[str, Any]:
    """The part of an outcome that no other column of its submission holds."""
    return {
        "total": outcome.total,
        "domains": to_plain(outcome.domains),
        "missing": list(outcome.missing),
    }


def outcomes_of(stores: Stores, form_id: int, identity: str) -> Iterator[tuple[int, Outcome]]:
    """Id and outcome of a form's submissions that were dealt with, in order, without probes.

    What was sent under another identity (by another button) tells nothing of what is sent now.
    """
    found = _record_keys(stores, form_id)
    for one in stores.submissions.each(form=form_id):
        if one.probe or one.state in ("claimed", "open"):
            continue
        if one.key != one.assignment.key(identity):
            continue
        if one.state == STEP:
            yield one.id, step_outcome(one.assignment, one.key)
            continue
        facts = (one.features or {}).get("facts") or {}
        outcome = Outcome(
            template=one.assignment.template,
            bindings=one.assignment.bindings,
            verdict=one.judgement.verdict if one.judgement else Verdict.INVALID,
            records=frozenset(found.get(one.id, ())),
            new_records=one.new_records,
            truncated=bool(one.judgement and one.judgement.truncated),
            total=facts.get("total"),
            sent=one.judgement is not None,
            discover=one.assignment.discover,
            domains=from_plain(Domains, facts.get("domains") or ()),
            missing=tuple(facts.get("missing") or ()),
        )
        yield one.id, outcome


def records_of(stores: Stores, site: str) -> list[dict[str, str]]:
    """Fields of a site's records, name -> text, in the order they were found."""
    rows = stores.db.rows(
        "SELECT fields FROM records WHERE site = ? ORDER BY id LIMIT ?", (site, MOST_RECORDS)
    )
    return [dict(json.loads(row["fields"])) for row in rows]


def _record_keys(stores: Stores, form_id: int) -> dict[int, list[str]]:
    """Submission id -> keys of the records it found."""
    rows = stores.db.rows(
        "SELECT f.submission, r.key FROM record_finders f JOIN records r ON r.id = f.record"
        " JOIN submissions s ON s.id = f.submission WHERE s.form = ?",
        (form_id,),
    )
    keys: dict[int, list[str]] = {}
    for row in rows:
        keys.setdefault(row["submission"], []).append(row["key"])
    return keys
