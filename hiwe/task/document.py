"""YAML documents: read them with faults that name file and line, and override keys by path."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from hiwe.errors import ConfigError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST_FILE_BYTES = 256 * 1024 * 1024


class _Loader(yaml.CSafeLoader):
    """A safe loader that refuses a key given twice: the second would silently win."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        """Return the mapping; a key that stands twice is a fault at its line."""
        seen: set[str] = set()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode) or key.tag == "tag:yaml.org,2002:merge":
                continue
            if key.value in seen:
                problem = f"{key.value} is given twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


class _TextLoader(_Loader):
    """A loader that takes a year, a date or `no` for the text it is: a value of a form.

    Only `true`, `false` and what stands for nothing (empty, `~`, `null`) are more than text.
    """


_TextLoader.yaml_implicit_resolvers = {}
_TextLoader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("(true|false)$"), ["t", "f"])
_TextLoader.add_implicit_resolver(
    "tag:yaml.org,2002:null", re.compile("(~|null|)$"), ["~", "n", ""]
)


def read_yaml(path: str | Path, *, texts: bool = False) -> Any:
    """Return what the YAML file at `path` holds; ConfigError names file and line of a fault.

    `texts` leaves numbers and dates the texts that they were written as.
    """
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST_FILE_BYTES:
            raise ConfigError("is too large for a YAML file", path)
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as exc:
        raise ConfigError(f"there is no such file{similar_file(path)}", path) from exc
    except IsADirectoryError as exc:
        raise ConfigError("is a directory; name the file in it", path) from exc
    except UnicodeDecodeError as exc:
        raise ConfigError(f"is not UTF-8 text (byte {exc.start}); save it as UTF-8", path) from exc
    except OSError as exc:
        raise ConfigError(f"cannot be read: {exc.strerror}", path) from exc
    return parse_yaml(text, path, texts=texts)


def parse_yaml(text: str, name: str | Path, *, texts: bool = False) -> Any:
    """Return what the YAML `text` holds; faults are told as of the file `name`."""
    try:
        return yaml.load(text, _TextLoader if texts else _Loader)
    except yaml.MarkedYAMLError as exc:
        mark = exc.problem_mark or exc.context_mark
        where = _where(mark, text) if mark else ""
        raise ConfigError(f"is no valid YAML{where}: {exc.problem or exc.context}", name) from exc
    except yaml.YAMLError as exc:
        raise ConfigError(f"is no valid YAML: {exc}", name) from exc
    except (ValueError, RecursionError) as exc:  # dates such as 2001-13-45; endless nesting
        raise ConfigError(f"is no valid YAML: {exc}", name) from exc


def _where(mark: yaml.Mark, text: str) -> str:
    """Return the place in words; past the last line that says something, the end of that line."""
    last = len(text.rstrip().splitlines())
    if mark.line >= last > 0:
        return f" at the end of line {last}"
    return f" in line {mark.line + 1}, column {mark.column + 1}"


class _Dumper(yaml.SafeDumper):
    """A safe dumper that quotes what plain style would not bring back, such as U+0085."""

    def represent_text(self, text: str) -> yaml.ScalarNode:
        """Return the node of a text; odd characters are escaped, which needs double quotes."""
        style = None if text.isprintable() else '"'
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)


def dump_yaml(data: Any) -> str:
    """Return plain data as YAML for people, in the order given, which reads back equal."""
    return yaml.dump(
        data, Dumper=_Dumper, sort_keys=False, allow_unicode=True, default_flow_style=False
    )


def similar_file(path: Path) -> str:
    """Return a suggestion such as '; did you mean configs/movies.yaml?', or nothing."""
    from difflib import get_close_matches

    if not path.parent.is_dir():
        return f" (nor is there a directory {path.parent})"
    files = sorted(
        (entry for entry in path.parent.iterdir() if entry.is_file()),
        key=lambda entry: entry.suffix != path.suffix,
    )
    stems = [entry.stem for entry in files]  # an ending that many files share likens nothing
    close = get_close_matches(path.stem, stems, n=1)
    return f"; did you mean {files[stems.index(close[0])]}?" if close else ""


def override(document: dict[str, Any], assignments: Sequence[str]) -> list[str]:
    """Set keys of `document` from `KEY=VALUE` texts; return the keys that were set.

    KEY is a path such as `ranking.rho_min` or `sites[0].budget.pages_per_site`; VALUE is YAML.
    UsageError if a text has no such shape or the path leads through something that has no keys.
    """
    keys = []
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        key = key.strip()
        if not equals or not re.fullmatch(r"\w[\w-]*(\.[\w-]+|\[\d+\])*", key):
            raise UsageError(f"--set {assignment}: write KEY=VALUE, such as ranking.rho_min=0.7")
        _put(document, key, parse_yaml(value, f"--set {key}"))
        keys.append(key)
    return keys


def _put(document: dict[str, Any], key: str, value: Any) -> None:
    """Set the value at the path `key` of `document`, making mappings on the way."""
    steps = [int(s) if s.isdigit() else s for s in re.findall(r"[\w-]+", key)]
    here: Any = document
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        if isinstance(here, list) and isinstance(step, int) and step < len(here):
            pass
        elif not isinstance(here, dict):
            raise UsageError(f"--set {key}: there is nothing called {step} to set")
        if following is None:
            here[step] = value
            return
        inner = here[step] if isinstance(here, list) else here.get(step)
        if isinstance(step, int) and isinstance(inner, str):
            inner = {"url": inner}  # a site given as a bare address
        here[step] = {} if inner is None else inner
        here = here[step]
