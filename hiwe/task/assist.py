"""Assist: what a person corrected in the crawler's understanding, kept in `assist.yaml`.

The file lies beside the configuration, is read by people and kept in version control with it. All
here are frozen values; a change gives a new Assist. What says nothing is left out of the file.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, StrictStr, ValidationError, field_validator
from pydantic_core import PydanticCustomError

from hiwe.address import origin_of
from hiwe.errors import ConfigError
from hiwe.task.document import dump_yaml, read_yaml
from hiwe.task.fault import first_fault, path_of
from hiwe.task.hints import AddedRow, ElementHints, FormHints, SiteHints
from hiwe.task.settings import Model
from hiwe.task.task import FIXTURE_SCHEME
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Unpack

    from hiwe.task.hints import ElementChanges, FormChanges

__all__ = [
    "AddedRow",
    "Assist",
    "ElementHints",
    "FormHints",
    "SiteHints",
    "assist_beside",
    "read_assist",
    "write_assist",
]

FILE_NAME = "assist.yaml"
HEAD = """\
# What a person corrected: forms, labels, values, sites (docs/assist.md). `hiwe review` writes this
# file anew when it corrects something; a running crawl takes changes in from its next action on.
"""

M = TypeVar("M", bound=BaseModel)


class Assist(Model):
    """All that a person corrected. Sites are told by their origin, such as http://host:8701."""

    rows: tuple[AddedRow, ...] = ()
    """LVS rows that a person added."""
    sites: dict[StrictStr, SiteHints] = Field(default_factory=dict)
    """Corrections by site."""

    @field_validator("sites", mode="before")
    @classmethod
    def _by_origin(cls, given: Any) -> Any:
        """Write every site as its origin; refuse what is no address, and one site given twice."""
        if not isinstance(given, dict):
            return given
        sites: dict[str, Any] = {}
        for url, hints in given.items():
            site = _origin(url)
            if not site or site in sites:
                fault = "has the site {url} twice" if site else "has the site {url}, no address"
                raise PydanticCustomError(
                    "give", f"{fault}; write it as http://example.org", {"url": url}
                )
            sites[site] = hints
        return sites

    def site(self, url: str) -> SiteHints:
        """Return what is said of the site of an address, nothing where nothing is."""
        return self.sites.get(_origin(url), SiteHints())

    def with_site(self, site: str, *, skip: bool) -> Assist:
        """Return the corrections with a site skipped, or taken up again."""
        return self._with(site, self.site(site).forms, skip=skip)

    def with_form(self, site: str, form: str, page: str, **changes: Unpack[FormChanges]) -> Assist:
        """Return the corrections with `search` or `submitter` of a form set."""
        return self._with_form(site, form, page, dict(changes))

    def with_element(
        self, site: str, form: str, page: str, key: str, **changes: Unpack[ElementChanges]
    ) -> Assist:
        """Return the corrections with hints of an element set: `label`, `row`, `pin`, `ban`.

        What is pinned now is no longer banned, and the other way round.
        """
        elements = self.site(site).form(form).elements
        old = elements.get(key, ElementHints())
        new: dict[str, Any] = dict(changes)
        for name in ("pin", "ban"):
            if name in new:
                new[name] = _texts(new[name])
        for said, other in (("pin", "ban"), ("ban", "pin")):
            if said in new and other not in new:
                new[other] = _without(getattr(old, other), new[said])
        return self._with_form(
            site, form, page, {"elements": {**elements, key: _changed(old, new)}}
        )

    def with_row(
        self,
        label: str,
        values: Mapping[str, float] | Sequence[str],
        aliases: Sequence[str] = (),
    ) -> Assist:
        """Return the corrections with an LVS row added, in place of one of that label."""
        row = {"label": label, "aliases": _texts(aliases), "values": values}
        rows: list[Any] = list(self.rows)
        same = [at for at, old in enumerate(self.rows) if fold(old.label) == fold(label.strip())]
        place = same[0] if same else len(rows)
        rows[place : place + 1] = [row]
        return _changed(self, {"rows": tuple(rows)})

    def without_row(self, label: str) -> Assist:
        """Return the corrections without the LVS row of this label."""
        kept = tuple(row for row in self.rows if fold(row.label) != fold(label.strip()))
        return _changed(self, {"rows": kept})

    def _with_form(self, site: str, form: str, page: str, changes: dict[str, Any]) -> Assist:
        hints = self.site(site)
        others = tuple(other for other in hints.forms if other.form != form)
        old = hints.form(form)
        new = _changed(old, {"page": page or old.page, **changes})
        return self._with(site, (*others, new), skip=hints.skip)

    def _with(self, site: str, forms: tuple[FormHints, ...], *, skip: bool) -> Assist:
        hints = SiteHints(skip=skip, forms=forms)
        return _changed(self, {"sites": {**self.sites, _origin(site) or site: hints}})

    def written(self) -> dict[str, Any]:
        """Return what the file holds: nothing that says nothing, sites and forms in order."""
        sites = {url: hints.written() for url, hints in sorted(self.sites.items()) if hints}
        rows = [row.model_dump(mode="json", exclude_defaults=True) for row in self.rows]
        return ({"rows": rows} if rows else {}) | ({"sites": sites} if sites else {})


def assist_beside(config: str | Path) -> Path:
    """Return where the corrections of a configuration file are kept."""
    return Path(config).absolute().parent / FILE_NAME


def read_assist(path: str | Path) -> Assist:
    """Return the corrections in the file at `path`, none when there is no file.

    ConfigError names file and key path of what is wrong.
    """
    path = Path(path)
    if not path.exists():
        return Assist()
    document = read_yaml(path, texts=True)
    if document is None:
        return Assist()
    if not isinstance(document, dict):
        raise ConfigError("is no mapping; begin with `sites:` or `rows:`", path)
    try:
        return Assist.model_validate(document)
    except ValidationError as exc:
        steps, message = first_fault(exc, Assist)
        raise ConfigError(message, path, path_of(steps) or None) from exc


def write_assist(path: str | Path, assist: Assist) -> None:
    """Keep the corrections in the file at `path`: whoever reads it finds the old or the new."""
    path = Path(path)
    written = assist.written()
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(HEAD + (dump_yaml(written) if written else ""), encoding="utf-8")
    draft.replace(path)


def _changed(model: M, changes: Mapping[str, Any]) -> M:
    """Return the model with `changes`, checked; ConfigError says what is wrong with them."""
    try:
        return type(model).model_validate({**dict(model), **changes})
    except ValidationError as exc:
        steps, message = first_fault(exc, type(model))
        raise ConfigError(message, key_path=path_of(steps) or None) from exc


def _origin(url: str) -> str:
    """Return scheme, host and port of a site's address, '' for what is none."""
    parts = urlsplit(url)
    if parts.scheme == FIXTURE_SCHEME:
        return f"{FIXTURE_SCHEME}://{parts.netloc}"
    try:
        return origin_of(url)
    except ValueError:
        return ""


def _texts(values: Iterable[str]) -> tuple[str, ...]:
    """Return the texts without blank ones, each once, in order."""
    return tuple(dict.fromkeys(text for value in values if (text := value.strip())))


def _without(values: Iterable[str], taken: Iterable[str]) -> tuple[str, ...]:
    """Return the values that are none of `taken`, minding neither case nor accents."""
    folded = {fold(value) for value in taken}
    return tuple(value for value in values if fold(value) not in folded)
