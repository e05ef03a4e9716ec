// Package database analyzes database clients, SQL and migration tools.
package database

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/self"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// Handler returns the handler of a database client or migration tool, or nil.
func Handler(name string) trace.Handler {
	switch name {
	case words.Among(name, "psql ysqlsh pgcli mysql mariadb mycli cqlsh clickhouse-client clickhouse sqlcmd usql snowsql "+
		"trino beeline hive spark-sql presto impala-shell mssql-cli dolt surreal isql sqlplus tsql questdb"):
		return sqlClient
	case words.Among(name, "sqlite3 sqlite duckdb litecli sqlcipher"):
		return fileDatabase
	case "mongo", "mongosh":
		return mongo
	case "redis-cli", "valkey-cli", "keydb-cli", "iredis":
		return redis
	case words.Among(name, "redis-server valkey-server nats-server"):
		return startServer
	case "goose":
		return goose
	case "createdb", "createuser":
		return createDatabase
	case "dropdb", "dropuser":
		return dropDatabase
	case "pg_restore", "mongorestore", "mongoimport":
		return restore
	case words.Among(name, "pg_dump pg_dumpall mysqldump mariadb-dump mongodump mysqlbinlog mariadb-binlog"):
		return dump
	}
	if h := frameworkHandler(name); h != nil {
		return h
	}
	if name == "prisma" {
		return prisma
	}
	return table.Handler(name)
}

// The function prisma analyzes the program prisma, which changes the database that the variable DATABASE_URL names. A
// call that uses a test database on this machine, or a file for tests, gets no event.
func prisma(t *trace.Trace, c *trace.Command) trace.Flow {
	if program.UsesTestDatabase(t, c.Scope) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return table.Handler(c.Name)(t, c)
}

const administrationValues = flags.Abbreviates + "h p U host port username maintenance-db"

// createDatabase records the database or the user that createdb or createuser makes.
func createDatabase(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), administrationValues+" D E l O S T c g m v tablespace encoding locale owner strategy template "+
		"connection-limit role member-of with-member with-admin valid-until")
	if len(o.Operands) > 0 && !o.Operands[0].Partial {
		t.NoteMade(thing(c, &o), true, c.Scope)
	}
	return program.Plain(t, c)
}

// thing() returns the name under which a database or a user of a server is recorded.
func thing(c *trace.Command, o *flags.Options) string {
	_, host := serverOf(c.Scope, o)
	kind := strings.TrimPrefix(strings.TrimPrefix(c.Name, "create"), "drop")
	return kind + " " + host + " " + o.LastText("p port") + " " + o.Word(0)
}

// dropDatabase analyzes dropdb and dropuser. It adds no event for the deletion of a test database, or of a database
// that the same call has made.
func dropDatabase(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), administrationValues)
	_, host := serverOf(c.Scope, &o)
	if _, made := t.MadeHere(thing(c, &o), c.Scope); made && len(t.Tunnels) == 0 {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if len(o.Operands) == 0 || len(t.Tunnels) > 0 || isForeign(host) || !NamesTestData(o.Word(0)) {
		return program.Marks("deletes a database or its user", effect.DestructiveOp)(t, c)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// The function goose analyzes the program goose. Two programs have this name: a tool for migrations and an AI agent.
func goose(t *trace.Trace, c *trace.Command) trace.Flow {
	if flags.FirstOf(c.Args(), "run session recipe web acp project") != "" {
		return self.OtherAgent(t, c)
	}
	program.ByWords(t, c)
	return trace.Flow{Taint: trace.FromProgram}
}

// The constants whose names end in Values list the flags with a value, for different SQL clients. In MySQL clients, -c,
// -s, -t, -v, -b, -L and -f take no value. The value of -p must be attached, so a separate word after -p is the
// database. -Query, -InputFile, -ServerInstance and -Database are flags of Invoke-Sqlcmd.
const (
	longSQLValues = "command execute host port user username dbname database file output password query queries-file variable set " +
		"field-separator config-file defaults-file defaults-extra-file socket default-character-set"
	sqlFlags    = "c e q Q s command execute query Query sql"
	sqlValues   = "c e h H p U u d D f F o P v L W q Q S i t b s V -Query -InputFile -ServerInstance -Database " + longSQLValues
	mysqlValues = flags.Abbreviates + "e h u D o P S H execute host port user database defaults-file " +
		"defaults-extra-file socket default-character-set"
	postgresValues = flags.Abbreviates + "c h p U u d D f F o P v L W V " + longSQLValues
)

// sqlClient analyzes a client that sends SQL to a server. The SQL comes from a flag, a file or the input.
func sqlClient(t *trace.Trace, c *trace.Command) trace.Flow {
	withValue := sqlValues
	switch c.Name {
	case "mysql", "mariadb", "mycli":
		withValue = mysqlValues
	case "psql", "pgcli":
		withValue = postgresValues
	}
	o := flags.Parse(c.Args(), withValue)
	before, test := loss(t, c), isInMemory(c, &o) || usesTestDatabase(t, c.Scope, &o)
	texts := o.Values(sqlFlags)
	var result sqlResult
	for _, v := range texts {
		result = result.with(sqlValue(t, c, v, test))
	}
	if !before && test {
		forgive(t, c.Run)
	}
	scripts := o.Values("f i file queries-file InputFile")
	for _, v := range scripts {
		result = result.with(sqlFile(t, c, v, test))
	}
	if len(texts)+len(scripts) == 0 {
		foreignSQL(t, c, c.In)
		foreignDump(t, c, &o)
	}
	t.WriteAll(c, o.Values("o output"))
	if result = result.with(sqlInput(t, c, test)); result.changes && !loss(t, c) && inProduction(t, c, &o) {
		t.MarkAll(c, "changes a database in production", effect.DevopsInvoked)
	}
	if printed := printedSQL(t, trace.JoinAll(texts)+"\n"+c.In.Text); printed != "" {
		return trace.Flow{Text: printed, Known: true, Taint: trace.FromProgram}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// isInMemory reports whether a call of clickhouse uses no server and only tables in memory.
func isInMemory(c *trace.Command, o *flags.Options) bool {
	text := strings.ToUpper(o.LastText("q query"))
	tables := strings.Count(text, "CREATE TABLE")
	return c.Name == "clickhouse" && o.Word(0) == "local" && len(o.Flags) == 1 && !words.HasPart(text, "DATABASE|FUNCTION|--|/*") &&
		tables > 0 && tables == strings.Count(text, "ENGINE") && tables == strings.Count(text, "ENGINE=MEMORY")
}

// usesTestDatabase reports whether a client connects to a test database. It returns false if the SQL in the flags
// contains \c, the word CONNECT or the word DATABASE, because such SQL could switch to another database.
func usesTestDatabase(t *trace.Trace, sc *trace.Scope, o *flags.Options) bool {
	name, host := serverOf(sc, o)
	if isForeign(host) || len(t.Tunnels) > 0 {
		return false
	}
	text := strings.ToUpper(trace.JoinAll(o.Values(sqlFlags)))
	if connects(text) {
		return false
	}
	name, _, _ = strings.Cut(name[strings.LastIndexByte(name, '/')+1:], "?")
	return NamesTestData(name) && !strings.Contains(text, "DATABASE")
}

// inProduction reports whether a client connects to a database whose name or host says that it is in production. If the
// commands themselves run on a machine in production, the database always counts as in production. Otherwise, a
// database on this machine is not in production, whatever its name is.
func inProduction(t *trace.Trace, c *trace.Command, o *flags.Options) bool {
	name, host := serverOf(c.Scope, o)
	host = words.OrElse(host, trace.FirstText(o.Values("S server -ServerInstance ServerInstance")))
	if c.Scope.Production {
		return true
	}
	if host != "" && trace.IsLoopback(host) && len(t.Tunnels) == 0 {
		return false
	}
	return program.IsProduction(name) || program.IsProduction(host) ||
		program.IsProduction(trace.FirstText(o.Values("-Database Database service")))
}

// isForeign reports whether a host is on another machine, as trace.IsForeign does. It also returns true if the host
// contains a word such as "prod", because the host may be the name of a variable.
func isForeign(host string) bool {
	return trace.IsForeign(host) || words.InName(host, "prod production live staging")
}

// connects() reports whether SQL contains a command that connects to another database, or a word such as PROD. The SQL
// must be in capital letters.
func connects(text string) bool {
	for _, behind := range strings.Split(text, `\C`)[1:] {
		if behind == "" || behind[0] < 'A' || behind[0] > 'Z' {
			return true
		}
	}
	return strings.Contains(text, "CONNECT") || strings.Contains(" "+text, " USE ") || words.InName(text, "prod production")
}

// serverOf returns the name of the database to which a client connects, and the host of the database.
func serverOf(sc *trace.Scope, o *flags.Options) (name, host string) {
	name = words.OrElse(o.LastText("d D dbname database"), o.Word(0))
	name = words.OrElse(name, sc.Exported("PGDATABASE").Text)
	host = words.OrElse(o.LastText("h host"), sc.Vars.Get("PGHOST").Scalar().Text)
	if _, given, ok := strings.Cut(name, "host="); ok { // as in postgres:///shop?host=db.example.com
		host, _, _ = strings.Cut(given, "&")
	} else if strings.Contains(name, "://") {
		host = trace.HostOf(name)
	} else if service := sc.Exported("PGSERVICE").Text; service != "" {
		name = service // the settings of the service are in a file
	}
	return name, host
}

// foreignDump marks a client that loads a dump into a database on another machine. Loading a dump can lose data,
// because most dumps drop the tables that they create.
func foreignDump(t *trace.Trace, c *trace.Command, o *flags.Options) {
	name, host := serverOf(c.Scope, o)
	if !c.In.Known && !strings.HasSuffix(c.In.From(), ".sql") && c.In.Taint.Has(trace.FromSecret|trace.FromFile) &&
		trace.IsForeign(host) && !NamesTestData(words.AfterLast(name, "/")) {
		t.Mark(c, "loads a dump into a database on another machine", effect.DestructiveOp)
	}
}

// Statements analyzes a client that gets its SQL in an argument, from a file or from its input.
func Statements(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	for _, v := range o.Values(sqlFlags) {
		sqlValue(t, c, v, false)
	}
	files := o.Values("f file")
	for _, v := range o.Operands {
		if strings.HasSuffix(v.Text, ".sql") {
			files = append(files, v)
		} else {
			sqlValue(t, c, v, false)
		}
	}
	for _, v := range files {
		sqlFile(t, c, v, false)
	}
	sqlInput(t, c, false)
	return trace.Flow{Taint: trace.FromProgram}
}

// sqlValue analyzes SQL in an argument. The argument may be the content of a file on disk, as in "$(cat x.sql)". For
// the parameter "test", see sqlScript().
func sqlValue(t *trace.Trace, c *trace.Command, v trace.Value, test bool) sqlResult {
	if file, ok := trace.FileOf(v); ok {
		var result sqlResult
		read := t.InputScript(c, file, sqlScript(t, test, &result))
		result.writes, result.changes = result.writes || read, result.changes || !read
		return result
	}
	return statements(t, c, v.Text, test)
}

// sqlFile analyzes the SQL in a file. For the parameter "test", see sqlScript().
func sqlFile(t *trace.Trace, c *trace.Command, v trace.Value, test bool) (result sqlResult) {
	if v.Text == "-" {
		return result
	}
	f := t.ReadFlow(v, c.Scope, c.Span)
	foreignSQL(t, c, f)
	if f.Known {
		return testSQL(t, c, f.Text, test)
	}
	p := t.Place(v, c.Scope)
	if v.Partial || !t.FromDisk(c, &p, sqlScript(t, test, &result)) {
		t.Unanalyzed(c.Span, "runs the SQL in "+trace.Shorten(v.Text)+", which was not analyzed")
		result.changes = true
	}
	return result
}

// sqlScript returns a function that analyzes the SQL of a file and adds what it finds to the parameter "result".
// The parameter "test" is set if the client uses a test database. In this case, the function removes the event for
// lost data, unless the SQL may use another database.
func sqlScript(t *trace.Trace, test bool, result *sqlResult) func(c *trace.Command, text string) {
	return func(c *trace.Command, text string) { *result = result.with(testSQL(t, c, text, test)) }
}

// testSQL analyzes SQL statements in the same way as the function SQL. If the parameter "test" is set, it removes the
// event for lost data, unless the SQL may use another database.
func testSQL(t *trace.Trace, c *trace.Command, text string, test bool) sqlResult {
	out := statements(t, c, text, test)
	if test && !strings.Contains(strings.ToUpper(text), "DATABASE") && !strings.Contains(text, `\c`) {
		forgive(t, c.Run)
	}
	return out
}

// foreignSQL adds an opaque effect for SQL that was downloaded or decoded. It ignores SQL that counts as secret,
// because such SQL is probably the dump of a database.
func foreignSQL(t *trace.Trace, c *trace.Command, f trace.Flow) {
	if !f.Taint.Has(trace.FromSecret) {
		t.RunForeign(c, f)
	}
}

// sqlInput analyzes the SQL that a client reads from its input.
func sqlInput(t *trace.Trace, c *trace.Command, test bool) (result sqlResult) {
	switch {
	case c.In.Text != "":
		return testSQL(t, c, c.In.Text, test)
	case !c.In.Known && c.In.From() != "":
		if !t.InputScript(c, c.In.From(), sqlScript(t, test, &result)) {
			t.Unanalyzed(c.Span, "runs the SQL in "+c.In.From()+", which was not analyzed")
			result.changes = true
		}
	}
	return result
}

// fileDatabase analyzes a client whose database is a single file. Its statements read or write that file.
func fileDatabase(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "-cmd -init -separator -nullvalue -newline c s cmd init")
	for _, v := range o.Values("init") {
		sqlFile(t, c, v, false)
	}
	texts := append(o.Values("cmd c s"), o.Operands[min(1, len(o.Operands)):]...)
	kept := len(o.Operands) > 0 && o.Word(0) != ":memory:" && onDisk(t, o.Operands[0], c.Scope)
	test := !kept || !missed(t, o.Operands[0], c.Scope)
	before := loss(t, c)
	if len(texts) == 0 {
		foreignSQL(t, c, c.In)
	}
	result := sqlInput(t, c, test)
	for _, v := range texts {
		result = result.with(sqlValue(t, c, v, test))
	}
	if test && !before && !result.attaches {
		forgive(t, c.Run)
	}
	if kept && result.writes {
		t.Write(o.Operands[0], c.Scope, c.Span)
	} else if kept {
		t.Read(o.Operands[0], c.Scope, c.Span)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// missed() reports whether the loss of a database matters. The loss of a database for tests, or of a database in a
// temporary folder, does not matter. The loss of a database that belongs to the guard always matters.
func missed(t *trace.Trace, file trace.Value, sc *trace.Scope) bool {
	name := trace.BaseName(file.Text)
	return onDisk(t, file, sc) && (file.Partial || !NamesTestData(name) || t.Place(file, sc).Guard)
}

// onDisk reports whether a database is a file outside the temporary folders, or belongs to the guard.
func onDisk(t *trace.Trace, file trace.Value, sc *trace.Scope) bool {
	p := t.Place(file, sc)
	return p.Zone != trace.Scratch || p.Guard
}

// loss() reports whether the command already has the event DestructiveOp, which means that data is lost.
func loss(t *trace.Trace, c *trace.Command) bool {
	return c.Run < len(t.Effects) && t.Effects[c.Run].Has(effect.DestructiveOp)
}

// forgive() removes the event DestructiveOp from an effect. The parameter "number" is the index of the effect.
func forgive(t *trace.Trace, number int) {
	if number < len(t.Effects) {
		t.Effects[number].Drop(effect.DestructiveOp)
	}
}

// restore() analyzes programs that restore a database. With some flags, these programs first delete the old content.
func restore(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"d h p U f dbname file uri host port db collection username password type")
	if o.HasWhole("dryRun") || c.Name == "pg_restore" && !o.Has("d dbname") && (o.Has("l list") || writesFile(o.Values("f file"))) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	if (o.Has("clean drop") || c.Name == "pg_restore" && o.Has("c")) && !restoresTest(t, c, &o) {
		t.Mark(c, "deletes the content of the database before it restores a backup", effect.DestructiveOp)
	}
	if c.Name == "mongoimport" {
		for _, v := range o.Values("file") {
			t.Read(v, c.Scope, c.Span)
		}
	}
	return trace.Nothing()
}

// restoresTest reports whether pg_restore restores a test database of this machine.
func restoresTest(t *trace.Trace, c *trace.Command, o *flags.Options) bool {
	return c.Name == "pg_restore" && len(o.Values("d dbname")) == 1 && !strings.Contains(trace.JoinAll(c.Argv), "://") &&
		c.Scope.Exported("PGHOSTADDR").Text == "" && usesTestDatabase(t, c.Scope, o)
}

// writesFile reports whether a program writes to a file and not to stdout. The parameter "files" holds the values
// of the flags for files. The last of these values counts.
func writesFile(files []trace.Value) bool {
	if len(files) == 0 {
		return false
	}
	last := files[len(files)-1].Text
	return last != "-" && last != "/dev/stdout"
}

func dump(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), flags.Abbreviates+"f o h p U u d t n F r file out host port username result-file")
	if strings.HasSuffix(c.Name, "binlog") {
		o = flags.Parse(c.Args(), flags.Abbreviates+"r result-file")
	}
	t.WriteAll(c, o.Values("f o r file out result-file"))
	if c.Name == "pg_dump" {
		o = flags.Parse(c.Args(), flags.Abbreviates+"T N E S t n e F f Z j d h p U")
	}
	if c.Name == "pg_dump" && o.Has("s") || o.HasWhole("schema-only no-data") && c.Name != "pg_dumpall" {
		return trace.Flow{Taint: trace.FromProgram} // no rows
	}
	// The output is a dump of the whole database, so it is treated as a secret.
	return trace.Flow{Taint: trace.FromProgram | trace.FromSecret}
}
