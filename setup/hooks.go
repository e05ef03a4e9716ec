package setup

import (
	"path/filepath"

	"guardrails/internal/product"
	"guardrails/setup/jsontext"
)

// The type "hook" is an entry that a guarded project needs.
type hook struct {
	event, program string
	// The field "tools" is set if the event's groups of entries have a matcher.
	tools bool
	// The field "decides" is set if the tool call must not run when the hook fails.
	decides bool
	// The field "offline" is set if the client is not connected to its servers at this event. Then only a program can
	// answer.
	offline bool
	// The field "masks" is set if the entry is present only when the screen masks personal data.
	masks bool
}

// Presence is the result of Program for the entry that checks, before each prompt, whether the programs are installed.
const Presence = "presence"

func hooks() []hook {
	return []hook{
		{event: "UserPromptSubmit", program: product.Inject},
		{event: "UserPromptSubmit", program: Presence},
		{event: "SubagentStart", program: product.Subagent, tools: true},
		{event: "PreToolUse", program: product.Enforce, tools: true, decides: true},
		{event: "PostToolUse", program: product.Enforce, tools: true},
		{event: "PostToolUseFailure", program: product.Enforce, tools: true},
		{event: "Stop", program: product.Stop},
		{event: "SubagentStop", program: product.Stop, tools: true},
		{event: "SessionEnd", program: product.Stop, offline: true},
		{event: "SessionStart", program: product.Inject, offline: true},
		{event: maskEvent, program: product.Inject, offline: true, masks: true}, // the last one, because it can be missing
	}
}

// maskEvent is the event at which the client shows a part of an answer.
const maskEvent = "MessageDisplay"

// Masks reports whether the entry masks personal data on the screen.
func (e *Entry) Masks() bool { return e.Ours() && e.Event == maskEvent }

const (
	// The constant "timeout" is in seconds. A hook answers much sooner, but the client's default is a whole minute.
	timeout    = 10
	startType  = "command"
	everything = "*"
	strictFlag = "--strict"
	block      = "block"
)

// ProgramPath returns the path of a program in the folder that the parameter "bin" names. If the parameter is empty, it
// returns the program's name, which is the same on every system.
func ProgramPath(bin, program string, windows bool) string {
	if bin == "" {
		return program
	}
	if windows {
		return bin + `\` + program + ".exe"
	}
	return filepath.Join(bin, program)
}

// Wanted returns the entries that a guarded project needs, as Prepare writes them.
func Wanted(o Options) []Entry {
	var entries []Entry
	for _, h := range hooks() {
		if h.masks && !o.Mask {
			continue
		}
		e := h.start(&o)
		switch {
		case h.program == Presence:
			e = look(&o)
		case o.Direct && !h.offline:
			e = h.call(&o)
		}
		e.Event, e.Timeout = h.event, timeout
		if h.tools {
			e.Matcher = everything
		}
		if h.decides {
			e.OnFailure = block
		}
		entries = append(entries, e)
	}
	return entries
}

// start() returns the entry for an installation in which the client starts the hook's program.
func (h *hook) start(o *Options) Entry {
	e := Entry{Type: startType, Command: ProgramPath(o.Bin, h.program, o.Windows), Args: []string{}}
	if o.Strict && h.program == product.Enforce {
		e.Args = append(e.Args, strictFlag)
	}
	if h.decides {
		e.Args = append(e.Args, missingFlag, missingAdvice)
	}
	return e
}

// call() returns the entry for an installation in which the client calls our server.
func (h *hook) call(o *Options) Entry {
	return Entry{
		Type: callType, Server: product.MCPServer, Tool: product.HookTool,
		Input: directInput(h.event, o.Strict && h.program == product.Enforce),
	}
}

// value() returns the entry in the form of the client's settings.
func (e *Entry) value() jsontext.Object {
	out := jsontext.Object{{Name: "type", Value: e.Type}, {Name: "command", Value: e.Command}}
	if e.Args != nil {
		out = append(out, jsontext.Field{Name: "args", Value: jsontext.Words(e.Args)})
	}
	out = append(out, jsontext.Field{Name: "timeout", Value: e.Timeout})
	if e.Direct() {
		out = e.call()
	}
	if e.OnFailure != "" {
		out = append(out, jsontext.Field{Name: "onFailure", Value: e.OnFailure})
	}
	return out
}

func (e *Entry) newGroup() jsontext.Object {
	var group jsontext.Object
	if e.Matcher != "" {
		group = append(group, jsontext.Field{Name: "matcher", Value: e.Matcher})
	}
	return append(group, jsontext.Field{Name: "hooks", Value: jsontext.List{e.value()}})
}
