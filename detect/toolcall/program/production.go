package program

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// migrationTasks lists framework tasks that bring the structure of a database up to date. migrationRunners lists the
// programs that run such tasks.
const (
	migrationTasks = "migrate db:migrate ecto.migrate migrate:latest migrate:up migrate:run migration:run migration:up " +
		"migrations:run migrations:migrate doctrine:migrations:migrate db:push"
	migrationRunners = "rails rake artisan php console spark mix python python3 manage.py django-admin node ace sequelize " +
		"sequelize-cli doctrine npm yarn pnpm bun make just task composer"
)

// migrationTools lists the programs for which words such as "up" and "deploy" mean the same as the tasks in
// migrationTasks.
const migrationTools = "migrate dbmate goose flyway liquibase atlas sqitch alembic prisma drizzle-kit knex typeorm " +
	"mikro-orm node-pg-migrate db-migrate phinx tern sql-migrate yoyo sqlx sea-orm-cli diesel"

// noForward lists words and flags. A call with one of these words or flags only looks at migrations, writes files,
// undoes migrations, or works on a developer's database. For a call that undoes migrations, the rows of the tables say
// what the outcome is.
const noForward = "help version dry-run pretend plan check sql fake list show-plan status history current create new make " +
	"generate add diff validate lint hash import info dev reset rollback down undo redo refresh fresh resolve first prev"

// Migrates is a function that marks a call that changes the structure of a database in production or on another
// machine. On a developer's machine, such a call is everyday work.
func Migrates(t *trace.Trace, c *trace.Command) {
	tool := words.OneOf(c.Name, migrationTools)
	if !tool && c.Name != "flask" && !words.OneOf(c.Name, migrationRunners) {
		return
	}
	seen, migrates, named := 0, false, false
	for _, v := range c.Args() {
		switch text := v.Text; {
		case words.OneOf(strings.TrimLeft(text, "-"), noForward):
			return
		case strings.HasPrefix(text, "-") || seen == maxOrderWords:
		default:
			seen++
			migrates = migrates || c.Name != "flask" && words.OneOf(text, migrationTasks) || c.Name == "flask" && text == "upgrade" ||
				tool && words.OneOf(text, "up upgrade latest deploy apply push update") || named && text == "run"
			named = named || words.OneOf(text, "migration migrations")
		}
	}
	if !migrates || c.Run < len(t.Effects) && t.Effects[c.Run].Has(effect.DestructiveOp) {
		return
	}
	if NamesProduction(c) || namesForeign(c) {
		t.MarkAll(c, "changes the structure of a database in production or on another machine", effect.Deploy, effect.DevopsInvoked)
	}
}

// IsProduction reports whether a name says that something is in production, as prod-db and $PROD_URL do.
func IsProduction(name string) bool {
	return words.InName(name, "prod production live") && !words.InName(name, "dev development test")
}

// NamesProduction reports whether a call is about production. The name of something in production may be in the value
// of a flag or of a setting, or in a variable such as RAILS_ENV or DATABASE_URL. A call that runs on a machine in
// production counts too. Operands do not count, because the names of migrations and objects can also contain words such
// as "production".
func NamesProduction(c *trace.Command) bool {
	found := c.Scope.Production
	c.Scope.Vars.Changes(trace.Table[trace.Variable]{}, func(name string, v trace.Variable) {
		found = found || (isEnvironment(name) || isOfDatabase(name)) && IsProduction(v.Scalar().Text)
	})
	outer := *c
	if inner, ok := flags.AfterDashes(c.Args()); ok {
		outer.Argv = c.Argv[:len(c.Argv)-len(inner)]
	}
	eachSetting(&outer, func(name string, v trace.Value) {
		found = found || name != "" && !namesNoEnvironment("--"+name) && IsProduction(v.Text)
	})
	return found
}

// namesForeign reports whether a variable or an argument is the address of a database on another machine.
func namesForeign(c *trace.Command) bool {
	found := false
	c.Scope.Vars.Changes(trace.Table[trace.Variable]{}, func(name string, v trace.Variable) {
		found = found || isOfDatabase(name) && trace.IsForeign(trace.HostOf(v.Scalar().Text))
	})
	for _, v := range c.Args() {
		address := v.Text[strings.IndexByte(v.Text, '=')+1:]
		scheme, _, isURL := strings.Cut(address, "://")
		found = found || isURL && scheme != "file" && trace.IsForeign(trace.HostOf(address))
	}
	return found
}

// isOfDatabase reports whether a variable with this name holds the address of a database.
func isOfDatabase(name string) bool {
	return words.InName(name, "database db pghost pghostaddr pgservice pg postgres mysql mongo mongodb") &&
		matchesAny("*URL|*URI|*HOST|*HOSTNAME|*HOSTADDR|*SERVICE|*SERVER|*ADDR", name)
}
