// Package toolcall finds out what a tool call would do: what it reads, writes, deletes, runs and fetches, and which
// events that means. It parses shell commands and never searches their text. Text that is only data has no effect. What
// the call does not show becomes an opaque effect with a reason.
//
// Start with Analyze and AnalyzeCommand. The work is done in the packages below: trace holds the state of an analysis;
// tool, shell, code and powershell follow a call, a script or a program text; program and the families below it know
// single programs; self knows the guard. dispatch.go connects them.
package toolcall

import "guardrails/detect/toolcall/trace"

// Env is what the analysis knows of the machine.
type Env = trace.Env

// TreeChange is what a git command does to the files of the project.
type TreeChange = trace.TreeChange
