// Package wire reads the document that the client sends on a hook's stdin, and builds the answer that the client reads
// from the hook's stdout, stderr and exit code.
//
// Start with Parse and Outcome.Answer.
package wire

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"guardrails/internal/document"
)

// The events for which hooks are registered.
const (
	SessionStart       = "SessionStart"
	UserPromptSubmit   = "UserPromptSubmit"
	SubagentStart      = "SubagentStart"
	PreToolUse         = "PreToolUse"
	PostToolUse        = "PostToolUse"
	PostToolUseFailure = "PostToolUseFailure"
	Stop               = "Stop"
	SubagentStop       = "SubagentStop"
	SessionEnd         = "SessionEnd"
	MessageDisplay     = "MessageDisplay"
)

// Event is one document from the client.
type Event struct {
	Name    string
	Session string
	// Agent is the client's id of a subagent, or "" on the main thread.
	Agent string
	// AgentType is the role of the subagent.
	AgentType  string
	Cwd        string
	Transcript string
	Mode       string
	Prompt     string
	Tool       string
	// Input is the JSON object of the tool's arguments, unchanged.
	Input     []byte
	ToolUseID string
	// Response is the raw result of the tool, in an event after the call.
	Response []byte
	// The field "Took" says how long the tool ran, in an event after the call. It is 0 if the client does not report
	// this time.
	Took time.Duration
	// Interrupted reports whether a person stopped the tool.
	Interrupted bool
	// Root is the project's root, once it is known.
	Root string
	// The field "Waits" is set if files of the guard have changed and a person must be asked. The field "Replaced" is
	// set if one of these files is a program. Question is the question to the person, or "".
	Waits, Replaced bool
	Question        string
	// TypedIn is the entry point of the client, such as "cli", if a person works in this client. Otherwise it is "".
	TypedIn string
	// Calls has hashes of the agent's last calls, if they could be a loop.
	Calls string
	// Text is the client's document. If the client called the server instead of a hook program, Text has the arguments of
	// this call. In that case, Text is set only if the arguments have the result of a tool or an answer of the model.
	Text []byte
	// Notices are messages that the user must see.
	Notices []Notice
	// RecordID is the id that the next record gets in the audit. It is set if the reason of the decision ends with the
	// address of the page for this record. Only our own code sets RecordID.
	RecordID string
}

// Notice is a message that a session shows to its user only once.
type Notice struct {
	// Key identifies the notice: a session shows one notice per key.
	Key, Text string
}

// Typed reports whether a person wrote the prompt. The client also sends its own messages, for example when a
// background agent has ended.
func (e *Event) Typed() bool { return !strings.HasPrefix(e.Prompt, "<task-notification>") }

var (
	errEmpty  = errors.New("stdin is empty")
	errObject = errors.New("stdin is not a JSON object")
)

// WrongType is the error for a field whose value has an unexpected type.
type WrongType struct{ Field string }

func (w *WrongType) Error() string {
	return "the field " + w.Field + " has an unexpected type"
}

// maxFolder is the maximum length of the working folder. No system has longer paths.
const maxFolder = 4096

var errFolder = errors.New("the field cwd is too long for a path; send the path of the working folder")

// Parse parses the client's document. It accepts the current and the earlier names of fields. After an error, the event
// contains the fields that could be read.
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
	e.Text = text
	for _, m := range members {
		if wrong := e.set(m); wrong != nil && err == nil {
			err = wrong
		}
	}
	return e, err
}

// set() stores a known field. It ignores unknown fields, because each version of the client has different fields.
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
	case "tool_response":
		e.Response = m.Raw
		return nil
	case "duration_ms":
		// The number may have a fraction. A number that cannot be read counts as missing.
		whole, _, _ := strings.Cut(string(m.Raw), ".")
		if ms, err := strconv.ParseInt(whole, 10, 32); err == nil {
			e.Took = max(time.Duration(ms), 1) * time.Millisecond
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
	return e.put(into, text)
}

// put() stores a text in a field of the event.
func (e *Event) put(into *string, text string) error {
	if into == &e.Cwd && len(text) > maxFolder {
		return errFolder
	}
	*into = text
	return nil
}

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
