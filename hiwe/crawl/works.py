"""Works: the forms that are worked on, by id and by site."""

from __future__ import annotations

from collections import UserDict, defaultdict
from typing import TYPE_CHECKING

from hiwe.crawl.form_work import FormWork

if TYPE_CHECKING:
    from collections.abc import Collection


class Works(UserDict[int, FormWork]):
    """Work by the id of its form; those of one site are found without a look at all others."""

    def __init__(self) -> None:
        """No form is worked on."""
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
