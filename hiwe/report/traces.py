"""Where each figure comes from: the query that counts it, to be run on hiwe.sqlite."""

from __future__ import annotations

from hiwe.repository.totals import COUNTED

TRACES: tuple[tuple[str, str], ...] = (
    ("submissions", f"SELECT count(*) FROM submissions WHERE {COUNTED}"),
    (
        "SE-strict",
        f"SELECT 1.0 * sum(verdict = 'results') / count(*) FROM submissions WHERE {COUNTED}",
    ),
    (
        "SE-lenient",
        "SELECT 1.0 * sum(verdict IN ('results', 'no_results')) / count(*) FROM submissions"
        f" WHERE {COUNTED}",
    ),
    (
        "verdicts",
        f"SELECT verdict, count(*) FROM submissions WHERE {COUNTED} GROUP BY verdict",
    ),
    ("distinct records", "SELECT count(*) FROM records"),
    ("records of a site", "SELECT site, count(*) FROM records GROUP BY site"),
    (
        "records of a form",
        "SELECT form, count(DISTINCT record) FROM record_finders JOIN submissions"
        " ON submissions.id = submission GROUP BY form",
    ),
    ("new records of a submission", "SELECT id, form, new_records FROM submissions ORDER BY id"),
    ("pages visited", "SELECT count(*) FROM pages WHERE purpose = 'visit'"),
    ("forms and decisions", "SELECT id, site, action, decision, reason, stopped FROM forms"),
    ("elements and rows", "SELECT * FROM elements ORDER BY form, position"),
    ("values that came in", "SELECT * FROM lvs_changes WHERE before IS NULL ORDER BY id"),
    ("slow hosts", "SELECT key, response_s, stopped FROM hosts ORDER BY response_s DESC"),
)
