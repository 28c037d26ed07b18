"""The tables, as numbered migrations: a new version appends one and changes none.

Times are seconds since 1970 (UTC), durations are seconds; JSON is text. Each table has one store
module beside this one, `actions` is the crawl's frontier.
"""

from __future__ import annotations

from hiwe.repository.schema_later import (
    CORRECTED,
    FOUND_AGAIN,
    JUDGED,
    ROUNDS,
    SHARDS,
    SKETCHES,
)

RUN = """
CREATE TABLE run (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE sites (
    url TEXT PRIMARY KEY,           -- as configured
    position INTEGER NOT NULL,
    stopped TEXT NOT NULL DEFAULT ''
) WITHOUT ROWID;
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    level TEXT NOT NULL,            -- info, warning, error
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    site TEXT NOT NULL DEFAULT '',
    data TEXT NOT NULL DEFAULT '{}'
);
CREATE INDEX events_by_kind ON events (kind, id);
"""

FRONTIER = """
CREATE TABLE hosts (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,       -- host, with its port unless that is the default
    next_allowed_at REAL NOT NULL DEFAULT 0,
    delay_s REAL NOT NULL DEFAULT 0,
    backoff INTEGER NOT NULL DEFAULT 0,
    block_streak INTEGER NOT NULL DEFAULT 0,
    failure_streak INTEGER NOT NULL DEFAULT 0,
    response_s REAL NOT NULL DEFAULT 0,
    stopped TEXT NOT NULL DEFAULT '',
    robots_url TEXT NOT NULL DEFAULT '',
    robots_status INTEGER,
    robots_text TEXT NOT NULL DEFAULT '',
    robots_fetched_at REAL,
    robots_expires_at REAL,
    robots_failures INTEGER NOT NULL DEFAULT 0,
    session_names TEXT NOT NULL DEFAULT '[]',
    ready INTEGER NOT NULL DEFAULT 0,   -- actions that may be claimed now
    claimed INTEGER NOT NULL DEFAULT 0  -- actions claimed now: 0 or 1
);
CREATE INDEX hosts_by_time ON hosts (next_allowed_at)
    WHERE ready > 0 AND claimed = 0 AND stopped = '';
CREATE TABLE actions (
    id INTEGER PRIMARY KEY,
    host INTEGER NOT NULL REFERENCES hosts,
    site TEXT NOT NULL,
    kind TEXT NOT NULL,             -- robots, visit, submit, probe
    method TEXT NOT NULL,
    url TEXT NOT NULL,
    fingerprint TEXT NOT NULL UNIQUE,
    depth INTEGER NOT NULL,
    priority INTEGER NOT NULL,      -- front queue, 0 first
    score REAL NOT NULL,            -- order within a front queue, least first
    state TEXT NOT NULL,            -- open, claimed, done, failed, skipped
    reason TEXT NOT NULL DEFAULT '',
    attempts INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0, -- processes that died with it in hand
    not_before REAL NOT NULL DEFAULT 0, -- an open action that waits; 0: it does not
    lease_until REAL,
    payload TEXT NOT NULL DEFAULT '{}',
    anchor TEXT NOT NULL DEFAULT '',
    in_links INTEGER NOT NULL DEFAULT 1,
    parent INTEGER,                 -- the action whose page named this one
    added_at REAL NOT NULL,
    ended_at REAL
);
CREATE INDEX actions_ready ON actions (host, priority, score, id)
    WHERE state = 'open' AND not_before = 0;
CREATE INDEX actions_waiting ON actions (not_before) WHERE state = 'open' AND not_before > 0;
CREATE INDEX actions_claimed ON actions (lease_until) WHERE state = 'claimed';
CREATE INDEX actions_by_site ON actions (site, kind, state);
CREATE TRIGGER actions_added AFTER INSERT ON actions
    WHEN new.state = 'open' AND new.not_before = 0
BEGIN
    UPDATE hosts SET ready = ready + 1 WHERE id = new.host;
END;
CREATE TRIGGER actions_moved AFTER UPDATE OF state, not_before ON actions
    WHEN old.state <> new.state OR old.not_before <> new.not_before
BEGIN
    UPDATE hosts SET
        ready = ready + (new.state = 'open' AND new.not_before = 0)
                      - (old.state = 'open' AND old.not_before = 0),
        claimed = claimed + (new.state = 'claimed') - (old.state = 'claimed')
    WHERE id = new.host;
END;
CREATE TABLE shapes (
    host TEXT NOT NULL,
    shape TEXT NOT NULL,
    addresses INTEGER NOT NULL DEFAULT 0,
    stale INTEGER NOT NULL DEFAULT 0,   -- pages in a row that brought nothing new
    closed TEXT NOT NULL DEFAULT '',
    refused INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (host, shape)
) WITHOUT ROWID;
"""

PAGES = """
CREATE TABLE pages (
    id INTEGER PRIMARY KEY,
    action INTEGER,
    site TEXT NOT NULL,
    url TEXT NOT NULL,
    purpose TEXT NOT NULL,          -- visit, result, detail
    status INTEGER NOT NULL,
    content_type TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    language TEXT NOT NULL DEFAULT '',
    digest TEXT NOT NULL DEFAULT '',
    etag TEXT NOT NULL DEFAULT '',
    last_modified TEXT NOT NULL DEFAULT '',
    depth INTEGER NOT NULL DEFAULT 0,
    links INTEGER NOT NULL DEFAULT 0,
    fetched_at REAL NOT NULL,
    duration_s REAL NOT NULL DEFAULT 0,
    warc TEXT NOT NULL DEFAULT '',  -- file#offset of the snapshot
    archived TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX pages_by_site ON pages (site, purpose);
CREATE INDEX pages_by_url ON pages (url, id);
CREATE INDEX pages_by_digest ON pages (site, digest);
"""

FORMS = """
CREATE TABLE forms (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    url TEXT NOT NULL,              -- page on which it was first seen
    action TEXT NOT NULL,
    method TEXT NOT NULL,
    decision TEXT NOT NULL,         -- chosen, skipped
    reason TEXT NOT NULL,
    form TEXT NOT NULL,             -- the form as understood, JSON
    knowledge TEXT NOT NULL DEFAULT 'null',
    state TEXT NOT NULL DEFAULT 'null', -- the crawl's own notes: budgets, templates
    transport TEXT NOT NULL DEFAULT 'browser',
    stopped TEXT NOT NULL DEFAULT '',
    estimated_total REAL,
    first_seen REAL NOT NULL,
    UNIQUE (site, fingerprint)
);
CREATE TABLE form_pages (
    form INTEGER NOT NULL REFERENCES forms,
    url TEXT NOT NULL,
    PRIMARY KEY (form, url)
) WITHOUT ROWID;
CREATE TABLE elements (
    form INTEGER NOT NULL REFERENCES forms,
    position INTEGER NOT NULL,
    name TEXT NOT NULL,
    label TEXT NOT NULL,
    label_source TEXT NOT NULL,
    kind TEXT NOT NULL,
    matched_row TEXT,
    similarity REAL,
    PRIMARY KEY (form, position)
) WITHOUT ROWID;
"""

SUBMISSIONS = """
CREATE TABLE submissions (
    id INTEGER PRIMARY KEY,
    form INTEGER NOT NULL REFERENCES forms,
    key TEXT NOT NULL,
    site TEXT NOT NULL,
    assignment TEXT NOT NULL,
    rank REAL NOT NULL,
    probe INTEGER NOT NULL DEFAULT 0,
    state TEXT NOT NULL DEFAULT 'claimed',  -- claimed, sent, not_sent, failed, judged, open, step
    reason TEXT NOT NULL DEFAULT '',
    verdict TEXT,
    confidence REAL,
    evidence TEXT NOT NULL DEFAULT '[]',
    features TEXT NOT NULL DEFAULT 'null',
    method TEXT NOT NULL DEFAULT '',
    url TEXT NOT NULL DEFAULT '',
    body TEXT NOT NULL DEFAULT '',
    landed TEXT NOT NULL DEFAULT '',
    fills TEXT NOT NULL DEFAULT '[]',
    transport TEXT NOT NULL DEFAULT 'browser',
    attempts INTEGER NOT NULL DEFAULT 0,
    result_pages INTEGER NOT NULL DEFAULT 0,
    records INTEGER NOT NULL DEFAULT 0,
    new_records INTEGER NOT NULL DEFAULT 0,
    truncated INTEGER NOT NULL DEFAULT 0,
    archived TEXT NOT NULL DEFAULT '[]',
    claimed_at REAL NOT NULL,
    ended_at REAL,
    duration_s REAL NOT NULL DEFAULT 0,
    UNIQUE (form, key)
);
CREATE INDEX submissions_by_site ON submissions (site, state);
"""

RECORDS = """
CREATE TABLE records (
    id INTEGER PRIMARY KEY,
    site TEXT NOT NULL,
    key TEXT NOT NULL,
    fields TEXT NOT NULL,
    url TEXT,
    warc TEXT NOT NULL DEFAULT '',
    first_seen REAL NOT NULL,
    last_seen REAL NOT NULL,
    gone_at REAL,
    UNIQUE (site, key)
);
CREATE TABLE record_finders (
    record INTEGER NOT NULL REFERENCES records,
    submission INTEGER NOT NULL REFERENCES submissions,
    PRIMARY KEY (record, submission)
) WITHOUT ROWID;
CREATE INDEX finders_by_submission ON record_finders (submission);
"""

LVS = """
CREATE TABLE lvs_rows (
    id INTEGER PRIMARY KEY,         -- the order they came in
    label TEXT NOT NULL UNIQUE,
    data TEXT NOT NULL
);
CREATE TABLE lvs_values (
    id INTEGER PRIMARY KEY,
    label TEXT NOT NULL REFERENCES lvs_rows (label),
    value TEXT NOT NULL,
    data TEXT NOT NULL,
    UNIQUE (label, value)
);
CREATE TABLE lvs_changes (
    id INTEGER PRIMARY KEY,
    at REAL NOT NULL,
    label TEXT NOT NULL,
    value TEXT NOT NULL,
    before REAL,
    after REAL,
    cause TEXT NOT NULL,
    submission INTEGER
);
"""

MIGRATIONS: tuple[str, ...] = (
    RUN + FRONTIER + PAGES + FORMS + SUBMISSIONS + RECORDS + LVS,
    SKETCHES,
    ROUNDS,
    JUDGED,
    CORRECTED,
    FOUND_AGAIN,
    SHARDS,
)
