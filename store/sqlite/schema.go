package sqlite

// applicationID is "grdl" in ASCII. It marks the file as a database of guardrails.
const applicationID = 0x6772646c

// migrations returns the steps that turn an empty file into one with the newest schema. A step never changes after its
// release.
func migrations() []string { return []string{schema1, schema2} }

func newestSchema() int { return len(migrations()) }

// schema1 is the first schema. Texts that occur in many rows (tenants, guidelines, sessions, actors, events) are stored
// once, in the table name. Other tables have only their numbers; 0 is the empty text. Times are milliseconds since
// 1970. Bodies are canonical JSON.
//
//   - The table revision has every version of every guideline. For guidelines that are not deleted, the table guideline
//     has the fields that lists are filtered and sorted by, and the table label has the values of conditions and tags.
//   - The table entry is the audit, in the order of appending. Each of its indices ends with all columns that a filter
//     may use, so entries can be counted without reading the rows.
//   - The table tally counts entries by day and by minute.
//   - The table written has the results of write ids.
const schema1 = `
CREATE TABLE identity (writer TEXT NOT NULL) STRICT;
INSERT INTO identity VALUES ('sqlite-' || lower(hex(randomblob(8))));

CREATE TABLE name (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE) STRICT;
INSERT INTO name VALUES (0, '');

CREATE TABLE generation (tenant INTEGER PRIMARY KEY, number INTEGER NOT NULL) STRICT;

CREATE TABLE revision (
	row INTEGER PRIMARY KEY,
	tenant INTEGER NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
	event TEXT NOT NULL, deleted INTEGER NOT NULL, actor TEXT NOT NULL, at INTEGER NOT NULL, write_id TEXT NOT NULL,
	body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX revision_version ON revision (tenant, id, version);

CREATE TABLE guideline (
	row INTEGER PRIMARY KEY,
	tenant INTEGER NOT NULL, id TEXT NOT NULL, revision INTEGER NOT NULL REFERENCES revision,
	priority INTEGER NOT NULL, category TEXT NOT NULL, enabled INTEGER NOT NULL, updated INTEGER NOT NULL,
	name TEXT NOT NULL, search TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX guideline_id ON guideline (tenant, id, revision);
CREATE INDEX guideline_priority ON guideline (tenant, priority DESC, id, category, enabled, revision);
CREATE INDEX guideline_updated ON guideline (tenant, updated DESC, id, category, enabled, revision);
CREATE INDEX guideline_name ON guideline (tenant, name, id, category, enabled, revision);
CREATE INDEX guideline_category ON guideline (tenant, category, id, enabled, revision);

CREATE TABLE label (
	tenant INTEGER NOT NULL, field INTEGER NOT NULL, value TEXT NOT NULL,
	guideline INTEGER NOT NULL REFERENCES guideline ON DELETE CASCADE,
	PRIMARY KEY (tenant, field, value, guideline)
) STRICT, WITHOUT ROWID;
CREATE INDEX label_guideline ON label (guideline);

CREATE TABLE written (
	tenant INTEGER NOT NULL, id TEXT NOT NULL, fingerprint TEXT NOT NULL, result TEXT NOT NULL,
	PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE chain (
	id INTEGER PRIMARY KEY,
	tenant INTEGER NOT NULL, writer TEXT NOT NULL, kind TEXT NOT NULL,
	seq INTEGER NOT NULL, hash TEXT NOT NULL, base INTEGER NOT NULL, base_hash TEXT NOT NULL,
	UNIQUE (tenant, writer, kind)
) STRICT;

CREATE TABLE entry (
	row INTEGER PRIMARY KEY,
	tenant INTEGER NOT NULL, time INTEGER NOT NULL, event INTEGER NOT NULL,
	guideline INTEGER NOT NULL, session INTEGER NOT NULL, actor INTEGER NOT NULL,
	chain INTEGER NOT NULL REFERENCES chain, seq INTEGER NOT NULL,
	id TEXT NOT NULL, hash TEXT NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX entry_id ON entry (tenant, id);
CREATE UNIQUE INDEX entry_place ON entry (chain, seq);
CREATE INDEX entry_time ON entry (tenant, time);
CREATE INDEX entry_event ON entry (tenant, event, time, row, guideline, session, actor);
CREATE INDEX entry_guideline ON entry (tenant, guideline, time, row, event, session, actor) WHERE guideline > 0;
CREATE INDEX entry_session ON entry (tenant, session, time, row, event, guideline, actor) WHERE session > 0;
CREATE INDEX entry_actor ON entry (tenant, actor, time, row, event, guideline, session) WHERE actor > 0;

CREATE TABLE tally (
	tenant INTEGER NOT NULL, field INTEGER NOT NULL, value INTEGER NOT NULL,
	span INTEGER NOT NULL, start INTEGER NOT NULL, event INTEGER NOT NULL, entries INTEGER NOT NULL,
	PRIMARY KEY (tenant, field, value, span, start, event)
) STRICT, WITHOUT ROWID;
`

// schema2 adds webhooks: the endpoints of a tenant, the lease of its dispatcher, how far each endpoint came, and the
// deliveries. due is NULL for a delivery that is not tried again.
const schema2 = `
CREATE TABLE endpoint (
	tenant INTEGER NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL,
	PRIMARY KEY (tenant, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE lease (tenant INTEGER PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) STRICT;

CREATE TABLE mark (
	tenant INTEGER NOT NULL, endpoint TEXT NOT NULL, body TEXT NOT NULL,
	PRIMARY KEY (tenant, endpoint)
) STRICT, WITHOUT ROWID;

CREATE TABLE delivery (
	row INTEGER PRIMARY KEY,
	tenant INTEGER NOT NULL, id TEXT NOT NULL, endpoint TEXT NOT NULL, created INTEGER NOT NULL, due INTEGER,
	body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX delivery_id ON delivery (tenant, id);
CREATE INDEX delivery_created ON delivery (tenant, created, id);
CREATE INDEX delivery_endpoint ON delivery (tenant, endpoint, created, id);
CREATE INDEX delivery_due ON delivery (tenant, endpoint, due) WHERE due IS NOT NULL;
`
