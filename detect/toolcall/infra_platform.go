package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// platformHandler knows the platforms that run applications. Their tools also work locally, so only the orders that
// reach what is running are told.
func platformHandler(name string) handler {
	switch name {
	case "heroku":
		return heroku
	case among(name, "flyctl fly vercel now netlify ntl railway wrangler firebase supabase render eas surge amplify convex "+
		"turso neonctl pscale"):
		return platform
	}
	return nil
}

// heroku joins object and verb with a colon.
func heroku(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "a app r remote c confirm")
	order := o.word(0)
	what := "heroku " + o.order()
	_, verb, _ := strings.Cut(order, ":")
	switch {
	case order == "config" || order == "config:get" || order == "auth:token":
		return a.judge(c, reveals, what)
	case order == "run":
		a.mark(c, "runs a command in the application", effect.RemoteExecution)
		return a.enter(c, &box{lasting: true}, "", o.operands[1:])
	case order == "pg:psql":
		for _, v := range o.values("c") {
			a.sql(c, v.text)
		}
	case oneOf(verb, "destroy", "delete", "remove", "reset", "unset") || order == "pg:copy":
		return a.judge(c, destroys, what)
	case oneOf(verb, "deploy", "release", "rollback", "promote", "push"):
		return a.judge(c, releases, what)
	case oneOf(verb, "set", "restart", "scale", "stop", "on", "off", "create", "add", "upgrade"):
		return a.judge(c, changes, what)
	}
	return flow{taint: fromProgram}
}

// platform is a tool with a verb among its first words.
func platform(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "a app c config token t project P only site s e env environment command file cwd scope db-url dir d auth")
	if o.has("help h dry-run") {
		return nothing()
	}
	what := c.name + " " + o.order()
	if text := o.values("command"); len(text) > 0 && c.name == "wrangler" && o.word(0) == "d1" {
		a.sql(c, text[0].text)
		return flow{taint: fromProgram}
	}
	if c.name == "vercel" && len(o.operands) == 0 && o.has("prod") {
		return a.judge(c, releases, what)
	}
	if isLocalOrder(c.name, o.word(0), o.word(1)) {
		return flow{taint: fromProgram}
	}
	for _, v := range o.operands[:min(3, len(o.operands))] {
		if result := platformVerb(v.text); result != looks {
			return a.judge(c, result, what)
		}
	}
	return flow{taint: fromProgram}
}

func platformVerb(word string) outcome {
	verb := word[strings.LastIndexByte(word, ':')+1:]
	switch verb {
	case among(verb, "deploy publish rollback promote redeploy submit"):
		return releases
	case among(verb, "delete destroy rm remove drop reset"):
		return destroys
	case among(verb, "put set scale restart unset suspend resume up down push update"):
		return changes
	}
	return looks
}

// isLocalOrder finds the orders that look like others but stay on the machine.
func isLocalOrder(name, first, second string) bool {
	switch first {
	case among(first, "dev build login logout link init emulators:start emulators:exec serve start stop status pull types "+
		"gen whoami logs run local"):
		return true
	case "functions":
		return second == "serve" || second == "new"
	case "config":
		return name == "netlify"
	}
	return false
}
