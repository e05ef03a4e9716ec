package sqlite

// applicationID is "grdl" in ASCII. It marks the file as a database of guardrails.
const applicationID = 0x6772646c

// migrations() returns the steps that give an empty file the newest schema. A step never changes after its release.
func migrations() []string { return []string{schema1, schema2, schema3} }

func newestSchema() int { return len(migrations()) }

// schema1 is the first schema. Texts that occur in many rows (tenants, guidelines, sessions, actors, events) are stored
// once, in the table "name". Other tables have only the numbers of these texts. The number 0 stands for the empty text.
// Times are milliseconds since 1970. Bodies are canonical JSON.
//
//   - The table "revision" has every version of every guideline. For guidelines that are not deleted, the table
//     "guideline" has the fields that lists are filtered and sorted by, and the table "label" has the values of
//     conditions and tags.
//   - The table "entry" is the audit, in the order of appending. Each of its indices ends with all columns that a
//     filter may use, so entries can be counted without reading the rows.
//   - The table "tally" counts entries by day and by minute.
//   - The table "written" has the results of write ids.
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

// schema2 adds webhooks: the endpoints of a tenant, the lease of its dispatcher, the marks that say which decisions the
// dispatcher has already processed for each endpoint, and the deliveries. The column "due" is NULL for a delivery that
// is not tried again.
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

// schema3 adds columns for the result, the project, the agent and the mode of an entry. The new columns have numbers
// that stand for texts. The index of times ends with all columns that a filter may use, so entries of any kind can be
// counted without reading the rows. The number is 0 for a text that is too long, or that Go and SQLite could read
// differently (see filterable).
//
// A program of an earlier version may still have the file open. Such a program does not know the new columns, so it
// must not add entries. The new name of the column in the table "identity" makes the statements of such a program fail.
const schema3 = `
ALTER TABLE identity RENAME COLUMN writer TO name;

ALTER TABLE entry ADD COLUMN result INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entry ADD COLUMN project INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entry ADD COLUMN agent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE entry ADD COLUMN mode INTEGER NOT NULL DEFAULT 0;
DROP INDEX entry_time;

CREATE TEMP TABLE found (row INTEGER PRIMARY KEY, texts TEXT);
INSERT INTO found SELECT row, CASE WHEN json_valid(body) THEN json_extract(
	body, '$.decision.result', '$.project_id', '$.context.agent', '$.context.metadata.details.mode'
) ELSE '[]' END FROM entry;

CREATE TEMP TABLE list AS SELECT DISTINCT texts FROM found;
CREATE TEMP TABLE part AS SELECT texts, key, atom AS text FROM list, json_each(texts)
	WHERE type = 'text' AND octet_length(atom) BETWEEN 1 AND 200 AND instr(atom, char(65533)) = 0
	AND instr(texts -> key, '\u0000') = 0 AND (key < 3 OR atom IN ('off', 'observe', 'enforce'));
INSERT OR IGNORE INTO name (text) SELECT text FROM part;
CREATE TEMP TABLE number (texts TEXT PRIMARY KEY, result INTEGER, project INTEGER, agent INTEGER, mode INTEGER)
	WITHOUT ROWID;
INSERT INTO number SELECT texts,
	coalesce(max(id) FILTER (WHERE key = 0), 0), coalesce(max(id) FILTER (WHERE key = 1), 0),
	coalesce(max(id) FILTER (WHERE key = 2), 0), coalesce(max(id) FILTER (WHERE key = 3), 0)
	FROM list LEFT JOIN part USING (texts) LEFT JOIN name USING (text) GROUP BY texts;
UPDATE entry SET (result, project, agent, mode) = (
	SELECT result, project, agent, mode FROM found JOIN number USING (texts) WHERE found.row = entry.row
);
DROP TABLE temp.found;
DROP TABLE temp.list;
DROP TABLE temp.part;
DROP TABLE temp.number;

CREATE INDEX entry_time ON entry
	(tenant, time, row, event, guideline, session, actor, result, project, agent, mode);

CREATE TEMP TABLE minute AS SELECT
	tenant, time - time % 60000 AS start, event, result, project, agent, mode, count(*) AS entries
	FROM entry WHERE result + project + agent + mode > 0 GROUP BY 1, 2, 3, 4, 5, 6, 7;
INSERT INTO tally SELECT tenant, 4, result, 1, start, event, sum(entries)
	FROM minute WHERE result > 0 GROUP BY 1, 3, 5, 6;
INSERT INTO tally SELECT tenant, 5, project, 1, start, event, sum(entries)
	FROM minute WHERE project > 0 GROUP BY 1, 3, 5, 6;
INSERT INTO tally SELECT tenant, 6, agent, 1, start, event, sum(entries)
	FROM minute WHERE agent > 0 GROUP BY 1, 3, 5, 6;
INSERT INTO tally SELECT tenant, 7, mode, 1, start, event, sum(entries)
	FROM minute WHERE mode > 0 GROUP BY 1, 3, 5, 6;
DROP TABLE temp.minute;
INSERT INTO tally SELECT tenant, field, value, 0, start - start % 86400000, event, sum(entries) FROM tally
	WHERE field IN (4, 5, 6, 7) GROUP BY 1, 2, 3, 5, 6;
`
