//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/setup/claude/fakemodel"
)

// coldStart is the number of times that hooks start the program guardrails in a session. They start it once, while no
// server is connected yet.
const coldStart = 1

// watchTheCommandLine replaces the program guardrails with a program that does the same and also records its calls. A
// hook runs this program only if no server answers. The function cold() returns the recorded calls.
func (s *stage) watchTheCommandLine() (cold func() string) {
	s.t.Helper()
	own := filepath.Join(filepath.Dir(s.home), "bin")
	if err := os.Mkdir(own, 0o755); err != nil {
		s.t.Fatal(err)
	}
	for _, name := range []string{"guardrails", "guardrails-inject", "guardrails-subagent", "guardrails-enforce", "guardrails-stop", "guardrails-server"} {
		text, err := os.ReadFile(filepath.Join(s.bin, name))
		if err != nil {
			s.t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(own, name), text, 0o755); err != nil {
			s.t.Fatal(err)
		}
	}
	s.bin = own
	// The command "init" rejects programs in a temporary folder, and the replaced programs are in one.
	s.command("env", "TMPDIR=/nowhere", own+"/guardrails", "init")
	note, real := own+"/cold", own+"/guardrails-itself"
	if err := os.Rename(own+"/guardrails", real); err != nil {
		s.t.Fatal(err)
	}
	wrapper := "#!/bin/sh\nif [ \"$1\" = call ]; then echo \"$@\" >> " + note + "; fi\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(own+"/guardrails", []byte(wrapper), 0o755); err != nil {
		s.t.Fatal(err)
	}
	return func() string {
		text, _ := os.ReadFile(note) // if no call was recorded, there is no file
		return string(text)
	}
}

func callTool(name string, input map[string]any) fakemodel.Call {
	return fakemodel.Call{Name: "mcp__guardrails__" + name, Input: input}
}

func TestTheClientStartsTheServerAndTheModelAsksIt(t *testing.T) {
	t.Parallel()
	for _, client := range clients(t) {
		t.Run(filepath.Base(filepath.Dir(client)), func(t *testing.T) {
			t.Parallel()
			s := newStage(t, client)
			s.file(".claude/guardrails/isolation.yaml", isolation)
			s.file(".claude/settings.local.json", `{"permissions": {"allow": ["mcp__guardrails"]}}`)
			cold := s.watchTheCommandLine()
			model := s.play(
				fakemodel.Use(callTool("guardrails_get_context", map[string]any{"agent": "backend"}).Named("context")),
				fakemodel.Use(callTool("guardrails_get", map[string]any{"id": "nobody-writes-locked"}).Named("get")),
				fakemodel.Use(callTool("guardrails_get_context", map[string]any{"agnt": "backend"}).Named("mistake")),
				fakemodel.Use(callTool("guardrails_log_decision", map[string]any{
					"guideline_id": "nobody-writes-locked", "context": map[string]any{"agent": "backend"}, "result": "deferred", "reason": "told by the model",
				}).Named("log")),
				fakemodel.Use(
					fakemodel.Agent("backend", "work on the backend",
						fakemodel.Use(fakemodel.Write(s.project+"/web/b.ts", "x").Named("b1")), fakemodel.Say("ok")),
				),
				fakemodel.Use(fakemodel.Write(s.project+"/locked/a", "x").Named("denied")),
				fakemodel.Say("done"),
			)
			for id, want := range map[string]string{
				"context": "BACKEND-ONLY works in src.", "get": "Locked files stay", "mistake": `did you mean "agent"?`, "log": "audit-", "denied": "nobody-writes-locked",
			} {
				if got := strings.ReplaceAll(s.result(model, id).Text, `\"`, `"`); !strings.Contains(got, want) {
					t.Errorf("%s: the model read %q, want %s", id, got, want)
				}
			}
			if s.exists("web/b.ts") || s.exists("locked/a") {
				t.Error("a denied file was written")
			}
			if !model.Requests("main")[0].Saw("LOCKED files stay as they are.") {
				t.Error("the model did not receive the guidelines")
			}
			if got := cold(); strings.Count(got, "call ") > coldStart {
				t.Errorf("hooks started the command line instead of asking the server:\n%s", got)
			}
			if _, err := os.Lstat(s.run + "/server.sock"); err == nil {
				t.Error("the socket was left behind")
			}
		})
	}
}
