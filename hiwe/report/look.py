"""The surroundings of every page hiwe shows: templates, filters; all that is shown is escaped."""

from __future__ import annotations

from functools import cache

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from hiwe.report import words
from hiwe.report.coverage import interval
from hiwe.text import count


@cache  # templates are compiled once
def environment(*packages: str) -> Environment:
    """Return the environment of templates in `packages`, and of those shared with the report.

    A name that a template does not know is an error.
    """
    loaders = [PackageLoader(package) for package in (*packages, "hiwe.report")]
    made = Environment(
        loader=ChoiceLoader(loaders),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "duration": words.duration,
        "moment": words.moment,
        "shown": words.shown,
        "count": count,
        "link": words.web_link,
        "interval": interval,
    }
    made.globals["se"] = words.se
    return made
