"""Task: defaults, what is refused and in which words, overrides, sites of their own mind, dumps."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from hiwe import __version__
from hiwe.errors import ConfigError, UsageError
from hiwe.init import starter_config, starter_table, write_starter
from hiwe.task import Settings, Site, Task, load_task, parse_task, read_yaml, settings
from hiwe.task.document import similar_file
from hiwe.task.task import Lvs

if TYPE_CHECKING:
    from pathlib import Path

SMALLEST = "task: movies\nsites: [http://127.0.0.1:8701/]\n"

# The defaults that the documentation promises, written out: they may not drift.
DEFAULTS = {
    "description": "",
    "lvs": {
        "tables": [],
        "builtin": ["months", "countries"],
        "sources": [],
        "learn": True,
        "siphon": False,
    },
    "matching": {"sigma": 0.75, "generic": True},
    "ranking": {"function": "min", "rho_min": 0.6, "order": "harvest"},
    "forms": {"alpha": 3},
    "budget": {
        "submissions_per_form": 100,
        "submissions_per_site": 1000,
        "pages_per_site": 500,
        "result_pages_per_submission": 20,
        "details_per_site": 1000,
        "duration_s": 3600,
    },
    "scope": {"hosts": "same", "paths": [], "depth": 3},
    "politeness": {
        "delay_s": 1.0,
        "robots": True,
        "robots_meta": True,
        "user_agent": f"hiwe/{__version__} (hidden-web form crawler)",
        "contact": "",
        "quiet_hours": "",
    },
    "transport": "adaptive",
    "response": {"probe": True},
    "browser": {
        "executable": None,
        "headless": True,
        "timeout_s": 30,
        "storage_state": None,
        "proxy": None,
    },
    "credentials": None,
    "records": {"details": False, "schema": {}},
    "crawl": {"strategy": "best"},
    "workers": 4,
    "output": "runs/movies",
}


def fault(more: str, *overrides: str, start: str = SMALLEST) -> str:
    """Return what is said about a configuration."""
    with pytest.raises(ConfigError) as caught:
        parse_task(start + more, "configs/movies.yaml", overrides)
    return str(caught.value)


def test_smallest_configuration_has_all_defaults() -> None:
    dumped = yaml.safe_load(parse_task(SMALLEST).dump())
    assert dumped == {"task": "movies", "sites": ["http://127.0.0.1:8701/"], **DEFAULTS}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("ranking: {rho_min: 1.4}", "ranking.rho_min is 1.4; give a number from 0 to 1"),
        ("ranking: {rho_min: -0.1}", "ranking.rho_min is -0.1; give a number from 0 to 1"),
        ("ranking: {function: max}", "ranking.function is max; give min, average or probabilistic"),
        ("ranking: {order: rank}", "ranking.order is rank; give paper or harvest"),
        ("matching: {sigma: high}", "matching.sigma is high; give a number from 0 to 1"),
        ("matching: {sigma: .nan}", "matching.sigma is nan; give a number from 0 to 1"),
        ("forms: {alpha: 0}", "forms.alpha is 0; give a whole number of at least 1"),
        ("forms: {alpha: 2.5}", "forms.alpha is 2.5; give a whole number of at least 1"),
        ("forms: {alpha: true}", "forms.alpha is true; give a whole number of at least 1"),
        (
            "budget: {pages_per_site: -1}",
            "budget.pages_per_site is -1; give a whole number of at least 0",
        ),
        ("budget: {duration_s: 0}", "budget.duration_s is 0; give a number above 0"),
        ("politeness: {robots: 1}", "politeness.robots is 1; give true or false"),
        ("politeness: {delay_s: .inf}", "politeness.delay_s is inf; give a number of at least 0"),
        (
            'politeness: {contact: "a\\nb"}',
            "politeness.contact is 'a\\nb'; a request header carries printable ASCII "
            "characters only",
        ),
        ("transport: wget", "transport is wget; give browser, http or adaptive"),
        ("crawl: {strategy: random}", "crawl.strategy is random; give breadth, depth or best"),
        ("workers: 0", "workers is 0; give a whole number of at least 1"),
        ("scope: {hosts: all}", "scope.hosts is all; give same or domain or a list: [text, ...]"),
        ("lvs: {tables: movies.yaml}", "lvs.tables is movies.yaml; give a list: [movies.yaml]"),
        ("lvs: {tables: 'a, b.yaml'}", 'lvs.tables is a, b.yaml; give a list: ["a, b.yaml"]'),
        ("scope: {paths: /find}", "scope.paths is /find; give a list: [/find]"),
        ("lvs: 7", "lvs is 7; give a mapping with keys tables, builtin, sources, learn, siphon"),
        ("credentials: {user: lib}", "credentials.password is missing; give text"),
        ("records: {schema: {Title: 3}}", "records.schema.Title is 3; give a list: [text, ...]"),
    ],
)
def test_value_out_of_range_is_named_with_what_to_give(more: str, said: str) -> None:
    assert fault(more) == f"configs/movies.yaml: {said}"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("rankin: {}", "rankin is no known key; did you mean ranking?"),
        ("site: []", "site is no known key; did you mean sites?"),
        (
            "ranking: {rhomin: 0.5}",
            "ranking.rhomin is no known key; did you mean ranking.rho_min?",
        ),
        ("rho_min: 1", "rho_min is no known key here; did you mean ranking.rho_min?"),
        ("ranking: {alpha: 1}", "ranking.alpha is no known key here; did you mean forms.alpha?"),
        ("forms: {xyz: 1}", "forms.xyz is no known key; known are alpha"),
        (
            "ranking: {rho_mni: 0.5, rho_min: 7}",
            "ranking.rho_mni is no known key; did you mean ranking.rho_min?",
        ),
    ],
)
def test_misspelt_key_gets_a_suggestion(more: str, said: str) -> None:
    assert fault(more) == f"configs/movies.yaml: {said}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty; `hiwe init` writes a configuration to start from"),
        ("# nothing\n", "is empty; `hiwe init` writes a configuration to start from"),
        ("- a\n", "is no mapping of keys; begin with `task: NAME`"),
        ("task: [\n", "is no valid YAML at the end of line 1: "),
        ("task: a: b\nsites: [b]\n", "is no valid YAML in line 1, column 8: "),
        ("task: a\nsites: [b,\n\n", "is no valid YAML at the end of line 2: "),
        ("task: a\n\tsites: b\n", "is no valid YAML in line 2, column 1: "),
        ("task: a\ntask: b\n", "is no valid YAML in line 2, column 1: task is given twice"),
        ("task: 2001-13-45\n", "is no valid YAML: month must be in 1..12"),
        ("1: 2\n", "has the key 1; keys are words"),
        ("task: a\n", "sites is missing; give a list of one or more: an address"),
        ("task: a\nsites: []\n", "sites is an empty list; give a list of one or more: an address"),
        ("task: a\nsites: 7\n", "sites is 7; give a list of one or more: an address"),
        ("task: a\nsites: http://a/\n", "sites is http://a/; give a list: [http://a/]"),
        ("sites: [http://a.example/]\n", "task is missing; give text"),
        ("task: 7\nsites: [http://a.example/]\n", "task is 7; give text"),
        ("task: '..'\nsites: [http://a.example/]\n", "task is ..; give text"),
    ],
)
def test_document_that_is_no_configuration(text: str, said: str) -> None:
    message = fault("", start=text)
    assert message.startswith(f"configs/movies.yaml: {said}")
    assert "\n" not in message


@pytest.mark.parametrize(
    "url",
    [
        "www.example.org",
        "ftp://a.example/",
        "http://",
        "http://a.example:99999/",
        "/search",
        "fixture://",
    ],
)
def test_address_that_cannot_be_started_from_is_refused(url: str) -> None:
    said = fault("", start=f"task: a\nsites: ['{url}']\n")
    assert (
        said
        == f"configs/movies.yaml: sites[0] is {url}; give an address such as https://example.org/"
    )


def test_site_given_twice_is_refused() -> None:
    said = fault("", start="task: a\nsites: [http://a.example/, {url: http://a.example/}]\n")
    assert said == "configs/movies.yaml: sites[1] repeats http://a.example/; take it out"


def test_fixture_site_is_kept_as_it_is() -> None:
    task = parse_task("task: a\nsites: [fixture://cineteca, https://a.example/]\n")
    assert [site.url for site in task.sites] == ["fixture://cineteca", "https://a.example/"]
    assert [site.fixture for site in task.sites] == ["cineteca", None]


# Sites of their own mind


OWN_MIND = """
task: movies
sites:
  - http://a.example/
  - url: http://b.example/
    budget: {pages_per_site: 7}
    forms: {alpha: 1}
    politeness: {contact: b@b.example}
forms: {alpha: 2}
budget: {submissions_per_form: 9}
politeness: {delay_s: 2.5, contact: a@a.example}
"""


def test_site_settings_override_the_tasks_key_by_key() -> None:
    task = parse_task(OWN_MIND)
    a, b = (task.for_site(site) for site in task.sites)
    assert type(a) is type(b) is Settings
    assert (a.forms.alpha, b.forms.alpha) == (2, 1)
    assert (a.budget.pages_per_site, b.budget.pages_per_site) == (500, 7)
    assert (a.budget.submissions_per_form, b.budget.submissions_per_form) == (9, 9)
    assert (a.politeness.delay_s, b.politeness.delay_s) == (2.5, 2.5)


def test_site_contact_replaces_the_tasks_in_the_user_agent() -> None:
    for task in (parse_task(OWN_MIND), parse_task(parse_task(OWN_MIND).dump())):
        a, b = (task.for_site(site).politeness.user_agent for site in task.sites)
        assert a == f"hiwe/{__version__} (+a@a.example)"
        assert b == f"hiwe/{__version__} (+b@b.example)"


@pytest.mark.parametrize(
    ("site", "said"),
    [
        ("{budgets: {}}", "sites[0].url is missing; give text"),
        (
            "{url: http://a.example/, budgets: {}}",
            "sites[0].budgets is no known key; did you mean sites[0].budget?",
        ),
        ("{url: http://a.example/, lvs: {}}", "sites[0].lvs is no known key; known are matching"),
        (
            "{url: http://a.example/, forms: {alpha: x}}",
            "sites[0].forms.alpha is x; give a whole number of at least 1",
        ),
        (
            "{url: http://a.example/, politeness: {contact: ü}}",
            "sites[0].politeness.contact is '\\xfc'; a request",
        ),
    ],
)
def test_fault_in_a_sites_settings_is_named(site: str, said: str) -> None:
    message = fault("", start=f"task: a\nsites:\n  - {site}\n")
    assert message.startswith(f"configs/movies.yaml: {said}")


def test_task_made_by_hand_checks_its_sites_on_use() -> None:
    site = Site.model_validate({"url": "http://a.example/", "forms": {"alpha": 0}})
    task = Task.model_validate({"task": "a", "sites": [site.model_dump()]})
    with pytest.raises(ValidationError):
        task.for_site(task.sites[0])


# The user agent


@pytest.mark.parametrize(
    ("politeness", "expected"),
    [
        ("{}", f"hiwe/{__version__} (hidden-web form crawler)"),
        ("{contact: me@a.example}", f"hiwe/{__version__} (+me@a.example)"),
        ("{user_agent: bot/1}", "bot/1"),
        ("{user_agent: bot/1, contact: me@a.example}", "bot/1 (+me@a.example)"),
        ("{user_agent: bot/1 me@a.example, contact: me@a.example}", "bot/1 me@a.example"),
    ],
)
def test_user_agent_names_us_and_the_contact(politeness: str, expected: str) -> None:
    task = parse_task(f"{SMALLEST}politeness: {politeness}\n")
    assert task.politeness.user_agent == expected


@pytest.mark.parametrize(("robots", "meta"), [(True, True), (True, False), (False, True)])
def test_robots_false_switches_off_meta_too(robots: bool, meta: bool) -> None:
    more = f"politeness: {{robots: {str(robots).lower()}, robots_meta: {str(meta).lower()}}}"
    assert parse_task(SMALLEST + more).politeness.obeys_robots_meta is (robots and meta)


# Overrides


@pytest.mark.parametrize(
    ("override", "path", "value"),
    [
        ("ranking.function=average", ("ranking", "function"), "average"),
        ("ranking.rho_min=0.7", ("ranking", "rho_min"), 0.7),
        ("response.probe=false", ("response", "probe"), False),
        ("lvs.builtin=[years]", ("lvs", "builtin"), ["years"]),
        ("budget={submissions_per_form: 3}", ("budget", "submissions_per_form"), 3),
        ("workers = 9", ("workers",), 9),
        ("browser.executable=", ("browser", "executable"), None),
        ("sites[0]=http://b.example/", ("sites",), ["http://b.example/"]),
        (
            "sites[0].forms.alpha=1",
            ("sites",),
            [{"url": "http://127.0.0.1:8701/", "forms": {"alpha": 1}}],
        ),
        ("records.schema.Title=[Titolo]", ("records", "schema"), {"Title": ["Titolo"]}),
        ("output=a=b", ("output",), "a=b"),
    ],
)
def test_override_sets_the_key_at_its_path(
    override: str, path: tuple[str, ...], value: Any
) -> None:
    found = yaml.safe_load(parse_task(SMALLEST, overrides=[override]).dump())
    for step in path:
        found = found[step]
    assert found == value


def test_later_override_wins_and_the_rest_stays() -> None:
    text = SMALLEST + "ranking: {rho_min: 0.3, function: average}\n"
    task = parse_task(text, overrides=["ranking.rho_min=0.4", "ranking.rho_min=0.5"])
    assert (task.ranking.rho_min, task.ranking.function) == (0.5, "average")


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("ranking", "--set ranking: write KEY=VALUE, such as ranking.rho_min=0.7"),
        ("=1", "--set =1: write KEY=VALUE, such as ranking.rho_min=0.7"),
        ("a..b=1", "--set a..b=1: write KEY=VALUE, such as ranking.rho_min=0.7"),
        ("ranking.rho_min=2", "--set: ranking.rho_min is 2; give a number from 0 to 1"),
        ("ranking.fun=min", "--set: ranking.fun is no known key; did you mean ranking.function?"),
        ("ranking.function=[", "--set ranking.function: is no valid YAML at the end of line 1"),
        ("task.name=1", "--set task.name: there is nothing called name to set"),
        ("sites[4]=a", "--set sites[4]: there is nothing called 4 to set"),
    ],
)
def test_faulty_override_is_told_as_such(override: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_task(SMALLEST, "configs/movies.yaml", [override])
    assert str(caught.value).startswith(said)


# Files


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_paths_are_relative_to_the_configuration_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = write(tmp_path / "lvs" / "movies.yaml", "[]")
    more = "lvs: {tables: [../lvs/movies.yaml], sources: [{type: csv, path: a.csv, url: b}]}\n"
    more += "browser: {executable: ./chrome}\n"
    config = write(tmp_path / "configs" / "movies.yaml", SMALLEST + more)
    monkeypatch.chdir(tmp_path)
    for task in (load_task(config), load_task("configs/movies.yaml")):
        assert task.lvs.tables == (table,)
        assert task.lvs.sources == (
            {"type": "csv", "path": str(tmp_path / "configs" / "a.csv"), "url": "b"},
        )
        assert task.browser.executable == str(tmp_path / "configs" / "chrome")


def test_browser_named_without_a_path_stays_a_name() -> None:
    assert (
        parse_task(SMALLEST, overrides=["browser.executable=chrome"]).browser.executable == "chrome"
    )


def test_missing_table_is_named_as_written_with_a_suggestion(tmp_path: Path) -> None:
    table = write(tmp_path / "lvs" / "movies.yaml", "[]")
    more = "lvs: {tables: [../lvs/movie.yaml]}\n"
    config = write(tmp_path / "configs" / "movies.yaml", SMALLEST + more)
    with pytest.raises(ConfigError) as caught:
        load_task(config)
    assert str(caught.value) == (
        f"{config}: lvs.tables[0] is ../lvs/movie.yaml, but there is no such file; "
        f"did you mean {table}?"
    )
    assert caught.value.key_path == "lvs.tables[0]"


def test_missing_configuration_is_named_with_a_suggestion(tmp_path: Path) -> None:
    config = write(tmp_path / "movies.yaml", SMALLEST)
    with pytest.raises(ConfigError) as caught:
        load_task(tmp_path / "movie.yaml")
    assert (
        str(caught.value) == f"{tmp_path}/movie.yaml: there is no such file; did you mean {config}?"
    )
    with pytest.raises(ConfigError, match="nor is there a directory"):
        load_task(tmp_path / "no" / "movies.yaml")
    with pytest.raises(ConfigError, match="is a directory"):
        load_task(tmp_path)


def test_file_that_is_no_text_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"task: caf\xe9\n")
    with pytest.raises(ConfigError, match="is not UTF-8 text"):
        read_yaml(file)
    file.write_bytes(b"task: \x00\n")
    with pytest.raises(ConfigError, match="is no valid YAML"):
        read_yaml(file)
    file.write_bytes("\ufefftask: a".encode())
    assert read_yaml(file) == {"task": "a"}


# What a run keeps


def test_task_is_frozen_and_picklable() -> None:
    task = parse_task(OWN_MIND)
    assert pickle.loads(pickle.dumps(task)) == task
    with pytest.raises(ValidationError, match="frozen"):
        task.ranking.rho_min = 0.1  # type: ignore[misc]


@given(
    sigma=st.floats(0, 1),
    alpha=st.integers(1, 99),
    delay_s=st.floats(0, 1e6),
    name=st.text(st.characters(categories=("L", "N", "Zs")), min_size=1).filter(str.strip),
    agent=st.text(st.characters(min_codepoint=32, max_codepoint=126)),
    contact=st.text(st.characters(min_codepoint=33, max_codepoint=126)),
    hosts=st.sampled_from(["same", "domain", ["a.example", "b.example"]]),
    schema=st.dictionaries(st.text(min_size=1), st.lists(st.text())),
)
def test_dump_loads_to_an_equal_task(
    sigma: float,
    alpha: int,
    delay_s: float,
    name: str,
    agent: str,
    contact: str,
    hosts: Any,
    schema: Any,
) -> None:
    task = Task.model_validate(
        {
            "task": f"t {name}",
            "sites": ["http://a.example/", {"url": "http://b.example/", "forms": {"alpha": 1}}],
            "matching": {"sigma": sigma},
            "forms": {"alpha": alpha},
            "politeness": {"delay_s": delay_s, "user_agent": agent, "contact": contact},
            "scope": {"hosts": hosts},
            "records": {"schema": schema},
        }
    )
    again = parse_task(task.dump())
    assert again == task
    assert again.dump() == task.dump()


def test_run_directory_is_called_after_the_task() -> None:
    def output(name: str) -> str:
        return parse_task(f"task: {name}\nsites: [http://a.example/]").output

    assert output("movies") == "runs/movies"
    assert output("../my movies/2") == "runs/my-movies-2"
    assert parse_task(SMALLEST + "output: elsewhere/x").output == "elsewhere/x"


# Configurations that we ship


def test_starter_shows_every_key_with_its_default() -> None:
    written = yaml.safe_load(starter_config())
    task = parse_task(starter_config())
    dumped = yaml.safe_load(task.dump())
    assert list_keys(written) == list_keys(dumped)
    dumped["politeness"]["user_agent"] = dumped["output"] = ""
    assert written == dumped
    assert {**DEFAULTS, "output": ""}.keys() <= written.keys()
    assert written["budget"] == DEFAULTS["budget"]


def list_keys(data: Any, at: str = "") -> set[str]:
    if not isinstance(data, dict):
        return set()
    return {f"{at}.{k}" for k in data} | {
        k for key in data for k in list_keys(data[key], f"{at}.{key}")
    }


def test_starter_is_written_with_its_table_and_loads(tmp_path: Path) -> None:
    config, table = write_starter(tmp_path / "new" / "my task.yaml")
    assert load_task(config).lvs.tables == (table,)
    assert read_yaml(table) == yaml.safe_load(starter_table())
    with pytest.raises(ConfigError, match="is there already"):
        write_starter(config)


@pytest.mark.parametrize("name", ["movies", "birdstrikes"])
def test_shipped_configuration_loads(root: Path, name: str) -> None:
    task = load_task(root / "configs" / f"{name}.yaml")
    assert task.task == name
    assert all(site.fixture for site in task.sites)
    assert (task.matching.sigma, task.ranking.function, task.ranking.rho_min) == (0.75, "min", 0.6)
    assert task.forms.alpha == 1


def test_every_key_is_documented() -> None:
    sections: list[type[BaseModel]] = [
        cls
        for cls in vars(settings).values()
        if isinstance(cls, type) and issubclass(cls, BaseModel)
    ]
    sections += [Lvs, Site, Task]
    fields = {
        f"{model.__name__}.{name}": field
        for model in sections
        for name, field in model.model_fields.items()
    }
    assert len(fields) > 40
    assert [name for name, field in fields.items() if not field.description] == []


def test_only_a_file_of_a_like_name_is_suggested(tmp_path: Path) -> None:
    for name in ("nosites.yaml", "movies.csv", "movies.yaml"):
        (tmp_path / name).touch()
    assert similar_file(tmp_path / "nosuch.yaml") == ""
    assert similar_file(tmp_path / "movie.yaml") == f"; did you mean {tmp_path / 'movies.yaml'}?"
    assert similar_file(tmp_path / "nosites.yml") == f"; did you mean {tmp_path / 'nosites.yaml'}?"
