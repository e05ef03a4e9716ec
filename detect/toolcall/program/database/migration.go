package database

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// migrationHandler knows the tools that change a database's structure; some of their orders throw its data away.
func migrationHandler(name string) trace.Handler {
	switch name {
	case words.Among(name, "rails artisan manage.py django-admin flask wp drush console spark ecto diesel sqlx hanami"):
		return framework
	case words.Among(name, "prisma sequelize sequelize-cli knex typeorm drizzle-kit alembic flyway liquibase dbmate goose "+
		"migrate mikro-orm atlas sqitch phinx doctrine"):
		return migration
	}
	return nil
}

// DropsDatabase reports whether a task of a framework deletes all data, by its name.
func DropsDatabase(task string) bool {
	task, _, _ = strings.Cut(task, "[")
	return task != "sqlflush" && task == words.Among(task, "db:drop db:reset db:drop:all db:drop:_unsafe db:purge db:migrate:reset db:schema:load "+
		"db:truncate_all db:seed:replant db:setup migrate:fresh migrate:reset migrate:refresh db:wipe flush "+
		"reset_db sqlflush ecto.drop ecto.reset drop-database doctrine:database:drop doctrine:schema:drop "+
		"orm:schema-tool:drop schema:drop schema:fresh db:migrate:undo:all sql-drop site:install")
}

// framework is a web framework's own tool, whose first words name a task. Test databases are made to be thrown away.
func framework(t *trace.Trace, c *trace.Command) trace.Flow {
	frameworkTask(t, c, c.Args())
	return trace.Flow{Taint: trace.FromProgram}
}

// frameworkTask judges the task that a framework's script is given: migrate:fresh, db:drop, test.
func frameworkTask(t *trace.Trace, c *trace.Command, args []trace.Value) {
	o := flags.Parse(args, "e env environment settings database path p")
	if isTest(c.Scope) || flags.FirstOf(args, "RAILS_ENV=test", "--env=test", "--pretend") != "" || trace.FirstText(o.Values("e env environment")) == "test" {
		return
	}
	order := o.Word(0) + " " + o.Word(1)
	switch {
	case DropsDatabase(o.Word(0)), words.OneOf(order, "db reset", "db drop", "db clean", "database drop", "database reset", "migrate zero", "db downgrade") && c.Name != "sqlx" || order == "database drop":
		t.Mark(c, "deletes the data of the database ("+strings.TrimSpace(order)+")", effect.DestructiveOp)
	case o.Word(0) == "migrate" && o.Word(2) == "zero":
		t.Mark(c, "takes every migration back, with the data", effect.DestructiveOp)
	case o.Word(0) == "test" || strings.HasPrefix(o.Word(0), "test:"):
		t.Mark(c, "", effect.TestRun)
	case o.Word(0) == "runner" && c.Name == "rails":
		t.Opaque(c.Span, "runs Ruby code in the application, which is not looked into")
	case o.Word(0) == "createsuperuser":
		t.Mark(c, "makes an administrator of the application", effect.PrivilegeGain)
	}
}

// FrameworkScript is a framework's tool that an interpreter is given as a script: python manage.py flush.
func FrameworkScript(t *trace.Trace, c *trace.Command, operands []trace.Value) {
	switch trace.ProgramName(operands[0].Text) {
	case "manage.py", "artisan", "rails", "rake", "console", "spark":
		frameworkTask(t, c, operands[1:])
	}
}

// isTest reports whether a variable says that the command works on the test database.
func isTest(s *trace.Scope) bool {
	for _, name := range [...]string{"RAILS_ENV", "RACK_ENV", "APP_ENV", "MIX_ENV", "NODE_ENV"} {
		if s.Vars[name].Scalar().Text == "test" {
			return true
		}
	}
	return false
}

func migration(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "schema c config url database path dir env e source name d dataSource")
	if o.Has("help h dry-run sql") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	order := strings.TrimSpace(o.Word(0) + " " + o.Word(1))
	lost := DropsDatabase(o.Word(0))
	switch c.Name {
	case "prisma":
		lost = order == "migrate reset" || order == "db push" && o.Has("force-reset accept-data-loss")
		if order == "migrate deploy" {
			t.Mark(c, "migrates a running database", effect.Deploy)
		}
		if order == "db execute" {
			sqlInput(t, c)
		}
	case "alembic":
		lost = order == "downgrade base"
	case "knex":
		lost = o.Word(0) == "migrate:rollback" && o.Has("all")
	case "flyway":
		lost = o.Word(0) == "clean"
	case "liquibase":
		lost = o.Word(0) == "drop-all" || o.Word(0) == "dropAll"
	case "goose":
		lost = o.Word(0) == "reset" || words.OneOf("reset", texts(o.Operands)...)
	case "migrate", "dbmate", "atlas", "diesel":
		lost = o.Word(0) == "drop" || order == "down -all" || order == "schema clean"
	case "drizzle-kit":
		lost = o.Word(0) == "drop"
	}
	if lost {
		t.Mark(c, "deletes the data of the database ("+order+")", effect.DestructiveOp)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func texts(vs []trace.Value) []string {
	out := make([]string, len(vs))
	for i, v := range vs {
		out[i] = v.Text
	}
	return out
}
