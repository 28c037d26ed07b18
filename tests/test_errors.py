"""Errors: one tree, one line each, the object kept, alive after a journey between processes."""

from __future__ import annotations

import inspect
import pickle
import re

import pytest

from hiwe import errors
from hiwe.errors import (
    ArchiveError,
    BrowserMissing,
    ConfigError,
    HiweError,
    NotHtml,
    PageError,
    PageTimeout,
    RunError,
    SiteUnreachable,
    SubmissionError,
    UsageError,
)

EXAMPLES = [
    (UsageError("give a URL"), "give a URL"),
    (
        ConfigError("is 1.4; give a number from 0 to 1", "configs/movies.yaml", "ranking.rho_min"),
        "configs/movies.yaml: ranking.rho_min is 1.4; give a number from 0 to 1",
    ),
    (ConfigError("is empty", "a.yaml"), "a.yaml: is empty"),
    (ConfigError("is missing; give text", None, "task"), "task is missing; give text"),
    (BrowserMissing("no Chromium found"), "no Chromium found"),
    (SiteUnreachable("http://a.example/", "no answer"), "http://a.example/: no answer"),
    (PageTimeout("http://a.example/x", "30 s passed"), "http://a.example/x: 30 s passed"),
    (NotHtml("http://a.example/x", "image/png"), "http://a.example/x: image/png"),
    (
        SubmissionError("http://a.example/", "/find", "no trigger"),
        "http://a.example/: /find: no trigger",
    ),
    (RunError("runs/movies", "is in use"), "runs/movies: is in use"),
    (ArchiveError("warc/1.warc.gz", "is cut"), "warc/1.warc.gz: is cut"),
]


def all_errors() -> list[type[HiweError]]:
    classes = [c for _, c in inspect.getmembers(errors, inspect.isclass)]
    return [c for c in classes if issubclass(c, HiweError)]


@pytest.mark.parametrize(("error", "said"), EXAMPLES, ids=lambda x: type(x).__name__)
def test_message_names_the_object(error: HiweError, said: str) -> None:
    assert str(error) == said


@pytest.mark.parametrize("error", [error for error, _ in EXAMPLES], ids=lambda x: type(x).__name__)
def test_error_survives_pickling(error: HiweError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_message_is_one_line_whatever_the_cause_said() -> None:
    error = PageError("http://a.example/", "Timeout\nCall log:\n  - navigating")
    assert str(error) == "http://a.example/: Timeout Call log: - navigating"


def test_every_error_is_a_hiwe_error_and_drawn_in_the_tree() -> None:
    drawn = set(re.findall(r"^ {4,}(\w+)", errors.__doc__ or "", re.MULTILINE))
    assert {c.__name__ for c in all_errors()} == drawn
    own = [
        c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == "hiwe.errors"
    ]
    assert all(issubclass(c, HiweError) for c in own)


def test_only_usage_faults_exit_with_two() -> None:
    for error in all_errors():
        assert error.exit_code == (2 if issubclass(error, UsageError) else 1)
