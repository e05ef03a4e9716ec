package wire_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"guardrails/hooks/wire"
)

// document() parses an answer in the same way as the client.
func document(t *testing.T, text []byte) map[string]any {
	t.Helper()
	if len(text) == 0 {
		return nil
	}
	var doc map[string]any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return doc
}

func TestOutcomeIsWrittenInTheFormThatTheClientObeys(t *testing.T) {
	type object = map[string]any
	specific := func(fields ...string) object {
		out := object{"hookEventName": wire.PreToolUse}
		for i := 0; i < len(fields); i += 2 {
			out[fields[i]] = fields[i+1]
		}
		return out
	}
	for name, c := range map[string]struct {
		outcome wire.Outcome
		want    object
		stderr  string
		exit    int
	}{
		"an empty outcome": {wire.Outcome{}, nil, "", 0},
		"only a reason":    {wire.Outcome{Reason: "r"}, nil, "", 0},
		"a refusal": {
			wire.Outcome{Verdict: wire.Deny, Reason: "no\nnever"},
			object{"reason": "no\nnever", "hookSpecificOutput": specific("permissionDecision", "deny", "permissionDecisionReason", "no\nnever")},
			"no never\n", 2,
		},
		"a question": {
			wire.Outcome{Verdict: wire.Ask, Reason: "may it?", Context: "c", Message: "m"},
			object{
				"systemMessage": "m", "reason": "may it?", "additionalContext": "c",
				"hookSpecificOutput": specific("permissionDecision", "ask", "permissionDecisionReason", "may it?", "additionalContext", "c"),
			},
			"", 0,
		},
		"text for the model": {
			wire.Outcome{Context: "c"},
			object{"additionalContext": "c", "hookSpecificOutput": specific("additionalContext", "c")},
			"", 0,
		},
		"text for the user": {wire.Outcome{Message: "m"}, object{"systemMessage": "m"}, "", 0},
		"text with characters to escape": {
			wire.Outcome{Message: "\"\\\n\x00\u2028</script>\xff"}, object{"systemMessage": "\"\\\n\x00\u2028</script>\ufffd"}, "", 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.outcome.Answer(wire.PreToolUse)
			if doc := document(t, got.Stdout); !reflect.DeepEqual(doc, c.want) || string(got.Stderr) != c.stderr || got.Exit != c.exit {
				t.Errorf("exit %d, %q, %s", got.Exit, got.Stderr, got.Stdout)
			}
		})
	}
}

func TestOnlyToolCallsAreBlocked(t *testing.T) {
	for _, event := range []string{wire.UserPromptSubmit, wire.SubagentStart, wire.PostToolUse, wire.Stop, wire.SubagentStop, wire.SessionEnd} {
		o := wire.Outcome{Verdict: wire.Deny, Reason: "no"}
		if got := o.Answer(event); got.Exit != 0 || len(got.Stderr) > 0 || !strings.Contains(string(got.Stdout), `"hookEventName":"`+event+`"`) {
			t.Errorf("%s: %+v", event, got)
		}
	}
}

func TestAnswerThatCannotBeWrittenSetsTheExitCode(t *testing.T) {
	for verdict, want := range map[wire.Verdict]wire.Reply{
		wire.Pass: {}, wire.Ask: {Stderr: []byte("a b\n"), Exit: 2}, wire.Deny: {Stderr: []byte("a b\n"), Exit: 2},
	} {
		o := wire.Outcome{Verdict: verdict, Reason: "a\nb", Message: "m"}
		if got := o.Unheard(); !reflect.DeepEqual(got, want) {
			t.Errorf("verdict %d: %+v", verdict, got)
		}
	}
}

func TestLongTextIsTruncatedWithANote(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"short":                   {"abc", "abc"},
		"just fits":               {strings.Repeat("x", 20), strings.Repeat("x", 20)},
		"characters, not bytes":   {strings.Repeat("é", 20), strings.Repeat("é", 20)},
		"one character too many":  {strings.Repeat("é", 21), ""},
		"far too long":            {strings.Repeat("日本", 5000), ""},
		"bytes that are not text": {strings.Repeat("\xff", 100), ""},
	} {
		got := wire.Shorten(c.text, 20)
		if c.want != "" && got != c.want || utf8.RuneCountInString(got) > 20 || c.want == "" && !strings.HasSuffix(got, " … (shortened)") {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

func TestNoAnswerTextExceedsTheClientsLimit(t *testing.T) {
	long := strings.Repeat("\"\n日", 10_000)
	o := wire.Outcome{Verdict: wire.Ask, Reason: long, Context: long, Message: long}
	doc := document(t, o.Answer(wire.PreToolUse).Stdout)
	specific, _ := doc["hookSpecificOutput"].(map[string]any)
	for _, text := range []any{doc["systemMessage"], doc["reason"], doc["additionalContext"], specific["additionalContext"], specific["permissionDecisionReason"]} {
		if text, _ := text.(string); utf8.RuneCountInString(text) > wire.TextLimit || !strings.HasSuffix(text, "(shortened)") {
			t.Errorf("%d characters", utf8.RuneCountInString(text))
		}
	}
}

func TestASecondAnswerIsRequestedWithADecision(t *testing.T) {
	o := wire.Outcome{Message: "It agrees.", Counter: "Answer again."}
	want := `{"systemMessage":"It agrees.","decision":"block","reason":"Answer again."}` + "\n"
	if got := o.Answer(wire.Stop); string(got.Stdout) != want || got.Exit != 0 {
		t.Errorf("got %s, exit code %d", got.Stdout, got.Exit)
	}
}
