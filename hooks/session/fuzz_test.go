package session_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"guardrails/hooks/session"
)

// FuzzLedger checks that an entry is read correctly, whatever text comes before it in the ledger.
func FuzzLedger(f *testing.F) {
	for _, s := range stories(f) {
		var text string
		for _, e := range s.Entries {
			text += "\n" + string(session.Line(e)) + "\n"
		}
		f.Add(text, "a\xff\n")
	}
	f.Add("\n"+`{"kind":"checkpoint","to":1,"untested":true,"truncated":false,"unreadable":2,"entries":"{\"kind\":\"chose\",\"choice\":\"open\"}\n"}`+"\n", "")
	f.Add(`{"kind":"wrote","path":"\ud83d`, `"`)
	f.Add("\n"+`{"kind":"wrote","path":"`+strings.Repeat("long", 500)+`"}`+"\n", "a")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, e := range []session.Entry{{Kind: session.Noticed, Name: name}, {Kind: session.Wrote, Path: name, Source: true}} {
			line := session.Line(e)
			if !json.Valid(line) || bytes.IndexByte(line, '\n') >= 0 {
				t.Fatalf("%q", line)
			}
			text += "\n" + string(line) + "\n"
		}
		s := session.StateOf(text)
		if !s.Noticed(name) || !s.Wrote(name) || s.TestedSinceWrite {
			t.Errorf("%q: got %+v", text, s)
		}
		wantSame(t, session.StateOf(session.Trimmed(text)), s)
	})
}
