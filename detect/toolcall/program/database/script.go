package database

import (
	"slices"
	"strings"

	"guardrails/detect/toolcall/trace"
	"guardrails/detect/toolcall/words"
)

// The type "script" holds what is known about an SQL text after some of its statements have been read.
type script struct {
	// The field "temporary" lists the names of the temporary tables that the text creates, in capital letters.
	temporary []string
	// The field "made" lists the schemas and databases that the text creates, as in "SCHEMA SCRATCH".
	made []string
	// The field "begun" is set if the first statement of the text has begun a transaction that is still open. The field
	// "rolledBack" is set if the last statement undoes this whole transaction.
	statements        int
	begun, rolledBack bool
	// The field "attached" lists the files of the other databases that the text opens.
	attached []trace.Value
}

// read() updates s with the next statement of the text.
func (s *script) read(tokens []sqlToken) {
	if len(tokens) == 0 {
		return
	}
	first := strings.ToUpper(tokens[0].text)
	begins := first == "BEGIN" || first == "START"
	s.rolledBack = s.begun && first == "ROLLBACK" && len(tokens) == 1
	s.begun = (s.begun && !begins || begins && s.statements == 0) &&
		!words.OneOf(first, "COMMIT END ROLLBACK ABORT PREPARE")
	s.statements++
	for i := 1; first == "ATTACH" && i < len(tokens); i++ {
		if tokens[i].quoted && tokens[i].text != ":memory:" && tokens[i].text != "" {
			s.attached = append(s.attached, trace.Value{Text: tokens[i].text})
			break
		}
	}
	list := statementWords(tokens)
	if len(list) > 2 && list[0] == "CREATE" && words.OneOf(list[1], "SCHEMA DATABASE") && trace.NamesTrial(list[2]) {
		s.made = append(s.made, list[1]+" "+list[2])
	}
	if len(list) > 3 && list[0] == "CREATE" &&
		words.OneOf(list[1], "TEMP TEMPORARY") && list[2] == "TABLE" {
		at := 3
		if list[3] == "IF" {
			at = min(6, len(list)-1)
		}
		s.temporary = append(s.temporary, list[at])
	}
}

// useAttached adds the effects on the other databases that the text opens. It reports whether the loss of any of these
// databases would matter.
func (s *script) useAttached(t *trace.Trace, c *trace.Command, writes bool) (matters bool) {
	for _, v := range s.attached {
		matters = matters || missed(t, v, c.Scope)
		if writes {
			t.Write(v, c.Scope, c.Span)
		} else {
			t.Read(v, c.Scope, c.Span)
		}
	}
	return matters
}

// dropsOwn reports whether a statement affects only what the same SQL text has created. Such a statement drops a
// created schema, a created database or created temporary tables, or it changes a table in a created schema.
func (s *script) dropsOwn(tokens []sqlToken) bool {
	list := statementWords(tokens)
	if len(s.made) > 0 && len(list) > 2 {
		drops := list[0] == "DROP" && (len(list) == 3 || len(list) == 4 && list[3] == "CASCADE")
		if drops && slices.Contains(s.made, list[1]+" "+list[2]) ||
			list[0] == "ALTER" && list[1] == "TABLE" && slices.Contains(s.made, "SCHEMA "+list[2]) {
			return true
		}
	}
	if len(s.temporary) == 0 || len(list) < 3 || list[0] != "DROP" || list[1] != "TABLE" {
		return false
	}
	return !slices.ContainsFunc(list[2:], func(name string) bool {
		return name == "" || name != words.Among(name, "IF EXISTS CASCADE") && !slices.Contains(s.temporary, name)
	})
}
