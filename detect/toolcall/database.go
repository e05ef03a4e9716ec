package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// databaseHandler knows the clients of databases and the tools that migrate them.
func databaseHandler(name string) handler {
	switch name {
	case among(name, "psql pgcli mysql mariadb mycli cqlsh clickhouse-client clickhouse sqlcmd usql cockroach snowsql "+
		"trino beeline hive isql sqlplus tsql questdb"):
		return sqlClient
	case among(name, "sqlite3 sqlite duckdb litecli sqlcipher"):
		return fileDatabase
	case "mongo", "mongosh":
		return mongo
	case "redis-cli", "valkey-cli", "keydb-cli", "iredis":
		return redis
	case among(name, "influx influxd etcdctl zkcli nats kafka-topics kafka-topics.sh rabbitmqctl rabbitmqadmin "+
		"memcached-tool"):
		return keyStore
	case "dropdb", "dropuser":
		return marks("deletes a database or its user", effect.DestructiveOp)
	case "mysqladmin", "mariadb-admin":
		return mysqladmin
	case "pg_restore", "mongorestore", "mongoimport":
		return restore
	case among(name, "pg_dump pg_dumpall mysqldump mariadb-dump mongodump"):
		return dump
	}
	return migrationHandler(name)
}

const sqlValues = "c e h H p U u d D f F o P v L W q Q S i t b s V command execute host port user username dbname database file output password query queries-file variable set " +
	"field-separator config-file defaults-file defaults-extra-file socket default-character-set"

// sqlClient gives SQL to a server: from a flag, a file, or its input.
func sqlClient(a *analyzer, c *command) flow {
	withValue := sqlValues
	if c.name == "mysql" || c.name == "mariadb" || c.name == "mycli" {
		// The password is attached: -psecret. What follows -p is the database; -c, -s, -t, -v, -b, -L and -f stand alone.
		withValue = "e h H u D o P S execute host port user database defaults-file defaults-extra-file socket default-character-set"
	}
	if c.name == "psql" || c.name == "pgcli" {
		withValue = strings.Replace(strings.Replace(sqlValues, " q Q S i t b s", " ", 1), " e h H p", " h p", 1)
	}
	o := parseOptions(c.args(), withValue)
	for _, v := range o.values("c e q Q command execute query") {
		a.sqlValue(c, v)
	}
	for _, v := range o.values("f i file queries-file") {
		a.sqlFile(c, v)
	}
	for _, v := range o.values("o output") {
		a.write(v, c.sc, c.span)
	}
	a.sqlInput(c)
	return flow{taint: fromProgram}
}

// sqlValue scans SQL of which a part may not be known.
func (a *analyzer) sqlValue(c *command, v value) sqlResult { return a.sql(c, v.text) }

func (a *analyzer) sqlFile(c *command, v value) {
	if v.text == "-" {
		return
	}
	f := a.readFlow(v, c.sc, c.span)
	if f.known {
		a.sql(c, f.text)
		return
	}
	a.opaque(c.span, "runs the SQL in "+shorten(v.text)+", which is not looked into")
}

// sqlInput scans what the client reads from its input.
func (a *analyzer) sqlInput(c *command) sqlResult {
	switch {
	case c.in.text != "":
		return a.sql(c, c.in.text)
	case !c.in.known && c.in.from() != "":
		a.opaque(c.span, "runs the SQL in "+c.in.from()+", which is not looked into")
	}
	return sqlResult{}
}

// fileDatabase is a database in one file: its statements read or write that file.
func fileDatabase(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "-cmd -init -separator -nullvalue -newline c s cmd init")
	for _, v := range o.values("init") {
		a.sqlFile(c, v)
	}
	texts := append(o.values("cmd c s"), o.operands[min(1, len(o.operands)):]...)
	kept := len(o.operands) > 0 && o.word(0) != ":memory:" && a.missed(o.operands[0], c.sc)
	before := a.loss(c)
	result := a.sqlInput(c)
	for _, v := range texts {
		result = result.with(a.sqlValue(c, v))
	}
	if !kept && !before {
		a.forgive(c)
	}
	if kept && result.writes {
		a.write(o.operands[0], c.sc, c.span)
	} else if kept {
		a.read(o.operands[0], c.sc, c.span)
	}
	return flow{taint: fromProgram}
}

// missed reports whether somebody misses what is lost in a database: nobody does in a temporary folder, but the guard.
func (a *analyzer) missed(file value, sc *scope) bool {
	p := a.place(file, sc)
	return p.zone != scratch || p.guard
}

// loss reports whether the command already counts as losing data.
func (a *analyzer) loss(c *command) bool {
	return c.run < len(a.effects) && a.effects[c.run].Has(effect.DestructiveOp)
}

// forgive takes the loss of data back from a command.
func (a *analyzer) forgive(c *command) {
	if c.run >= len(a.effects) {
		return
	}
	e := &a.effects[c.run]
	var kept []effect.Event
	for _, event := range e.Events {
		if event != effect.DestructiveOp {
			kept = append(kept, event)
		}
	}
	if len(kept) < len(e.Events) {
		e.Events, e.Reason = kept, ""
	}
}

func mysqladmin(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "h u P S host user port socket")
	switch o.word(0) {
	case "drop":
		a.mark(c, "deletes the database "+o.word(1), effect.DestructiveOp)
	case "shutdown":
		a.mark(c, "stops the database server", effect.SystemControl)
	}
	return flow{taint: fromProgram}
}

// restore replaces what is in a database when it is told to drop it first.
func restore(a *analyzer, c *command) flow {
	if o := parseOptions(c.args(), "d h p U f dbname"); o.has("clean drop") || c.name == "pg_restore" && o.has("c") {
		a.mark(c, "deletes what is in the database before it restores", effect.DestructiveOp)
	}
	return nothing()
}

func dump(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "f o h p U u d t n F r file out host port username result-file")
	for _, v := range o.values("f o r file out result-file") {
		a.write(v, c.sc, c.span)
	}
	// A dump holds everything that the database knows; it is as private as a secret.
	return flow{taint: fromProgram | fromSecret}
}
