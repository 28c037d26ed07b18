"""FormWork: a chosen form with its label matches, its plan of assignments and what was learned."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hiwe.lvs.element_view import ElementView
from hiwe.submission.assignment import Binding, ValueAssignment
from hiwe.submission.chain import sent_identity
from hiwe.submission.dated import with_dates
from hiwe.submission.fielded import match_field_lists, with_field_lists
from hiwe.submission.plan import Plan
from hiwe.submission.trust import Trust
from hiwe.submission.values import element_values
from hiwe.submission.wishes import bars

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hiwe.crawl.site import Site
    from hiwe.form.form import Element, Form
    from hiwe.lvs.match import LabelMatch
    from hiwe.lvs.table import LvsTable
    from hiwe.response.knowledge import FormKnowledge
    from hiwe.submission.call import Call
    from hiwe.submission.chain import Step
    from hiwe.submission.outcome import Outcome
    from hiwe.submission.recipe import Recipe
    from hiwe.submission.values import ElementValues
    from hiwe.submission.wishes import Wishes

NONSENSE = "zqxvkj"  # contract.md: the word of the probe


@dataclass
class FormWork:
    """The crawl's work on one chosen form. `sent`, `succeeded` count submissions so far.

    `steps` are the forms to be sent before this one shows, each time anew. `open_keys` are
    assignments that the site refused to answer, `refusals` how many in a row. `trust` says
    how far plain HTTP is trusted with the form, `links` with its pager's links; `recipe` is what
    the browser was seen to send, `calls` what the page's script asked for, by template. `wishes`
    are the values that a person pinned or banned; `earlier` submissions were sent before a
    person's last correction of the form.
    """

    id: int
    site: Site
    form: Form
    matches: dict[int, LabelMatch]
    plan: Plan
    knowledge: FormKnowledge
    parent: int | None = None
    stopped: str = ""
    waiting: bool = False
    sent: int = 0
    succeeded: int = 0
    unsent_streak: int = 0
    steps: tuple[Step, ...] = ()
    refusals: int = 0
    open_keys: set[str] = field(default_factory=set)
    trust: Trust = field(default_factory=Trust)
    links: Trust = field(default_factory=Trust)
    recipe: Recipe | None = None
    calls: dict[tuple[int, ...], Call] = field(default_factory=dict)
    wishes: Wishes = field(default_factory=dict)
    earlier: int = 0

    @property
    def fingerprint(self) -> str:
        """Identity of what is sent: behind other steps, or by another button, it is another."""
        return sent_identity(self.form, self.steps)

    @property
    def page_url(self) -> str:
        """The page to open first."""
        return self.steps[0].form.page_url if self.steps else self.form.page_url

    def refused(self, key: str) -> None:
        """Note that the site refused an assignment; it stays open."""
        self.open_keys.add(key)
        self.refusals += 1

    def answered(self, key: str) -> None:
        """Note that the site let an assignment pass."""
        self.open_keys.discard(key)
        self.refusals = 0

    def may_send(self, assignment: ValueAssignment, key: str) -> bool:
        """Whether a person lets an assignment of this key go: by this button, with these values."""
        barred = bars(self.form, self.wishes, assignment.bindings)
        return not barred and key == assignment.key(self.fingerprint)

    def next_assignment(self) -> ValueAssignment | None:
        """The plan's next assignment, None when it has ended."""
        return next(iter(self.plan.next(1)), None)


def view(element: Element, form: Form) -> ElementView:
    """What the LVS needs to know of an element."""
    domain = tuple(o.label for o in element.options) or element.suggestions
    return ElementView(
        label=element.label if element.label_source != "name" else "",
        name=element.name or element.id,
        kind=element.kind,
        domain=domain,
        language=form.language or None,
        pattern=element.pattern or None,
        maxlength=element.maxlength,
        minimum=element.minimum or None,
        maximum=element.maximum or None,
        step=element.step or None,
        placeholder=element.placeholder or element.hint or None,
    )


def match_elements(
    form: Form, lvs: LvsTable, *, sigma: float, generic: bool
) -> dict[int, LabelMatch]:
    """LabelMatch(E) of every element a value may go into, by position."""
    views = _views(form)
    found = {at: lvs.match(seen, sigma=sigma, generic=generic) for at, seen in views.items()}
    return match_field_lists(form, views, found, lvs, sigma=sigma)


def _views(form: Form) -> dict[int, ElementView]:
    values = ((at, e) for at, e in enumerate(form.elements) if e.fillable and e.role == "value")
    return {at: view(element, form) for at, element in values}


def values_of(
    form: Form, matches: dict[int, LabelMatch], lvs: LvsTable
) -> tuple[ElementValues, ...]:
    """What the elements of a form may be set to, from their value sets."""
    views = _views(form)
    value_sets = {at: lvs.value_set(views[at], match) for at, match in matches.items()}
    values = element_values(form, value_sets)
    values = with_field_lists(form, values, views, matches, lvs)
    return with_dates(form, values, views, matches, lvs)


def restore_plan(
    form: Form,
    values: tuple[ElementValues, ...],
    site: Site,
    outcomes: Iterable[Outcome],
    records: Iterable[Mapping[str, str]] = (),
) -> Plan:
    """The plan of a form's ranked assignments, after the outcomes there were so far.

    `records` are those of the site so far (field -> text).
    """
    ranking = site.settings.ranking
    plan = Plan(
        form,
        values,
        function=ranking.function,
        rho_min=ranking.rho_min,
        order=ranking.order,
        budget=site.settings.budget.submissions_per_form,
    )
    for outcome in outcomes:
        plan.record(outcome)
    plan.show(records)
    return plan


def probe_assignment(form: Form) -> ValueAssignment | None:
    """The nonsense query of a form: its first free text element, None if it has none."""
    for position, element in enumerate(form.elements):
        free = element.kind in ("text", "search", "textarea") and not element.options
        limited = element.pattern or (element.maxlength or 99) < len(NONSENSE)
        if free and element.fillable and not limited and not element.range_role:
            return ValueAssignment((Binding(position, NONSENSE, 0.0),), 0.0)
    return None


def asks_for_all(site: Site, form: Form, matches: dict[int, LabelMatch]) -> bool:
    """A form of the task's subject without values of its own may be sent as it stands: 'all'."""
    known = any(match.row is not None for match in matches.values())
    return known and not restore_plan(form, (), site, ()).exhausted
