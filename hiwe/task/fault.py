"""Faults: what pydantic finds wrong, said in one line for the person who wrote the file."""

from __future__ import annotations

import json
import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import BaseModel, ValidationError

Steps = tuple[int | str, ...]
LONGEST_VALUE = 60
OF_FLOW = re.compile(r"^\W(?<!/)|[,\[\]{}\n]|: | #")  # what quotes keep whole inside [ ]


def first_fault(
    error: ValidationError, model: type[BaseModel], prefix: Steps = ()
) -> tuple[Steps, str]:
    """Return where the first fault lies in the model and what to say about it, after the path.

    `prefix` is where the model's data stands in the document, for the paths that we suggest.
    Unknown keys come first: a misspelt key is often why another one is missing.
    """
    faults = error.errors(include_url=False)
    faults.sort(key=lambda fault: fault["type"] != "extra_forbidden")
    fault = faults[0]
    schema = model.model_json_schema(by_alias=True)
    steps = _known_steps(fault["loc"], schema)
    if fault["type"] == "extra_forbidden":
        return fault["loc"], _unknown_key(fault["loc"], schema, prefix)
    if fault["type"] == "missing":
        wanted = describe(schema_at(steps, schema), schema)
        return fault["loc"], f"is missing; give {wanted}"
    if fault["type"] == "give":
        return fault["loc"], fault["msg"]
    wanted = _wanted(fault["input"], schema_at(steps, schema), schema)
    return steps, f"is {_shown(fault['input'])}; give {wanted}"


def _wanted(given: Any, node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """Return what to give: the text itself as a list where nothing but a list is taken."""
    kinds = {choice.get("type") for choice in _alternatives(node, root)}
    short = isinstance(given, str) and 0 < len(given.strip()) <= LONGEST_VALUE
    if kinds == {"array"} and short:
        return f"a list: [{json.dumps(given) if OF_FLOW.search(given) else given}]"
    return describe(node, root)


def path_of(steps: Steps) -> str:
    """Return steps as a person writes them: `sites[0].budget.pages_per_site`."""
    path = ""
    for step in steps:
        path += f"[{step}]" if isinstance(step, int) else f".{step}" if path else str(step)
    return path


def _shown(value: Any) -> str:
    """Return a value as short text."""
    if isinstance(value, dict | list | tuple):
        kind = "mapping" if isinstance(value, dict) else "list"
        return f"a {kind}" if value else f"an empty {kind}"
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value) if value != "" else "empty"
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "..."


def _unknown_key(steps: Steps, schema: Mapping[str, Any], prefix: Steps) -> str:
    """Return what to say about a key that is none: what was probably meant."""
    key, parent = str(steps[-1]), steps[:-1]
    names = list(_properties(schema_at(parent, schema), schema))
    begun = [name for name in names if name.startswith(key)]
    close = get_close_matches(key, names, n=1) or begun
    if close:
        return f"is no known key; did you mean {path_of((*prefix, *parent, close[0]))}?"
    elsewhere = next((path for path in _paths(schema) if path[-1] == key), None)
    if elsewhere:
        return f"is no known key here; did you mean {path_of((*prefix, *elsewhere))}?"
    return f"is no known key; known are {', '.join(names)}" if names else "is no known key"


def _paths(schema: Mapping[str, Any], at: Steps = ()) -> Iterator[Steps]:
    """Yield the paths of all keys that the model knows, a section before its keys."""
    for name in _properties(schema_at(at, schema), schema):
        yield (*at, name)
        yield from _paths(schema, (*at, name))


def _properties(node: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the keys of a mapping, looking through references and alternatives."""
    for choice in _alternatives(node, root):
        if "properties" in choice:
            found: Mapping[str, Any] = choice["properties"]
            return found
    return {}


def _alternatives(node: Mapping[str, Any], root: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the schemas that a value may follow, references resolved, null left out."""
    if "$ref" in node:
        return _alternatives(root["$defs"][node["$ref"].rsplit("/", 1)[-1]], root)
    if "anyOf" in node:
        return [found for choice in node["anyOf"] for found in _alternatives(choice, root)]
    return [] if node.get("type") == "null" else [node]


def schema_at(steps: Steps, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the JSON schema of the key at `steps`; empty where there is none."""
    node: Mapping[str, Any] = root
    for step in steps:
        found = None
        for choice in _alternatives(node, root):
            if isinstance(step, int):
                found = found or choice.get("items")
            else:
                extra = choice.get("additionalProperties")
                own = choice.get("properties", {}).get(step)
                found = found or own or (extra if isinstance(extra, dict) else None)
        if found is None:
            return {}
        node = found
    return node


def _known_steps(steps: Steps, schema: Mapping[str, Any]) -> Steps:
    """Return `steps` up to the last that is a key: pydantic adds names of alternatives."""
    while steps and not schema_at(steps, schema):
        steps = steps[:-1]
    return steps


def describe(node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """Return in words what a key takes: 'a number from 0 to 1', 'min, average or ...'."""
    choices = _alternatives(node, root)
    said = list(dict.fromkeys(_describe_one(choice, root) for choice in choices))
    return " or ".join(said) or "something else"


def given_part(steps: Steps, document: Any) -> Steps:
    """Return `steps` as far as the document has them: a bare address has no `url` key."""
    for length, step in enumerate(steps):
        inside = isinstance(document, dict | list) and not (
            isinstance(document, list) and not isinstance(step, int)
        )
        if not inside:
            return steps[:length]
        try:
            document = document[step]
        except (KeyError, IndexError):
            return steps
    return steps


def _describe_one(node: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """Return in words what one schema takes."""
    if "give" in node:
        return str(node["give"])
    if "enum" in node:
        *others, last = (str(choice) for choice in node["enum"])
        return f"{', '.join(others)} or {last}" if others else last
    if node.get("type") in ("number", "integer"):
        return _describe_number(node)
    if node.get("type") == "array":
        inner = describe(node["items"], root) if node.get("items") else "things"
        inner = "[text, ...]" if inner == "text" else inner
        return f"{'a list of one or more' if node.get('minItems') else 'a list'}: {inner}"
    if node.get("type") == "object":
        keys = ", ".join(node.get("properties", {}))
        return f"a mapping with keys {keys}" if keys else "a mapping"
    return {"boolean": "true or false", "string": "text"}.get(str(node.get("type")), "a value")


def _describe_number(node: Mapping[str, Any]) -> str:
    """Return in words which numbers are in range."""
    kind = "a whole number" if node["type"] == "integer" else "a number"
    low, high = node.get("minimum"), node.get("maximum")
    if low is not None and high is not None:
        return f"{kind} from {low:g} to {high:g}"
    if low is not None:
        return f"{kind} of at least {low:g}"
    above = node.get("exclusiveMinimum")
    return kind if above is None else f"{kind} above {above:g}"
