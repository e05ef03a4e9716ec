package host

import (
	"bytes"
	"slices"
	"strings"

	"guardrails/internal/document"
	"guardrails/internal/product"
)

// keeps reports whether a client that reads the settings in then instead of those in now still runs every hook of this
// product that now has: for the same event, the same tools and with the same program.
func keeps(now, then []byte) bool {
	before := entries(now)
	if len(before) == 0 {
		return true
	}
	after := entries(then)
	for _, e := range before {
		if !slices.Contains(after, e) {
			return false
		}
	}
	return true
}

// entries are the hooks of this product in the client's settings: event, tools and program. Where every hook is switched
// off there is none.
func entries(settings []byte) []string {
	if !bytes.Contains(settings, []byte("guard")) {
		return nil
	}
	top, err := document.Members(settings)
	if err != nil {
		return nil
	}
	var out []string
	for _, m := range top {
		switch {
		case m.Name == "disableAllHooks" && string(m.Raw) != "false":
			return nil
		case m.Name == "hooks":
			out = hookEntries(m.Raw)
		}
	}
	return out
}

func hookEntries(hooks []byte) []string {
	var out []string
	events, _ := document.Members(hooks)
	for _, event := range events {
		groups, _ := document.Members(event.Raw)
		for _, group := range groups {
			matcher, list := fieldsOf(group.Raw, "matcher", "hooks")
			items, _ := document.Members(list)
			for _, item := range items {
				if name := ownHook(event.Name, item.Raw); name != "" {
					out = append(out, event.Name+"\x00"+string(matcher)+"\x00"+name)
				}
			}
		}
	}
	return out
}

// ownHook is the program that an entry runs, or that the call of the server's tool stands for, if it is this product's.
func ownHook(event string, entry []byte) string {
	command, kind := fieldsOf(entry, "command", "type")
	text, _ := document.Text(command)
	switch string(kind) {
	case `"command"`:
		return ownProgram(text)
	case `"mcp_tool"`:
		server, tool := fieldsOf(entry, "server", "tool")
		failure, _ := fieldsOf(entry, "onFailure", "")
		if string(server) != `"`+product.MCPServer+`"` || string(tool) != `"`+product.HookTool+`"` {
			return ""
		}
		return directHook(event, string(failure) == `"block"`)
	}
	return ""
}

// directHook is the program in whose place the server's tool is called. Without blocking it guards no call: the server may
// be gone.
func directHook(event string, blocks bool) string {
	switch event {
	case "UserPromptSubmit":
		return product.Inject
	case "SubagentStart":
		return product.Subagent
	case "Stop", "SubagentStop", "SessionEnd":
		return product.Stop
	case "PreToolUse":
		if !blocks {
			return ""
		}
	}
	return product.Enforce
}

// fieldsOf are two fields of an object as they are written; of one that stands twice the client reads the last.
func fieldsOf(object []byte, first, second string) (one, two []byte) {
	members, _ := document.Members(object)
	for _, m := range members {
		switch m.Name {
		case first:
			one = m.Raw
		case second:
			two = m.Raw
		}
	}
	return one, two
}

// ownProgram is the program that a command runs if it is one of this product's, or leads to them.
func ownProgram(command string) string {
	if rest, quoted := strings.CutPrefix(command, `"`); quoted {
		command, _, _ = strings.Cut(rest, `"`)
	} else {
		command, _, _ = strings.Cut(command, " ")
	}
	name := product.ProgramName(command)
	if product.IsHook(name) || strings.HasSuffix(command, "/"+product.GuardScript) {
		return name
	}
	return ""
}
