package session

import (
	"encoding/json"
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"guardrails/cli/app"
	"guardrails/hooks/session"
	"guardrails/hooks/wire"
	"guardrails/internal/private"
	"guardrails/internal/product"
	"guardrails/service/fallback"
	"guardrails/setup"
)

func statuslineCommand(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "statusline",
		Short: "Show in the client's status line whether the guard is on",
		Long: `Statusline is for the status line of Claude Code: it reads the client's JSON on stdin and prints one line, which says
whether the session is guarded, how many guidelines are in force, what was denied or asked last, and which calls went
unchecked. It never fails.

Enter it into ~/.claude/settings.json, with the path of this program; a status line of your own can print its line too:

  "statusLine": {"type": "command", "command": "/usr/local/bin/guardrails statusline"}`,
		Example: `  echo '{"session_id": "s1", "workspace": {"project_dir": "/home/ann/shop"}}' | guardrails statusline
  guardrails statusline -o json`,
		Args: app.Args(0, 0, "it reads stdin"),
		RunE: func(*cobra.Command, []string) error {
			s := readStatus(a)
			return a.Answer(s, func(p *app.Printer) { p.Line("%s", app.Flat(s.line())) })
		},
	}
}

// guard says how a session is guarded.
type guard string

const (
	// guardOff: no settings file that the session reads enters the hooks.
	guardOff guard = "off"
	// guardReady: the hooks are entered, and nothing has happened yet.
	guardReady guard = "ready"
	// guardUnseen: tools ran, and the hook that checks them did not.
	guardUnseen guard = "unseen"
	// guardOn: the hooks run.
	guardOn guard = "on"
	// guardOpen: the session goes on without guidelines.
	guardOpen guard = "open"
	// guardUnknown: the session's files cannot be read.
	guardUnknown guard = "unknown"
)

// status is what is known of a session.
type status struct {
	Session string `json:"session_id,omitempty"`
	Guard   guard  `json:"guard"`
	// Guidelines is how many are in force for the main thread, Source where they come from; Reason says why the source is
	// not the usual one.
	Guidelines *int   `json:"guidelines,omitempty"`
	Source     string `json:"source,omitempty"`
	Reason     string `json:"reason,omitempty"`
	// Unchecked is how many calls went unchecked since the last prompt.
	Unchecked int `json:"unchecked,omitempty"`
	// Last is the last decision that was not to allow.
	Last *lastDecision `json:"last,omitempty"`
	// Problem is what kept the rest from being known.
	Problem string `json:"problem,omitempty"`
}

type lastDecision struct {
	Outcome   string `json:"outcome"`
	Guideline string `json:"guideline_id,omitempty"`
	Time      string `json:"time"`

	ago time.Duration
}

// statusInput is what is read of the client's document.
type statusInput struct {
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Cwd        string `json:"cwd"`
	Workspace  struct {
		Project string `json:"project_dir"`
	} `json:"workspace"`
}

// maxStatusInput bounds the client's document, which has a few kilobytes.
const maxStatusInput = 1 << 20

// input reads the client's document; a person who types the command gives none.
func readStatusInput(a *app.App) statusInput {
	var in statusInput
	if !a.Interactive && a.Stdin != nil {
		// Of a document that cannot be understood nothing is known, and the line says as much.
		text, _ := io.ReadAll(io.LimitReader(a.Stdin, maxStatusInput))
		_ = json.Unmarshal(text, &in)
	}
	if in.Session == "" {
		in.Session = a.Env(product.VariableSession)
	}
	if in.Workspace.Project == "" {
		in.Workspace.Project = in.Cwd
	}
	if in.Workspace.Project == "" {
		in.Workspace.Project = a.ProjectRoot(a.Cwd)
	}
	return in
}

// status finds out what is known.
func readStatus(a *app.App) *status {
	in := readStatusInput(a)
	s := &status{Session: in.Session, Guard: guardReady}
	if !entered(a, in.Workspace.Project) {
		s.Guard = guardOff
		return s
	}
	dir, err := private.Runtime(a.Env)
	if err != nil {
		s.Guard, s.Problem = guardUnknown, err.Error()
		return s
	}
	if in.Session == "" {
		return s
	}
	s.seen(dir, in.Transcript)
	s.readCache(dir)
	s.readGap(dir)
	s.Last = readLastDecision(a, in.Session)
	if s.Source == fallback.SourceOpen {
		s.Guard = guardOpen
	}
	return s
}

// entered reports whether a session that begins in a folder reads the entries of the hooks that tell and check.
func entered(a *app.App, project string) bool {
	found := map[string]bool{}
	for _, f := range setup.Files(project, product.ClientDir(a.Env), runtime.GOOS) {
		text, err := setup.ReadFile(f.Path)
		if err != nil {
			continue
		}
		entries, err := setup.Hooks(f.Path, text)
		if err != nil {
			continue // the client does not read it either
		}
		for i := range entries {
			found[entries[i].Event] = found[entries[i].Event] || entries[i].Ours()
		}
	}
	return found[wire.UserPromptSubmit] && found[wire.PreToolUse]
}

// seen looks at the signs that the hooks left.
func (s *status) seen(dir *private.Dir, transcript string) {
	has := func(event string) bool {
		_, seen := dir.Seen(session.BeatName(s.Session, event))
		return seen
	}
	switch {
	case has(wire.PreToolUse):
		s.Guard = guardOn
	case has(wire.PostToolUse), has(wire.PostToolUseFailure), usedTools(transcript):
		s.Guard = guardUnseen
	case has(wire.UserPromptSubmit):
		s.Guard = guardOn
	}
}

// transcriptTail is how much of a transcript is looked at for tools that ran.
const transcriptTail = 64 << 10

// usedTools reports whether the end of a session's transcript shows a tool that has answered.
func usedTools(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }() // it was only read
	text, err := io.ReadAll(io.NewSectionReader(file, max(0, info.Size()-transcriptTail), transcriptTail))
	return err == nil && strings.Contains(string(text), `"type":"tool_result"`)
}
