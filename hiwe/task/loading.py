"""Loading: a configuration file becomes a checked Task, or one clear line says why not."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from hiwe.errors import ConfigError
from hiwe.task.document import override, parse_yaml, read_yaml, similar_file
from hiwe.task.fault import first_fault, given_part, path_of
from hiwe.task.settings import Settings
from hiwe.task.task import Task

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hiwe.task.fault import Steps

PATH_KEYS = ("path", "file")


def load_task(path: str | Path, overrides: Sequence[str] = ()) -> Task:
    """Return the task of the configuration file at `path`, `KEY=VALUE` overrides applied.

    ConfigError names the file, the key path and what to write instead; UsageError an override that
    is none.
    """
    path = Path(path)
    return _task_of(read_yaml(path), path, path.parent, overrides)


def parse_task(
    text: str, name: str | Path = "configuration", overrides: Sequence[str] = ()
) -> Task:
    """Return the task of the YAML `text`; paths in it are relative to the current directory."""
    return _task_of(parse_yaml(text, name), name, Path(), overrides)


def _task_of(document: Any, name: str | Path, base: Path, overrides: Sequence[str]) -> Task:
    """Return the checked task of a parsed document; relative paths start at `base`."""
    if document is None:
        raise ConfigError("is empty; `hiwe init` writes a configuration to start from", name)
    if not isinstance(document, dict):
        raise ConfigError("is no mapping of keys; begin with `task: NAME`", name)
    if not all(isinstance(key, str) for key in document):
        strange = next(key for key in document if not isinstance(key, str))
        raise ConfigError(f"has the key {strange}; keys are words", name)
    overridden = override(document, overrides)
    try:
        task = Task.model_validate(_with_absolute_paths(document, base))
    except ValidationError as exc:
        raise _config_error(exc, (), document, name, overridden) from exc
    _check_tables(task, document, name, overridden)
    _check_sites(task, document, name, overridden)
    _check_log_ins(task, name)
    return task


def _config_error(
    error: ValidationError,
    prefix: Steps,
    document: dict[str, Any],
    name: str | Path,
    overridden: Sequence[str],
) -> ConfigError:
    """Return the first fault as an error that names where the key was written."""
    steps, message = first_fault(error, Settings if prefix else Task, prefix)
    path = path_of(given_part((*prefix, *steps), document))
    return ConfigError(message, _written_in(path, name, overridden), path or None)


def _written_in(path: str, name: str | Path, overridden: Sequence[str]) -> str | Path:
    """Return `--set` if the key at `path` was overridden, else the file's name."""
    for key in overridden:
        if path == key or path.startswith((key + ".", key + "[")):
            return "--set"
    return name


def _with_absolute_paths(document: dict[str, Any], base: Path) -> dict[str, Any]:
    """Return the document with its paths made absolute, so that the task is the same anywhere."""
    document = dict(document)
    lvs, browser = document.get("lvs"), document.get("browser")
    if isinstance(lvs, dict):
        document["lvs"] = lvs = dict(lvs)
        if isinstance(tables := lvs.get("tables"), list):
            lvs["tables"] = [_absolute(table, base) for table in tables]
        if isinstance(sources := lvs.get("sources"), list):
            lvs["sources"] = [_source_with_absolute_paths(source, base) for source in sources]
    document["browser"] = _browser_with_absolute_paths(browser, base)
    if isinstance(sites := document.get("sites"), list):
        document["sites"] = [
            {**site, "browser": _browser_with_absolute_paths(site["browser"], base)}
            if isinstance(site, dict) and "browser" in site else site
            for site in sites
        ]  # fmt: skip
    return document


def _browser_with_absolute_paths(browser: Any, base: Path) -> Any:
    """Return the browser's settings with their paths made absolute; a bare name is looked up."""
    if not isinstance(browser, dict):
        return browser
    found = dict(browser)
    if "/" in str(found.get("executable")):
        found["executable"] = _absolute(found["executable"], base)
    if "storage_state" in found:
        found["storage_state"] = _absolute(found["storage_state"], base)
    return found


def _source_with_absolute_paths(source: Any, base: Path) -> Any:
    """Return a data source's description with its file's path made absolute."""
    if not isinstance(source, dict):
        return source
    return {k: _absolute(v, base) if k in PATH_KEYS else v for k, v in source.items()}


def _absolute(path: Any, base: Path) -> Any:
    """Return a path's text as absolute path; what is no text stays for the check to find."""
    if not isinstance(path, str) or not path:
        return path
    absolute = (base / Path(path).expanduser()).absolute()
    return str(absolute.parent.resolve() / absolute.name)


def _check_tables(
    task: Task, document: dict[str, Any], name: str | Path, overridden: Sequence[str]
) -> None:
    """Raise ConfigError for a table file that is not there."""
    for index, table in enumerate(task.lvs.tables):
        if not table.is_file():
            path = f"lvs.tables[{index}]"
            given = document["lvs"]["tables"][index]
            message = f"is {given}, but there is no such file{similar_file(table)}"
            raise ConfigError(message, _written_in(path, name, overridden), path)


def _check_log_ins(task: Task, name: str | Path) -> None:
    """Raise ConfigError for the file of a log-in that is not there."""
    for settings in (task, *(task.for_site(site) for site in task.sites)):
        state = settings.browser.storage_state
        if state is not None and not Path(state).is_file():
            message = f"is {state}, but there is no such file; `hiwe login URL` makes it"
            raise ConfigError(message, name, "browser.storage_state")


def _check_sites(
    task: Task, document: dict[str, Any], name: str | Path, overridden: Sequence[str]
) -> None:
    """Raise ConfigError for a fault in the settings that a site has for itself."""
    for index, site in enumerate(task.sites):
        try:
            task.for_site(site)
        except ValidationError as exc:
            raise _config_error(exc, ("sites", index), document, name, overridden) from exc
