package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// migrationHandler knows the tools that change a database's structure; some of their orders throw its data away.
func migrationHandler(name string) handler {
	switch name {
	case among(name, "rails artisan manage.py django-admin flask wp drush console spark ecto diesel sqlx hanami"):
		return framework
	case among(name, "prisma sequelize sequelize-cli knex typeorm drizzle-kit alembic flyway liquibase dbmate goose "+
		"migrate mikro-orm atlas sqitch phinx doctrine"):
		return migration
	}
	return nil
}

// dropsDatabase reports whether a task of a framework deletes all data, by its name.
func dropsDatabase(task string) bool {
	task, _, _ = strings.Cut(task, "[")
	return task != "sqlflush" && task == among(task, "db:drop db:reset db:drop:all db:drop:_unsafe db:purge db:migrate:reset db:schema:load "+
		"db:truncate_all db:seed:replant db:setup migrate:fresh migrate:reset migrate:refresh db:wipe flush "+
		"reset_db sqlflush ecto.drop ecto.reset drop-database doctrine:database:drop doctrine:schema:drop "+
		"orm:schema-tool:drop schema:drop schema:fresh db:migrate:undo:all sql-drop site:install")
}

// framework is a web framework's own tool, whose first words name a task. Test databases are made to be thrown away.
func framework(a *analyzer, c *command) flow {
	a.frameworkTask(c, c.args())
	return flow{taint: fromProgram}
}

// frameworkTask judges the task that a framework's script is given: migrate:fresh, db:drop, test.
func (a *analyzer) frameworkTask(c *command, args []value) {
	o := parseOptions(args, "e env environment settings database path p")
	if c.sc.isTest() || firstOf(args, "RAILS_ENV=test", "--env=test", "--pretend") != "" || firstText(o.values("e env environment")) == "test" {
		return
	}
	order := o.word(0) + " " + o.word(1)
	switch {
	case dropsDatabase(o.word(0)), oneOf(order, "db reset", "db drop", "db clean", "database drop", "database reset", "migrate zero", "db downgrade") && c.name != "sqlx" || order == "database drop":
		a.mark(c, "deletes the data of the database ("+strings.TrimSpace(order)+")", effect.DestructiveOp)
	case o.word(0) == "migrate" && o.word(2) == "zero":
		a.mark(c, "takes every migration back, with the data", effect.DestructiveOp)
	case o.word(0) == "test" || strings.HasPrefix(o.word(0), "test:"):
		a.mark(c, "", effect.TestRun)
	case o.word(0) == "runner" && c.name == "rails":
		a.opaque(c.span, "runs Ruby code in the application, which is not looked into")
	case o.word(0) == "createsuperuser":
		a.mark(c, "makes an administrator of the application", effect.PrivilegeGain)
	}
}

// frameworkScript is a framework's tool that an interpreter is given as a script: python manage.py flush.
func (a *analyzer) frameworkScript(c *command, operands []value) {
	switch programName(operands[0].text) {
	case "manage.py", "artisan", "rails", "rake", "console", "spark":
		a.frameworkTask(c, operands[1:])
	}
}

// isTest reports whether a variable says that the command works on the test database.
func (s *scope) isTest() bool {
	for _, name := range [...]string{"RAILS_ENV", "RACK_ENV", "APP_ENV", "MIX_ENV", "NODE_ENV"} {
		if s.vars[name].scalar().text == "test" {
			return true
		}
	}
	return false
}

func migration(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "schema c config url database path dir env e source name d dataSource")
	if o.has("help h dry-run sql") {
		return flow{taint: fromProgram}
	}
	order := strings.TrimSpace(o.word(0) + " " + o.word(1))
	lost := dropsDatabase(o.word(0))
	switch c.name {
	case "prisma":
		lost = order == "migrate reset" || order == "db push" && o.has("force-reset accept-data-loss")
		if order == "migrate deploy" {
			a.mark(c, "migrates a running database", effect.Deploy)
		}
		if order == "db execute" {
			a.sqlInput(c)
		}
	case "alembic":
		lost = order == "downgrade base"
	case "knex":
		lost = o.word(0) == "migrate:rollback" && o.has("all")
	case "flyway":
		lost = o.word(0) == "clean"
	case "liquibase":
		lost = o.word(0) == "drop-all" || o.word(0) == "dropAll"
	case "goose":
		lost = o.word(0) == "reset" || oneOf("reset", texts(o.operands)...)
	case "migrate", "dbmate", "atlas", "diesel":
		lost = o.word(0) == "drop" || order == "down -all" || order == "schema clean"
	case "drizzle-kit":
		lost = o.word(0) == "drop"
	}
	if lost {
		a.mark(c, "deletes the data of the database ("+order+")", effect.DestructiveOp)
	}
	return flow{taint: fromProgram}
}

func texts(vs []value) []string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = v.text
	}
	return out
}
