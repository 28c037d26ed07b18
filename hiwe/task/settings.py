"""Settings: everything that a task may set for all its sites and a site may set for itself.

Section and key names are the configuration file's. All models are frozen and forbid unknown keys:
a misspelt limit is a rude crawl. The text under each key is its documentation.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictStr,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from hiwe.version import __version__

Count = Annotated[int, Field(strict=True, ge=0)]
Amount = Annotated[int, Field(strict=True, ge=1)]
Share = Annotated[float, Field(strict=True, ge=0, le=1)]
Seconds = Annotated[float, Field(strict=True, ge=0, allow_inf_nan=False)]
Duration = Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)]


class Model(BaseModel):
    """Base of all configuration models. A key without a value counts as not given."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, populate_by_name=False
    )

    @model_validator(mode="before")
    @classmethod
    def _drop_empty(cls, data: Any) -> Any:
        """Leave out keys without a value: a section whose lines are all commented out."""
        if isinstance(data, dict):
            return {key: value for key, value in data.items() if value is not None}
        return data


class Matching(Model):
    """How the label of an element finds its LVS row."""

    sigma: Share = 0.75
    """Least similarity of two labels that match."""
    generic: StrictBool = True
    """Whether a keyword box takes the values of every row of the task's own tables."""


class Ranking(Model):
    """How value assignments are ranked and which are sent."""

    function: Literal["min", "average", "probabilistic"] = "min"
    """How the weights of an assignment's values become its rank."""
    rho_min: Share = 0.6
    """Least rank that is submitted."""
    order: Literal["paper", "harvest"] = "harvest"
    """paper: strictly by rank; harvest: by the new records to expect, ranks being equal."""


class Forms(Model):
    """Which forms are looked at."""

    alpha: Amount = 3
    """Least number of elements of a form; smaller ones are ignored."""


class Budget(Model):
    """Where the crawl stops by itself."""

    submissions_per_form: Count = 100
    """Assignments sent through one form."""
    submissions_per_site: Count = 1000
    """Assignments sent to one site."""
    pages_per_site: Count = 500
    """Pages visited to explore a site; result pages have their own budget."""
    result_pages_per_submission: Amount = 20
    """Pages of results read for one submission."""
    details_per_site: Count = 1000
    """Pages of single records opened on one site, if records.details is true."""
    duration_s: Duration = 3600
    """Seconds of work on a run, over all its sessions; a revisit has as many of its own."""


class Scope(Model):
    """Which addresses belong to a site."""

    hosts: Literal["same", "domain"] | tuple[StrictStr, ...] = "same"
    """same: the start page's host; domain: all hosts under its registered domain; or a list."""
    paths: tuple[StrictStr, ...] = ()
    """Beginnings of the paths that may be visited; none given means all."""
    depth: Count = 3
    """Links followed from the start page, at most."""


class Politeness(Model):
    """How a site is treated."""

    delay_s: Seconds = 1.0
    """Least seconds between two requests to one host."""
    robots: StrictBool = True
    """Whether robots.txt, robots META, X-Robots-Tag and nofollow are obeyed."""
    robots_meta: StrictBool = True
    """Whether robots META, X-Robots-Tag and nofollow are obeyed (only if robots is true)."""
    quiet_hours: StrictStr = ""
    """Hours of the day, local time, in which nothing is asked, such as 08:00-18:00; empty: none."""
    user_agent: StrictStr = ""
    """What we call ourselves; empty: hiwe, its version and the contact."""
    contact: StrictStr = ""
    """Address or URL where a site's owner reaches you; it becomes part of the user agent."""

    @field_validator("user_agent", "contact")
    @classmethod
    def _fits_a_header(cls, value: str) -> str:
        """Refuse what no request header can carry."""
        if not (value.isascii() and value.isprintable()):
            raise PydanticCustomError(
                "give",
                "is {value}; a request header carries printable ASCII characters only",
                {"value": ascii(value)},
            )
        return value

    @model_validator(mode="after")
    def _name_ourselves(self) -> Politeness:
        """Fill in the honest user agent, and see that it holds the contact."""
        # `object` because the model is frozen; the value is derived and not given.
        object.__setattr__(self, "user_agent", agent_name(self.user_agent, self.contact))
        return self

    @field_validator("quiet_hours")
    @classmethod
    def _two_times(cls, value: str) -> str:
        """Refuse what is not a span of the day."""
        if value and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d-([01]\d|2[0-3]):[0-5]\d", value):
            raise PydanticCustomError(
                "give",
                "is {value}; give two times of the day such as 08:00-18:00",
                {"value": value},
            )
        return value

    @property
    def obeys_robots_meta(self) -> bool:
        """Return whether robots META, X-Robots-Tag and nofollow count: both switches are on."""
        return self.robots and self.robots_meta


def agent_name(user_agent: str, contact: str) -> str:
    """Return the user agent to send: `user_agent` or our own, with the contact in it."""
    if not user_agent:
        name = f"hiwe/{__version__}"
        return f"{name} (+{contact})" if contact else f"{name} (hidden-web form crawler)"
    if contact and contact not in user_agent:
        return f"{user_agent} (+{contact})"
    return user_agent


class Response(Model):
    """How answers are judged."""

    probe: StrictBool = True
    """Whether each form gets one nonsense query, to learn its 'nothing found'."""


class Browser(Model):
    """The browser that opens pages and fills forms."""

    executable: StrictStr | None = None
    """A Chromium to use instead of the one found (HIWE_CHROMIUM, PATH, Playwright's)."""
    headless: StrictBool = True
    """false shows the window."""
    timeout_s: Duration = 30
    """Seconds that a page may take to settle."""
    storage_state: StrictStr | None = None
    """File with cookies and storage of a log-in, made by `hiwe login`."""
    proxy: StrictStr | None = None
    """Proxy that the site is reached by, as http://host:port."""


class Credentials(Model):
    """The log-in of a site that asks for HTTP basic authentication."""

    user: StrictStr
    """User name."""
    password: StrictStr = Field(repr=False)
    """Password; it stands in the run directory's config.yaml too."""


class Records(Model):
    """What is made of the results."""

    details: StrictBool = False
    """Whether the page of each record is opened and merged into it."""
    columns: dict[StrictStr, tuple[StrictStr, ...]] = Field(default_factory=dict, alias="schema")
    """Wanted field name -> labels that it has on the sites (its own name always counts)."""

    @model_validator(mode="before")
    @classmethod
    def _list_labels(cls, data: Any) -> Any:
        """Let a single label, or none, stand for a list."""
        schema = data.get("schema") if isinstance(data, dict) else None
        if not isinstance(schema, dict):
            return data
        listed = {
            name: [labels] if isinstance(labels, str) else labels or []
            for name, labels in schema.items()
        }
        return {**data, "schema": listed}


class Crawl(Model):
    """The order in which a site is explored."""

    strategy: Literal["breadth", "depth", "best"] = "best"
    """best: links that promise forms of the task first."""


class Settings(Model):
    """What a task sets for all its sites, and a site may set for itself."""

    matching: Matching = Matching()
    """How the label of an element finds its LVS row."""
    ranking: Ranking = Ranking()
    """How value assignments are ranked and which are sent."""
    forms: Forms = Forms()
    """Which forms are looked at."""
    budget: Budget = Budget()
    """Where the crawl stops by itself."""
    scope: Scope = Scope()
    """Which addresses belong to a site."""
    politeness: Politeness = Politeness()
    """How a site is treated."""
    transport: Literal["browser", "http", "adaptive"] = "adaptive"
    """Browser, plain HTTP, or plain HTTP once it told the same (docs/transport.md)."""
    response: Response = Response()
    """How answers are judged."""
    browser: Browser = Browser()
    """The browser that opens pages and fills forms."""
    credentials: Credentials | None = None
    """The log-in of a site that asks for HTTP basic authentication."""
    records: Records = Records()
    """What is made of the results."""
    crawl: Crawl = Crawl()
    """The order in which a site is explored."""
