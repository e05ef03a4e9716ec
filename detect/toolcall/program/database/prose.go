package database

import (
	"strings"

	"guardrails/detect/toolcall/program"
	"guardrails/detect/toolcall/trace"
)

// The variable "losing" lists the beginnings of statements that lose data.
var losing = [...]string{ //nolint:gochecknoglobals // a constant table
	"DROP TABLE ", "DROP DATABASE ", "DROP SCHEMA ", "DROP KEYSPACE ", "DROP SPACE ", "TRUNCATE TABLE ", "DELETE FROM ",
}

// loses() reports whether a text begins like a statement that loses data.
func loses(text string) bool {
	text = strings.TrimLeft(text, " \t\n")
	for _, begin := range losing {
		if len(text) > len(begin) && strings.EqualFold(text[:len(begin)], begin) {
			return true
		}
	}
	return false
}

// printedSQL returns the statements that a query builds and prints for another client, as in "select 'drop table
// '||name from x". The end of such a statement is unknown, so the result has an x in its place.
func printedSQL(t *trace.Trace, text string) string {
	if !t.Spend(len(text)) {
		return ""
	}
	var out strings.Builder
	for rest := text; ; {
		token, next, ok := nextSQL(rest)
		if !ok {
			return out.String()
		}
		if token.quoted && loses(token.text+"x") {
			out.WriteString(token.text + "x;\n")
		}
		rest = next
	}
}

// UnlistedSQL analyzes SQL in the arguments or the input of a program without a handler. The SQL must be a whole
// argument or the whole input.
func UnlistedSQL(t *trace.Trace, c *trace.Command) {
	if program.TakesProse(c.Name) || program.TakesFolders(c.Name) {
		return
	}
	for i, v := range c.Args() {
		if loses(v.Text) && !program.IsOneOf(c.Argv[i].Text, "-m|-p|--message|--prompt|--title|--body|--description|--comment") {
			SQL(t, c, v.Text)
		}
	}
	if c.In.Known && loses(c.In.Text) {
		SQL(t, c, c.In.Text)
	}
}
