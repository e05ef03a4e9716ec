//go:build unix

package claude_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guardrails/setup/claude"
)

type machine struct {
	t   *testing.T
	dir string
	env map[string]string
}

func newMachine(t *testing.T) *machine {
	dir := t.TempDir()
	return &machine{t: t, dir: dir, env: map[string]string{"HOME": dir + "/home", "PATH": dir + "/first:" + dir + "/second:/usr/bin:/bin"}}
}

func (m *machine) install(place, script string, mode os.FileMode) string {
	m.t.Helper()
	path := filepath.Join(m.dir, place)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script+"\n"), mode); err != nil {
		m.t.Fatal(err)
	}
	return path
}

func (m *machine) getenv(name string) string { return m.env[name] }

const answers = `test "$1" = --version && echo "2.1.197 (Claude Code)"`

func TestClientIsFoundInTheUsualPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		places []string
		env    map[string]string
	}{
		"first on PATH":                 {places: []string{"first/claude", "second/claude", "home/.local/bin/claude"}},
		"second on PATH":                {places: []string{"second/claude", "home/.local/bin/claude"}},
		"the native installer's folder": {places: []string{"home/.local/bin/claude", "home/.claude/local/claude"}},
		"the folder of old installers":  {places: []string{"home/.claude/local/claude"}},
		"npm's own prefix":              {places: []string{"npm/bin/claude"}, env: map[string]string{"npm_config_prefix": "npm"}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			for variable, place := range c.env {
				m.env[variable] = filepath.Join(m.dir, place)
			}
			want := m.install(c.places[0], answers, 0o755)
			for _, other := range c.places[1:] {
				m.install(other, "exit 1", 0o755)
			}
			got, err := claude.Find(t.Context(), m.getenv)
			if err != nil || got.Path != want || got.Version != (claude.Version{2, 1, 197}) {
				t.Errorf("found %+v (%v), want %s", got, err, want)
			}
		})
	}
}

func TestFileThatCannotRunIsNotTheClient(t *testing.T) {
	m := newMachine(t)
	m.install("first/claude", answers, 0o644)
	if err := os.MkdirAll(m.dir+"/second/claude", 0o755); err != nil {
		t.Fatal(err)
	}
	want := m.install("home/.local/bin/claude", answers, 0o755)
	got, err := claude.Find(t.Context(), m.getenv)
	if err != nil || got.Path != want {
		t.Errorf("found %+v (%v), want %s", got, err, want)
	}
}

// A relative folder would be a folder of the guarded project, in which an agent can write.
func TestRelativeFoldersInPATHAreIgnored(t *testing.T) {
	m := newMachine(t)
	m.install("project/claude", answers, 0o755)
	t.Chdir(m.dir + "/project")
	m.env["PATH"] = ".:"
	if got, err := claude.Find(t.Context(), m.getenv); err == nil && strings.HasPrefix(got.Path, m.dir) {
		t.Errorf("found %s", got.Path)
	}
}

func TestClientThatDoesNotAnswerIsNamed(t *testing.T) {
	for name, c := range map[string]struct{ script, want string }{
		"it fails":              {"exit 3", "does not answer --version: exit status 3; reinstall it"},
		"it is another program": {"echo a cat", `"a cat" is not a version such as 2.1.197; reinstall it`},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			path := m.install("first/claude", c.script, 0o755)
			_, err := claude.Find(t.Context(), m.getenv)
			if err == nil || !strings.Contains(err.Error(), path) || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}

func TestMissingClientIsErrNotFound(t *testing.T) {
	m := newMachine(t)
	m.env["PATH"] = m.dir
	got, err := claude.Find(t.Context(), m.getenv)
	if err == nil {
		t.Skipf("a client is installed on this machine: %s", got.Path)
	}
	if !errors.Is(err, claude.ErrNotFound) || !strings.Contains(err.Error(), "install it") {
		t.Errorf("%v", err)
	}
}

func TestClientGetsOnlyTheEnvironmentItNeeds(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "a secret")
	m := newMachine(t)
	path := m.install("claude", `env | grep -qE 'SECRET|ANTHROPIC' && exit 4; `+answers, 0o755)
	m.env["SECRET"] = "another"
	if _, err := claude.At(t.Context(), path, m.getenv); err != nil {
		t.Error(err)
	}
}
