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

// platformSQL analyzes SQL for a database of the platform, as in "wrangler d1 execute --command". The database may be on
// this machine.
func platformSQL(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if o.Has("local") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return database.Statements(t, c, o)
}

// vercel analyzes "vercel --prod", which releases the application although it has no subcommand.
func vercel(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	if c.Name != "vercel" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return program.Judge(t, c, program.Releases, "vercel --prod")
}
