package cloud

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
)

// herokuRun analyzes "heroku run", which runs a command in an application.
func herokuRun(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.Mark(c, "runs a command in the application", effect.RemoteExecution)
	return t.Enter(c, &trace.Container{Lasting: true}, "", o.Operands[1:])
}

// herokuSQL analyzes the SQL that follows -c. It runs in the database of an application.
func herokuSQL(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	for _, v := range o.Values("c") {
		database.SQL(t, c, v.Text)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// platformSQL analyzes SQL for a database of the platform, as in "wrangler d1 execute --command".
func platformSQL(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if !o.Has("local") {
		database.SQL(t, c, trace.FirstText(o.Values("command")))
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// vercel analyzes "vercel --prod", which releases the application although it has no subcommand.
func vercel(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	if c.Name != "vercel" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return program.Judge(t, c, program.Releases, "vercel --prod")
}
