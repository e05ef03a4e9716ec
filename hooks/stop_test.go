package hooks_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
)

// newTalk returns a stage in a terminal. The service of this stage has something to say about each final answer.
func newTalk(t *testing.T) (*stage, *[]map[string]any) {
	s, shown := newStage(t, paths), &[]map[string]any{}
	s.env["CLAUDE_CODE_ENTRYPOINT"] = "cli"
	s.host.Ask = func(request []byte) ([]byte, error, error) {
		var asked map[string]any
		if err := json.Unmarshal(request, &asked); err != nil {
			t.Fatal(err)
		}
		*shown = append(*shown, asked)
		return []byte(`{"message":"It agrees.","counter":"Answer again."}`), nil, nil
	}
	if err := s.host.Dir.Touch(session.AnswersName("s1")); err != nil {
		t.Fatal(err)
	}
	return s, shown
}

func (s *stage) stops(name, text string, again bool) wire.Outcome {
	s.t.Helper()
	return hooks.Stop(s.host, s.event(name, map[string]any{"last_assistant_message": text, "stop_hook_active": again}))
}

func TestAFinalAnswerIsShownToTheDetectors(t *testing.T) {
	s, shown := newTalk(t)
	o := s.stops(wire.Stop, "Perfect!", false)
	if o.Message != "It agrees." || o.Counter != "Answer again." || len(*shown) != 1 || (*shown)[0]["answer"] != "Perfect!" ||
		(*shown)[0]["typed"] != "cli" {
		t.Errorf("%+v, %v", o, *shown)
	}
	if again := (*shown)[0]["again"]; again != nil {
		t.Errorf("again is %v", again)
	}
	s.stops(wire.Stop, "Perfect!", true)
	if again := (*shown)[1]["again"]; again != true {
		t.Errorf("again is %v", again)
	}
}

func TestOtherAnswersAreNotShownToTheDetectors(t *testing.T) {
	for name, c := range map[string]struct{ event, text, entry, session string }{
		"of a subagent":             {wire.SubagentStop, "Perfect!", "cli", "s1"},
		"at the end of the session": {wire.SessionEnd, "Perfect!", "cli", "s1"},
		"without a text":            {wire.Stop, "", "cli", "s1"},
		"without a person":          {wire.Stop, "Perfect!", "sdk-cli", "s1"},
		"while the detector is off": {wire.Stop, "Perfect!", "cli", "s2"},
	} {
		s, shown := newTalk(t)
		s.env["CLAUDE_CODE_ENTRYPOINT"] = c.entry
		o := hooks.Stop(s.host, s.event(c.event, map[string]any{"last_assistant_message": c.text, "session_id": c.session}))
		if len(*shown) > 0 || o.Message != "" {
			t.Errorf("%s: %+v, %v", name, o, *shown)
		}
	}
}

// TestASessionSaysThatTextsAreNotChecked checks a session whose service does not reply. The user must be told only if
// the safety gate is on.
func TestASessionSaysThatTextsAreNotChecked(t *testing.T) {
	for name, checked := range map[string]bool{"the gate is on": true, "the gate is off": false} {
		s := newStage(t, paths)
		s.host.Ask = func([]byte) ([]byte, error, error) { return nil, nil, errors.New("nobody answers") }
		if checked {
			if err := s.host.Dir.Touch(session.TurnName("s1")); err != nil {
				t.Fatal(err)
			}
		}
		prompt := hooks.Inject(s.host, s.event(wire.UserPromptSubmit, map[string]any{"prompt": "hello"}))
		if strings.Contains(prompt.Message, "What you type and what the model answers are not checked") != checked || prompt.Counter != "" {
			t.Errorf("%s: %+v", name, prompt)
		}
		answer := s.stops(wire.Stop, "Perfect!", false)
		if strings.Contains(answer.Message, "cannot check what the model answers: nobody answers") != checked || answer.Counter != "" {
			t.Errorf("%s: %+v", name, answer)
		}
	}
}

func TestEachFinalAnswerIsShownToTheSafetyGate(t *testing.T) {
	for name, c := range map[string]struct{ event, entry string }{
		"of the main thread in a terminal": {wire.Stop, "cli"},
		"of the main thread in a script":   {wire.Stop, "sdk-cli"},
		"of a subagent":                    {wire.SubagentStop, "cli"},
	} {
		s, shown := newTalk(t)
		s.env["CLAUDE_CODE_ENTRYPOINT"] = c.entry
		if _, err := s.host.Dir.Remove(session.AnswersName("s1")); err != nil {
			t.Fatal(err)
		}
		if err := s.host.Dir.Touch(session.TurnName("s1")); err != nil {
			t.Fatal(err)
		}
		o := s.stops(c.event, "Perfect!", false)
		if o.Counter != "Answer again." || len(*shown) != 1 || (*shown)[0]["typed"] != nil {
			t.Errorf("%s: %+v, %v", name, o, *shown)
		}
	}
}
