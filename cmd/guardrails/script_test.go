package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"guardrails/internal/golden"
)

var update = flag.Bool("update", false, "rewrite what the scripts in testdata expect")

// The scripts in testdata/scripts are transcripts: lines that begin with $ are commands, and what follows is what they
// write. Lines of stderr begin with "! ", and a last line says the exit code when it is not 0. Lines that begin with =
// say what the next commands show. Files that the commands find stand below, each under its name; those that begin with
// #! can be run.
func TestScripts(t *testing.T) {
	names, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, name := range names {
		file, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) { runScript(t, file) })
	}
}

func runScript(t *testing.T, file string) {
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	transcript, files := splitScript(string(content))
	s := newSession(t, files)
	got := s.transcript(transcript)
	if *update {
		if err := os.WriteFile(file, []byte(got+strings.TrimPrefix(string(content), transcript)), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != transcript {
		t.Errorf("%s differs (run with -update and look at the diff)\n%s", filepath.Base(file), golden.Difference(got, transcript))
	}
}

// splitScript parts a script into its transcript and its files.
func splitScript(content string) (transcript string, files map[string]string) {
	files = map[string]string{}
	name := ""
	var part strings.Builder
	keep := func() {
		if name == "" {
			transcript = part.String()
		} else {
			files[name] = part.String()
		}
		part.Reset()
	}
	for line := range strings.Lines(content) {
		if next, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(next, " --\n") {
			keep()
			name = strings.TrimSuffix(next, " --\n")
			continue
		}
		part.WriteString(line)
	}
	keep()
	return transcript, files
}

// scriptRun is a project folder in which command lines run.
type scriptRun struct {
	t    *testing.T
	root string
	cwd  string
	// variables are set for every command line, unless it sets them itself.
	variables map[string]string
	// personal is set where a person types.
	personal bool
}

func newSession(t *testing.T, files map[string]string) *scriptRun {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	// A git root of its own keeps the folders above out of the test.
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
	return &scriptRun{t: t, root: root, cwd: root, variables: map[string]string{"GUARDRAILS_CACHE_DIR": filepath.Join(t.TempDir(), "run")}}
}

// transcript runs the commands of a transcript and writes it anew.
func (s *scriptRun) transcript(old string) string {
	var b strings.Builder
	titled := true
	for line := range strings.Lines(old) {
		isCommand := strings.HasPrefix(line, "$ ")
		if !isCommand && !strings.HasPrefix(line, "= ") {
			continue
		}
		if !titled || !isCommand && b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(line)
		if isCommand {
			b.WriteString(s.record(strings.TrimSpace(line[2:])))
		}
		titled = !isCommand
	}
	return b.String() + "\n"
}

// record runs one command line and writes down what came of it.
func (s *scriptRun) record(line string) string {
	if dir, ok := strings.CutPrefix(line, "cd "); ok {
		s.cwd = filepath.Join(s.cwd, dir)
		s.t.Chdir(s.cwd)
		return ""
	}
	if name, ok := strings.CutPrefix(line, "cat "); ok {
		content, err := os.ReadFile(filepath.Join(s.cwd, name))
		if err != nil {
			return "[no such file]\n"
		}
		return string(content)
	}
	stdout, stderr, code := s.run(line)
	var b strings.Builder
	b.WriteString(stdout)
	if stdout != "" && !strings.HasSuffix(stdout, "\n") {
		b.WriteString("\n")
	}
	for line := range strings.Lines(stderr) {
		b.WriteString("! " + line)
	}
	if code != done {
		fmt.Fprintf(&b, "[exit %d]\n", code)
	}
	return withoutChance(strings.ReplaceAll(b.String(), s.root, "$PROJECT"))
}

// withoutChance replaces ids that are made by chance, and hashes over them.
func withoutChance(text string) string {
	text = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b`).ReplaceAllString(text, "$$ID")
	text = regexp.MustCompile(`\bsqlite-[0-9a-f]{16}\b`).ReplaceAllString(text, "$$WRITER")
	return regexp.MustCompile(`\b[0-9a-f]{64}\b`).ReplaceAllString(text, "$$HASH")
}

// run understands as much of a shell as the scripts and the examples in the help texts need: assignments before the
// command, quotes, < FILE, and echo TEXT | before it.
func (s *scriptRun) run(line string) (stdout, stderr string, code exitCode) {
	stdin := ""
	if before, after, ok := strings.Cut(line, " | guardrails "); ok {
		words := splitWords(before)
		if words[0] != "echo" || len(words) != 2 {
			s.t.Fatalf("%s: only echo TEXT can stand before a pipe", line)
		}
		stdin, line = words[1]+"\n", "guardrails "+after
	}
	words := splitWords(strings.ReplaceAll(line, "$PROJECT", s.root))
	variables := maps.Clone(s.variables)
	for len(words) > 0 && words[0] != "guardrails" {
		name, value, ok := strings.Cut(words[0], "=")
		if !ok {
			s.t.Fatalf("%s: is no command line of guardrails", line)
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
	code = run(args, &world{
		stdin: strings.NewReader(stdin), stdout: &out, stderr: &errs, cwd: s.cwd,
		env:    func(name string) string { return variables[name] },
		now:    func() time.Time { return time.Date(2026, 2, 5, 10, 0, 0, 0, time.UTC) },
		tools:  func() (string, error) { return "/opt/guardrails/bin", nil },
		server: func() (string, error) { return "/opt/guardrails/bin/guardrails-server", nil },
		exec: func(program string, args []string) (exitCode, error) {
			_, err := fmt.Fprintln(&out, "becomes", program, strings.Join(args, " "))
			return done, err
		},
		user:     func() string { return "dev" },
		terminal: variables["TERM"] != "", personal: s.personal,
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
