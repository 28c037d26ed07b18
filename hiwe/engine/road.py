"""Road: how an assignment and the pages of its answer travel, as the crawl has decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from hiwe.submission.recipe import Recipe

Way = Literal["browser", "check", "http"]  # check: in the browser, and compared with plain HTTP


@dataclass(frozen=True, slots=True)
class Road:
    """`form` is how the assignment travels, `links` how the pager's links are followed.

    `recipe` is what plain HTTP sends, None where it is not known.
    """

    form: Way = "browser"
    links: Way = "browser"
    recipe: Recipe | None = None


BY_BROWSER = Road()
