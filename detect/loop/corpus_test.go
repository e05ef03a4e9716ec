package loop_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"guardrails/detect/loop"
	"guardrails/internal/fortests/corpus"
)

// session is a labelled list of tool calls. Its label is "loop" or "silent". The category of a loop is the pattern that
// a person sees in it. If the rules cannot recognize the loop, the category is "beyond".
type session struct {
	corpus.Header
	Calls json.RawMessage
}

func TestCorpusOfToolLoops(t *testing.T) {
	sessions := corpus.Load[session](t, "testdata/corpus")
	if len(sessions) < corpus.ToolLoopSessions {
		t.Errorf("the corpus has %d sessions, want %d", len(sessions), corpus.ToolLoopSessions)
	}
	corpus.CheckTwins(t, sessions, session.words)
	var m corpus.Measure
	for _, s := range sessions {
		what := s.detected(t)
		m.Add(s.Header, s.Category, s.Label == "loop", what != "", s.Note+": "+what)
	}
	m.Report(t, corpus.ToolLoops(), "testdata/known_misses.json")
}

// detected() returns the reason of the first detection in a session, or "". The detector judges each call when the call
// has ended, as a hook does.
func (s session) detected(t *testing.T) string {
	in, err := loop.Decode([]byte(`{"calls":` + string(s.Calls) + `}`))
	if err != nil {
		t.Fatalf("%s: %v", s.ID, err)
	}
	calls := in.Calls
	for i := range calls {
		in.Calls = calls[:i+1]
		if a := loop.Check(&in); a.Detected {
			return fmt.Sprintf("call %d: %s", i, a.Reason)
		}
	}
	return ""
}

// words() returns the note of a session and the texts of its calls.
func (s session) words() string {
	var calls []struct {
		Tool, Error string
		Input       map[string]any
	}
	if err := json.Unmarshal(s.Calls, &calls); err != nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintln(&b, s.Note)
	for _, c := range calls {
		fmt.Fprintln(&b, c.Tool, c.Error, c.Input)
	}
	return b.String()
}
