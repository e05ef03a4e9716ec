// Package toolcall turns a tool call into its effects: what it reads, writes, deletes, runs and fetches, and which
// events that means. Shell commands are parsed, never searched; text that is only data has no effect; what cannot be
// known is an opaque effect with its reason.
//
// Start with Analyze; Events lists what a guideline's condition can name. Inside, read analyze.go, shell.go, which
// follows the statements of a script, call.go, which turns words into one command, and handlers.go, which finds who
// knows that command.
package toolcall

import (
	"strings"

	"guardrails/guideline/pattern"
)

// Kind says what an effect does.
type Kind string

// The kinds of effects.
const (
	Read   Kind = "read"   // a file's content is read
	Write  Kind = "write"  // a file is made or changed, also by moving or linking
	Delete Kind = "delete" // a file or folder goes away
	Run    Kind = "run"    // a program or script is started
	Fetch  Kind = "fetch"  // something is got from the network
	Send   Kind = "send"   // something is sent to the network
	Use    Kind = "use"    // a tool without effects of the kinds above is used
	Opaque Kind = "opaque" // something happens that cannot be known from the call; Reason says why
)

// Effect is one thing that a tool call would do.
type Effect struct {
	Kind Kind `json:"kind"`
	// Path is relative to the project's root, or begins with / or ~ when it lies outside. A part that is not known is
	// written as the shell has it ($dir), and Unknown is set.
	Path string `json:"path,omitempty"`
	// Tree is set when everything below Path is meant too.
	Tree bool `json:"tree,omitempty"`
	// Glob is set when Path is a shell's glob.
	Glob bool `json:"glob,omitempty"`
	// Unknown is set when Path has a part that is not known.
	Unknown bool `json:"unknown,omitempty"`
	// Command is the text of a simple command with its quotes removed.
	Command string `json:"command,omitempty"`
	// Forms are other ways of writing Command that a pattern may mean: without the folder of the binary, say.
	Forms []string `json:"-"`
	// Data is set when Command holds text that is only data (a commit message, a search pattern): then patterns see
	// Forms alone, where that text is left out.
	Data bool `json:"-"`
	// Inert is set on a command that cannot do harm by itself (cd, echo, test), and on what a trusted script does: allow
	// lists need not name it.
	Inert bool `json:"-"`
	// Host is where a fetch or send goes.
	Host string `json:"host,omitempty"`
	// Name is an agent's type, a skill, or another tool's subject.
	Name string `json:"name,omitempty"`
	// Events are what the effect means to guidelines.
	Events []Event `json:"events,omitempty"`
	// Related are the paths that an event without a path of its own concerns: what a commit adds.
	Related []string `json:"paths,omitempty"`
	// Span is the part of the call that the effect comes from.
	Span Span `json:"span"`
	// Reason says why an effect is opaque, or why it has its events.
	Reason string `json:"reason,omitempty"`
	// Script is the number of the script on disk that the effect comes from, counted from one in Analysis.Scripts; 0 for
	// the call itself.
	Script int `json:"-"`
}

// Span is a part of a command, in bytes; Text is what stands there, shortened when it is long.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Place is the effect's path as a pattern sees it.
func (e *Effect) Place() pattern.Path {
	return pattern.Path{Name: e.Path, Tree: e.Tree, Glob: e.Glob}
}

// Places are the effect's own path and the related ones; never nil, so that they always stand in for a context's paths.
func (e *Effect) Places() []pattern.Path {
	out := make([]pattern.Path, 0, 1+len(e.Related))
	if e.Path != "" {
		out = append(out, e.Place())
	}
	for _, related := range e.Related {
		out = append(out, pattern.Path{Name: related, Tree: true, Glob: strings.ContainsAny(related, "*?")})
	}
	return out
}

// Has reports whether the effect means the event.
func (e *Effect) Has(event Event) bool {
	for _, have := range e.Events {
		if have == event {
			return true
		}
	}
	return false
}

// Analysis is everything that a tool call would do.
type Analysis struct {
	Tool    string   `json:"tool"`
	Effects []Effect `json:"effects"`
	// Scripts are the scripts on disk that the call runs, as far as they were read.
	Scripts []Script `json:"-"`
}

// Env is what the analysis knows of the machine. The zero value knows nothing; then only what the call itself says
// is used.
type Env struct {
	// Root is the project's root, Cwd where the call runs, Home the user's home directory: absolute paths, or empty.
	Root, Cwd, Home string
	// Resolve follows symbolic links in the part of an absolute path that exists; nil follows none.
	Resolve func(path string) string
	// Guarded are absolute paths of files and folders that belong to the guard on this machine.
	Guarded []string
	// Pending lists the files that a commit in the project would take in: what is staged, with all also what is changed,
	// with untracked also what is new. It is asked again only for more than before; nil means that nobody knows.
	Pending func(all, untracked bool) []string
	// Script reads the text of a script that the call runs, if it is a regular file of no more bytes than the limit; nil
	// reads none.
	Script func(path string, limit int64) ([]byte, bool)
	// Worktree is the root of the worktree that a path lies in, when that is another one of the project's repository; nil
	// knows of none. It is asked for what is changed, and for what is read outside the project.
	Worktree func(path string) string
	// Guardless reports whether the project would be without files of its guard after a change of its working tree. It is
	// asked for commands of git alone that change the tree; nil means that nobody knows.
	Guardless func(TreeChange) bool
}
