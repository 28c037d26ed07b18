"""Vain: values that were asked for alone, and that no answer had results for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.response.response import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hiwe.submission.assignment import Binding


class Vain:
    """(row, value) pairs that nothing was found for, of a form or of all forms of a site."""

    def __init__(self, asked: Iterable[tuple[str, str, bool]] = ()) -> None:
        """Begin with what was asked for before: row, value, whether anything was found."""
        self._found: dict[tuple[str, str], bool] = {}
        for row, value, found in asked:
            self._note((row, value), found=found)

    def add(self, bindings: tuple[Binding, ...], verdict: Verdict) -> None:
        """Take in what became of an assignment; one of several values tells nothing of each."""
        asked = value_of(bindings)
        if asked is not None and verdict in (Verdict.RESULTS, Verdict.NO_RESULTS):
            self._note(asked, found=verdict is Verdict.RESULTS)

    def _note(self, asked: tuple[str, str], *, found: bool) -> None:
        self._found[asked] = found or self._found.get(asked, False)

    def __contains__(self, asked: tuple[str, str]) -> bool:
        """Whether a pair was asked for, and never found."""
        return not self._found.get(asked, True)


def value_of(bindings: tuple[Binding, ...]) -> tuple[str, str] | None:
    """The one row's value that an assignment asks for; None for none or several."""
    asked = [(b.row, b.row_value) for b in bindings if b.row]
    return asked[0] if len(asked) == 1 else None
