// Package clitest runs command lines of the program in a temporary project.
package clitest

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guardrails/cli"
	"guardrails/cli/app"
)

// Session is a project in which tests run command lines.
type Session struct {
	t *testing.T
	// Root is the project's root. Cwd is the folder in which commands run.
	Root, Cwd string
	// Env has the environment variables for all command lines. A command line can override them.
	Env map[string]string
	// Interactive is set when stdin is a terminal.
	Interactive bool
	// The function Browser opens a file in the user's browser.
	Browser func(path string) error
}

// New creates a project with the given files. A file whose text begins with #! becomes executable.
func New(t *testing.T, files map[string]string) *Session {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// Without this file, the root of the project would depend on the folders above it.
	files[".git/HEAD"] = "ref: refs/heads/main\n"
	for name, content := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		mode := os.FileMode(0o644)
		if strings.HasPrefix(content, "#!") {
			mode = 0o755
		}
		if err := os.WriteFile(full, []byte(content), mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(root)
	env := map[string]string{"GUARDRAILS_CACHE_DIR": filepath.Join(t.TempDir(), "run"), "GUARDRAILS_ADDR": "127.0.0.1:0"}
	return &Session{t: t, Root: root, Cwd: root, Env: env}
}

// Must runs a command line and returns its output. The test fails if the command fails.
func (s *Session) Must(line string) string {
	s.t.Helper()
	stdout, stderr, code := s.Run(line)
	if code != app.OK {
		s.t.Fatalf("%s: exit %d: %s%s", line, code, stdout, stderr)
	}
	return stdout
}

// Write writes a file of the project.
func (s *Session) Write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.Root, name), []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// Run runs one command line. Run supports only the shell syntax that scripts and the examples in help texts use:
// assignments before the command, quotes, "< FILE", and "echo TEXT |" before the command.
func (s *Session) Run(line string) (stdout, stderr string, code app.ExitCode) {
	s.t.Helper()
	stdin := ""
	if before, after, ok := strings.Cut(line, " | guardrails "); ok {
		words := splitWords(before)
		if words[0] != "echo" || len(words) != 2 {
			s.t.Fatalf("%s: only echo TEXT can stand before a pipe", line)
		}
		stdin, line = words[1]+"\n", "guardrails "+after
	}
	words := splitWords(strings.ReplaceAll(line, "$PROJECT", s.Root))
	variables := maps.Clone(s.Env)
	for len(words) > 0 && words[0] != "guardrails" {
		name, value, ok := strings.Cut(words[0], "=")
		if !ok {
			s.t.Fatalf("%s: is not a valid guardrails command", line)
		}
		variables[name] = value
		words = words[1:]
	}
	args := words[1:]
	if n := len(args); n >= 2 && args[n-2] == "<" {
		content, err := os.ReadFile(args[n-1])
		if err != nil {
			s.t.Fatal(err)
		}
		stdin, args = string(content), args[:n-2]
	}
	var out, errs bytes.Buffer
	code = cli.Run(args, &app.System{
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs, Cwd: s.Cwd,
		Env:           func(name string) string { return variables[name] },
		Now:           func() time.Time { return time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC) },
		HookPrograms:  func() (string, error) { return "/opt/guardrails/bin", nil },
		ServerProgram: func() (string, error) { return "/opt/guardrails/bin/guardrails-server", nil },
		Exec: func(program string, args []string) (app.ExitCode, error) {
			_, err := fmt.Fprintln(&out, "becomes", program, strings.Join(args, " "))
			return app.OK, err
		},
		User:     func() string { return "dev" },
		Browser:  s.Browser,
		Terminal: variables["TERM"] != "", Interactive: s.Interactive,
	})
	return out.String(), errs.String(), code
}

func splitWords(line string) []string {
	var words []string
	var word strings.Builder
	started, quote := false, rune(0)
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, started = r, true
		case quote == 0 && r == ' ':
			if started {
				words = append(words, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if started {
		words = append(words, word.String())
	}
	return words
}
