"""Tables that later versions added, each a migration of its own."""

from __future__ import annotations

SKETCHES = """
CREATE TABLE sketches (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    url TEXT NOT NULL,
    hashes TEXT NOT NULL            -- least hashes of its runs of words, in order
);
CREATE TABLE sketch_keys (
    key INTEGER NOT NULL,
    page INTEGER NOT NULL REFERENCES sketches,
    PRIMARY KEY (key, page)
) WITHOUT ROWID;
"""

ROUNDS = """
CREATE TABLE rounds (
    number INTEGER PRIMARY KEY,     -- of the revisit
    began_at REAL NOT NULL,
    ended_at REAL
);
CREATE TABLE rechecks (             -- answers asked for again
    round INTEGER NOT NULL REFERENCES rounds,
    submission INTEGER NOT NULL REFERENCES submissions,
    at REAL NOT NULL,
    verdict TEXT NOT NULL,
    complete INTEGER NOT NULL,      -- 1: all its pages were read
    records INTEGER NOT NULL,
    PRIMARY KEY (round, submission)
) WITHOUT ROWID;
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL REFERENCES rounds,
    at REAL NOT NULL,
    site TEXT NOT NULL,
    what TEXT NOT NULL,             -- record, page
    kind TEXT NOT NULL,             -- new, changed, gone
    ref TEXT NOT NULL,              -- key of the record, address of the page
    form INTEGER,
    before TEXT NOT NULL DEFAULT '{}',
    after TEXT NOT NULL DEFAULT '{}',
    UNIQUE (round, site, what, ref)
);
"""

JUDGED = """
CREATE TABLE drawn (                -- submissions drawn at random, for a person to judge
    submission INTEGER PRIMARY KEY REFERENCES submissions,
    at REAL NOT NULL
);
CREATE TABLE judged (               -- what a person says of an answer
    submission INTEGER PRIMARY KEY REFERENCES submissions,
    verdict TEXT NOT NULL,
    note TEXT NOT NULL DEFAULT '',
    at REAL NOT NULL
);
"""

CORRECTED = """
ALTER TABLE forms ADD COLUMN found TEXT;  -- as it was found, where a person corrected it
ALTER TABLE elements ADD COLUMN rule TEXT NOT NULL DEFAULT '';  -- how the row was found
"""

FOUND_AGAIN = """
ALTER TABLE record_finders ADD COLUMN agrees INTEGER NOT NULL DEFAULT 1;  -- with what is kept
UPDATE record_finders SET agrees = (
    SELECT s.form FROM submissions s WHERE s.id = record_finders.submission
) = (
    SELECT s.form FROM record_finders f JOIN submissions s ON s.id = f.submission
    WHERE f.record = record_finders.record ORDER BY s.id LIMIT 1
);
"""

SHARDS = """
CREATE TABLE handed (               -- links to hosts of other shards, in the order they were found
    shard INTEGER NOT NULL,         -- whose they are
    number INTEGER NOT NULL,        -- place in the file for that shard, from 1
    identity TEXT NOT NULL,
    depth INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    line TEXT NOT NULL,             -- as it stands in the file
    PRIMARY KEY (shard, number)
) WITHOUT ROWID;
CREATE INDEX handed_by_identity ON handed (identity);
CREATE TABLE received (             -- how far the files of other shards were read
    shard INTEGER PRIMARY KEY,
    run TEXT NOT NULL,              -- which run of that shard wrote the file
    octets INTEGER NOT NULL
);
CREATE TABLE apart (                -- what records' pages say whose records other shards hold
    site TEXT NOT NULL,
    key TEXT NOT NULL,
    fields TEXT NOT NULL,
    PRIMARY KEY (site, key)
) WITHOUT ROWID;
"""
