// Package effect defines the result of analyzing a tool call: its effects (what it reads, writes, deletes, runs and
// sends) and the events that guidelines can match.
package effect

import (
	"slices"
	"strings"

	"guardrails/guideline/pattern"
)

// Kind says what an effect does.
type Kind string

// The kinds of effects.
const (
	Read   Kind = "read"   // reads a file
	Write  Kind = "write"  // creates or changes a file, for example by moving or linking
	Delete Kind = "delete" // deletes a file or folder
	Run    Kind = "run"    // starts a program or script
	Fetch  Kind = "fetch"  // downloads from the network
	Send   Kind = "send"   // sends to the network
	Use    Kind = "use"    // uses a tool that has none of the effects above
	Opaque Kind = "opaque" // does something that the call does not show; Reason says why it is unknown
)

// Effect is one thing that a tool call would do.
type Effect struct {
	Kind Kind `json:"kind"`
	// Path is relative to the project's root, or begins with / or ~ if the file is outside the project. If a part is
	// unknown, it is written as in the shell ($dir), and Unknown is set.
	Path string `json:"path,omitempty"`
	// The field "Inside" lists the paths that the effect concerns if Path is a folder. For example, "cp a.txt src" writes
	// src or, if that is a folder, src/a.txt. A glob stands for unknown names.
	Inside []string `json:"inside,omitempty"`
	// Tree is set if the effect also concerns everything below Path.
	Tree bool `json:"tree,omitempty"`
	// Glob is set if Path is a shell glob.
	Glob bool `json:"glob,omitempty"`
	// Unknown is set if a part of Path is unknown.
	Unknown bool `json:"unknown,omitempty"`
	// Command is the text of a simple command without its quotes.
	Command string `json:"command,omitempty"`
	// Forms are other spellings of Command that a pattern may match, such as the command without the program's folder.
	Forms []string `json:"-"`
	// Data is set if Command contains text that is only data, such as a commit message or a search pattern. Patterns are
	// then matched against Forms, which omit that text.
	Data bool `json:"-"`
	// Inert is set for a command that does no harm by itself, such as cd, echo or test. It is also set for the effects of
	// a trusted script. An allow list need not include inert effects.
	Inert bool `json:"-"`
	// Host is the machine from which the call fetches data, or to which it sends data.
	Host string `json:"host,omitempty"`
	// Name is the type of an agent, the name of a skill, or the main argument of any other tool. For a command that starts
	// another client, Name is the agent of that client.
	Name string `json:"name,omitempty"`
	// Events are the events that the effect causes. Conditions of guidelines can name these events, and also the
	// event that FileEvent() returns.
	Events []Event `json:"events,omitempty"`
	// The field "Related" lists the paths that the effect concerns if the effect has no path of its own. Examples are the
	// files of a commit.
	Related []string `json:"paths,omitempty"`
	// Commit is set for a git commit.
	Commit *CommitFacts `json:"-"`
	// The field "Updates" is set for a merge that only brings the current branch up to date with its upstream branch or
	// with the default branch.
	Updates bool `json:"-"`
	// The field "Required" is set if the call makes a commit, but makes it only after this command has succeeded.
	Required bool `json:"-"`
	// Status says whether the call's result shows that a test succeeded.
	Status Status `json:"-"`
	// Span is the part of the call that causes the effect.
	Span Span `json:"span"`
	// Reason says why an effect is opaque, or why it has its events.
	Reason string `json:"reason,omitempty"`
	// Script says which script causes the effect: 1 is the first of Analysis.Scripts. Script is 0 if the call causes the
	// effect directly.
	Script int `json:"-"`
}

// Span is a part of a command. Start and End are offsets in bytes. Text is the text of that part, shortened if it is
// long.
type Span struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Analysis is the result of analyzing a tool call.
type Analysis struct {
	Tool    string   `json:"tool"`
	Effects []Effect `json:"effects"`
	// Scripts are the scripts on disk that the call runs and that the analysis has read.
	Scripts []Script `json:"-"`
}

// Script is a script on disk that a call runs.
type Script struct {
	Path string // absolute
	Text string
}

// Place returns the effect's path in the form that patterns match.
func (e *Effect) Place() pattern.Path {
	return pattern.Path{Name: e.Path, Tree: e.Tree, Glob: e.Glob}
}

// InsidePlaces returns the paths of Inside in the form that patterns match.
func (e *Effect) InsidePlaces() []pattern.Path {
	out := make([]pattern.Path, len(e.Inside))
	for i, name := range e.Inside {
		out[i] = pattern.Path{Name: name, Glob: strings.ContainsAny(name, "*?[")}
	}
	return out
}

// Places returns the effect's own path, the paths in Inside and the paths in Related. The result is never nil, because
// a nil list would stand for the paths of the task context.
func (e *Effect) Places() []pattern.Path {
	out := make([]pattern.Path, 0, 1+len(e.Related))
	if e.Path != "" {
		out = append(out, e.Place())
	}
	out = append(out, e.InsidePlaces()...)
	for _, related := range e.Related {
		out = append(out, pattern.Path{Name: related, Tree: true, Glob: strings.ContainsAny(related, "*?")})
	}
	return out
}

// Has reports whether the effect has an event.
func (e *Effect) Has(event Event) bool {
	for _, have := range e.Events {
		if have == event {
			return true
		}
	}
	return false
}

// FileEvent returns the event that follows from the effect's kind: file_read, file_write or file_delete. It returns ""
// for an effect that is not about a file.
func (e *Effect) FileEvent() Event {
	switch e.Kind {
	case Read:
		return FileRead
	case Write:
		return FileWrite
	case Delete:
		return FileDelete
	}
	return ""
}

// AllEvents returns the effect's events, including the one that follows from its kind.
func (e *Effect) AllEvents() []Event {
	if event := e.FileEvent(); event != "" {
		return append(slices.Clip(e.Events), event)
	}
	return e.Events
}

// maxReason is the length in bytes after which no more text is added to a reason.
const maxReason = 2 << 10

// Note adds an event and the reason for the event to the effect, unless the effect has them already. It does the same
// as NoteAll for a single event. It exists because a call of Note needs less machine code in the hook programs than a
// call of NoteAll.
func (e *Effect) Note(reason string, event Event) { e.NoteAll(reason, event) }

// NoteAll adds the events that the effect does not have yet. It also adds the reason for the events, unless the reason
// of the effect contains it already.
func (e *Effect) NoteAll(reason string, events ...Event) {
	for _, event := range events {
		if !e.Has(event) {
			e.Events = append(e.Events, event)
		}
	}
	switch {
	case reason == "" || len(e.Reason) > maxReason || strings.Contains(e.Reason, reason):
	case e.Reason == "":
		e.Reason = reason
	default:
		e.Reason += "; " + reason
	}
}

// Drop removes events. If no event is left, Drop also removes the reason, except from an opaque effect.
func (e *Effect) Drop(events ...Event) {
	e.DropFunc(func(event Event) bool { return slices.Contains(events, event) })
	if len(e.Events) == 0 && e.Kind != Opaque {
		e.Reason = ""
	}
}

// DropFunc calls the function "which" for each event of the effect. If the result is true, DropFunc removes the event.
func (e *Effect) DropFunc(which func(Event) bool) {
	var kept []Event
	for _, event := range e.Events {
		if !which(event) {
			kept = append(kept, event)
		}
	}
	e.Events = kept
}

// IsTemporary reports whether an effect concerns only files below a temporary folder. An effect on the folder itself
// also counts as temporary, unless it deletes the folder.
func (e *Effect) IsTemporary() bool {
	return IsTemporaryPath(e.Path) || e.Kind != Delete && IsTemporaryPath(e.Path+"/x")
}

// IsTemporaryPath reports whether a path is below a temporary folder.
func IsTemporaryPath(path string) bool {
	for _, dir := range [...]string{
		"/tmp/", "/var/tmp/", "/private/tmp/", "/private/var/folders/",
		"/var/folders/", "/dev/shm/",
	} {
		if rest, below := strings.CutPrefix(path, dir); below && rest != "." && rest != "*" {
			return true
		}
	}
	const longest = 1 << 10 // the size of the largest path that is compared in lower case
	return len(path) <= longest && strings.Contains(strings.ToLower(path), "/appdata/local/temp/")
}
