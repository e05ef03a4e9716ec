// Package product contains the names that the whole product uses: its programs, its files and folders, and its
// environment variables.
//
// Every hook links this package, so it has only constants and small functions.
package product

import "strings"

// The programs of the product.
const (
	CLI      = "guardrails"
	Inject   = "guardrails-inject"
	Subagent = "guardrails-subagent"
	Enforce  = "guardrails-enforce"
	Stop     = "guardrails-stop"
	Server   = "guardrails-server"
)

// The name under which the client knows the MCP server, and the name of the tool that the client calls instead of a
// hook program.
const (
	MCPServer = "guardrails"
	HookTool  = "guardrails_hook"
)

// The list "programs" contains all programs, with the hook programs first.
var programs = [...]string{Inject, Subagent, Enforce, Stop, CLI, Server} //nolint:gochecknoglobals // a constant table

const hookPrograms = 4

// Programs returns the names of all programs of the product.
func Programs() []string { return append([]string(nil), programs[:]...) }

// Hooks returns the names of the programs that the client starts as hooks.
func Hooks() []string { return append([]string(nil), programs[:hookPrograms]...) }

// IsOwnProgram reports whether a path or a name ends with the name of one of the product's programs.
func IsOwnProgram(path string) bool {
	return isOneOf(programs[:], ProgramName(path))
}

// IsHook reports whether a path or a name ends with the name of one of the hook programs.
func IsHook(path string) bool {
	return isOneOf(programs[:hookPrograms], ProgramName(path))
}

func isOneOf(names []string, name string) bool {
	for _, own := range names {
		if strings.EqualFold(name, own) {
			return true
		}
	}
	return false
}

// ProgramName returns the name of a program, without its folder and without .exe. The path may have the form of any
// operating system.
func ProgramName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	if i := len(name) - len(".exe"); i >= 0 && strings.EqualFold(name[i:], ".exe") {
		return name[:i]
	}
	return name
}
