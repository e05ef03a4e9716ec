package database

import (
	"slices"
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// sqlToken is a word or, if the field "quoted" is set, a string.
type sqlToken struct {
	text   string
	quoted bool
}

// sqlResult says what SQL does. The field "writes" is set if the SQL writes to the database. The field "attaches" is
// set if the SQL opens another database whose loss would matter. The field "changes" is set if the SQL changes rows,
// tables or rights, or if the SQL is not known.
type sqlResult struct{ writes, attaches, changes bool }

func (r sqlResult) with(other sqlResult) sqlResult {
	return sqlResult{r.writes || other.writes, r.attaches || other.attaches, r.changes || other.changes}
}

// stepsOfByte is the number of steps that the analysis counts for each byte of SQL.
const stepsOfByte = 2

// SQL analyzes SQL statements by their words. It ignores comments and most strings.
func SQL(t *trace.Trace, c *trace.Command, text string) sqlResult {
	return statements(t, c, text, false)
}

// statements() analyzes SQL statements by their words. The SQL may run other files with SQL. These files are analyzed
// with the same value of the parameter "test". For this parameter, see sqlScript().
func statements(t *trace.Trace, c *trace.Command, text string, test bool) sqlResult {
	if len(text) > trace.MaxCommandSize {
		t.Opaque(c.Span, "runs more SQL than the analysis reads", effect.TooLarge)
		return sqlResult{writes: true, changes: true}
	}
	t.Spend(stepsOfByte * len(text))
	text = clientCommands(t, c, text, test)
	before := loss(t, c)
	var r sqlResult
	var statement []sqlToken
	var s script
	for rest := text; ; {
		token, next, ok := nextSQL(rest)
		if !ok || token.text == ";" && !token.quoted {
			if s.read(statement); !s.dropsOwn(statement) {
				r = r.with(sqlStatement(t, c, statement))
			}
			statement = statement[:0]
		} else {
			statement = append(statement, token)
		}
		if !ok {
			if !before && s.rolledBack && c.Name == words.Among(c.Name, "psql pgcli sqlite3 sqlite") {
				forgive(t, c.Run)
			}
			r.attaches = s.useAttached(t, c, r.writes)
			return r
		}
		rest = next
	}
}

// CodeSQL analyzes the SQL in a program's code. If the parameter "test" is set, the program uses a test database, so a
// loss of data in that database does not matter. CodeSQL reports whether the SQL opens another database whose loss
// would matter.
func CodeSQL(t *trace.Trace, c *trace.Command, text string, test bool) (attaches bool) {
	before := loss(t, c)
	r := SQL(t, c, text)
	if test && !before && !r.attaches && !strings.Contains(strings.ToUpper(text), "DATABASE") {
		forgive(t, c.Run)
	}
	return r.attaches
}

// nextSQL returns the next word, number, string or semicolon. It skips other characters.
func nextSQL(s string) (token sqlToken, rest string, ok bool) {
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case isSQLByte(ch):
			end := i + 1
			for end < len(s) && isSQLByte(s[end]) {
				end++
			}
			return sqlToken{text: s[i:end]}, s[end:], true
		case ch == ';':
			return sqlToken{text: ";"}, s[i+1:], true
		case ch == '\'' || ch == '"' || ch == '`':
			text, end := quotedSQL(s[i:], ch)
			return sqlToken{text: text, quoted: true}, s[i+end:], true
		case ch == '$':
			if text, end := dollarQuoted(s[i:]); end > 0 {
				return sqlToken{text: text, quoted: true}, s[i+end:], true
			}
		case strings.HasPrefix(s[i:], "--"):
			i += lineLength(s[i:]) - 1
		case strings.HasPrefix(s[i:], "/*!"):
			// MySQL runs the text in a comment that begins with /*!. A version number may come first.
			for i += 2; i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9'; i++ {
			}
		case strings.HasPrefix(s[i:], "/*"):
			end := strings.Index(s[i:], "*/")
			if end < 0 {
				return token, "", false
			}
			i += end + 1
		}
	}
	return token, "", false
}

func isSQLByte(ch byte) bool {
	return ch >= 'a' && ch <= 'z' || ch >= 'A' && ch <= 'Z' || ch >= '0' && ch <= '9' || ch == '_'
}

func lineLength(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i + 1
	}
	return len(s)
}

// quotedSQL returns the string at the start of s, and the length of the string including its quotes.
func quotedSQL(s string, quote byte) (string, int) {
	for i := 1; i < len(s); i++ {
		if s[i] != quote {
			continue
		}
		if i+1 < len(s) && s[i+1] == quote {
			i++
			continue
		}
		return s[1:i], i + 1
	}
	return s[1:], len(s)
}

// dollarQuoted returns the text between $tag$ and $tag$.
func dollarQuoted(s string) (string, int) {
	end := 1
	for end < len(s) && isSQLByte(s[end]) {
		end++
	}
	if end == len(s) || s[end] != '$' {
		return "", 0
	}
	tag := s[:end+1]
	body, _, closed := strings.Cut(s[len(tag):], tag)
	if !closed {
		return body, len(s)
	}
	return body, len(body) + 2*len(tag)
}

func sqlStatement(t *trace.Trace, c *trace.Command, tokens []sqlToken) sqlResult {
	list := statementWords(tokens)
	if len(list) == 0 {
		return sqlResult{}
	}
	switch list[0] {
	case "DROP", "TRUNCATE", "DELETE", "UPDATE", "ALTER", "PURGE", "RESET", "REMOVE", "MATCH":
		if reason := lossOf(list); reason != "" {
			t.Mark(c, reason, effect.DestructiveOp)
		}
	case "CREATE":
		if replacesTable(c, list) {
			t.Mark(c, "replaces a table and its rows (CREATE OR REPLACE TABLE)", effect.DestructiveOp)
		}
	case "GRANT":
	case "MERGE":
		if slices.Contains(list, "DELETE") {
			t.Mark(c, "deletes rows (MERGE … DELETE)", effect.DestructiveOp)
		}
	case "COPY", "EXEC", "EXECUTE", "SELECT", "PREPARE", "DO", "LOAD", "CALL", "VACUUM":
		sqlOutside(t, c, list[0], tokens)
	case "SHUTDOWN":
		t.Mark(c, "stops the database server", effect.SystemControl)
	}
	if len(list) > 1 && list[1] == "PG_TERMINATE_BACKEND" && slices.Contains(list, "FROM") && !narrows(list) {
		t.Mark(c, "ends all sessions of a database server", effect.SystemControl)
	}
	if givesRights(list) {
		t.Mark(c, "gives users of the database all rights", effect.PrivilegeGain)
	}
	return sqlResult{
		writes:  !words.OneOf(list[0], "SELECT EXPLAIN PRAGMA SHOW DESCRIBE DESC WITH BEGIN END COMMIT VALUES ATTACH DETACH"),
		changes: changes(list),
	}
}

// changes() reports whether a statement changes rows, tables or rights of a database, or may do so.
func changes(list []string) bool {
	switch list[0] {
	case "CREATE":
		kind := list[1:min(len(list), 4)]
		return !slices.Contains(kind, "TEMP") && !slices.Contains(kind, "TEMPORARY")
	case "COPY":
		return slices.Contains(list, "FROM") && !slices.Contains(list, "SELECT")
	case "SELECT":
		return len(list) > 1 && list[1] == "PG_TERMINATE_BACKEND"
	}
	return words.OneOf(list[0], "INSERT UPDATE DELETE MERGE REPLACE UPSERT ALTER DROP TRUNCATE GRANT REVOKE RENAME CALL DO "+
		"EXEC EXECUTE LOAD")
}

// statementWords returns the words of a statement in capital letters. A statement that begins with WITH, BEGIN or
// EXPLAIN ANALYZE may contain an inner statement that loses data. If there is such an inner statement, statementWords
// returns only the words from the beginning of that inner statement.
func statementWords(tokens []sqlToken) []string {
	words := make([]string, 0, len(tokens))
	for _, t := range tokens {
		if t.quoted {
			words = append(words, "")
		} else {
			words = append(words, strings.ToUpper(t.text))
		}
	}
	if !mayWrap(words) {
		return words
	}
	for i, w := range words {
		if (w == "DELETE" || w == "UPDATE" || w == "DROP" || w == "TRUNCATE") && i > 0 && words[i-1] != "FOR" {
			return words[i:]
		}
	}
	return words
}

// mayWrap reports whether a statement may contain another statement that loses data.
func mayWrap(list []string) bool {
	if len(list) == 0 {
		return false
	}
	return list[0] == "WITH" || list[0] == "BEGIN" || list[0] == "EXPLAIN" && slices.Contains(list, "ANALYZE")
}

// lossOf returns a description of how a statement loses data, or "".
func lossOf(list []string) string {
	second := ""
	if len(list) > 1 {
		second = list[1]
	}
	switch list[0] {
	case "DROP", "TRUNCATE", "REMOVE":
		if onlyTests(list[1:]) {
			return ""
		}
	}
	switch list[0] {
	case "DROP", "REMOVE":
		if second == words.Among(second, "DATABASE TABLE SCHEMA KEYSPACE OWNED TABLESPACE BUCKET MEASUREMENT COLLECTION "+
			"USER ROLE NAMESPACE WAREHOUSE CATALOG") || second == "EXTENSION" && slices.Contains(list, "CASCADE") {
			return "deletes data of the database (" + list[0] + " " + second + ")"
		}
	case "MATCH":
		if deletesGraph(list) {
			return "deletes every node of a kind (MATCH … DELETE)"
		}
	case "TRUNCATE":
		return "empties a table (TRUNCATE)"
	case "DELETE", "UPDATE":
		if len(list) > 2 && !narrows(list) {
			return "changes every row (" + list[0] + " without a condition)"
		}
	case "ALTER":
		return alterLoss(list)
	case "PURGE", "RESET":
		if words.OneOf(second, "BINARY MASTER") {
			return "deletes the log of changes"
		}
	}
	return ""
}

// replacesTable reports whether a statement replaces a table, schema or database on a server. It returns false for
// DuckDB, because the databases of DuckDB are local files, in which such statements are common. Names of tables for
// tests and for development do not count.
func replacesTable(c *trace.Command, list []string) bool {
	return len(list) > 4 && list[1] == "OR" && list[2] == "REPLACE" && words.OneOf(list[3], "TABLE SCHEMA DATABASE") &&
		c.Name == words.Among(c.Name, "bq snowsql snow mysql mariadb clickhouse clickhouse-client trino presto beeline "+
			"spark-sql") &&
		!HasWord(strings.Join(list[4:min(6, len(list))], "_"), "test tests testing tmp temp dev sandbox scratch staging stg")
}

// deletesGraph reports whether a statement of a graph database deletes all nodes or edges of a kind. The pattern of
// such a statement has only a name and a label, as in MATCH (n:User) DETACH DELETE n.
func deletesGraph(list []string) bool {
	if !slices.Contains(list, "DELETE") || slices.Contains(list, "WHERE") {
		return false
	}
	end := 1
	for end < len(list) && list[end] != words.Among(list[end], "DETACH DELETE WITH CALL OPTIONAL") {
		end++
	}
	return end <= 3 && !NamesTestData(list[end-1])
}

// onlyTests reports whether all names in a statement with DROP TABLE, DROP DATABASE or TRUNCATE stand for test data or
// temporary data.
func onlyTests(list []string) bool {
	found := false
	for _, name := range list {
		switch {
		case name == words.Among(name, "TABLE DATABASE SCHEMA IF EXISTS CASCADE RESTRICT ONLY WITH FORCE"):
		case !NamesTestData(name):
			return false
		default:
			found = true
		}
	}
	return found
}

// NamesTestData reports whether the name of a database or table contains a word for tests or temporary data, as
// shop_test does. It returns false if the name contains "prod". It is stricter than trace.NamesTest, which is for hosts
// and files and accepts every word that begins with "test", such as "testimonials".
func NamesTestData(name string) bool {
	return HasWord(name, "test tests testing itest unittest tmp temp")
}

// HasWord reports whether a name has one of the words and does not contain "prod".
func HasWord(name, list string) bool {
	return !strings.Contains(strings.ToLower(name), "prod") && words.InName(name, list)
}

// narrows() reports whether a statement has a condition that is not always true.
func narrows(list []string) bool {
	for i, w := range list {
		if w != "WHERE" {
			continue
		}
		condition := list[i+1:]
		always := len(condition) == 0 || len(condition) == 1 && words.OneOf(condition[0], "TRUE 1") ||
			len(condition) == 2 && condition[0] == condition[1] && condition[0] != ""
		return !always
	}
	return false
}

// alterLoss describes the loss if a statement drops columns or partitions, or changes all rows. Otherwise, it returns
// "". alterLoss ignores dropped constraints and indexes, because they can be created again.
func alterLoss(list []string) string {
	for i, w := range list {
		if i+1 == len(list) || list[1] != "TABLE" {
			break
		}
		switch {
		case w == "DISCARD" && list[i+1] == "TABLESPACE":
			return "deletes the rows of a table (ALTER TABLE … DISCARD TABLESPACE)"
		case (w == "DELETE" && list[i+1] == "WHERE" || w == "UPDATE" && list[i-1] != "ON") && slices.Contains(list, "WHERE") &&
			!narrows(list):
			return "changes every row (ALTER TABLE … " + w + " without a condition)"
		case w != "DROP":
			continue
		}
		if !words.OneOf(list[i+1], "CONSTRAINT INDEX DEFAULT NOT FOREIGN KEY PRIMARY CHECK IDENTITY EXPRESSION") {
			return "deletes a column or partition (ALTER TABLE … DROP)"
		}
	}
	return ""
}

// The constant "administrators" lists the database rights and roles that allow everything.
const administrators = "ALL SUPER DBA SUPERUSER ADMIN ACCOUNTADMIN SECURITYADMIN ORGADMIN SYSADMIN USERADMIN " +
	"RDS_SUPERUSER CLOUDSQLSUPERUSER DB_OWNER PG_EXECUTE_SERVER_PROGRAM PG_WRITE_ALL_DATA"

// givesRights reports whether a statement gives someone all rights, or turns off a protection of a table.
func givesRights(list []string) bool {
	switch list[0] {
	case "GRANT":
		list = list[1:]
		if len(list) > 1 && list[0] == "ROLE" {
			list = list[1:]
		}
		return len(list) > 0 && list[0] != "" && words.OneOf(list[0], administrators)
	case "ALTER", "CREATE":
		return len(list) > 1 && (words.OneOf(list[1], "USER ROLE") && slices.Contains(list[2:], "SUPERUSER") ||
			list[1] == "TABLE" && slices.Contains(list, "DISABLE") && list[len(list)-1] == "SECURITY")
	}
	return false
}
