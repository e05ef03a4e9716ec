package database

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// frameworkHandler returns the handler of a web framework's tool, or nil. Some tasks of these tools delete the
// database.
func frameworkHandler(name string) trace.Handler {
	if name == words.Among(name, "rails artisan manage.py django-admin flask wp drush console spark ecto diesel sqlx hanami") {
		return framework
	}
	return nil
}

// DropsDatabase reports whether the name of a framework's task shows that it deletes all data.
func DropsDatabase(task string) bool {
	task, _, _ = strings.Cut(task, "[")
	return program.IsOneOf(task, dropTasks)
}

// framework analyzes the tool of a web framework, whose first words name a task. Test databases may be deleted.
func framework(t *trace.Trace, c *trace.Command) trace.Flow {
	frameworkTask(t, c, c.Args())
	return trace.Flow{Taint: trace.FromProgram}
}

// frameworkTask analyzes a task of a framework, such as migrate:fresh, db:drop or test.
func frameworkTask(t *trace.Trace, c *trace.Command, args []trace.Value) {
	o := flags.Parse(args, "e env environment settings database path p")
	if program.IsTest(c.Scope) || flags.FirstOf(args, "RAILS_ENV=test --env=test --pretend") != "" || trace.FirstText(o.Values("e env environment")) == "test" {
		return
	}
	order := o.Word(0) + " " + o.Word(1)
	switch {
	case DropsDatabase(o.Word(0)), words.OneOf(order, "db reset", "db drop", "db clean", "database drop", "database reset", "migrate zero", "db downgrade") && c.Name != "sqlx" || order == "database drop":
		t.Mark(c, "deletes the data of the database ("+strings.TrimSpace(order)+")", effect.DestructiveOp)
	case o.Word(0) == "migrate" && o.Word(2) == "zero":
		t.Mark(c, "takes every migration back, with the data", effect.DestructiveOp)
	case o.Word(0) == "test" || strings.HasPrefix(o.Word(0), "test:"):
		t.MarkTest(c)
	case o.Word(0) == "runner" && c.Name == "rails":
		t.Opaque(c.Span, "runs Ruby code in the application, which was not analyzed")
	case o.Word(0) == "createsuperuser":
		t.Mark(c, "makes an administrator of the application", effect.PrivilegeGain)
	}
}

// FrameworkScript analyzes a framework's tool that an interpreter runs as a script: python manage.py flush.
func FrameworkScript(t *trace.Trace, c *trace.Command, operands []trace.Value) {
	switch trace.ProgramName(operands[0].Text) {
	case "manage.py", "artisan", "rails", "rake", "console", "spark":
		frameworkTask(t, c, operands[1:])
	}
}

// table lists the subcommands of migration tools and of clients of databases without SQL.
var table = program.Table{Text: migrationOrders + storeOrders, Code: codeOf} //nolint:gochecknoglobals // a constant table

// Table returns the table of the programs in this package.
func Table() *program.Table { return &table }

func codeOf(name string) program.Code {
	switch name {
	case "input":
		return inputSQL
	case "execute":
		return executes
	case "redis-eval":
		return redisEval
	case "redis-delete":
		return redisDelete
	}
	return nil
}

// inputSQL analyzes the SQL that a tool reads from its input.
func inputSQL(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	sqlInput(t, c)
	return trace.Flow{Taint: trace.FromProgram}
}
