package doctor

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"guardrails/hooks/session"
	"guardrails/internal/product"
	"guardrails/setup"
	"guardrails/setup/claude"
)

// programs() returns the folder with all programs. They are built once for the tests of this package.
var programs = sync.OnceValue(func() string {
	dir, err := os.MkdirTemp("", "doctor-test-")
	if err != nil {
		panic(err)
	}
	buildDir = dir
	args := []string{"build", "-ldflags", "-s -w", "-o", dir + "/"}
	for _, name := range append(product.Hooks(), "guardrails") {
		args = append(args, "guardrails/cmd/"+name)
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		panic(string(out))
	}
	return dir
})

// buildDir is the folder of the programs; TestMain removes it.
var buildDir string

func TestMain(m *testing.M) {
	code := m.Run()
	if buildDir != "" {
		_ = os.RemoveAll(buildDir)
	}
	os.Exit(code)
}

// computer is a computer on which init has set up a project.
type computer struct {
	t *testing.T
	// base is the folder that contains project, bin, home, state, run and tmp.
	base, project, bin string
	// cwd is the working folder. If it is empty, the project is the working folder.
	cwd string
	// now() returns the time. If the field "now" is nil, the system's clock is used.
	now func() time.Time
	// client is the version of the client; empty means that no client is installed.
	client string
}

func newComputer(t *testing.T) *computer {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &computer{t: t, base: base, project: filepath.Join(base, "project"), bin: filepath.Join(base, "bin")}
	for _, dir := range []string{"project/.git", "home", "tmp", "bin"} {
		if err := os.MkdirAll(filepath.Join(base, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range append(product.Hooks(), "guardrails") {
		if err := os.Link(filepath.Join(programs(), name), filepath.Join(p.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	p.program("bin/guardrails-server")
	for name, value := range map[string]string{
		"HOME": base + "/home", "XDG_STATE_HOME": base + "/state", "GUARDRAILS_CACHE_DIR": base + "/run", "TMPDIR": base + "/tmp",
		"CLAUDE_PROJECT_DIR": "", "CLAUDE_CONFIG_DIR": "", "GUARDRAILS_ADDR": "127.0.0.1:0",
	} {
		t.Setenv(name, value)
	}
	p.setUp(setup.ForProject(p.project))
	return p
}

func (p *computer) setUp(target setup.Target) {
	p.t.Helper()
	plan, err := setup.Prepare(setup.Options{Target: target, Bin: p.bin, MCP: true, Read: target.ReadFile})
	if err != nil {
		p.t.Fatal(err)
	}
	if err := plan.Apply(target); err != nil {
		p.t.Fatal(err)
	}
}

func (p *computer) examine() *Examination {
	p.t.Helper()
	cwd := p.cwd
	if cwd == "" {
		cwd = p.project
	}
	now := p.now
	if now == nil {
		now = time.Now
	}
	return Examine(p.t.Context(), Options{
		Env: os.Getenv, Now: now, Cwd: cwd, Program: filepath.Join(p.bin, "guardrails"), System: runtime.GOOS,
		Find: func(context.Context, func(string) string) (*claude.Client, error) {
			if p.client == "" {
				return nil, claude.ErrNotFound
			}
			version, err := claude.ParseVersion(p.client)
			return &claude.Client{Path: "/usr/bin/claude", Version: version}, err
		},
	})
}

func (p *computer) path(name string) string { return filepath.Join(p.base, filepath.FromSlash(name)) }

func (p *computer) write(name, text string) {
	p.t.Helper()
	if err := write(p.path(name), text); err != nil {
		p.t.Fatal(err)
	}
}

func (p *computer) remove(name string) {
	p.t.Helper()
	if err := os.Remove(p.path(name)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *computer) removeAll(name string) {
	p.t.Helper()
	if err := os.RemoveAll(p.path(name)); err != nil {
		p.t.Fatal(err)
	}
}

func (p *computer) chmod(name string, mode os.FileMode) {
	p.t.Helper()
	if err := os.MkdirAll(p.path(name), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Chmod(p.path(name), mode); err != nil {
		p.t.Fatal(err)
	}
}

// program() creates an executable file that does nothing.
func (p *computer) program(name string) {
	p.t.Helper()
	p.write(name, "#!/bin/sh\n")
	p.chmodFile(name, 0o755)
}

// edit() replaces the first occurrence of a text in the project's settings.
func (p *computer) edit(old, replacement string) {
	p.t.Helper()
	const name = "project/.claude/settings.json"
	text, err := os.ReadFile(p.path(name))
	if err != nil {
		p.t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		p.t.Fatalf("the settings have no %q:\n%s", old, text)
	}
	p.write(name, strings.Replace(string(text), old, replacement, 1))
}

func findCheck(t *testing.T, list []Check, name string) Check {
	t.Helper()
	for _, c := range list {
		if c.Name == name {
			return c
		}
	}
	t.Fatalf("no check %q in %s", name, shown(list))
	return Check{}
}

func shown(list []Check) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString("\n" + string(c.State) + "\t" + c.Name + "\t" + c.Detail)
	}
	return b.String()
}

func (p *computer) chmodFile(name string, mode os.FileMode) {
	p.t.Helper()
	if err := os.Chmod(p.path(name), mode); err != nil {
		p.t.Fatal(err)
	}
}

func settingsForUser(p *computer) setup.Target {
	return setup.ForUser(p.path("home/.claude"), p.path("home/.config/guardrails"))
}

// wantNothingLeft checks that Prove has removed its temporary files. It allows the two files that belong to no session.
func (p *computer) wantNothingLeft() {
	p.t.Helper()
	for _, dir := range []string{"tmp", "run", "state/guardrails/spool", "home/.local"} {
		entries, _ := os.ReadDir(p.path(dir))
		for _, e := range entries {
			if e.Name() != "server.sock" && e.Name() != session.SweptName {
				p.t.Errorf("%s/%s was not removed", dir, e.Name())
			}
		}
	}
}
