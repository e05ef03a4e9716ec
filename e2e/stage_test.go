//go:build e2e

// Package e2e runs the hooks in Claude Code with a scripted model.
//
// "make e2e" installs the clients, builds the programs and runs the tests. Start with guard_test.go. The file
// stage_test.go creates the project for a test, and play_test.go plays sessions in it.
package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"guardrails/setup/claude"
)

// clients() returns the paths of the clients in GUARDRAILS_E2E_CLIENTS. The command "make e2e" installs these clients.
func clients(t *testing.T) []string {
	t.Helper()
	list := filepath.SplitList(os.Getenv("GUARDRAILS_E2E_CLIENTS"))
	if len(list) == 0 {
		t.Fatal("GUARDRAILS_E2E_CLIENTS is empty: run make e2e")
	}
	return list
}

// newest() returns a list with only the newest client. Tests that do not depend on the version use it.
func newest(t *testing.T) []string {
	t.Helper()
	list := clients(t)
	return list[len(list)-1:]
}

// version() returns the version of a client, which is the name of its folder.
func version(client string) string { return filepath.Base(filepath.Dir(client)) }

// stage contains a git repository and a home folder for one client.
type stage struct {
	t             *testing.T
	client        string
	base          string
	home, project string
	// The field "run" is the runtime folder of the hooks. The field "bin" is the folder of the programs.
	run, bin string
}

func newStage(t *testing.T, client string) *stage {
	t.Helper()
	return newStageIn(t, client, folder(t))
}

// folder() returns a folder that is removed when the test ends. Processes of the client can still write into the folder
// for a moment after the client has ended, so one attempt to remove the folder is not always enough.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "e2e-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := os.RemoveAll(dir)
		for end := time.Now().Add(10 * time.Second); err != nil && time.Now().Before(end); err = os.RemoveAll(dir) {
			time.Sleep(50 * time.Millisecond)
		}
		if err != nil {
			t.Error(err)
		}
	})
	return dir
}

func newStageIn(t *testing.T, client, dir string) *stage {
	t.Helper()
	bin := os.Getenv("GUARDRAILS_E2E_BIN")
	if bin == "" {
		t.Fatal("GUARDRAILS_E2E_BIN is not set: run make e2e")
	}
	base, err := filepath.EvalSymlinks(dir)
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

// forEachClient runs a test with each client. For each client, "guardrails init" has set up a project.
func forEachClient(t *testing.T, test func(*stage)) {
	for _, client := range clients(t) {
		t.Run(version(client), func(t *testing.T) {
			t.Parallel()
			test(setUp(t, client))
		})
	}
}

// inBothWays is like forEachClient(). If a client can also call the server instead of hook programs, inBothWays runs
// the test a second time with such a setup.
func inBothWays(t *testing.T, test func(*stage)) {
	forEachClient(t, test)
	for _, client := range direct(t) {
		t.Run(version(client)+"/direct", func(t *testing.T) {
			t.Parallel()
			test(setUp(t, client, "--direct"))
		})
	}
}

// direct() returns the clients that can call the server instead of programs. The newest client must be among them.
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
		t.Fatal("no client can call the server instead of programs: CLIENT_NEW must be 2.1.328 or later")
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

// anyPort is the setting of an environment variable. It makes the servers of each stage offer the page on a port of
// their own.
const anyPort = "GUARDRAILS_ADDR=127.0.0.1:0"

// env() returns the environment variables of a person's terminal. TMPDIR is not the usual folder, because the command
// "init" rejects programs in the temporary folder.
func (s *stage) env() []string {
	return []string{
		"HOME=" + s.home, "PATH=" + s.bin + ":" + filepath.Dir(s.client) + ":" + os.Getenv("PATH"),
		"GUARDRAILS_CACHE_DIR=" + s.run, "TMPDIR=" + s.base + "/tmp", anyPort,
	}
}

// command() runs a program in the project as a person would. It returns the output.
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

// path() returns the absolute path of a file in the project. The client's tools need absolute paths.
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

func (s *stage) wantFiles(want map[string]bool) {
	s.t.Helper()
	for name, there := range want {
		if s.exists(name) != there {
			s.t.Errorf("%s: exists is %v, want %v", name, !there, there)
		}
	}
}
