//go:build e2e

// Package e2e runs the hooks under the real Claude Code client, against a scripted model.
package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/client/script"
	"guardrails/client/session"
)

// clients are the programs that GUARDRAILS_E2E_CLIENTS lists; make e2e installs them.
func clients(t *testing.T) []string {
	t.Helper()
	list := filepath.SplitList(os.Getenv("GUARDRAILS_E2E_CLIENTS"))
	if len(list) == 0 {
		t.Fatal("GUARDRAILS_E2E_CLIENTS names no client; run make e2e")
	}
	return list
}

// stage is a project that guardrails init has set up, for one client.
type stage struct {
	t                  *testing.T
	client             string
	home, project, run string
	bin                string
}

func newStage(t *testing.T, client string) *stage {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, client: client, home: base + "/home", project: base + "/project", run: base + "/run", bin: os.Getenv("GUARDRAILS_E2E_BIN")}
	for _, dir := range []string{s.home, s.project} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.command("git", "init", "-q")
	return s
}

func (s *stage) env() []string {
	return []string{"HOME=" + s.home, "PATH=" + filepath.Dir(s.client) + ":" + os.Getenv("PATH"), "GUARDRAILS_CACHE_DIR=" + s.run, "TMPDIR=/var/tmp"}
}

func (s *stage) command(name string, args ...string) string {
	s.t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = s.project, s.env()
	out, err := c.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func (s *stage) file(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.project, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// play runs one headless session.
func (s *stage) play(steps ...script.Step) *script.Model {
	s.t.Helper()
	model, err := script.Start(steps)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = model.Close() })
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	_, err = session.Headless(ctx, session.Options{
		Client: s.client, Project: s.project, Home: s.home, Model: model.URL(), Prompt: "implement the worker pool", Mode: "acceptEdits",
		Allowed: []string{"Bash", "Write", "Edit"}, Env: []string{"GUARDRAILS_CACHE_DIR=" + s.run},
		Agents: map[string]session.Agent{
			"backend":  {Description: "works on the backend", Prompt: "You work on the backend."},
			"frontend": {Description: "works on the frontend", Prompt: "You work on the frontend."},
		},
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return model
}

func (s *stage) exists(name string) bool {
	_, err := os.Stat(filepath.Join(s.project, name))
	return err == nil
}

func (s *stage) result(m *script.Model, id string) string {
	s.t.Helper()
	block, ok := m.ToolResult(id)
	if !ok {
		s.t.Fatalf("the model got no result for %s", id)
	}
	return block.Text
}

const isolation = `
guidelines:
  - id: backend-stays-in-src
    name: The backend agent works in src
    category: cognitive_isolation
    priority: 800
    condition: {agents: [backend]}
    action: {type: tool_restriction, tools_denied: ["Write(web/*)"], instruction: BACKEND-ONLY works in src., parameters: {instead: ask the frontend agent.}}
  - id: frontend-stays-in-web
    name: The frontend agent works in web
    category: cognitive_isolation
    priority: 800
    condition: {agents: [frontend]}
    action: {type: tool_restriction, tools_denied: ["Write(src/*)"], instruction: FRONTEND-ONLY works in web.}
  - id: nobody-writes-locked
    name: Locked files stay
    category: security
    action: {type: tool_restriction, tools_denied: ["Write(locked/*)"], instruction: LOCKED files stay as they are., parameters: {instead: write to open/.}}
`

// forEachClient runs a test in a set-up project under each client.
func forEachClient(t *testing.T, test func(*stage)) {
	for _, client := range clients(t) {
		t.Run(filepath.Base(filepath.Dir(client)), func(t *testing.T) {
			s := newStage(t, client)
			s.file(".claude/guardrails/isolation.yaml", isolation)
			s.command(s.bin+"/guardrails", "init")
			test(s)
		})
	}
}

func TestTheModelReadsTheGuidelinesAndIsHeldToThem(t *testing.T) {
	forEachClient(t, func(s *stage) {
		locked := s.project + "/locked/a.txt"
		model := s.play(
			script.Use(script.Write(locked, "x").Named("denied")),
			script.Use(script.Bash("echo x > locked/a.txt").Named("by_bash")),
			script.Use(script.Bash("kubectl apply -f x.yaml").Named("asked")),
			script.Use(script.Write(s.project+"/open/a.txt", "x").Named("allowed")),
			script.Say("done"),
		)
		if !model.Requests("main")[0].Saw("LOCKED files stay as they are.") {
			s.t.Error("the model was not told the guidelines")
		}
		for id, want := range map[string]string{"denied": "nobody-writes-locked", "by_bash": "nobody-writes-locked", "asked": "hitl-gate-devops-invocation"} {
			if got := s.result(model, id); !strings.Contains(got, want) {
				s.t.Errorf("%s: the model read %q, want %s", id, got, want)
			}
		}
		if s.exists("locked/a.txt") || !s.exists("open/a.txt") {
			s.t.Error("the denied file was written, or the allowed one was not")
		}
	})
}

func TestEverySubagentHasItsOwnRules(t *testing.T) {
	forEachClient(t, func(s *stage) {
		model := s.play(
			script.Use(
				script.Agent("backend", "work on the backend", script.Use(script.Write(s.project+"/web/b.ts", "x").Named("b1")), script.Say("ok")),
				script.Agent("frontend", "work on the frontend", script.Use(script.Write(s.project+"/web/f.ts", "x").Named("f1")), script.Say("ok")),
			),
			script.Say("done"),
		)
		if s.exists("web/b.ts") || !s.exists("web/f.ts") {
			s.t.Errorf("web/b.ts %v, web/f.ts %v", s.exists("web/b.ts"), s.exists("web/f.ts"))
		}
		for _, r := range model.All() {
			if r.Saw("BACKEND-ONLY") && r.Saw("FRONTEND-ONLY") {
				s.t.Error("one conversation was told the rules of both agents")
			}
		}
	})
}

func TestAPathRuleHoldsForEveryWayOfWriting(t *testing.T) {
	forEachClient(t, func(s *stage) {
		s.file("open/a.txt", "x\n")
		ways := []string{
			"echo x > locked/b", "echo x >> locked/b", "echo x | tee locked/b", "cp open/a.txt locked/b", "mv open/a.txt locked/b", "touch locked/b",
			"dd if=open/a.txt of=locked/b", "install open/a.txt locked/b", "bash -c 'echo x > locked/b'", "cd locked && echo x > b", "python3 -c \"open('locked/b','w').write('x')\"",
		}
		var steps []script.Step
		for _, way := range ways {
			steps = append(steps, script.Use(script.Bash("mkdir -p locked_elsewhere; "+way)))
		}
		s.play(append(steps, script.Say("done"))...)
		if s.exists("locked/b") {
			s.t.Error("the file was written")
		}
	})
}

func TestInitUseAndUninstallLeaveTheProjectAsItWas(t *testing.T) {
	for _, client := range clients(t) {
		s := newStage(t, client)
		s.file(".claude/settings.json", "{\n    \"model\": \"opus\" ,\n\t\"hooks\": {}\n}")
		before, err := os.ReadFile(s.project + "/.claude/settings.json")
		if err != nil {
			t.Fatal(err)
		}
		s.command(s.bin+"/guardrails", "init")
		s.play(script.Use(script.Bash("echo hi").Named("a")), script.Say("done"))
		s.command(s.bin+"/guardrails", "init", "--uninstall")
		after, err := os.ReadFile(s.project + "/.claude/settings.json")
		if err != nil || string(after) != string(before) {
			t.Errorf("settings are %q, were %q (%v)", after, before, err)
		}
		if s.exists(".claude/guardrails.yaml") {
			t.Error("the config stayed")
		}
	}
}
