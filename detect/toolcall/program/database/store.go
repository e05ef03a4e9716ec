package database

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
)

// mongo() analyzes the JavaScript code that a MongoDB client runs. Some calls in such code delete data.
func mongo(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "u p h host port username password authenticationDatabase eval f file")
	if name := o.Word(0); len(t.Tunnels) == 0 && !trace.IsForeign(trace.HostOf(name)) && !o.Has("f file h host") &&
		NamesTestData(name[strings.LastIndexByte(name, '/')+1:]) && c.In.Text == "" &&
		!switches(trace.JoinAll(o.Values("eval"))) {
		return trace.Flow{Taint: trace.FromProgram}
	}
	script := func(c *trace.Command, text string) { mongoScript(t, c, text) }
	for _, v := range o.Values("eval") {
		if file, ok := trace.FileOf(v); !ok || !t.InputScript(c, file, script) {
			script(c, v.Text)
		}
	}
	if c.In.Text != "" {
		script(c, c.In.Text)
	} else if !c.In.Known && c.In.From() != "" {
		t.InputScript(c, c.In.From(), script)
	}
	for _, v := range append(o.Values("f file"), o.Operands...) {
		if !strings.HasSuffix(v.Text, ".js") {
			continue
		}
		f, p := t.ReadFlow(v, c.Scope, c.Span), t.Place(v, c.Scope)
		if f.Known {
			script(c, f.Text)
		} else if !v.Partial {
			t.FromDisk(c, &p, script)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// switches() reports whether a script for MongoDB may change to another database, to which the client did not connect
// at first.
func switches(text string) bool {
	return strings.Contains(text, "getSiblingDB") || strings.Contains(text, "connect(")
}

func mongoScript(t *trace.Trace, c *trace.Command, text string) {
	if c.Name == "mongosh" && strings.Contains(text, "require") { // mongosh runs in Node.js
		t.RunInner(c, []trace.Value{{Text: "node"}, {Text: "-e"}, {Text: text}})
	}
	code := withoutStrings(text)
	for _, call := range [...]string{
		".dropDatabase(", ".drop(", ".deleteMany({})", ".remove({})", ".deleteMany()",
		".remove()", ".updateMany({},", "deleteMany:{filter:{}}", "$out:", ".removeShard(",
		"dropDatabase:", ".runCommand({drop:", ".dropUser(",
	} {
		if strings.Contains(code, call) {
			name, _, _ := strings.Cut(strings.Trim(call, ".:"), "(")
			t.Mark(c, "deletes or replaces data: "+name, effect.DestructiveOp)
		}
	}
	for _, v := range c.Args() {
		if v.Text != text && program.IsProduction(v.Text) && changesMongo(code) {
			t.Mark(c, "changes a database in production", effect.DevopsInvoked)
			break
		}
	}
	if strings.Contains(code, "shutdownServer(") || strings.Contains(code, "ommand({shutdown:") {
		t.Mark(c, "stops the database server", effect.SystemControl)
	}
}

// changesMongo reports whether a script for MongoDB changes documents.
func changesMongo(code string) bool {
	for _, call := range [...]string{".delete", ".updateOne", ".updateMany", ".replaceOne", ".insert", ".remove("} {
		if strings.Contains(code, call) {
			return true
		}
	}
	return false
}

// withoutStrings returns code without white space and // comments. It replaces each string with one quotation mark. If
// a string is the name of a field, withoutStrings removes only the quotes: db["users"] becomes db.users.
func withoutStrings(text string) string {
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '"' || ch == '\'' || ch == '`':
			start := i + 1
			for i++; i < len(text) && text[i] != ch; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			name, after := text[start:min(i, len(text))], text[min(i+1, len(text)):]
			switch last := len(b) - 1; {
			case last >= 0 && b[last] == '[' && strings.HasPrefix(after, "]"):
				b[last] = '.'
				b = append(b, name...)
				i++
			case strings.HasPrefix(after, ":"):
				b = append(b, name...)
			default:
				b = append(b, '"')
			}
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
		default:
			b = append(b, ch)
		}
	}
	return string(b)
}

// redisFlush analyzes flushdb, which deletes everything in one database of a server. On this machine, a database that
// the call names by its number counts as a database for tests.
func redisFlush(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	host, number := o.Values("h"), o.Values("n")
	if len(host) == 1 && trace.IsLoopback(host[0].Text) && len(number) == 1 && !number[0].Partial && number[0].Text != "0" &&
		!o.Has("u s") && len(t.Tunnels) == 0 {
		return trace.Flow{Taint: trace.FromProgram}
	}
	t.Mark(c, "deletes everything in the database: "+c.Name+" "+o.Order(), effect.DestructiveOp)
	return trace.Nothing()
}

// redis() analyzes a Redis command in the operands, or several commands in the input.
func redis(t *trace.Trace, c *trace.Command) trace.Flow {
	decide := table.Handler(c.Name)
	o := flags.Parse(c.Args(), "h p a n u r i s d user pass eval")
	for _, v := range o.Values("eval") {
		p := t.Place(v, c.Scope)
		if !v.Partial {
			t.FromDisk(c, &p, func(c *trace.Command, text string) { redisScript(t, c, text) })
		}
	}
	if len(o.Operands) > 0 {
		return decide(t, c)
	}
	script := func(c *trace.Command, text string) {
		for line := range strings.Lines(text) {
			inner := *c
			inner.Argv = append([]trace.Value{c.Argv[0]}, flags.SplitWords(line, trace.Value{})...)
			decide(t, &inner)
		}
	}
	if script(c, c.In.Text); !c.In.Known && c.In.From() != "" {
		t.InputScript(c, c.In.From(), script)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// redisEval looks in a script for Redis commands that delete everything.
func redisEval(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	redisScript(t, c, o.Word(1))
	return trace.Flow{Taint: trace.FromProgram}
}

func redisScript(t *trace.Trace, c *trace.Command, text string) {
	upper := strings.ToUpper(text)
	listsKeys := strings.Contains(upper, "'KEYS'") || strings.Contains(upper, `"KEYS"`)
	if strings.Contains(upper, "FLUSH") || listsKeys && (strings.Contains(upper, "DEL") || strings.Contains(upper, "UNLINK")) {
		t.Mark(c, "deletes everything in the database", effect.DestructiveOp)
	}
}

// redisDelete analyzes the deletion of keys. If the keys come from the input, it marks the deletion, because an earlier
// command of the same call may have listed all keys.
func redisDelete(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	if len(o.Operands) > 1 && o.Operands[1].Partial && o.Operands[1].Text == "$(input)" {
		t.Mark(c, "deletes every key that is listed", effect.DestructiveOp)
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// fillsIndex marks a copy into an index on another machine.
func fillsIndex(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	for _, v := range o.Values("output") {
		if host := trace.HostOf(v.Text); strings.Contains(v.Text, "://") && (trace.IsForeign(host) || len(t.Tunnels) > 0) {
			t.Mark(c, "writes into an index on "+host, effect.DevopsInvoked)
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

// changeDirectory analyzes "ldapmodify", which reads the changes of a directory from its input.
func changeDirectory(t *trace.Trace, c *trace.Command, o *flags.Options) trace.Flow {
	changes := strings.ReplaceAll(strings.ToLower(c.In.Text), " ", "")
	switch {
	case trace.IsLoopback(trace.HostOf(o.LastText("H h"))):
	case strings.Contains(changes, "changetype:delete"):
		program.Judge(t, c, program.Destroys, "entries of a directory")
	case strings.Contains(changes, "add:member"), strings.Contains(changes, "userpassword"), strings.Contains(changes, "unicodepwd"):
		program.Judge(t, c, program.Grants, "groups or passwords of a directory")
	}
	return trace.Flow{Taint: trace.FromProgram}
}
