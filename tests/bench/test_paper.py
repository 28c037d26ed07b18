"""The generated web and the experiments on it: drawn alike, answered truly, crawled for real."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from hiwe.bench.paper.bench import figures_of
from hiwe.bench.paper.crawling import Crawled, Setting, crawl, sites_of
from hiwe.bench.paper.experiments import Crawls, all_settings, base, quick_settings
from hiwe.bench.paper.figures import choice, growth, verdicts
from hiwe.bench.paper.show import plots, tables
from hiwe.bench.paper.tables import rows
from hiwe_fixtures.generated import draw_web, serve_web
from hiwe_fixtures.generated.answers import Desk
from hiwe_fixtures.generated.chance import measured, words
from hiwe_fixtures.generated.draw import LANGUAGES
from hiwe_fixtures.generated.markup import form_html, is_silent
from hiwe_fixtures.generated.records import SIDELINES, TASKS, items


@pytest.fixture(scope="module")
def plan():
    return draw_web(1)


def forms_of(plan):
    return [form for site in plan.sites for form in site.forms]


def test_a_seed_gives_one_web_and_another_seed_another(plan):
    assert draw_web(1) == plan
    assert draw_web(2) != plan


def test_the_web_has_fifty_sites_and_some_220_forms(plan):
    assert len(plan.sites) == 50
    assert 200 <= plan.forms <= 240


def share(part, whole):
    return part / sum(whole.values())


def test_what_was_measured_is_what_is_drawn():
    # Ten webs: far enough for a share to come near the one it is drawn by.
    forms = [form for seed in range(10) for form in forms_of(draw_web(seed))]
    many = [form for form in forms if form.size > 1]
    sizes = {size: n for size, n in measured()["size"].items() if size != "01"}
    two = sum(form.size == 2 for form in many) / len(many)
    assert two == pytest.approx(share(sizes["02"], sizes), abs=0.06)
    plain = [form for form in forms if form.technology not in ("script", "redirect")]
    got = sum(form.technology == "get" for form in plain) / len(plain)
    assert got == pytest.approx(share(measured()["method"]["get"], measured()["method"]), abs=0.05)
    assert Counter(f.technology for f in forms)["script"] / len(forms) == pytest.approx(
        0.1, abs=0.03
    )
    cells = sum(form.layout in ("table", "head_row") for form in many) / len(many)
    assert cells == pytest.approx(share(measured()["place"]["cell"], measured()["place"]), abs=0.05)


def test_every_domain_is_said_in_every_language_it_may_have():
    for domain in (*TASKS, *SIDELINES):
        for concept, said in words()["fields"][domain].items():
            languages = ("en",) if domain == "strikes" else LANGUAGES
            assert all(said[language] for language in languages), (domain, concept)
            assert all(isinstance(name, str) for name in said["name"]), (domain, concept)


def test_names_are_unlike_within_a_form_and_values_lie_in_the_site(plan):
    for form in forms_of(plan):
        names = [field.name for field in form.fields]
        assert len(set(names)) == len(names)
    site = plan.sites[0]
    assert set(site.holdings[site.domain]) <= set(items(site.domain))


def test_each_label_of_a_form_stands_in_its_page(plan):
    for site in plan.sites:
        for form in site.forms:
            page = form_html(site, form, given={}, message="")
            for field in form.fields:
                if not is_silent(form, field):
                    assert f">{field.label.replace(chr(39), '&#x27;')}" in page, (site, field)


def test_a_form_answers_what_its_fields_ask_and_refuses_what_is_wrong(plan):
    site = next(s for s in plan.sites if s.domain == "films")
    film = site.holdings["films"][0]
    form = next(f for f in site.forms if f.domain == "films")
    field = replace(form.fields[0], name="t", concept="title", kind="text", operator="contains",
                    required=True, side="")  # fmt: skip
    year = replace(field, name="y", concept="year", operator="equals", required=False)
    desk = Desk(site, replace(form, fields=(field, year), any_of=False, needs_any=True))
    assert desk.answer({"t": [film.title.upper()]}).verdict == "results"
    assert desk.answer({"t": ["zqxvkj"]}).verdict == "none"
    assert desk.answer({"t": [film.title], "y": ["1066"]}).verdict == "none"
    assert desk.answer({"t": [""], "y": [film.year]}).message == site.said["missing"]
    assert desk.answer({"t": [film.title], "y": ["99"]}).message == site.said["wrong"]
    desk.close()
    either = Desk(site, replace(form, fields=(field, year), any_of=True))
    assert either.answer({"t": [film.title], "y": ["1066"]}).verdict == "results"
    either.close()


def test_weights_fall_with_fame_and_wrong_values_weigh_least():
    for task in TASKS:
        table = {row.concept: row.values for row in rows(task)}
        weights = list(table["person"].values())
        assert weights == sorted(weights, reverse=True)
        assert set(weights) == {1.0, 0.8, 0.6, 0.4, 0.2}
        known = {name for item in items(task) for name in item.person.split("; ")}
        wrong = [name for name, weight in table["person"].items() if weight == 0.2]
        assert len(wrong) == 4
        assert not known & set(wrong)


def test_a_task_has_its_own_sites_and_strange_ones(plan):
    for task in TASKS:
        domains = Counter(site.domain for site in sites_of(plan, task))
        assert domains[task] == 14
        assert sum(domains.values()) > 18


def test_no_crawl_is_made_twice():
    settings = all_settings()
    assert len(set(settings)) == len(settings)
    assert set(quick_settings()) <= set(settings)


@pytest.mark.browser
def test_a_small_web_is_crawled_and_its_answers_judged_as_the_server_gave_them(browsing):
    with serve_web(draw_web(40, sites=2)) as web:
        setting = replace(base(order="harvest"), alpha=1, learn=False, budget=3, transport="http")
        whole = browsing.run(crawl(web, setting, browsing.browser), deadline_s=240)
        large = replace(setting, alpha=2)
        apart = browsing.run(crawl(web, large, browsing.browser), deadline_s=240)
    assert whole.violations == apart.violations == []
    told = verdicts([whole])
    assert told["answers"] == whole.total > 6
    assert told["unknown"] == 0
    assert told["results_or_not"] == 1.0
    assert choice([whole])["recall"] > 0
    assert growth(whole)[-1]["submissions"] == whole.total
    assert 0 < apart.total < whole.total
    assert all(row["total"] == 0 for row in apart.found["by_form"] if row["size"] < 2)


def found_of(*, total: int, success: int) -> dict:
    """What is read of a run in which one form of the task was chosen."""
    row = {"fits": True, "size": 6, "decision": "chosen", "domain": "films", "total": total,
           "success": success}  # fmt: skip
    none = total - success
    matrix = {"results/results": success, "no_results/no_results": none - 1, "invalid/invalid": 1}
    return {
        "total": total, "success": success, "valid": total - 1, "records": 9, "by_http": total,
        "by_form": [row], "missed": [], "matrix": matrix, "wrong": ["s01 GET /go: a line"],
        "labels": [[["grid", "s01 t", "Title", "Title", True]]], "growth": [2.0], "table": 5,
        "steps": [[float(at), "results" if at < success else "no_results"] for at in range(total)],
    }  # fmt: skip


def test_the_tables_say_which_goals_were_missed_and_the_plots_hold_every_crawl():
    crawls = Crawls({
        setting: Crawled(setting, found_of(total=10, success=9 if setting.learn else 4), 1.0, 1.0)
        for setting in all_settings()
    })  # fmt: skip
    sets = {"generated forms": {"elements": 4, "all": {"text order": 0.5, "simple layout": 0.75,
                                                       "LITE": 0.75}}}  # fmt: skip
    figures = figures_of(crawls, Crawls({}), sets) | {"reachable": {"web": {"films": {"all": 0.5}}}}
    assert [row["alpha"] for row in figures["alpha"]] == [1, 2, 3, 4, 5, 6]
    assert [row["n_success"] for row in figures["learning"]] == [9, 4]
    assert figures["choice"]["precision"] == figures["choice"]["recall"] == 1.0
    assert figures["missed"] == ["labels of generated forms: LITE 0.750 is not better than both"]
    told = StringIO()
    Console(file=told, width=200).print(tables(figures))
    assert "3,214 2,853 0.888" in told.getvalue()
    assert {plot.name for plot in plots(figures)} == {
        *("paper-ranking", "paper-alpha", "paper-rho-min", "paper-sigma", "paper-labels"),
        *("paper-learning-success", "paper-learning-values"),
    }


def test_efficiencies_are_shares_of_what_was_sent():
    found = {"total": 8, "success": 4, "valid": 6, "matrix": {"results/results": 4}}
    crawled = Crawled(Setting("films"), found, 1.0, 1.0)
    assert (crawled.se_strict, crawled.se_lenient) == (0.5, 0.75)
    assert Crawled(Setting("films"), found | {"total": 0, "success": 0}, 1.0, 1.0).se_strict == 0.0
