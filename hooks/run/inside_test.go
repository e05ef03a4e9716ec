package run

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/hooks"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
	"guardrails/internal/product"
)

// newInside returns an Inside with its own folders and without guidelines.
func newInside(t *testing.T) *Inside {
	t.Helper()
	base := t.TempDir()
	env := map[string]string{"HOME": base, "GUARDRAILS_CACHE_DIR": filepath.Join(base, "run")}
	return &Inside{
		Env: func(name string) string { return env[name] },
		Ask: func([]byte) ([]byte, error) { return nil, errors.New("nobody knows") },
	}
}

func TestACallThatCannotBeUnderstoodAsks(t *testing.T) {
	for name, arguments := range map[string]string{
		"nothing":         "",
		"no JSON":         "hello",
		"no event":        `{}`,
		"a new event":     `{"hook_event_name":"Later"}`,
		"no tool":         `{"hook_event_name":"PreToolUse","tool_input":"{}"}`,
		"no input":        `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":""}`,
		"half an input":   `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":"{\"command\":"}`,
		"no guidelines":   `{"hook_event_name":"PreToolUse","session_id":"s","tool_name":"Bash","tool_input":"{\"command\":\"make x\"}"}`,
		"input unquoted":  `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`,
		"a list of tools": `{"hook_event_name":"PreToolUse","tool_name":["Bash"],"tool_input":"{}"}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := newInside(t)
			if got := string(s.Answer([]byte(arguments))); !strings.Contains(got, `"permissionDecision":"ask"`) {
				t.Errorf("got %s", got)
			}
			strictly := strings.Replace(arguments, "{", `{"strict":true,`, 1)
			if !json.Valid([]byte(strictly)) {
				return // arguments that are not valid JSON cannot say that the entry is strict
			}
			if got := string(s.Answer([]byte(strictly))); !strings.Contains(got, `"permissionDecision":"deny"`) {
				t.Errorf("strict: got %s", got)
			}
		})
	}
}

func TestAPromptIsAnsweredWhateverHappens(t *testing.T) {
	s := newInside(t)
	got := string(s.Answer([]byte(`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"hello"}`)))
	if !strings.Contains(got, "cannot be read at the moment") || !strings.Contains(got, "nobody knows") || strings.Contains(got, "permissionDecision") {
		t.Errorf("got %s", got)
	}
}

func TestAHookWithNothingToSayAnswersAnEmptyObject(t *testing.T) {
	s := newInside(t)
	for _, event := range []string{wire.Stop, wire.SubagentStop, wire.SessionEnd, wire.PostToolUse} {
		if got := string(s.Answer([]byte(`{"hook_event_name":"` + event + `","session_id":"s"}`))); got != "{}" {
			t.Errorf("%s: got %s", event, got)
		}
	}
}

// answerAll answers the given events, and returns the last answer and the requests for the service.
func (s *Inside) answerAll(events ...string) (last, asked string) {
	s.Ask = func(request []byte) ([]byte, error) {
		asked += string(request)
		return []byte(`{"note":"a loop","message":"a line"}`), nil
	}
	for _, event := range events {
		last = string(s.Answer([]byte(event)))
	}
	return last, asked
}

func TestDetectorsSeeTheResultsOfCallsInAServer(t *testing.T) {
	const call = `{"hook_event_name":"PostToolUseFailure","session_id":"s","tool_name":"Read","tool_use_id":"%","tool_input":"{}"`
	for fields, want := range map[string]bool{
		`,"error":"no such file"}`: true,
		`,"error":""}`:             false,
		`}`:                        false, // an entry from an older version of init sends no result
	} {
		var calls []string
		for _, id := range []string{"a", "b", "c"} {
			calls = append(calls, strings.Replace(call, "%", id, 1)+fields)
		}
		if got, _ := newInside(t).answerAll(calls...); strings.Contains(got, "a loop") != want {
			t.Errorf("%s: got %s", fields, got)
		}
	}
}

func TestDetectorsSeeAnswersInAServer(t *testing.T) {
	s := newInside(t)
	env := s.Env
	s.Env = func(name string) string {
		if name == product.VariableEntrypoint {
			return "cli"
		}
		return env(name)
	}
	_, _ = s.answerAll(`{"hook_event_name":"Stop","session_id":"s"}`)
	d, err := private.Runtime(s.Env)
	if err == nil {
		err = d.Touch(session.AnswersName("s"))
	}
	if err != nil {
		t.Fatal(err)
	}
	const stop = `{"hook_event_name":"Stop","session_id":"s","last_assistant_message":"Perfect!","stop_hook_active":`
	for active, again := range map[string]bool{`"false"}`: false, `""}`: false, `"true"}`: true} {
		got, asked := s.answerAll(stop + active)
		if !strings.Contains(got, "a line") || !strings.Contains(asked, `"answer":"Perfect!"`) || strings.Contains(asked, `"again":true`) != again {
			t.Errorf("%s: got %s for %s", active, got, asked)
		}
	}
}

func TestAHookThatFailsInAServerAsksAndTheServerContinues(t *testing.T) {
	s := newInside(t)
	broken := Hook{Event: wire.PreToolUse, Answer: func(*hooks.Host, *wire.Event) wire.Outcome { panic("broken") }}
	if got := string(s.answer(broken, &wire.Event{Tool: "Bash"}, nil, nil)); !strings.Contains(got, `"permissionDecision":"ask"`) || !strings.Contains(got, "the hook itself failed") {
		t.Errorf("got %s", got)
	}
}

func TestAHookThatHangsInAServerIsAnsweredByPolicy(t *testing.T) {
	t.Parallel()
	s, release := newInside(t), make(chan struct{})
	defer close(release)
	hanging := Hook{Event: wire.PreToolUse, Answer: func(*hooks.Host, *wire.Event) wire.Outcome {
		<-release
		return wire.Outcome{}
	}}
	begin := time.Now()
	got := string(s.answer(hanging, &wire.Event{Tool: "Bash"}, []string{strictFlag}, nil))
	if !strings.Contains(got, "the check took too long") || !strings.Contains(got, `"permissionDecision":"deny"`) {
		t.Errorf("got %s", got)
	}
	if took := time.Since(begin); took > CallDeadline+2*time.Second {
		t.Errorf("the hook took %s", took)
	}
}

func TestManySessionsAreAnsweredAtTheSameTime(t *testing.T) {
	s := newInside(t)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			of := string(rune('a' + i%10))
			got := string(s.Answer([]byte(`{"hook_event_name":"PreToolUse","session_id":"` + of + `","tool_name":"Write","tool_input":"{\"file_path\":\"/p/x\"}"}`)))
			if !strings.Contains(got, `"permissionDecision":"ask"`) {
				t.Errorf("got %s", got)
			}
		})
	}
	all.Wait()
}
