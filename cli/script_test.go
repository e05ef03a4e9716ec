package cli_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"guardrails/cli/app"
	"guardrails/cli/clitest"
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
	s := clitest.New(t, files)
	got := transcribe(t, s, transcript)
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

// transcript runs the commands of a transcript and writes it anew.
func transcribe(t *testing.T, s *clitest.Session, old string) string {
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
			b.WriteString(record(t, s, strings.TrimSpace(line[2:])))
		}
		titled = !isCommand
	}
	return b.String() + "\n"
}

// record runs one command line and writes down what came of it.
func record(t *testing.T, s *clitest.Session, line string) string {
	if dir, ok := strings.CutPrefix(line, "cd "); ok {
		s.Cwd = filepath.Join(s.Cwd, dir)
		t.Chdir(s.Cwd)
		return ""
	}
	if name, ok := strings.CutPrefix(line, "cat "); ok {
		content, err := os.ReadFile(filepath.Join(s.Cwd, name))
		if err != nil {
			return "[no such file]\n"
		}
		return string(content)
	}
	stdout, stderr, code := s.Run(line)
	var b strings.Builder
	b.WriteString(stdout)
	if stdout != "" && !strings.HasSuffix(stdout, "\n") {
		b.WriteString("\n")
	}
	for line := range strings.Lines(stderr) {
		b.WriteString("! " + line)
	}
	if code != app.OK {
		fmt.Fprintf(&b, "[exit %d]\n", code)
	}
	return withoutChance(strings.ReplaceAll(b.String(), s.Root, "$PROJECT"))
}

// withoutChance replaces ids that are made by chance, and hashes over them.
func withoutChance(text string) string {
	text = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b`).ReplaceAllString(text, "$$ID")
	text = regexp.MustCompile(`\bsqlite-[0-9a-f]{16}\b`).ReplaceAllString(text, "$$WRITER")
	return regexp.MustCompile(`\b[0-9a-f]{64}\b`).ReplaceAllString(text, "$$HASH")
}
