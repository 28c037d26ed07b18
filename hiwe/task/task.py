"""Task: sites, LVS and settings of one crawl."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import (
    ConfigDict,
    Field,
    StrictBool,
    StrictStr,
    field_validator,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError

from hiwe.task.document import dump_yaml
from hiwe.task.settings import Amount, Model, Settings, agent_name

FIXTURE_SCHEME = "fixture"
ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


class Site(Model):
    """Where to start on one site, and what is set for this site alone."""

    model_config = ConfigDict(json_schema_extra={"give": "an address, or a mapping with key url"})

    url: StrictStr
    """http://, https:// or fixture:// address of the start page."""
    options: dict[str, Any] = Field(default_factory=dict)
    """Sections of the settings that this site sets for itself, as written."""

    @model_validator(mode="before")
    @classmethod
    def _from_text_or_mapping(cls, data: Any) -> Any:
        """Take a bare address, or a mapping of url and settings."""
        if isinstance(data, dict):
            return {
                "url": data.get("url"),
                "options": {key: value for key, value in data.items() if key != "url"},
            }
        return {"url": data}

    @field_validator("url")
    @classmethod
    def _check_url(cls, url: str) -> str:
        """Accept only addresses that we can start from."""
        url = url.strip()
        try:
            parts = urlsplit(url)
            named = bool(parts.hostname) and (parts.port is None or parts.port > 0)
        except ValueError:
            named = False
        if not named or parts.scheme not in ("http", "https", FIXTURE_SCHEME):
            raise PydanticCustomError(
                "give", "is {url}; give an address such as https://example.org/", {"url": url}
            )
        return url

    @model_serializer
    def _as_written(self) -> str | dict[str, Any]:
        """Return what the configuration holds for this site."""
        return {"url": self.url, **self.options} if self.options else self.url

    @property
    def fixture(self) -> str | None:
        """Return NAME of a `fixture://NAME` site, None for a real one."""
        parts = urlsplit(self.url)
        return parts.hostname if parts.scheme == FIXTURE_SCHEME else None


class Lvs(Model):
    """Where labels and values come from."""

    tables: tuple[Path, ...] = ()
    """Files of label-value rows; paths are relative to the configuration file."""
    builtin: tuple[StrictStr, ...] = ("months", "countries")
    """Built-in categories, such as months, countries, languages, years."""
    sources: tuple[dict[str, Any], ...] = ()
    """Wrapped data sources; `path` and `file` are relative to the configuration file."""
    learn: StrictBool = True
    """Whether the LVS learns from the crawl."""
    siphon: StrictBool = False
    """Whether terms of harvested records are tried once a form's own values are spent."""


class Task(Settings):
    """One crawl: its name, its sites, its LVS, and the settings of all sites."""

    task: Annotated[str, Field(strict=True, min_length=1, max_length=200, pattern=r"\w")]
    """Name of the task; the run directory is called after it."""
    description: StrictStr = ""
    """What the task is about, in a sentence: pages that speak of it are visited sooner."""
    sites: Annotated[tuple[Site, ...], Field(min_length=1)]
    """Where to start: addresses, or mappings of url and settings for that site alone."""
    lvs: Lvs = Lvs()
    """Where labels and values come from."""
    workers: Amount = 4
    """Sites, and tabs, at work at the same time."""
    output: StrictStr = ""
    """Run directory (empty: runs/ and the task's name), or an address such as s3://bucket/prefix."""

    @model_validator(mode="after")
    def _name_output(self) -> Task:
        """Fill in the run directory, and see that no site stands twice."""
        if not self.output:
            object.__setattr__(self, "output", self._usual_directory)
        urls = [site.url for site in self.sites]
        if len(set(urls)) == len(urls):
            return self
        for index, url in enumerate(urls):
            if url in urls[:index]:
                raise PydanticCustomError(
                    "give",
                    "sites[{index}] repeats {url}; take it out",
                    {"index": index, "url": url},
                )
        return self

    @property
    def _usual_directory(self) -> str:
        return "runs/" + re.sub(r"[^\w.-]+", "-", self.task).strip(".-")

    @property
    def address(self) -> str:
        """Where the archive goes and a run is put in the end, '' for nowhere but its directory."""
        return self.output.rstrip("/") if ADDRESS.match(self.output) else ""

    @property
    def directory(self) -> str:
        """The run directory, relative to where the command runs."""
        return self._usual_directory if self.address else self.output

    def for_site(self, site: Site) -> Settings:
        """Return the settings of `site`: its own, and the task's for the rest.

        The options were checked when the task was loaded; a Task made by hand may raise pydantic's
        ValidationError.
        """
        return Settings.model_validate(self.merged_options(site))

    def merged_options(self, site: Site) -> dict[str, Any]:
        """Return the task's settings with the site's options laid over them, unchecked."""
        ours = self.model_dump(by_alias=True, include=set(Settings.model_fields))
        if self.politeness.user_agent == agent_name("", self.politeness.contact):
            # Made of the task's contact; it must not outlive a contact of the site's own.
            del ours["politeness"]["user_agent"]
        return laid_over(ours, site.options)

    def dump(self) -> str:
        """Return the whole configuration as YAML that loads again to an equal task."""
        data = self.model_dump(mode="json", by_alias=True)
        first = {key: data.pop(key) for key in ("task", "sites", "lvs")}
        return dump_yaml({**first, **data})


def laid_over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Return `below` with the keys of `above` laid over it, mapping by mapping."""
    merged = dict(below)
    for key, value in above.items():
        under = merged.get(key)
        both = isinstance(under, dict) and isinstance(value, dict)
        merged[key] = laid_over(under, value) if both else value  # type: ignore[arg-type]
    return merged
