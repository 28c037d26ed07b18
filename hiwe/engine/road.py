"""Road: how an assignment and the pages of its answer travel, as the crawl has decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hiwe.submission.call import Call
    from hiwe.submission.recipe import Recipe

Way = Literal["browser", "check", "http"]  # check: in the browser, and compared with plain HTTP


@dataclass(frozen=True, slots=True)
class Road:
    """`form` is how the assignment travels, `links` how the pager's links are followed.

    `recipe` is what plain HTTP sends, `call` what it asks for in place of the page's own script;
    None where they are not known.
    """

    form: Way = "browser"
    links: Way = "browser"
    recipe: Recipe | None = None
    call: Call | None = None


BY_BROWSER = Road()
