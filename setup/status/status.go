// Package status describes a session: whether its hooks run, how many guidelines apply, what was denied last, and how
// many calls were not checked. Start with Read.
package status

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/page"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/service/fallback"
	"guardrails/setup"
)

// Guard says whether the tool calls of a session are checked.
type Guard string

const (
	// Off is the state of a session whose settings do not have the hooks, or disable all hooks.
	Off Guard = "off"
	// Ready is the state of a session whose settings have the hooks, but in which no hook has run yet.
	Ready Guard = "ready"
	// Unseen is the state of a session in which tools ran, but the hook that checks them did not.
	Unseen Guard = "unseen"
	// On is the state of a session in which the hooks run.
	On Guard = "on"
	// Open is the state of a session that continues without the project's guidelines.
	Open Guard = "open"
	// Unknown is the state of a session whose files cannot be read.
	Unknown Guard = "unknown"
)

// Options identify a session.
type Options struct {
	Env func(string) string
	Now time.Time
	// Project is the folder in which the session was started.
	Project string
	// Session is the client's id of the session. If it is empty, only the settings are checked.
	Session string
	// Transcript is the file of the session's transcript, or empty.
	Transcript string
}

// Status describes a session.
type Status struct {
	Session string `json:"session_id,omitempty"`
	Guard   Guard  `json:"guard"`
	// Guidelines is the number of guidelines that apply to the main thread, or nil if it is unknown. Source says where the
	// guidelines come from. Reason says why they do not come from the usual source.
	Guidelines *int   `json:"guidelines,omitempty"`
	Source     string `json:"source,omitempty"`
	Reason     string `json:"reason,omitempty"`
	// The field "Unchecked" is the number of calls since the last prompt that were not checked.
	Unchecked int `json:"unchecked,omitempty"`
	// Question is a question that waits for an answer. The status contains the question, because for some tools, the
	// client shows no reason when it asks about a call.
	Question string `json:"question,omitempty"`
	// NeedsTrust is the number of project settings that apply only in a trusted project.
	NeedsTrust int `json:"needs_trust,omitempty"`
	// Safety and OutputGuard are the modes of the safety gate and of the output guard. A mode is empty if the gate or the
	// guard is off.
	Safety      string `json:"safety,omitempty"`
	OutputGuard string `json:"output_guard,omitempty"`
	// The field "Last" is the session's last decision that denied a call or asked the user. It is nil if there was no such
	// decision today.
	Last *Decision `json:"last,omitempty"`
	// Page is the address of the page for people, or "".
	Page string `json:"page,omitempty"`
	// Problem says why the files of the session cannot be read, or why the client runs no hooks.
	Problem string `json:"problem,omitempty"`
}

// Read returns the status of a session.
func Read(o Options) *Status {
	s := &Status{Session: o.Session, Guard: Ready}
	var has bool
	if has, s.Problem = hasHooks(o.Project, o.Env); !has {
		s.Guard = Off
		return s
	}
	dir, err := private.Runtime(o.Env)
	if err != nil {
		s.Guard, s.Problem = Unknown, err.Error()
		return s
	}
	if at, found := page.Find(dir); found {
		s.Page = at.URL()
	}
	if o.Session == "" {
		return s
	}
	s.readBeats(dir, o.Transcript)
	s.readCache(dir)
	s.readGap(dir)
	s.readQuestion(dir)
	s.Last = lastDecision(&o)
	if s.Source == fallback.SourceOpen {
		s.Guard = Open
	}
	return s
}

// hasHooks reports whether the settings that apply in a folder have our hooks for prompts and tool calls. If a file
// switches all hooks off, the result "problem" says which file does this.
func hasHooks(project string, env func(string) string) (has bool, problem string) {
	found := map[string]bool{}
	for _, f := range setup.Files(project, product.ClientDir(env), runtime.GOOS) {
		text, err := setup.ReadFile(f.Path)
		if err != nil {
			continue
		}
		entries, err := setup.Hooks(f.Path, text)
		if err != nil {
			continue // the client also ignores this file
		}
		if line, _ := setup.Off(f.Path, text); line > 0 {
			problem = fmt.Sprintf("%s:%d disables every hook (disableAllHooks)", f.Path, line)
		}
		for i := range entries {
			found[entries[i].Event] = found[entries[i].Event] || entries[i].Ours()
		}
	}
	return found[wire.UserPromptSubmit] && found[wire.PreToolUse] && problem == "", problem
}

// readBeats sets Guard. It looks at the files that the hooks touch when they run.
func (s *Status) readBeats(dir *private.Dir, transcript string) {
	ran := func(event string) bool {
		_, seen := dir.Seen(session.BeatName(s.Session, event))
		return seen
	}
	switch {
	case ran(wire.PreToolUse):
		s.Guard = On
	case ran(wire.PostToolUse), ran(wire.PostToolUseFailure), usedTools(transcript):
		s.Guard = Unseen
	case ran(wire.UserPromptSubmit):
		s.Guard = On
	}
}

// transcriptTail is the number of bytes at the end of a transcript that are searched for tool results.
const transcriptTail = 64 << 10

// usedTools reports whether the end of a transcript contains a tool result.
func usedTools(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // an error of Close does not matter after reading
	text, err := io.ReadAll(io.NewSectionReader(file, max(0, info.Size()-transcriptTail), transcriptTail))
	return err == nil && strings.Contains(string(text), `"type":"tool_result"`)
}
