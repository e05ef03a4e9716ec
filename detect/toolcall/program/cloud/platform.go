package cloud

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/program/database"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// platformHandler knows the platforms that run applications. Their tools also work locally, so only the orders that
// reach what is running are told.
func platformHandler(name string) trace.Handler {
	switch name {
	case "heroku":
		return heroku
	case words.Among(name, "flyctl fly vercel now netlify ntl railway wrangler firebase supabase render eas surge amplify convex "+
		"turso neonctl pscale"):
		return platform
	}
	return nil
}

// heroku joins object and verb with a colon.
func heroku(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "a app r remote c confirm")
	order := o.Word(0)
	what := "heroku " + o.Order()
	_, verb, _ := strings.Cut(order, ":")
	switch {
	case order == "config" || order == "config:get" || order == "auth:token":
		return program.Judge(t, c, program.Reveals, what)
	case order == "run":
		t.Mark(c, "runs a command in the application", effect.RemoteExecution)
		return t.Enter(c, &trace.Container{Lasting: true}, "", o.Operands[1:])
	case order == "pg:psql":
		for _, v := range o.Values("c") {
			database.Sql(t, c, v.Text)
		}
	case words.OneOf(verb, "destroy", "delete", "remove", "reset", "unset") || order == "pg:copy":
		return program.Judge(t, c, program.Destroys, what)
	case words.OneOf(verb, "deploy", "release", "rollback", "promote", "push"):
		return program.Judge(t, c, program.Releases, what)
	case words.OneOf(verb, "set", "restart", "scale", "stop", "on", "off", "create", "add", "upgrade"):
		return program.Judge(t, c, program.Changes, what)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// platform is a tool with a verb among its first words.
func platform(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "a app c config token t project P only site s e env environment command file cwd scope db-url dir d auth")
	if o.Has("help h dry-run") {
		return trace.Nothing()
	}
	what := c.Name + " " + o.Order()
	if text := o.Values("command"); len(text) > 0 && c.Name == "wrangler" && o.Word(0) == "d1" {
		database.Sql(t, c, text[0].Text)
		return trace.Flow{Taint: trace.FromProgram}
	}
	if c.Name == "vercel" && len(o.Operands) == 0 && o.Has("prod") {
		return program.Judge(t, c, program.Releases, what)
	}
	if isLocalOrder(c.Name, o.Word(0), o.Word(1)) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	for _, v := range o.Operands[:min(3, len(o.Operands))] {
		if result := platformVerb(v.Text); result != program.Looks {
			return program.Judge(t, c, result, what)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func platformVerb(word string) program.Outcome {
	verb := word[strings.LastIndexByte(word, ':')+1:]
	switch verb {
	case words.Among(verb, "deploy publish rollback promote redeploy submit"):
		return program.Releases
	case words.Among(verb, "delete destroy rm remove drop reset"):
		return program.Destroys
	case words.Among(verb, "put set scale restart unset suspend resume up down push update"):
		return program.Changes
	}
	return program.Looks
}

// isLocalOrder finds the orders that look like others but stay on the machine.
func isLocalOrder(name, first, second string) bool {
	switch first {
	case words.Among(first, "dev build login logout link init emulators:start emulators:exec serve start stop status pull types "+
		"gen whoami logs run local"):
		return true
	case "functions":
		return second == "serve" || second == "new"
	case "config":
		return name == "netlify"
	}
	return false
}
