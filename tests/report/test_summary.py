"""summary.json: what the contract says, figure by figure."""

from __future__ import annotations

import json

import pytest

from hiwe.errors import RunError
from hiwe.report.summary import write_summary
from tests.report.a_run import ACTION, ONE, TWO, Builder, build

NUMBER, WHOLE, TEXT = (int, float), int, str
NONE = type(None)
ELEMENT = {"name": TEXT, "label": TEXT, "label_source": TEXT, "kind": TEXT,
           "matched_row": (TEXT, NONE)}  # fmt: skip
FORM = {"url": TEXT, "action": TEXT, "method": TEXT, "decision": TEXT, "reason": TEXT,
        "transport": TEXT, "elements": [ELEMENT], "submissions": WHOLE, "success": WHOLE,
        "valid": WHOLE, "records": WHOLE, "estimated_total": (*NUMBER, NONE)}  # fmt: skip
SCHEMA = {
    "task": TEXT, "status": TEXT, "started_at": TEXT, "duration_s": NUMBER,
    "totals": {"pages": WHOLE, "forms_seen": WHOLE, "forms_chosen": WHOLE, "submissions": WHOLE,
               "success": WHOLE, "valid": WHOLE, "se_strict": NUMBER, "se_lenient": NUMBER,
               "records": WHOLE, "errors": WHOLE, "probes": WHOLE, "checks": WHOLE},
    "verdicts": {"results": WHOLE, "no_results": WHOLE, "invalid": WHOLE, "error": WHOLE,
                 "blocked": WHOLE, "same_page": WHOLE},
    "sites": [{"url": TEXT, "pages": WHOLE, "submissions": WHOLE, "records": WHOLE,
               "stopped": TEXT}],
    "forms": [FORM],
}  # fmt: skip


def faults(value, schema, path="summary"):
    """What of `value` is missing or of another type than the schema says."""
    if isinstance(schema, dict):
        if not isinstance(value, dict):
            return [f"{path} is no object"]
        missing = [f"{path}.{key} is missing" for key in schema.keys() - value.keys()]
        there = schema.keys() & value.keys()
        return missing + [f for key in there for f in faults(value[key], schema[key],
                                                              f"{path}.{key}")]  # fmt: skip
    if isinstance(schema, list):
        if not isinstance(value, list):
            return [f"{path} is no list"]
        return [f for at, item in enumerate(value) for f in faults(item, schema[0],
                                                                   f"{path}[{at}]")]  # fmt: skip
    right = isinstance(value, schema) and not isinstance(value, bool)
    return [] if right else [f"{path} is {value!r}"]


def summary_of(out):
    path = write_summary(out)
    assert path == out / "summary.json"
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.fixture
def summary(tmp_path):
    return summary_of(build(tmp_path / "run"))


def test_it_has_the_contracts_keys_and_types(summary):
    assert faults(summary, SCHEMA) == []


def test_a_fault_in_it_would_be_seen(summary):
    del summary["totals"]["probes"]
    summary["forms"][0]["submissions"] = "3"
    assert faults(summary, SCHEMA) == [
        "summary.totals.probes is missing",
        "summary.forms[0].submissions is '3'",
    ] or faults(summary, SCHEMA) == [
        "summary.forms[0].submissions is '3'",
        "summary.totals.probes is missing",
    ]


def test_a_probe_is_counted_apart_and_an_unanswered_submission_counts(summary):
    totals = summary["totals"]
    assert (totals["submissions"], totals["success"], totals["valid"]) == (6, 3, 4)
    assert totals["probes"] == 1
    assert (totals["se_strict"], totals["se_lenient"]) == (0.5, pytest.approx(4 / 6, abs=1e-6))
    assert totals["records"] == 4
    assert (totals["forms_seen"], totals["forms_chosen"], totals["pages"]) == (3, 2, 2)
    assert summary["verdicts"] == {
        "results": 3, "no_results": 1, "invalid": 1, "error": 0, "blocked": 0, "same_page": 0,
    }  # fmt: skip


def test_times_are_iso_in_utc(summary):
    assert summary["started_at"] == "2026-05-28T20:26:40+00:00"
    assert summary["duration_s"] == 7.0
    assert summary["status"] == "finished"


def test_a_form_tells_what_its_elements_matched_and_what_it_brought(summary):
    wide, box, login = summary["forms"]
    assert wide["action"] == ACTION
    assert wide["elements"][:2] == [
        {"name": "d", "label": "Director", "label_source": "layout", "kind": "text",
         "matched_row": "Director", "matched_by": "label"},
        {"name": "g", "label": "Genre", "label_source": "for", "kind": "select",
         "matched_row": "Genre", "matched_by": "label"},
    ]  # fmt: skip
    assert wide["elements"][2]["matched_row"] is None
    assert (wide["submissions"], wide["success"], wide["valid"]) == (3, 2, 3)
    assert (wide["records"], wide["new_records"]) == (4, 4)
    assert wide["estimated_total"] >= 4
    assert box["estimated_total"] == 5.5
    assert login["estimated_total"] is None
    assert (box["submissions"], box["records"], box["new_records"]) == (3, 1, 0)
    assert (login["decision"], login["reason"], login["submissions"]) == ("skipped", "login", 0)


def test_sites_stand_in_the_order_configured_with_their_reason(summary):
    assert [(site["url"], site["records"]) for site in summary["sites"]] == [(ONE, 4), (TWO, 0)]
    assert summary["sites"][1]["stopped"] == "unreachable: the host does not answer"


def test_a_run_just_begun_has_a_summary(tmp_path):
    made = Builder(tmp_path)
    made.begin(ONE)
    made.close()
    summary = summary_of(tmp_path)
    assert faults(summary, SCHEMA) == []
    assert (summary["status"], summary["totals"]["se_strict"]) == ("running", 0.0)


@pytest.mark.parametrize(("there", "said"), [(True, "holds no run"), (False, "no such directory")])
def test_a_directory_without_a_run_is_named(tmp_path, there, said):
    out = tmp_path / "elsewhere"
    if there:
        out.mkdir()
    with pytest.raises(RunError, match=said) as caught:
        write_summary(out)
    assert str(caught.value).startswith(str(out))
    assert out.exists() == there
    assert not (out / "summary.json").exists()
