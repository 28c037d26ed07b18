"""Hints: what a person says of an element, a form, a site; nothing where nothing is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from pydantic import (
    Field,
    StrictBool,
    StrictStr,
    StringConstraints,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from hiwe.task.settings import Model

if TYPE_CHECKING:
    from collections.abc import Iterable

Text = Annotated[StrictStr, StringConstraints(strip_whitespace=True, min_length=1)]
Said = Annotated[StrictStr, StringConstraints(strip_whitespace=True)]
Weight = Annotated[float, Field(ge=0, le=1)]


class ElementHints(Model):
    """What a person says of one element. `row` is '' where nothing is said: None binds to none."""

    label: Said = ""
    """The right label."""
    row: Said | None = ""
    """LVS row to take values from; null: none."""
    pin: tuple[Text, ...] = ()
    """Values tried first, in this order."""
    ban: tuple[Text, ...] = ()
    """Values never sent."""

    @model_validator(mode="before")
    @classmethod
    def _drop_empty(cls, data: Any) -> Any:
        """Leave out keys without a value, but for `row`, where it is one."""
        if isinstance(data, dict):
            return {k: value for k, value in data.items() if value is not None or k == "row"}
        return data

    @property
    def binds(self) -> bool:
        """Whether a person decided which row the element belongs to, if to any."""
        return self.row != ""

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return self != ElementHints()


class ElementChanges(TypedDict, total=False):
    """What `Assist.with_element` sets; '' and () take back what was said, `row=''` too."""

    label: str
    row: str | None
    pin: Iterable[str]
    ban: Iterable[str]


class FormHints(Model):
    """What a person says of one form. `form` is its fingerprint as the run's database has it."""

    form: Text
    """Fingerprint of the form, as found."""
    page: Said = ""
    """Address of a page with the form, for the reader."""
    search: StrictBool | None = None
    """true: it is a search form; false: it is none."""
    submitter: Said = ""
    """Caption, name or id of the button to press."""
    elements: dict[Text, ElementHints] = Field(default_factory=dict)
    """Corrections by element: name, else id, else its place such as '#3'."""

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return self.search is not None or bool(self.submitter) or any(self.elements.values())

    def written(self) -> dict[str, Any]:
        """Return what the file holds of the form, elements in order."""
        plain = self.model_dump(mode="json", exclude={"elements"}, exclude_defaults=True)
        said = sorted(key for key, hints in self.elements.items() if hints)
        elements = {
            key: self.elements[key].model_dump(mode="json", exclude_defaults=True) for key in said
        }
        return plain | ({"elements": elements} if elements else {})


class FormChanges(TypedDict, total=False):
    """What `Assist.with_form` sets; None and '' take back what was said."""

    search: bool | None
    submitter: str


class SiteHints(Model):
    """What a person says of one site."""

    skip: StrictBool = False
    """true: the site is left alone; its work stays open."""
    forms: tuple[FormHints, ...] = ()
    """Corrections by form."""

    @field_validator("forms")
    @classmethod
    def _each_once(cls, forms: tuple[FormHints, ...]) -> tuple[FormHints, ...]:
        """Refuse two entries for one form: which should hold?"""
        seen = set()
        for hints in forms:
            if hints.form in seen:
                raise PydanticCustomError(
                    "give", "has the form {form} twice; join the two", {"form": hints.form}
                )
            seen.add(hints.form)
        return forms

    def form(self, fingerprint: str) -> FormHints:
        """Return what is said of a form, nothing where nothing is."""
        found = (hints for hints in self.forms if hints.form == fingerprint)
        return next(found, None) or FormHints(form=fingerprint)

    def __bool__(self) -> bool:
        """Whether anything is said."""
        return self.skip or any(self.forms)

    def written(self) -> dict[str, Any]:
        """Return what the file holds of the site, forms in order of their pages."""
        said = sorted(filter(None, self.forms), key=lambda hints: (hints.page, hints.form))
        return ({"skip": True} if self.skip else {}) | (
            {"forms": [hints.written() for hints in said]} if said else {}
        )


class AddedRow(Model):
    """An LVS row that a person added, as in a table file."""

    label: Text
    """Label of the row."""
    aliases: tuple[Text, ...] = ()
    """Other labels of it."""
    values: dict[Text, Weight] = Field(default_factory=dict)
    """Values: a list (weight 1), or a mapping of value to weight."""

    @field_validator("values", mode="before")
    @classmethod
    def _weigh(cls, given: Any) -> Any:
        """Let a list stand for values of weight 1."""
        listed = isinstance(given, list | tuple) and all(isinstance(v, str) for v in given)
        return dict.fromkeys(given, 1.0) if listed else given
