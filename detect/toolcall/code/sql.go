package code

// sql.go finds the SQL that code runs.

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/words"
)

// databaseLibraries lists names that occur only in code that works with a database.
const databaseLibraries = "psycopg2 psycopg asyncpg pymysql MySQLdb pymssql pyodbc oracledb cx_Oracle sqlalchemy create_engine pg PG mysql " +
	"mysql2 Mysql2 sequel Sequel DBI PDO mysqli Repo PrismaClient postgres neon knex Sequelize typeorm better-sqlite3 sqlite3 sqlx pgx " +
	"gorm DriverManager ActiveRecord @vercel/postgres @prisma/client drizzle-orm"

// judgeStatements judges the string literals in code that works with a database. Each library has its own names for the
// functions that run SQL. So a literal that begins with DROP or TRUNCATE counts as SQL that the code runs.
func (in *interpreter) judgeStatements() {
	if !in.database {
		return
	}
	for _, text := range in.literals.texts {
		text = strings.TrimSpace(text)
		verb, rest := sqlVerb(text)
		if words.OneOf(verb, "DROP TRUNCATE") && (rest == "" || rest[0] != '-') && in.spend(len(text)) {
			database.CodeSQL(in.Trace, in.copied(), text, in.connected.usesTests())
		}
	}
}

// isLosingSQL reports whether a method runs an SQL statement that may lose data. A method with a name such as "run"
// does not always run SQL. So the argument ("text") must also begin like a statement that may lose data.
func isLosingSQL(method, text string) bool {
	verb, rest := sqlVerb(strings.TrimSpace(text))
	return rest != "" && words.OneOf(verb, "DROP TRUNCATE DELETE ALTER") &&
		words.OneOf(method, "exec run do unsafe query! executeRawUnsafe $executeRawUnsafe queryRawUnsafe $queryRawUnsafe Exec "+
			"ExecContext exec_query exec_params prepare")
}

// sqlVerb returns the first word of a statement in capital letters, and the text after this word.
func sqlVerb(statement string) (verb, rest string) {
	verb, rest, _ = strings.Cut(statement, " ")
	return strings.ToUpper(verb), rest
}

// runSQL analyzes SQL that the code runs.
func (in *interpreter) runSQL(text string) {
	if database.CodeSQL(in.Trace, in.Command, text, in.connected.usesTests()) {
		in.connected.others++
	}
	verb, _ := sqlVerb(strings.TrimSpace(text))
	changes := words.OneOf(verb, "INSERT UPDATE DELETE MERGE REPLACE ALTER GRANT")
	if changes && in.connected.production && in.connected.tests+in.connected.locals == 0 {
		in.Trace.Mark(in.Command, "changes data in production", effect.DevopsInvoked)
	}
}
