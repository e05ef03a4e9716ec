package hooks_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"guardrails/guideline"
	"guardrails/hooks"
	"guardrails/hooks/cache"
	"guardrails/hooks/wire"
	"guardrails/host"
	"guardrails/internal/fortests/slowness"
	"guardrails/internal/fortests/worstcase"
)

// The constant "longest" is the processor time that a hook is allowed to need for a call on an idle machine. The
// test accepts a multiple of this time, because other programs use the same caches and memory.
const (
	longest  = 50 * time.Millisecond
	accepted = 4
)

// TestNoCallTakesAHookTooLong lets the hook decide about the calls that are hard to analyze: it reads the guidelines,
// analyzes the call on this machine, judges it, and records the decision. Only the processor time of this thread
// counts.
func TestNoCallTakesAHookTooLong(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux reports the processor time of a thread")
	}
	if testing.Short() {
		t.Skip("it takes half a minute, and ten times as long with the race detector")
	}
	s := newStage(t, "pack:core")
	s.body.Layers = []cache.Layer{{
		Guidelines: append(parsed(t, "pack:core"), parsed(t, "pack:roles")...), Context: guideline.Context{Agent: "backend"},
	}}
	s.prompt("hello")
	most := time.Duration(float64(accepted*longest) * slowness.Factor(worstcase.Cost(20, slowness.Task)))
	for _, c := range worstcase.Calls(120 << 10) {
		s.replaceFiles(c.Files)
		took := worstcase.Cost(1, func() { s.judgeHard(c) })
		if took > most {
			took = worstcase.Cost(5, func() { s.judgeHard(c) })
		}
		if took > most {
			t.Errorf("%s: takes %v, and the limit is %v", c.Name, took, most)
		}
	}
}

// judgeHard lets the hook decide about a call on this machine. The input of some calls is not valid JSON.
func (s *stage) judgeHard(c worstcase.Call) {
	h := *s.host
	h.Machine = host.New(s.host.Env, "/usr/local/bin/guardrails-enforce", s.env["GUARDRAILS_CACHE_DIR"], s.host.State)
	text := `{"hook_event_name":"PreToolUse","session_id":"s1","tool_use_id":"t1","cwd":"` + s.project + `","tool_name":"` +
		c.Tool + `","tool_input":` + string(c.Input) + `}`
	e, err := wire.Parse([]byte(text))
	if err == nil {
		hooks.ToolCall(&h, &e)
	}
}

// replaceFiles replaces the files of the project.
func (s *stage) replaceFiles(files map[string]string) {
	s.t.Helper()
	old, err := os.ReadDir(s.project)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, file := range old {
		if err := os.RemoveAll(filepath.Join(s.project, file.Name())); err != nil {
			s.t.Fatal(err)
		}
	}
	for name, text := range files {
		at := filepath.Join(s.project, strings.TrimPrefix(name, "/home/dev/app/"))
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			s.t.Fatal(err)
		}
	}
}
