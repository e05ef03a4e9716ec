// Package toolcall determines the effects of a tool call (what it reads, writes, deletes, runs and fetches) and their
// events. It parses shell commands instead of searching their text, so text that is only data has no effect. If the
// call does not show what it does, the analysis adds an opaque effect with a reason.
//
// Start with Analyze and AnalyzeCommand. The packages in the folders below this one do the work, and dispatch.go
// connects them:
//
//   - trace holds the state of an analysis.
//   - tool, shell, code and powershell analyze calls, scripts and source code.
//   - program, with the packages in its folder, analyzes individual programs.
//   - self finds commands that affect the guard.
package toolcall

import "guardrails/detect/toolcall/trace"

// Env describes the machine to the analysis.
type Env = trace.Env

// Repository says what the files of a git repository show about its branches.
type Repository = trace.Repository

// TreeChange describes how a git command changes the files of the project.
type TreeChange = trace.TreeChange

// Pending is what git says about a working tree before a commit.
type Pending = trace.Pending

// PendingFile is a file in the list Pending.Files. It differs from the last commit.
type PendingFile = trace.PendingFile
