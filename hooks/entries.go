package hooks

import (
	"bytes"
	"slices"
	"strings"

	"guardrails/detect/tooluse"
	"guardrails/guideline/document"
)

// TreeChange is what a git command does to the files of a project.
type TreeChange = tooluse.TreeChange

// Keeps reports whether a client that reads the settings in then instead of those in now still runs every hook of this
// product that now has: for the same event, the same tools and with the same program.
func Keeps(now, then []byte) bool {
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
				command, kind := fieldsOf(item.Raw, "command", "type")
				text, _ := document.Text(command)
				if name := ownProgram(text); name != "" && string(kind) == `"command"` {
					out = append(out, event.Name+"\x00"+string(matcher)+"\x00"+name)
				}
			}
		}
	}
	return out
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
	name := strings.TrimSuffix(command[strings.LastIndexAny(command, `/\`)+1:], ".exe")
	if strings.HasPrefix(name, "guardrails-") || strings.HasSuffix(command, "/.claude/hooks/guard") {
		return name
	}
	return ""
}
