package wire

import (
	"strings"

	"guardrails/internal/document"
)

// Verdict is a hook's answer to a tool call.
type Verdict uint8

// The verdicts. Pass leaves the decision to the client's own permission rules. A hook never answers "allow", because
// the client would then skip these rules.
const (
	Pass Verdict = iota
	Ask
	Deny
)

// Outcome is the complete answer of a hook.
type Outcome struct {
	Verdict Verdict
	// Reason is the reason for the verdict. If the call is denied, the model reads the reason. If the user is asked,
	// Reason is the question. For some tools, the client does not show the question.
	Reason string
	// Context is added to the model's context.
	Context string
	// Message is shown to the user, not to the model.
	Message string
	// The field "Counter" is a text. At the end of a turn, it asks the model for another final answer. After a prompt,
	// it stops the prompt and is the text that the user reads.
	Counter string
	// Display replaces what the client shows of an answer. If it is empty, the client shows the answer as it is.
	Display string
}

// Reply is how a process answers: what it writes, and its exit code.
type Reply struct {
	Stdout, Stderr []byte
	Exit           int
}

// The exit codes that the client supports. After any other exit code, the client allows a tool call.
const (
	exitDone  = 0
	exitBlock = 2
)

// TextLimit is the largest number of characters that the client accepts from a hook. The client moves a longer text to
// a file.
const TextLimit = 10000

// Answer returns what the process writes, and its exit code. Only Answer and Unheard convert outcomes to exit codes.
func (o *Outcome) Answer(event string) Reply {
	switch {
	case o.Verdict == Deny && event == PreToolUse:
		return Reply{Stdout: o.document(event), Stderr: line(o.Reason), Exit: exitBlock}
	case o.empty():
		return Reply{Exit: exitDone}
	}
	return Reply{Stdout: o.document(event), Exit: exitDone}
}

// Unheard returns the reply that is used if the process cannot write to stdout. The exit code of this reply still stops
// a call that must not run without a decision.
func (o *Outcome) Unheard() Reply {
	if o.Verdict == Pass {
		return Reply{Exit: exitDone}
	}
	return Reply{Stderr: line(o.Reason), Exit: exitBlock}
}

func (o *Outcome) empty() bool {
	return o.Verdict == Pass && o.Context+o.Message+o.Counter+o.Display == ""
}

// document() returns the JSON object for stdout. It has the fields that the client uses, and more fields that the
// client ignores.
func (o *Outcome) document(event string) []byte {
	out := make([]byte, 0, max(usual, 256+2*len(o.Reason)+3*len(o.Context)+len(o.Message)+len(o.Display)))
	out = append(out, '{')
	if o.Message != "" {
		out = field(out, "systemMessage", o.Message)
	}
	if o.Counter != "" {
		out = field(field(out, "decision", "block"), "reason", o.Counter)
	}
	if o.Verdict != Pass {
		out = field(out, "reason", o.Reason)
	}
	if o.Context != "" {
		out = field(out, "additionalContext", o.Context)
	}
	if o.Verdict != Pass || o.Context != "" || o.Display != "" {
		out = append(comma(out), `"hookSpecificOutput":`...)
		out = o.specific(out, event)
	}
	return append(out, '}', '\n')
}

func (o *Outcome) specific(out []byte, event string) []byte {
	out = field(append(out, '{'), "hookEventName", event)
	switch o.Verdict {
	case Deny:
		out = field(out, "permissionDecision", "deny")
	case Ask:
		out = field(out, "permissionDecision", "ask")
	}
	if o.Verdict != Pass {
		out = field(out, "permissionDecisionReason", o.Reason)
	}
	if o.Context != "" {
		out = field(out, "additionalContext", o.Context)
	}
	if o.Display != "" {
		out = document.AppendText(append(comma(out), `"displayContent":`...), o.Display)
	}
	return append(out, '}')
}

func field(out []byte, name, value string) []byte {
	out = append(comma(out), '"')
	out = append(out, name...)
	out = append(out, '"', ':')
	return document.AppendText(out, Shorten(value, TextLimit))
}

func comma(out []byte) []byte {
	if last := out[len(out)-1]; last != '{' {
		return append(out, ',')
	}
	return out
}

// Shorten cuts a text to a number of characters and marks the cut.
func Shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	const mark = " … (shortened)"
	count := 0
	for i := range text {
		if count++; count > limit-len(mark) {
			if len([]rune(text)) <= limit {
				return text
			}
			return text[:i] + mark
		}
	}
	return text
}

func oneLine(text string) string { return strings.ReplaceAll(text, "\n", " ") }

// The constant "usual" is large enough for most answers. So most buffers have the same size and share pages of
// memory.
const usual = 1024

func line(text string) []byte {
	return append(append(make([]byte, 0, max(usual, len(text)+1)), oneLine(text)...), '\n')
}
