// Package wire is the client's side of a hook: the document that it writes to a hook's stdin, and what it reads from the
// hook's stdout, stderr and exit code.
//
// Start with Parse and Outcome.Answer.
package wire

import (
	"errors"
	"strings"

	"guardrails/internal/document"
)

// The events that the hooks are registered for.
const (
	UserPromptSubmit   = "UserPromptSubmit"
	SubagentStart      = "SubagentStart"
	PreToolUse         = "PreToolUse"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	Stop               = "Stop"
	SubagentStop       = "SubagentStop"
	SessionEnd         = "SessionEnd"
)

// Event is one document that the client sent.
type Event struct {
	Name    string
	Session string
	// Agent is the client's id of a subagent; empty on the main thread.
	Agent string
	// AgentType is the role that the client names.
	AgentType  string
	Cwd        string
	Transcript string
	Mode       string
	Prompt     string
	Tool       string
	// Input is the JSON object of the tool's arguments, as it came.
	Input     []byte
	ToolUseID string
	// Interrupted is set when a person broke off a tool that failed.
	Interrupted bool
	// Root is the project's root, once it was looked for.
	Root string
	// Notices are what came up on the way to the answer that the session's user has to know.
	Notices []Notice
}

// Notice is something that a session's user is told once.
type Notice struct {
	// Key is what it is about: of one key a session is told once.
	Key, Text string
}

// Typed reports whether a person wrote the prompt: the client also sends messages of its own, such as that a background
// agent has ended.
func (e *Event) Typed() bool { return !strings.HasPrefix(e.Prompt, "<task-notification>") }

// errors of a document that cannot be understood.
var (
	errEmpty  = errors.New("stdin is empty")
	errObject = errors.New("stdin is not a JSON object")
)

// WrongType is a field whose value is of another type than the client sends.
type WrongType struct{ Field string }

func (w *WrongType) Error() string {
	return "the field " + w.Field + " is not of the type that is expected"
}

// Parse reads the client's document. The names that older documents of this product used are read as well. What could be
// read stands in the event even when there is an error.
func Parse(text []byte) (Event, error) {
	var e Event
	text = trimmed(text)
	if len(text) == 0 {
		return e, errEmpty
	}
	if text[0] != '{' {
		return e, errObject
	}
	members, err := document.Members(text)
	if err != nil {
		return e, errors.New("stdin " + err.Error())
	}
	for _, m := range members {
		if wrong := e.set(m); wrong != nil && err == nil {
			err = wrong
		}
	}
	return e, err
}

// set keeps a member that is known; others are left alone, because each version of the client has some of its own.
func (e *Event) set(m document.Member) error {
	if string(m.Raw) == "null" {
		return nil
	}
	switch m.Name {
	case "tool_input", "arguments":
		e.Input = m.Raw
		if m.Raw[0] != '{' {
			return &WrongType{m.Name}
		}
		return nil
	case "is_interrupt":
		e.Interrupted = string(m.Raw) == "true"
		return nil
	}
	into := e.text(m.Name)
	if into == nil {
		return nil
	}
	text, ok := document.Text(m.Raw)
	if !ok {
		return &WrongType{m.Name}
	}
	*into = text
	return nil
}

// text is where a field of text is kept.
func (e *Event) text(name string) *string {
	switch name {
	case "hook_event_name":
		return &e.Name
	case "session_id", "sessionId":
		return &e.Session
	case "agent_id":
		return &e.Agent
	case "agent_type", "agentName":
		return &e.AgentType
	case "cwd":
		return &e.Cwd
	case "transcript_path":
		return &e.Transcript
	case "permission_mode":
		return &e.Mode
	case "prompt":
		return &e.Prompt
	case "tool_name", "tool":
		return &e.Tool
	case "tool_use_id":
		return &e.ToolUseID
	}
	return nil
}

func trimmed(text []byte) []byte {
	if len(text) >= 3 && text[0] == 0xef && text[1] == 0xbb && text[2] == 0xbf {
		text = text[3:]
	}
	for len(text) > 0 && text[0] <= ' ' {
		text = text[1:]
	}
	return text
}
