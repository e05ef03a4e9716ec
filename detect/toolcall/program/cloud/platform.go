package cloud

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
)

// herokuRun runs a command in an application.
func herokuRun(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.Mark(c, "runs a command in the application", effect.RemoteExecution)
	return t.Enter(c, &trace.Container{Lasting: true}, "", o.Operands[1:])
}

// herokuSQL gives SQL to the database of an application.
func herokuSQL(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	for _, v := range o.Values("c") {
		database.SQL(t, c, v.Text)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// platformSQL gives SQL to a database of the platform: wrangler d1 execute --command.
func platformSQL(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	database.SQL(t, c, trace.FirstText(o.Values("command")))
	return trace.Flow{Taint: trace.FromProgram}
}

// vercel releases when it is called with --prod alone.
func vercel(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	if c.Name != "vercel" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return program.Judge(t, c, program.Releases, "vercel --prod")
}
