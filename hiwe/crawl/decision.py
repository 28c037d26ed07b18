"""Decision: why a form is skipped before its values are looked at (contract: reasons)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.address import host_of
from hiwe.crawl.twins import is_answered_twin
from hiwe.form.corrected import SAID_SO
from hiwe.submission.chain import may_go_on

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hiwe.crawl.robots import RobotsPolicy
    from hiwe.crawl.site import Site
    from hiwe.form.form import Form
    from hiwe.submission.chain import Step

    Policy = Callable[[str, Site], RobotsPolicy | None]

ELSEWHERE = "shard"  # the form sends to a host of another shard


def why_skipped(
    site: Site,
    form: Form,
    steps: Sequence[Step],
    policy: Policy,
    others: Sequence[Form] = (),
    owns: Callable[[str], bool] = lambda url: True,
) -> str:
    """Why a form is not submitted through; '' if it is.

    The size of a form in several steps is that of all its pages. `policy` tells what robots.txt
    of a host allows. `others` are the site's forms that are submitted through. What a person calls
    a search form is one, whatever its size. `owns` says which addresses this shard may ask for.
    """
    if not (may_go_on(form) if steps else form.searchable):
        return form.reason
    if form.reason != SAID_SO:
        pages = (*(step.form for step in steps), form)
        if sum(e.fillable for page in pages for e in page.elements) < site.settings.forms.alpha:
            return "too_small"
        if is_answered_twin(form, others):
            return "duplicate"
    action = form.submitters[0].action if form.submitters else form.action
    action = action or form.action
    if not action.startswith("http"):
        return ""  # the page's own script answers
    if not site.scope.holds_host(action):
        return "out_of_scope"
    if not owns(action):
        return ELSEWHERE
    rules = policy(host_of(action), site)
    return "robots" if rules is not None and not rules.allows(action) else ""
