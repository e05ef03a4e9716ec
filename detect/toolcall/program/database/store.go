package database

import (
	"strings"

	"guardrails/detect/effect"
	"guardrails/detect/toolcall/flags"
	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// mongo analyzes JavaScript, in which calls delete data.
func mongo(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "u p h host port username password authenticationDatabase eval f file")
	for _, v := range o.Values("eval") {
		mongoScript(t, c, v.Text)
	}
	if c.In.Text != "" {
		mongoScript(t, c, c.In.Text)
	}
	for _, v := range append(o.Values("f file"), o.Operands...) {
		if strings.HasSuffix(v.Text, ".js") {
			if f := t.ReadFlow(v, c.Scope, c.Span); f.Known {
				mongoScript(t, c, f.Text)
			}
		}
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func mongoScript(t *trace.Trace, c *trace.Command, text string) {
	code := withoutStrings(text)
	for _, call := range [...]string{".dropDatabase(", ".drop(", ".deleteMany({})", ".remove({})", ".deleteMany()", ".remove()", "dropDatabase:", ".dropUser("} {
		if strings.Contains(code, call) {
			t.Mark(c, "deletes data: "+strings.Trim(call, ".("), effect.DestructiveOp)
		}
	}
	if strings.Contains(code, "shutdownServer(") {
		t.Mark(c, "stops the database server", effect.SystemControl)
	}
}

// withoutStrings returns code without strings, comments and white space.
func withoutStrings(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == '"' || ch == '\'' || ch == '`':
			for i++; i < len(text) && text[i] != ch; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			b.WriteByte('"')
		case strings.HasPrefix(text[i:], "//"):
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
		default:
			b.WriteByte(ch)
		}
	}
	return b.String()
}

// redis analyzes an order in the operands, or several in the input.
func redis(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "h p a n u r i s d user pass")
	if len(o.Operands) > 0 {
		texts := make([]string, len(o.Operands))
		for i, v := range o.Operands {
			texts[i] = v.Text
		}
		redisOrder(t, c, texts)
		if verb := strings.ToUpper(texts[0]); (verb == "DEL" || verb == "UNLINK") && len(o.Operands) > 1 && o.Operands[1].Partial && o.Operands[1].Text == "$(input)" {
			t.Mark(c, "deletes every key that is listed", effect.DestructiveOp)
		}
		return trace.Flow{Taint: trace.FromProgram}
	}
	for line := range strings.Lines(c.In.Text) {
		redisOrder(t, c, strings.Fields(line))
	}
	return trace.Flow{Taint: trace.FromProgram}
}

func redisOrder(t *trace.Trace, c *trace.Command, list []string) {
	if len(list) == 0 {
		return
	}
	switch verb := strings.ToUpper(list[0]); verb {
	case "FLUSHALL", "FLUSHDB":
		t.Mark(c, "deletes everything in the database ("+verb+")", effect.DestructiveOp)
	case "EVAL":
		if len(list) > 1 && strings.Contains(strings.ToUpper(list[1]), "FLUSH") {
			t.Mark(c, "deletes everything in the database", effect.DestructiveOp)
		}
	case "SHUTDOWN":
		t.Mark(c, "stops the database server", effect.SystemControl)
	case "CONFIG":
		if len(list) > 2 && strings.EqualFold(list[1], "set") && words.OneOf(strings.ToLower(list[2]), "dir", "dbfilename") {
			t.Mark(c, "makes the database server write its data elsewhere", effect.DestructiveOp, effect.OutsideWrite)
		}
	}
}

// keyStore analyzes a store whose orders are words: bucket delete, del --prefix.
func keyStore(t *trace.Trace, c *trace.Command) trace.Flow {
	o := flags.Parse(c.Args(), "endpoints bootstrap-server topic t token host org o b bucket -execute -database execute database")
	for _, v := range o.Values("execute") {
		sqlValue(t, c, v)
	}
	var lost bool
	switch c.Name {
	case "etcdctl":
		lost = o.Word(0) == "del" && o.Has("prefix from-key")
	case "rabbitmqctl":
		lost = words.OneOf(o.Word(0), "reset", "force_reset", "delete_queue", "delete_vhost", "purge_queue")
	default:
		lost = words.OneOf(o.Word(0), "delete", "deleteall", "rmr", "purge") || words.OneOf(o.Word(1), "delete", "rm", "purge") || o.Has("delete")
	}
	if lost {
		t.Mark(c, "deletes data: "+c.Name+" "+o.Order(), effect.DestructiveOp)
	}
	return trace.Flow{Taint: trace.FromProgram}
}
