"""Known pages: what a revisit knows of a page before it asks for it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hiwe.engine.action import Known
from hiwe.errors import ArchiveError
from hiwe.page.answer import page_of_answer
from hiwe.page.outline import document_of, fetches_data, outline_of
from hiwe.page.request import usual_headers
from hiwe.repository.archive_place import archive_of
from hiwe.repository.warc_reader import read_page

if TYPE_CHECKING:
    from hiwe.crawl.action import ActionRow
    from hiwe.crawl.stores import Stores
    from hiwe.repository.pages import StoredPage


class KnownPages:
    """Reads what the run kept of pages: validators from their rows, outlines from the archive."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def of(self, row: ActionRow) -> Known | None:
        """What is known of the page of a visit; None if it has to be opened as if it were new."""
        page = self._stores.pages.latest(row.url)
        if page is None or page.status not in (200, 304):
            return None
        fields = (("If-None-Match", page.etag), ("If-Modified-Since", page.last_modified))
        validators = tuple((name, value) for name, value in fields if value)
        headers, outline = self._outline(page)
        is_askable = headers and (validators or outline)
        return Known(validators, headers, outline) if is_askable else None

    def _outline(self, page: StoredPage) -> tuple[tuple[tuple[str, str], ...], str]:
        """Header fields by which the page came, and its outline; '' where there is none."""
        path = self._stores.db.path
        if path is None or not page.warc:
            return (), ""
        try:
            rendered = read_page(archive_of(path.parent), page.warc).page
        except (ArchiveError, OSError):  # the archive was moved or cut: ask the browser
            return (), ""
        document = document_of(rendered)
        if document is None:
            return (), ""
        plain = "" if fetches_data(rendered) else outline_of(page_of_answer([document]))
        return usual_headers(document), plain
