package cloud

import (
	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/program/network"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// herokuRun analyzes "heroku run", which runs a command in an application.
func herokuRun(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.Mark(c, "runs a command in the application", effect.RemoteExecution)
	return t.Enter(c, &trace.Container{Lasting: true, Production: inProduction(c)}, "", o.Operands[1:])
}

// onServers analyzes a command that kamal runs on the servers of an application.
func onServers(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	t.Mark(c, "runs a command on the servers", effect.RemoteExecution)
	from := min(2+words.Btoi(o.Word(0) == "accessory"), len(o.Operands))
	network.RunRemote(t, c, "the servers", trace.Joined(o.Operands[from:]))
	return trace.Flow{Taint: trace.FromNetwork}
}

// platformSQL analyzes SQL for a database of the platform, as in "wrangler d1 execute --command". With --local, the
// database is on this machine, and the call gets no events.
func platformSQL(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if o.Has("local") {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return database.Statements(t, c, o)
}

// The function vercel analyzes "vercel --prod", which releases the application although it has no subcommand.
func vercel(t *trace.Trace, c *trace.Command, _ *flags.Options) trace.Flow {
	if c.Name != "vercel" {
		return trace.Flow{Taint: trace.FromProgram}
	}
	return program.Judge(t, c, program.Releases, "vercel --prod")
}
