"""Records under the names that the task wants (`records.schema`): several sites, one table.

The database keeps what the sites call their fields; the names are changed on the way out, so that
a better schema does not need another run.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from hiwe.repository.records import Records
from hiwe.repository.run import Run
from hiwe.response.schema import renamed, wanted_names

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hiwe.repository.database import Database
    from hiwe.repository.records import StoredRecord

KEY = "schema"  # of the run's values: site -> wanted name -> labels


def keep_schema(run: Run, schema: Mapping[str, Mapping[str, Sequence[str]]]) -> None:
    """Keep what each site's fields shall be called; {} for a site that keeps its own names."""
    run.set(KEY, {site: {name: list(labels) for name, labels in s.items()}
                  for site, s in schema.items()})  # fmt: skip


def wanted_columns(db: Database) -> list[str]:
    """Return the names that any site's schema wants, in the order given."""
    schemas = Run(db).get(KEY, {}).values()
    return list(dict.fromkeys(name for schema in schemas for name in schema))


def wanted_records(db: Database) -> Iterator[StoredRecord]:
    """Yield all records in their order, the fields of each site under their wanted names."""
    schema = {site: s for site, s in Run(db).get(KEY, {}).items() if s}
    if not schema:
        yield from Records(db).each()
        return
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for record in Records(db).each():
        found[record.site].update(dict.fromkeys(name for name, _ in record.fields))
    names = {site: wanted_names(found[site], s) for site, s in schema.items()}
    for record in Records(db).each():
        yield replace(record, fields=renamed(record.fields, names.get(record.site, {})))
