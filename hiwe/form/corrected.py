"""Corrected: a form with what a person said of it laid over what was found. Pure.

Places and fingerprint stay as they were found, so a corrected form is found again in a page, and
what was sent before the correction still counts as sent.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hiwe.form.form import Element, Form, Submitter
    from hiwe.task.hints import ElementHints, FormHints

PERSON = "person"  # source of a label, rule of a label match
SAID_SO = "a person said so"  # why a form is chosen or skipped, a site stopped


def element_key(form: Form, position: int) -> str:
    """Return what `assist.yaml` calls an element: its name, else its id, if no other has it.

    Else it is '#' and the element's position in the form, from 0.
    """
    element = form.elements[position]
    names = Counter(e.name for e in form.elements)
    ids = Counter(e.id for e in form.elements)
    if element.name and names[element.name] == 1:
        return element.name
    if element.id and ids[element.id] == 1:
        return element.id
    return f"#{position}"


def hints_at(form: Form, hints: FormHints) -> dict[int, ElementHints]:
    """Return what is said of the elements, by position; a name that several have stands for all."""
    found = {}
    for position, element in enumerate(form.elements):
        for key in (f"#{position}", element.id, element.name):
            if key and hints.elements.get(key):
                found[position] = hints.elements[key]
                break
    return found


def corrected(form: Form, hints: FormHints) -> Form:
    """Return the form with the labels, the submitter and the decision that a person gave.

    An element whose default is banned gets another one, which is set whenever it is left alone.
    """
    if not hints:
        return form
    elements = list(form.elements)
    for position, said in hints_at(form, hints).items():
        elements[position] = _corrected(elements[position], said)
    decision = {} if hints.search is None else {"searchable": hints.search, "reason": SAID_SO}
    return replace(
        form,
        elements=tuple(elements),
        submitters=_chosen_first(form.submitters, hints.submitter),
        **decision,  # type: ignore[arg-type]
    )


def _corrected(element: Element, said: ElementHints) -> Element:
    if said.label:
        element = replace(
            element,
            label=said.label,
            label_source=PERSON,
            runner_up=element.label or element.runner_up,
            label_cost=0.0,
        )
    banned = _banned_values(element, said.ban)
    defaults = element.default.split("\n") if element.multiple else [element.default]
    kept = [value for value in defaults if fold(value) not in banned]
    if len(kept) == len(defaults):
        return element
    instead = "\n".join(kept) or _open_default(element, banned)
    return element if instead is None else replace(element, default=instead, is_reset=True)


def _open_default(element: Element, banned: frozenset[str]) -> str | None:
    """The value that leaves the element open, else the first that may be sent, if there is one."""
    if element.neutral is not None and fold(element.neutral) not in banned:
        return element.neutral
    return next((o.value for o in element.options if fold(o.value) not in banned), None)


def banned_labels(element: Element, ban: Iterable[str]) -> frozenset[str]:
    """Return what an element may not be set to, folded: texts, or labels of its choices."""
    said = frozenset(map(fold, ban))
    choices = (*element.options, *element.captions)
    return said | {fold(o.label) for o in choices if o.value and fold(o.value) in said}


def _banned_values(element: Element, ban: Iterable[str]) -> frozenset[str]:
    """The same as it would be sent: texts, or values of choices."""
    said = frozenset(map(fold, ban))
    choices = (*element.options, *element.captions)
    if not choices:
        return said
    banned = (o for o in choices if {fold(o.label), fold(o.value)} & said)
    return frozenset(fold(o.value) for o in banned)


def _chosen_first(submitters: tuple[Submitter, ...], wanted: str) -> tuple[Submitter, ...]:
    """The submitters with the one that a person chose before all others."""
    found = submitter_called(submitters, wanted)
    if found is None:
        return submitters
    return (replace(found, chosen=True), *(s for s in submitters if s is not found))


def submitter_called(submitters: Iterable[Submitter], wanted: str) -> Submitter | None:
    """Return the submitter of this caption, name or id, None if there is none."""
    listed = tuple(submitters)
    for called in ("text", "name", "id"):
        for submitter in listed:
            if wanted and _plain(getattr(submitter, called)) == _plain(wanted):
                return submitter
    return None


def pressed_again(form: Form, found: Form) -> Form:
    """Return `found`, which is `form` met again, with the button first that a person chose."""
    chosen = form.submitters[0] if form.submitters else None
    if chosen is None or not chosen.chosen:
        return found
    like = next((s for s in found.submitters if _same(s, chosen)), None)
    if like is None:
        return found
    others = (s for s in found.submitters if s is not like)
    return replace(found, submitters=(replace(like, chosen=True), *others))


def _same(one: Submitter, other: Submitter) -> bool:
    if one.name or one.id:
        return (one.name, one.id) == (other.name, other.id)
    return _plain(one.text) == _plain(other.text)


def unmet(form: Form, hints: FormHints) -> Iterator[str]:
    """Yield what a person says of things that the form does not have, in words."""
    names = {f"#{position}" for position in range(len(form.elements))}
    names |= {name for element in form.elements for name in (element.name, element.id)}
    yield from (f"there is no element {key}" for key in hints.elements if key not in names)
    if hints.submitter and submitter_called(form.submitters, hints.submitter) is None:
        yield f"no button is called {hints.submitter}"


def _plain(text: str) -> str:
    return " ".join(fold(text).split())
