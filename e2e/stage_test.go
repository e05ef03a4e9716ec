//go:build e2e

// Package e2e runs the hooks under the real Claude Code client, against a scripted model.
//
// make e2e installs the clients, builds the programs and runs the tests. Start with guard_test.go; stage_test.go is the
// project that a test gets, play_test.go how a session is played in it.
package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"guardrails/setup/claude"
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

// newest is the last of the clients, for tests in which the client makes no difference.
func newest(t *testing.T) []string {
	t.Helper()
	list := clients(t)
	return list[len(list)-1:]
}

// version is the version of a client: the name of the folder in which make e2e puts it.
func version(client string) string { return filepath.Base(filepath.Dir(client)) }

// stage is a git repository with a home of its own, for one client.
type stage struct {
	t             *testing.T
	client        string
	base          string
	home, project string
	// run is the hooks' runtime folder, bin the folder of the programs.
	run, bin string
}

func newStage(t *testing.T, client string) *stage {
	t.Helper()
	bin := os.Getenv("GUARDRAILS_E2E_BIN")
	if bin == "" {
		t.Fatal("GUARDRAILS_E2E_BIN names no folder of programs; run make e2e")
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &stage{t: t, client: client, base: base, home: base + "/home", project: base + "/project", run: base + "/run", bin: bin}
	for _, dir := range []string{s.home, s.project, base + "/tmp"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.command("git", "init", "-q")
	return s
}

// forEachClient runs a test under each client, in a project that guardrails init has set up.
func forEachClient(t *testing.T, test func(*stage)) {
	for _, client := range clients(t) {
		t.Run(version(client), func(t *testing.T) { test(setUp(t, client)) })
	}
}

// inBothWays is forEachClient, and runs the test again under each client that can call the server in place of programs.
func inBothWays(t *testing.T, test func(*stage)) {
	forEachClient(t, test)
	for _, client := range direct(t) {
		t.Run(version(client)+"/direct", func(t *testing.T) { test(setUp(t, client, "--direct")) })
	}
}

// direct are the clients that can call the server in place of programs; the newest one must.
func direct(t *testing.T) []string {
	t.Helper()
	list := slices.DeleteFunc(slices.Clone(clients(t)), func(path string) bool {
		v, err := claude.ParseVersion(version(path))
		if err != nil {
			t.Fatal(err)
		}
		return !v.Knows(claude.DirectHooks)
	})
	if len(list) == 0 {
		t.Fatal("no client can call the server in place of programs; CLIENT_NEW must be 2.1.328 or later")
	}
	return list
}

func setUp(t *testing.T, client string, flags ...string) *stage {
	t.Helper()
	s := newStage(t, client)
	s.file(".claude/guardrails/isolation.yaml", isolation)
	s.command(s.bin+"/guardrails", append([]string{"init"}, flags...)...)
	return s
}

// env is the environment of a person's terminal. The temporary folder is one of its own, because init refuses programs
// that lie in it.
func (s *stage) env() []string {
	return []string{
		"HOME=" + s.home, "PATH=" + filepath.Dir(s.client) + ":" + os.Getenv("PATH"),
		"GUARDRAILS_CACHE_DIR=" + s.run, "TMPDIR=" + s.base + "/tmp",
	}
}

// command runs a program as a person would, in the project.
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

// path is the absolute path of a file of the project, as the client's tools want it.
func (s *stage) path(name string) string { return filepath.Join(s.project, name) }

func (s *stage) file(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) json(name string, document any) {
	s.t.Helper()
	text, err := json.Marshal(document)
	if err != nil {
		s.t.Fatal(err)
	}
	s.file(name, string(text))
}

func (s *stage) exists(name string) bool {
	_, err := os.Stat(s.path(name))
	return err == nil
}

// wantFiles says which files of the project must be there, and which must not.
func (s *stage) wantFiles(want map[string]bool) {
	s.t.Helper()
	for name, there := range want {
		if s.exists(name) != there {
			s.t.Errorf("%s: exists is %v, want %v", name, !there, there)
		}
	}
}
