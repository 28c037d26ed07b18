"""Works: the forms that are worked on, by id and by site."""

from __future__ import annotations

from collections import UserDict, defaultdict
from typing import TYPE_CHECKING

from hiwe.crawl.form_work import FormWork
from hiwe.submission.vain import Vain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from hiwe.submission.outcome import Outcome


class Works(UserDict[int, FormWork]):
    """Work by the id of its form; those of one site are found without a look at all others."""

    def __init__(self, asked: Callable[[str], Iterable[tuple[str, str, bool]]]) -> None:
        """No form is worked on; `asked` tells a site's values that were asked for alone."""
        self._asked = asked
        self._vain: dict[str, Vain] = {}
        self._of_site: defaultdict[str, dict[int, FormWork]] = defaultdict(dict)
        super().__init__()

    def __setitem__(self, form: int, work: FormWork) -> None:
        super().__setitem__(form, work)
        self._of_site[work.site.key][form] = work

    def __delitem__(self, form: int) -> None:
        site = self.data[form].site.key
        super().__delitem__(form)
        del self._of_site[site][form]

    def of_site(self, key: str) -> Collection[FormWork]:
        """The works of a site."""
        return self._of_site[key].values() if key in self._of_site else ()

    def vain_of(self, key: str) -> Vain:
        """What a site's forms were asked for in vain; read once, then kept up to date."""
        if key not in self._vain:
            self._vain[key] = Vain(self._asked(key))
        return self._vain[key]

    def note(self, work: FormWork, outcome: Outcome) -> None:
        """Take in what became of an assignment of a form, for the other forms of its site."""
        if work.site.key in self._vain:
            self._vain[work.site.key].add(outcome.bindings, outcome.verdict)

    def release(self, key: str) -> None:
        """Forget what was in vain, once no form of the site goes on."""
        if all(work.stopped for work in self.of_site(key)):
            self._vain.pop(key, None)
