package setup

import (
	"path/filepath"

	"guardrails/internal/product"
	"guardrails/setup/jsontext"
)

// hook is one entry that a guarded project needs.
type hook struct {
	event, program string
	// tools says that the event's groups have a matcher.
	tools bool
	// decides says that the hook's failure must not let a call pass.
	decides bool
	// last says that the client has let go of its servers by then, so that only a program can answer.
	last bool
}

func hooks() []hook {
	return []hook{
		{event: "UserPromptSubmit", program: product.Inject},
		{event: "SubagentStart", program: product.Subagent, tools: true},
		{event: "PreToolUse", program: product.Enforce, tools: true, decides: true},
		{event: "PostToolUse", program: product.Enforce, tools: true},
		{event: "PostToolUseFailure", program: product.Enforce, tools: true},
		{event: "Stop", program: product.Stop},
		{event: "SubagentStop", program: product.Stop, tools: true},
		{event: "SessionEnd", program: product.Stop, last: true},
	}
}

const (
	// timeout is in seconds. A hook gives its answer long before; the client's own default is a minute.
	timeout    = 10
	startType  = "command"
	everything = "*"
	strictFlag = "--strict"
	block      = "block"
)

// ProgramPath is where a program of this product lies in a folder.
func ProgramPath(bin, program string, windows bool) string {
	if windows {
		return bin + `\` + program + ".exe"
	}
	return filepath.Join(bin, program)
}

// Wanted lists the entries that a guarded project needs, as Prepare would write them.
func Wanted(o Options) []Entry {
	var entries []Entry
	for _, h := range hooks() {
		e := h.start(&o)
		if o.Direct && !h.last {
			e = h.call(&o)
		}
		e.Event, e.Timeout = h.event, timeout
		if h.tools {
			e.Matcher = everything
		}
		if o.OnFailure && h.decides {
			e.OnFailure = block
		}
		entries = append(entries, e)
	}
	return entries
}

// start is an entry that starts the hook's program.
func (h *hook) start(o *Options) Entry {
	e := Entry{Type: startType, Command: ProgramPath(o.Bin, h.program, o.Windows), Args: []string{}}
	if o.Strict && h.program == product.Enforce {
		e.Args = append(e.Args, strictFlag)
	}
	return e
}

// call is an entry that calls our server.
func (h *hook) call(o *Options) Entry {
	return Entry{Type: callType, Server: product.MCPServer, Tool: product.HookTool, Input: directInput(h.event, o.Strict && h.program == product.Enforce)}
}

// value is an entry as it is written.
func (e *Entry) value() jsontext.Object {
	out := jsontext.Object{
		{Name: "type", Value: e.Type},
		{Name: "command", Value: e.Command},
		{Name: "args", Value: jsontext.Words(e.Args)},
		{Name: "timeout", Value: e.Timeout},
	}
	if e.Direct() {
		out = e.call()
	}
	if e.OnFailure != "" {
		out = append(out, jsontext.Field{Name: "onFailure", Value: e.OnFailure})
	}
	return out
}

// newGroup is a group in which an entry stands alone.
func (e *Entry) newGroup() jsontext.Object {
	var group jsontext.Object
	if e.Matcher != "" {
		group = append(group, jsontext.Field{Name: "matcher", Value: e.Matcher})
	}
	return append(group, jsontext.Field{Name: "hooks", Value: jsontext.List{e.value()}})
}
