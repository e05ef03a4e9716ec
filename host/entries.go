package host

import (
	"bytes"
	"slices"
	"strings"

	"guardrails/internal/document"
	"guardrails/internal/product"
)

// keepsHooks reports whether the hooks of this product remain after a change of the client's settings. Every hook must
// still be in the new settings, for the same event, the same tools and the same program.
func keepsHooks(oldSettings, newSettings []byte) bool {
	before := entries(oldSettings)
	if len(before) == 0 {
		return true
	}
	after := entries(newSettings)
	for _, e := range before {
		if !slices.Contains(after, e) {
			return false
		}
	}
	return true
}

// entries() lists the hooks of this product in the client's settings. Each entry consists of the event, the matcher and
// the program. If the settings disable all hooks, the list is empty.
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
			matcher, list := twoFields(group.Raw, "matcher", "hooks")
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

// ownHook returns the program of this product that an entry starts. If the entry calls the server's tool instead, it
// returns the program that would do the same. For entries of other products it returns "".
func ownHook(event string, entry []byte) string {
	command, kind := twoFields(entry, "command", "type")
	text, _ := document.Text(command)
	switch string(kind) {
	case `"command"`:
		return ownProgram(text)
	case `"mcp_tool"`:
		server, tool := twoFields(entry, "server", "tool")
		failure, _ := twoFields(entry, "onFailure", "")
		if string(server) != `"`+product.MCPServer+`"` || string(tool) != `"`+product.HookTool+`"` {
			return ""
		}
		return directHook(event, string(failure) == `"block"`)
	}
	return ""
}

// directHook returns the program that does the same as a call of the server's tool. The parameter "blocks" is set if
// the client blocks the agent's call when the server's tool fails. If "blocks" is not set and the event is PreToolUse,
// directHook returns "", because the server's entry would protect nothing while the server is not running.
func directHook(event string, blocks bool) string {
	switch event {
	case "SessionStart", "UserPromptSubmit":
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

// twoFields returns the raw values of two fields of an object. If a field occurs several times, its last value counts,
// as in the client.
func twoFields(object []byte, first, second string) (one, two []byte) {
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

// ownProgram returns the program that a command starts, if it is one of this product's programs or the script that
// starts these programs. Otherwise it returns "".
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
