package toolcall

import (
	"strings"

	"guardrails/detect/effect"
)

// mongo runs JavaScript; what it deletes stands in calls.
func mongo(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "u p h host port username password authenticationDatabase eval f file")
	for _, v := range o.values("eval") {
		a.mongoScript(c, v.text)
	}
	if c.in.text != "" {
		a.mongoScript(c, c.in.text)
	}
	for _, v := range append(o.values("f file"), o.operands...) {
		if strings.HasSuffix(v.text, ".js") {
			if f := a.readFlow(v, c.sc, c.span); f.known {
				a.mongoScript(c, f.text)
			}
		}
	}
	return flow{taint: fromProgram}
}

func (a *analyzer) mongoScript(c *command, text string) {
	code := withoutStrings(text)
	for _, call := range [...]string{".dropDatabase(", ".drop(", ".deleteMany({})", ".remove({})", ".deleteMany()", ".remove()", "dropDatabase:", ".dropUser("} {
		if strings.Contains(code, call) {
			a.mark(c, "deletes data: "+strings.Trim(call, ".("), effect.DestructiveOp)
		}
	}
	if strings.Contains(code, "shutdownServer(") {
		a.mark(c, "stops the database server", effect.SystemControl)
	}
}

// withoutStrings is code without its strings, comments and white space.
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

// redis takes its order from its operands, or many from its input.
func redis(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "h p a n u r i s d user pass")
	if len(o.operands) > 0 {
		texts := make([]string, len(o.operands))
		for i, v := range o.operands {
			texts[i] = v.text
		}
		a.redisOrder(c, texts)
		if verb := strings.ToUpper(texts[0]); (verb == "DEL" || verb == "UNLINK") && len(o.operands) > 1 && o.operands[1].partial && o.operands[1].text == "$(input)" {
			a.mark(c, "deletes every key that is listed", effect.DestructiveOp)
		}
		return flow{taint: fromProgram}
	}
	for line := range strings.Lines(c.in.text) {
		a.redisOrder(c, strings.Fields(line))
	}
	return flow{taint: fromProgram}
}

func (a *analyzer) redisOrder(c *command, words []string) {
	if len(words) == 0 {
		return
	}
	switch verb := strings.ToUpper(words[0]); verb {
	case "FLUSHALL", "FLUSHDB":
		a.mark(c, "deletes everything in the database ("+verb+")", effect.DestructiveOp)
	case "EVAL":
		if len(words) > 1 && strings.Contains(strings.ToUpper(words[1]), "FLUSH") {
			a.mark(c, "deletes everything in the database", effect.DestructiveOp)
		}
	case "SHUTDOWN":
		a.mark(c, "stops the database server", effect.SystemControl)
	case "CONFIG":
		if len(words) > 2 && strings.EqualFold(words[1], "set") && oneOf(strings.ToLower(words[2]), "dir", "dbfilename") {
			a.mark(c, "makes the database server write its data elsewhere", effect.DestructiveOp, effect.OutsideWrite)
		}
	}
}

// keyStore is a store whose orders are words: bucket delete, del --prefix.
func keyStore(a *analyzer, c *command) flow {
	o := parseOptions(c.args(), "endpoints bootstrap-server topic t token host org o b bucket -execute -database execute database")
	for _, v := range o.values("execute") {
		a.sqlValue(c, v)
	}
	var lost bool
	switch c.name {
	case "etcdctl":
		lost = o.word(0) == "del" && o.has("prefix from-key")
	case "rabbitmqctl":
		lost = oneOf(o.word(0), "reset", "force_reset", "delete_queue", "delete_vhost", "purge_queue")
	default:
		lost = oneOf(o.word(0), "delete", "deleteall", "rmr", "purge") || oneOf(o.word(1), "delete", "rm", "purge") || o.has("delete")
	}
	if lost {
		a.mark(c, "deletes data: "+c.name+" "+o.order(), effect.DestructiveOp)
	}
	return flow{taint: fromProgram}
}
