package session

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// Transcript has the events that a headless client reported about its session.
type Transcript struct {
	Events []Event
	// Result is the last result event. It says how the session ended.
	Result *Result
	Stderr string
}

// Event is one event of the session. At most one of the pointers is set. If this package does not support the kind of
// the event, none of the pointers is set. Raw is the line of the client's stream that reports the event.
type Event struct {
	Type, Subtype string
	// Subagent is the id of the call that started the subagent of this event. It is "" for the main thread.
	Subagent string
	Text     *string
	Call     *Call
	Answer   *Answer
	Hook     *Hook
	Raw      json.RawMessage
}

// Call is a tool call of the model.
type Call struct {
	ID, Name string
	Input    json.RawMessage
}

// Answer is the result of a tool call.
type Answer struct {
	ID, Text string
	Failed   bool
}

// Hook is a hook that has run.
type Hook struct {
	// Event is the event of the hook. Name also contains the tool, as in PreToolUse:Bash.
	Event  string `json:"hook_event"`
	Name   string `json:"hook_name"`
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	// ExitCode is nil if the hook was not a process or was killed.
	ExitCode *int   `json:"exit_code"`
	Outcome  string `json:"outcome"`
}

// Result says how a session or a turn ended.
type Result struct {
	SessionID string   `json:"session_id"`
	Subtype   string   `json:"subtype"`
	Failed    bool     `json:"is_error"`
	Text      string   `json:"result"`
	Denials   []Denial `json:"permission_denials"`
}

// Denial is a tool call that the client did not permit.
type Denial struct {
	Tool string `json:"tool_name"`
	ID   string `json:"tool_use_id"`
}

// Parse reads the stream of a client. If a line has an error, the transcript has everything before this line.
func Parse(stream io.Reader) (*Transcript, error) {
	t := &Transcript{}
	lines := bufio.NewReader(stream)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			if err := t.add(line); err != nil {
				return t, fmt.Errorf("line %d of the client's stream: %w", n, err)
			}
		}
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return t, fmt.Errorf("reading the client's stream: %w", err)
		}
	}
}

// Answer returns the result of a tool call.
func (t *Transcript) Answer(id string) (Answer, bool) {
	for _, e := range t.Events {
		if e.Answer != nil && e.Answer.ID == id {
			return *e.Answer, true
		}
	}
	return Answer{}, false
}

// Hooks returns the hooks that ran for an event.
func (t *Transcript) Hooks(event string) []Hook {
	var found []Hook
	for _, e := range t.Events {
		if e.Hook != nil && e.Hook.Event == event {
			found = append(found, *e.Hook)
		}
	}
	return found
}

// Texts returns what the model said in the main thread.
func (t *Transcript) Texts() []string {
	var texts []string
	for _, e := range t.Events {
		if e.Text != nil && e.Subagent == "" {
			texts = append(texts, *e.Text)
		}
	}
	return texts
}
