"""Understanding: what the crawl makes of a form: decision, label matches, values, a person's word.

Made when a form is met, and made anew from the form as it was found when a person corrects it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from hiwe.crawl.decision import why_skipped
from hiwe.crawl.form_work import asks_for_all, match_elements, values_of, view
from hiwe.crawl.replay import steps_from, values_from
from hiwe.form.corrected import PERSON, SAID_SO, corrected, hints_at, unmet
from hiwe.lvs.match import LabelMatch
from hiwe.repository.codec import to_plain
from hiwe.repository.forms import Match
from hiwe.submission.chain import Step, chain_fingerprint, sent_identity
from hiwe.submission.wishes import Wish, bars, unmet_wishes, wished
from hiwe.task.assist import Assist
from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from hiwe.crawl.dispatch import Dispatch
    from hiwe.crawl.learning import Learning
    from hiwe.crawl.site import Site
    from hiwe.crawl.stores import Stores
    from hiwe.form.form import Form
    from hiwe.lvs.row import Row
    from hiwe.repository.forms import StoredForm
    from hiwe.submission.values import ElementValues
    from hiwe.submission.wishes import Wishes
    from hiwe.task.hints import FormHints

Matches = dict[int, LabelMatch]
CHOSEN, SKIPPED = "chosen", "skipped"
NO_MATCH = "no_match"  # why a form is skipped that the task has no values for


@dataclass(frozen=True, slots=True)
class Understanding:
    """A form as corrected, behind `steps`; `why_not` says why it is skipped, '' if it is chosen.

    `doubts` tell a person which corrections found nothing to correct.
    """

    form: Form
    steps: tuple[Step, ...]
    why_not: str
    matches: Matches = field(default_factory=dict)
    values: tuple[ElementValues, ...] = ()
    wishes: Wishes = field(default_factory=dict)
    doubts: tuple[str, ...] = ()

    @property
    def decision(self) -> str:
        """chosen or skipped."""
        return SKIPPED if self.why_not else CHOSEN

    @property
    def reason(self) -> str:
        """Why, in a word."""
        return self.why_not or self.form.reason


class FormReader:
    """Understands forms; `assist` is what a person corrected, as it holds now."""

    def __init__(
        self,
        stores: Stores,
        learning: Learning,
        dispatch: Dispatch,
        clock: Callable[[], float],
    ) -> None:
        self.assist = Assist()
        self._stores = stores
        self._learning = learning
        self._dispatch = dispatch
        self._clock = clock

    def hints(self, site: Site, form: Form, steps: Sequence[Step] = ()) -> FormHints:
        """What a person says of a form behind steps."""
        return hints_of(self.assist, site.key, form, steps)

    def read(
        self,
        site: Site,
        form: Form,
        steps: Sequence[Step],
        others: Sequence[Form],
        *,
        known: Mapping[int, Match] | None = None,
    ) -> Understanding:
        """Understand a form as found. `others` are the site's chosen forms before it.

        Elements that matched the same row before (`known`) have taught the table already.
        """
        said = self.hints(site, form, steps)
        form, steps = corrected(form, said), self._corrected_steps(site, steps)
        why_not = self._why_barred(site, steps)
        why_not = why_not or why_skipped(
            site, form, steps, self._dispatch.policy, others, self._dispatch.owns
        )
        doubts = tuple(unmet(form, said))
        if why_not:
            return Understanding(form, tuple(steps), why_not, doubts=doubts)
        matching, now = site.settings.matching, self._clock()
        matches = self.bound(form, said, self._learning.matches(form, matching, at=now))
        wishes = wishes_of(form, said, matches)
        values = wished(form, values_of(form, matches, self._learning.lvs), wishes)
        if values:
            self._teach(form, matches, known or {}, now)
        elif not asks_for_all(site, form, matches):
            why_not = NO_MATCH
        doubts = (*doubts, *self._unbound(said), *unmet_wishes(form, values, wishes))
        return Understanding(form, tuple(steps), why_not, matches, values, wishes, doubts)

    def read_again(self, site: Site, stored: StoredForm, others: Sequence[Form]) -> Understanding:
        """Understand a form anew, from what was found of it and what a person says now."""
        known = self._stores.forms.matches(stored.id)
        return self.read(site, _of_page(stored, stored.found), _steps(stored), others, known=known)

    def remembered(self, site: Site, stored: StoredForm) -> Understanding:
        """How a chosen form was understood, with the values that it was planned with."""
        form, steps = _of_page(stored, stored.form), _steps(stored)
        matches = self._matches(site, form, steps)
        wishes = wishes_of(form, self.hints(site, form, steps), matches)
        return Understanding(form, steps, "", matches, values_from(stored.state["values"]), wishes)

    def identity(self, stored: StoredForm) -> str:
        """Identity of what is sent through a form as it was understood last."""
        return sent_identity(_of_page(stored, stored.form), _steps(stored))

    def keep(
        self, site: Site, form_id: int, was: Form, seen: Understanding, state: dict[str, Any]
    ) -> None:
        """Write how a form is understood; `was` is how it is written down now."""
        forms, form = self._stores.forms, replace(seen.form, fingerprint=was.fingerprint)
        if form != was:
            forms.correct(form_id, form)
        rows = {at: m.row.label if m.row else None for at, m in seen.matches.items()}
        forms.set_matches(
            form_id,
            {at: Match(rows[at], m.similarity, m.rule) for at, m in seen.matches.items()},
        )
        forms.update(form_id, state=state | {"values": to_plain(seen.values)})
        self._tell(
            site, form_id, "form", f"{seen.decision} {form.method} {form.action} ({seen.reason})",
            skipped=seen.why_not,
        )  # fmt: skip
        for doubt in seen.doubts:
            self._tell(site, form_id, "assist", f"{form.action}: {doubt}", level="warning")

    def _tell(
        self, site: Site, form_id: int, kind: str, text: str, *, level: str = "info",
        skipped: str = "",
    ) -> None:  # fmt: skip
        data = {"form": form_id} | ({"skipped": skipped} if skipped else {})
        self._stores.run.add_event(kind, text, level=level, site=site.key, data=data)

    def concerned(self, before: Assist, touched: Collection[str]) -> set[int]:
        """Forms of which something else is said than `before`, or that the touched rows concern."""
        found: set[int] = set()
        if self.assist == before and not touched:
            return found
        for stored in self._stores.forms.all():
            site = self._dispatch.sites.get(stored.site)
            if site is None:
                continue
            form, steps = _of_page(stored, stored.found), _steps(stored)
            ways = [(step.form, steps[:at]) for at, step in enumerate(steps)] + [(form, steps)]
            old = [hints_of(before, site.key, *way) for way in ways]
            new = [hints_of(self.assist, site.key, *way) for way in ways]
            if old != new or (touched and self._is_touched(site, stored, touched)):
                found.add(stored.id)
        return found

    def _is_touched(self, site: Site, stored: StoredForm, touched: Collection[str]) -> bool:
        """Whether values of these rows may go into a form that is worked on, or that had none."""
        if stored.decision != CHOSEN and stored.reason != NO_MATCH:
            return False
        matches = self._matches(site, _of_page(stored, stored.form), _steps(stored))
        return any(
            match.generic or match.fields or (match.row and match.row.label in touched)
            for match in matches.values()
        )

    def _matches(self, site: Site, form: Form, steps: Sequence[Step]) -> Matches:
        """The label matches of a form that is known, with those that a person made."""
        lvs, matching = self._learning.lvs, site.settings.matching
        found = match_elements(form, lvs, sigma=matching.sigma, generic=matching.generic)
        return self.bound(form, self.hints(site, form, steps), found)

    def bound(self, form: Form, said: FormHints, matches: Matches) -> Matches:
        """The matches with those that a person made; a row that is not there binds nothing."""
        made = dict(matches)
        for position, hints in hints_at(form, said).items():
            row = self._row(hints.row)
            if position in matches and hints.binds and (row is not None or hints.row is None):
                similarity = 0.0 if row is None else 1.0
                made[position] = LabelMatch(row, similarity, PERSON)
        return made

    def _row(self, label: str | None) -> Row | None:
        """The row of this label, as a person may write it; None for none."""
        rows = self._learning.lvs.rows if label else ()
        return next((row for row in rows if fold(row.label) == fold(label or "")), None)

    def _unbound(self, said: FormHints) -> Iterator[str]:
        for key, hints in said.elements.items():
            if hints.row and self._row(hints.row) is None:
                yield f"{key}: the table has no row {hints.row}"

    def _teach(self, form: Form, matches: Matches, known: Mapping[int, Match], now: float) -> None:
        """Crawling experience from the domains, unless a person says that they belong to no row.

        The days of a date in parts are no values of the row that is called as the date is.
        """
        new = {
            at: match
            for at, match in matches.items()
            if (match.row is not None or match.rule != PERSON)
            and not form.elements[at].part
            and (at not in known or known[at].row != (match.row.label if match.row else None))
        }
        views = ((view(form.elements[at], form), match) for at, match in new.items())
        self._learning.from_domains(views, at=now)

    def _corrected_steps(self, site: Site, steps: Sequence[Step]) -> list[Step]:
        return [
            Step(corrected(step.form, self.hints(site, step.form, steps[:at])), step.assignment)
            for at, step in enumerate(steps)
        ]

    def _why_barred(self, site: Site, steps: Sequence[Step]) -> str:
        """A person bars the way to a form: one on it is not to be sent, or a value is banned."""
        for at, step in enumerate(steps):
            said = self.hints(site, step.form, steps[:at])
            wishes = wishes_of(step.form, said, {})
            if said.search is False or bars(step.form, wishes, step.assignment.bindings):
                return SAID_SO
        return ""


def _of_page(stored: StoredForm, form: Form) -> Form:
    """The form with the fingerprint that it has on its page, whatever steps lead there."""
    return replace(form, fingerprint=stored.state.get("fingerprint", form.fingerprint))


def _steps(stored: StoredForm) -> tuple[Step, ...]:
    return steps_from(stored.state.get("steps") or ())


def hints_of(assist: Assist, site: str, form: Form, steps: Sequence[Step] = ()) -> FormHints:
    """What a person says of a form of a site, behind steps."""
    return assist.site(site).form(chain_fingerprint(form, steps))


def wishes_of(form: Form, said: FormHints, matches: Mapping[int, LabelMatch]) -> Wishes:
    """The pinned and banned values by position, each with the label of the element's row."""
    rows = {at: match.row.label for at, match in matches.items() if match.row is not None}
    return {
        at: Wish(hints.pin, hints.ban, rows.get(at, ""))
        for at, hints in hints_at(form, said).items()
        if hints.pin or hints.ban
    }
